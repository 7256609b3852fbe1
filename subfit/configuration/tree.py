"""Recipes as trees in which every value knows the line it stands in, and how they are overlaid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from subfit.errors import RecipeError, reason_of
from subfit.model.bundled import bundled_recipes

EXTENDS = "extends"
VARIANTS = "variants"
NAME = "name"
_DEEPEST = 8
"""Levels; a recipe needs five. An alias that holds itself would have no end."""
_OVER_ALL_FILES = 1000
_NO_VALUE = (yaml.YAMLError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What PyYAML raises on values such as ``!python/name x``, ``2020-99-99`` and ``!!bool maybe``."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value was given."""

    path: str
    """The file, or ``command line``."""
    line: int | None
    """1-based."""
    rank: int = 0
    """A value overlays those of lower rank."""

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


COMMAND_LINE = Place("command line", None, rank=2 * _OVER_ALL_FILES)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a recipe."""

    place: Place
    text: str
    mendable: bool = False
    """A variant's values may mend it: something is missing, or does not go together."""

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"

    @property
    def order(self) -> tuple[bool, str, int]:
        """Sorts problems by file and line, those of the command line last."""
        return self.place.line is None, self.place.path, self.place.line or 0


class RecipeProblemsError(RecipeError):
    """Everything that is wrong with a recipe, by file and line.

    Args:
        problems: At least one.
        remedy: What to do about them, if there is a word that holds for all.
    """

    def __init__(self, problems: Iterable[Problem], remedy: str = "") -> None:
        self.problems = tuple(sorted(problems, key=lambda each: each.order))
        super().__init__("; ".join([*map(str, self.problems), *filter(None, [remedy])]))


@dataclass(frozen=True, slots=True)
class Node:
    """A value; a mapping holds nodes."""

    value: Any
    place: Place

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


def node_of(value: Any, place: Place) -> Node:
    """Return a plain value as a tree that was given in one place."""
    if isinstance(value, dict):
        value = {str(key): node_of(each, place) for key, each in value.items()}
    return Node(value, place)


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
    return Node(merged, upper.place)


def parse_value(text: str) -> Any:
    """Return the value of a piece of YAML.

    Raises:
        ValueError: It is not YAML.
    """
    try:
        return yaml.safe_load(text)
    except (*_NO_VALUE, RecursionError) as error:
        raise ValueError(f"{text!r} is not YAML") from error


def read_tree(path: Path, problems: list[Problem], above: tuple[Path, ...] = ()) -> Node:
    """Read a recipe, laid over the one it extends, if any.

    Args:
        path: The YAML file.
        problems: Grows by what is wrong with the files as such.
        above: The recipes that extend this one, the outermost first.

    Returns:
        The values of all files. ``extends`` is among them only if what it names cannot be read.

    Raises:
        RecipeProblemsError: The file cannot be read, or is no recipe at all.
    """
    tree = _parse(path, problems, rank=-len(above))
    named = tree.value.get(EXTENDS)
    if named is None:
        return tree
    chain = (*above, path)
    try:
        base = read_tree(_extended(named, chain), problems, chain)
    except RecipeProblemsError as error:
        problems.extend(error.problems)
        return tree
    # Two recipes of one name would make one checkpoint of two kinds.
    return overlay(base.without(NAME), tree.without(EXTENDS))


def _extended(named: Node, chain: tuple[Path, ...]) -> Path:
    """Return the file that ``extends`` names in the last recipe of the chain."""
    name, bundled = named.value, bundled_recipes()
    if not isinstance(name, str) or not name or "\0" in name:
        raise _wrong(named, f"{name!r} is not a file or a recipe's name")
    beside = chain[-1].parent / name
    path = beside if beside.is_file() else bundled.get(name)
    if path is None:
        is_file = beside.suffix in (".yaml", ".yml")
        hint = "" if is_file else f", nor a recipe of that name{did_you_mean(name, bundled)}"
        raise _wrong(named, f"there is no file {beside}{hint}")
    if path.resolve() in (each.resolve() for each in chain):
        way = " > ".join(each.name for each in (*chain, path))
        raise _wrong(named, f"goes round in a circle: {way}")
    return path


def _wrong(named: Node, text: str) -> RecipeProblemsError:
    return RecipeProblemsError([Problem(named.place, f"{EXTENDS}: {text}")])


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name nearest to ``name``, and at all of them."""
    names = list(known)
    close = get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    return f" ({hint}known: {', '.join(names) or 'none'})"


def _parse(path: Path, problems: list[Problem], rank: int) -> Node:
    place = Place(str(path), None, rank)
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except OSError as error:
        raise RecipeProblemsError(
            [Problem(place, f"cannot be read ({reason_of(error)})")]
        ) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        problem = Problem(replace(place, line=line), f"not YAML: {error.problem}")
        raise RecipeProblemsError([problem]) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        text = " ".join(str(error).split())
        raise RecipeProblemsError([Problem(place, f"not YAML: {text}")]) from error
    place = replace(place, line=1)
    if not isinstance(root, yaml.MappingNode):
        raise RecipeProblemsError([Problem(place, "a recipe is a mapping of sections")])
    return Node(dict(_Reader(place.path, rank, problems).entries(root, ())), place)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes nodes of the nodes of PyYAML."""

    path: str
    rank: int
    problems: list[Problem]

    def entries(self, root: yaml.MappingNode, where: tuple[str, ...]) -> Iterator[tuple[str, Node]]:
        """Yield the entries of the mapping at ``where``."""
        seen = set()
        for key_node, value_node in root.value:
            place = self._place(key_node, where)
            if not isinstance(key_node, yaml.ScalarNode):
                self.problems.append(Problem(place, "a key must be plain text"))
                continue
            key = str(key_node.value)
            if key in seen:
                self.problems.append(Problem(place, f"{'.'.join((*where, key))} is given twice"))
            seen.add(key)
            yield key, Node(self._value(value_node, (*where, key), place), place)

    def _place(self, key_node: yaml.Node, where: tuple[str, ...]) -> Place:
        # A variant lies over all plain values, also over those of recipes that extend this one.
        rank = self.rank + (_OVER_ALL_FILES if where[:1] == (VARIANTS,) else 0)
        return Place(self.path, key_node.start_mark.line + 1, rank)

    def _value(self, node: yaml.Node, where: tuple[str, ...], place: Place) -> Any:
        if isinstance(node, yaml.MappingNode):
            if len(where) < _DEEPEST:
                return dict(self.entries(node, where))
            self.problems.append(Problem(place, "mappings are nested too deeply"))
            return None
        try:
            return yaml.SafeLoader("").construct_object(node, deep=True)
        except _NO_VALUE:
            self.problems.append(Problem(place, f"{'.'.join(where)}: not a value that YAML knows"))
            return None
