"""Trees of settings: read from YAML files and those they extend, and made into dataclasses."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.configuration import (
    COMMAND_LINE,
    Location,
    Node,
    Problem,
    RecipeProblemsError,
    node_of,
    overlay,
    parse_value,
    read_tree,
)


def plain(node: Node) -> object:
    """The values of a tree."""
    if not isinstance(node.value, dict):
        return node.value
    return {name: plain(inner) for name, inner in node.value.items()}


@pytest.fixture
def write(tmp_path: Path):
    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return written


def read(path: Path, known: dict[str, Path] | None = None) -> tuple[object, list[str]]:
    problems: list[Problem] = []
    tree = read_tree(path, known or {}, problems)
    return plain(tree), [f"{problem.location.line}: {problem.text}" for problem in problems]


def test_known_files_are_extended_by_name_and_files_beside_go_first(write, tmp_path) -> None:
    known = {"base": write("elsewhere.yaml", "seed: 1\n")}
    assert read(write("own.yaml", "extends: base\n"), known) == ({"seed": 1}, [])
    write("base", "seed: 2\n")
    assert read(tmp_path / "own.yaml", known) == ({"seed": 2}, [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a:\n  b: 1\n  b: 2\n", "3: a.b is given twice"),
        ("a: .nan\n", "neither text, a finite number"),
        ("a: !!python/name:os.system x\n", "neither text, a finite number"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(write, text: str, problem: str) -> None:
    _, problems = read(write("own.yaml", text))
    assert any(problem in told for told in problems), problems


@pytest.mark.parametrize(
    ("data", "line", "problem"),
    [
        (b"- a\n", 1, "must be a mapping"),
        (b"a: 1\nb: [\n", 3, "not YAML"),
        (b"a: 1\nb: \x01\n", 2, "has a control character"),
        (b"a: 1\nb: \xff\n", 2, "is not UTF-8 text"),
    ],
)
def test_what_is_no_mapping_cannot_be_read(tmp_path, data, line, problem) -> None:
    (tmp_path / "own.yaml").write_bytes(data)
    with pytest.raises(RecipeProblemsError) as caught:
        read(tmp_path / "own.yaml")
    (told,) = caught.value.problems
    assert told.location.line == line and problem in told.text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("3", 3),
        ("no", False),
        ("2026-11-23", "2026-11-23"),
        ("[1, a]", [1, "a"]),
        ("", None),
        ("'1'", "1"),
    ],
)
def test_values_are_what_people_mean(text: str, value: object) -> None:
    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)


@pytest.mark.parametrize("text", ["[", ".inf", "1" + "0" * 400, "!!set {a}"])
def test_what_no_setting_can_have_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_value(text)


BASE = node_of({"model": {"layers": 6, "heads": 8}, "steps": 10}, Location("base.yaml", 3))


def test_an_empty_mapping_takes_what_is_below_away() -> None:
    upper = node_of({"model": {}}, COMMAND_LINE)
    assert overlay(BASE, upper).plain() == {"model": {}, "steps": 10}
