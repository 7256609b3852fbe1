"""Tests stand in the room that they test: ``tests/ROOM/test_ABOUT.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.places import ROOT

TESTS = ROOT / "tests"
ACROSS = {
    "test_api.py": "the examples of docs/api.md",
    "test_citations.py": "papers",
    "test_examples.py": "the example scenes",
    "test_extending.py": "the examples of docs/extending.md",
    "test_layout.py": "this",
    "test_lessons.py": "training pairs that are made",
    "test_packaging.py": "what is installed, the Makefile and CI",
    "test_readme.py": "the README's stories",
    "test_round_trip.py": "from file to file in every language",
    "test_tutorials.py": "the tutorials, and the options that docs/ names",
    "test_whole_path.py": "any file at all",
}
"""Test files of no single module, and what they are about."""


def files() -> list[str]:
    return sorted(file.relative_to(TESTS).as_posix() for file in TESTS.rglob("test_*.py"))


@pytest.mark.parametrize("name", sorted(set(files()) - set(ACROSS)))
def test_a_test_file_stands_in_the_room_that_it_tests(name: str) -> None:
    room = Path(name).parent
    if room == Path():
        assert (ROOT / "subfit" / f"{Path(name).stem.removeprefix('test_')}.py").is_file()
    else:
        places = (ROOT / "subfit" / room.parts[0], ROOT / room.parts[0])
        assert any(each.is_dir() or each.with_suffix(".py").is_file() for each in places)


def test_files_across_modules_are_there() -> None:
    assert set(ACROSS) <= set(files())
