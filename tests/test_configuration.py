"""Trees of settings: read from YAML files and those they extend, and made into dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from subfit.configuration import (
    COMMAND_LINE,
    AtLeastOne,
    ContradictionsError,
    Location,
    Node,
    Problem,
    RecipeProblemsError,
    Share,
    check,
    node_of,
    overlay,
    parse_value,
    read_chain,
    read_tree,
    require,
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


def test_a_file_lies_over_the_one_that_it_extends(write) -> None:
    write("base.yaml", "name: base\nmodel: {width: 8, layers: 2}\nseed: 1\n")
    path = write("own.yaml", "extends: base.yaml\nmodel: {width: 16}\n")
    assert read(path) == ({"model": {"width": 16, "layers": 2}, "seed": 1}, [])


def test_known_files_are_extended_by_name_and_files_beside_go_first(write, tmp_path) -> None:
    known = {"base": write("elsewhere.yaml", "seed: 1\n")}
    assert read(write("own.yaml", "extends: base\n"), known) == ({"seed": 1}, [])
    write("base", "seed: 2\n")
    assert read(tmp_path / "own.yaml", known) == ({"seed": 2}, [])


def test_a_chain_begins_with_the_file_itself(write) -> None:
    write("a.yaml", "seed: 1\n")
    write("b.yaml", "extends: a.yaml\nseed: 2\n")
    path = write("c.yaml", "extends: b.yaml\nseed: 3\n")
    assert [plain(one) for one in read_chain(path, {}, [])] == [{"seed": n} for n in (3, 2, 1)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nextends: nowhere.yaml\n", "2: extends: there is no file"),
        ("extends: bass\n", "did you mean"),
        ("extends: own.yaml\n", "goes round in a circle: own.yaml > own.yaml"),
        ("extends: [a]\n", "is not a file or a known name"),
        ("a: 1\nb: 2\na: 3\n", "3: a is given twice"),
        ("a:\n  b: 1\n  b: 2\n", "3: a.b is given twice"),
        ("a: 1\n? [b]\n: 2\n", "2: a key must be plain text"),
        ("a: .nan\n", "neither text, a finite number"),
        ("a: !!python/name:os.system x\n", "neither text, a finite number"),
        ("a: " + "{b: " * 12 + "1" + "}" * 12 + "\n", "nested too deeply"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(write, text: str, problem: str) -> None:
    _, problems = read(write("own.yaml", text), {"base": Path("base.yaml")})
    assert any(problem in told for told in problems), problems


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("- a\n", 1, "must be a mapping"),
        ("a: 1\nb: [\n", 3, "not YAML"),
        ("a: 1\nb: \x01\n", 2, "has a control character"),
    ],
)
def test_what_is_no_mapping_cannot_be_read(write, text: str, line: int, problem: str) -> None:
    with pytest.raises(RecipeProblemsError) as caught:
        read(write("own.yaml", text))
    (told,) = caught.value.problems
    assert told.location.line == line and problem in told.text


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_bytes(b"a: 1\nb: \xff\n")
    with pytest.raises(RecipeProblemsError) as caught:
        read(tmp_path / "own.yaml")
    (told,) = caught.value.problems
    assert (told.location.line, told.text) == (2, "is not UTF-8 text")


def test_an_empty_file_sets_nothing(write) -> None:
    assert read(write("own.yaml", "# nothing\n")) == ({}, [])


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


def test_problems_are_told_by_file_and_line_those_of_the_command_line_last() -> None:
    problems = [
        Problem(COMMAND_LINE, "c"),
        Problem(Location("b.yaml", 2), "b"),
        Problem(Location("a.yaml", 9), "a"),
    ]
    told = str(RecipeProblemsError(problems, "mend them"))
    assert told == "a.yaml:9: a; b.yaml:2: b; command line: c; mend them"


@dataclass(frozen=True)
class Boats:
    """Settings that depend on each other."""

    count: AtLeastOne
    red: Share = 0.0
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require(self, (len(self.names) <= self.count, "more names than boats"))


def checked(**values: object) -> tuple[Boats | None, list[str]]:
    """The settings, and what is wrong with them."""
    problems: list[Problem] = []
    made = check(Boats, node_of(values, Location("boats.yaml", 4)), problems)
    return made, [problem.text for problem in problems]


def test_all_problems_are_told_at_once() -> None:
    made, problems = checked(count=0, redd=0.5)
    assert made is None and len(problems) == 2
    assert any("count" in text for text in problems)
    assert any("did you mean red?" in text for text in problems)


def test_contradictions_are_told_as_well() -> None:
    made, problems = checked(count=1, names=["a", "b"])
    assert made is None and any("more names than boats" in text for text in problems)
    with pytest.raises(ContradictionsError, match="more names than boats"):
        Boats(1, names=("a", "b"))


INSIDE_AND_OUTSIDE = {
    "Count": ([0, 7], [-1, 0.5, True]),
    "AtLeastOne": ([1, 7], [0, 1.5]),
    "Share": ([0, 0.5, 1], [-0.1, 1.1]),
    "ShareBelowOne": ([0, 0.99], [1, -0.1]),
    "NotNegative": ([0, 0.5, 12], [-0.001]),
    "Positive": ([0.001, 12], [0, -1]),
}
