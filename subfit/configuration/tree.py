"""Settings as trees in which every value knows its line, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from subfit.errors import RecipeError

EXTENDS = "extends"
VARIANTS = "variants"
NAME = "name"
OVER_ALL_FILES = 1000
"""Is added to the rank of what lies over all files."""
UNREADABLE = object()
"""Stands for a value that is none; what is wrong with it has been told."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a value was given."""

    path: str
    """The file, or ``command line``."""
    line: int | None
    """1-based."""
    rank: int = 0
    """A value overlays those of lower rank."""

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


COMMAND_LINE = Location("command line", None, rank=2 * OVER_ALL_FILES)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a recipe."""

    location: Location
    text: str
    mendable: bool = False
    """A variant's values may mend it: something is missing, or does not go together."""

    def __str__(self) -> str:
        return f"{self.location}: {self.text}"

    @property
    def order(self) -> tuple[bool, str, int]:
        """Sorts problems by file and line, those of the command line last."""
        return self.location.line is None, self.location.path, self.location.line or 0


class RecipeProblemsError(RecipeError):
    """Everything that is wrong with a recipe, by file and line.

    Args:
        problems: At least one.
        remedy: What to do about them, if there is a word that holds for all.
    """

    def __init__(self, problems: Iterable[Problem], remedy: str = "") -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.order))
        super().__init__("; ".join([*map(str, self.problems), *filter(None, [remedy])]))


@dataclass(frozen=True, slots=True)
class Node:
    """A value; a mapping holds nodes."""

    value: Any
    location: Location

    @property
    def is_mapping(self) -> bool:
        """Whether the value is a mapping of nodes."""
        return isinstance(self.value, dict)

    def plain(self) -> Any:
        """Return the value without places."""
        if self.is_mapping:
            return {key: node.plain() for key, node in self.value.items()}
        return self.value

    def with_entry(self, key: str, node: Node) -> Node:
        """Return the mapping with one entry more, or another one."""
        return replace(self, value={**self.value, key: node})

    def without(self, *keys: str) -> Node:
        """Return the mapping without some of its entries."""
        kept = {key: node for key, node in self.value.items() if key not in keys}
        return replace(self, value=kept)


def node_of(value: Any, location: Location) -> Node:
    """Return a plain value as a tree that was given in one location."""
    if isinstance(value, dict):
        value = {str(key): node_of(entry, location) for key, entry in value.items()}
    return Node(value, location)


def overlay(base: Node, upper: Node) -> Node:
    """Lay one mapping over another.

    Mappings within them merge by key. Whatever else is given above replaces what is below, and so
    does an empty mapping: else there would be no way to have none of the entries below.
    """
    merged = dict(base.value)
    for key, node in upper.value.items():
        below = merged.get(key)
        if below is not None and below.is_mapping and node.is_mapping and node.value:
            node = overlay(below, node)
        merged[key] = node
    return Node(merged, upper.location)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name nearest to ``name``, and at all of them."""
    names = list(known)
    close = get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    return f" ({hint}known: {', '.join(names) or 'none'})"
