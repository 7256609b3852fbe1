"""Tests stand where the modules stand that they test: ``tests/ROOM/test_MODULE.py``.

What is long is parted by what it is about: ``test_MODULE_ABOUT.py``. ``tests/ROOM/test_ROOM.py``
tests the room itself.
"""

from __future__ import annotations

from functools import cache
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
    "test_packaging.py": "what is installed, the Makefile and CI",
    "test_readme.py": "the README's stories",
    "test_round_trip.py": "from file to file in every language",
    "test_whole_path.py": "any file at all",
}
"""Test files of no single module, and what they are about."""


@cache
def modules() -> set[str]:
    """Return the places that tests may stand at: ``limits/budget``, ``benchmarks/film``."""
    places = [file.relative_to(ROOT / "subfit") for file in (ROOT / "subfit").rglob("*.py")]
    places += [file.relative_to(ROOT) for file in (ROOT / "benchmarks").rglob("*.py")]
    rooms = {f"{file.parent}/{file.parent.name}" for file in places if file.stem == "__init__"}
    return rooms | {file.with_suffix("").as_posix() for file in places}


def files() -> list[str]:
    return sorted(file.relative_to(TESTS).as_posix() for file in TESTS.rglob("test_*.py"))


@pytest.mark.parametrize("name", sorted(set(files()) - set(ACROSS)))
def test_a_test_file_stands_where_its_module_stands(name: str) -> None:
    file = Path(name)
    words = file.stem.removeprefix("test_").split("_")
    starts = {"_".join(words[:count]) for count in range(1, len(words) + 1)}
    assert {(file.parent / start).as_posix() for start in starts} & modules()


def test_files_across_modules_are_there() -> None:
    assert set(ACROSS) <= set(files())
