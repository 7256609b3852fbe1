"""YAML files read as trees of settings, each with the files that it extends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

import yaml

from subfit.configuration.tree import (
    EXTENDS,
    NAME,
    OVER_ALL_FILES,
    UNREADABLE,
    VARIANTS,
    Location,
    Node,
    Problem,
    RecipeProblemsError,
    did_you_mean,
    overlay,
)
from subfit.errors import reason_of

_DEEPEST = 8
"""Levels; a recipe needs five. An alias that holds itself would have no end."""
_NO_VALUE = "neither text, a finite number, true, false, null, a list nor a mapping"


def parse_value(text: str) -> Any:
    """Return the value of a piece of YAML.

    Raises:
        ValueError: It is not YAML, or no value that a setting can have.
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"{text!r} is not YAML") from error
    return None if node is None else _construct(node)


def read_tree(path: Path, known: Mapping[str, Path], problems: list[Problem]) -> Node:
    """Read a file, laid over the one it extends, if any.

    Args:
        path: The YAML file.
        known: Files that can be extended by name.
        problems: Grows by what is wrong with the files as such.

    Returns:
        The values of all files. ``extends`` is among them only if what it names cannot be read.

    Raises:
        RecipeProblemsError: The file cannot be read, or is no mapping.
    """
    tree, *bases = read_chain(path, known, problems)
    # Two recipes of one name would make one checkpoint of two kinds.
    return reduce(lambda base, upper: overlay(base.without(NAME), upper), [*bases[::-1], tree])


def read_chain(
    path: Path, known: Mapping[str, Path], problems: list[Problem], above: tuple[Path, ...] = ()
) -> list[Node]:
    """Read a file, the file that it extends, and so on.

    Args:
        path: The YAML file.
        known: Files that can be extended by name.
        problems: Grows by what is wrong with the files as such.
        above: The files that extend this one, the outermost first.

    Returns:
        The files, the one at ``path`` first; ``extends`` is among their values only if what it
        names cannot be read.

    Raises:
        RecipeProblemsError: The file cannot be read, or is no mapping.
    """
    tree = _parse(path, problems, rank=-len(above))
    name = tree.value.get(EXTENDS)
    if name is None:
        return [tree]
    chain = (*above, path)
    try:
        bases = read_chain(_extended(name, known, chain), known, problems, chain)
    except RecipeProblemsError as error:
        problems.extend(error.problems)
        return [tree]
    return [tree.without(EXTENDS), *bases]


def _extended(named: Node, known: Mapping[str, Path], chain: tuple[Path, ...]) -> Path:
    """Return the file that ``extends`` names in the last file of the chain."""
    name = named.value
    if not isinstance(name, str) or not name or "\0" in name:
        raise _wrong(named, f"{name!r} is not a file or a known name")
    beside = chain[-1].parent / name
    path = beside if beside.is_file() else known.get(name)
    if path is None:
        is_file = beside.suffix in (".yaml", ".yml")
        hint = "" if is_file else f", nor one of that name{did_you_mean(name, known)}"
        raise _wrong(named, f"there is no file {beside}{hint}")
    if path.resolve() in (file.resolve() for file in chain):
        way = " > ".join(file.name for file in (*chain, path))
        raise _wrong(named, f"goes round in a circle: {way}")
    return path


def _wrong(named: Node, text: str) -> RecipeProblemsError:
    return RecipeProblemsError([Problem(named.location, f"{EXTENDS}: {text}")])


class _Loader(yaml.SafeLoader):
    """Reads the values that settings have: text, numbers, booleans, null, lists and mappings."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
# YAML 1.1 takes 1e-3, which lacks a point, for text.
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[+-]?\d+(\.\d*)?[eE][+-]?\d+$"), list("+-0123456789")
)


def _construct(node: yaml.Node) -> Any:
    """Return the value of a node; `ValueError` if settings cannot have it."""
    try:
        value = _Loader("").construct_object(node, deep=True)
        json.dumps(value, allow_nan=False)
        if type(value) is int:
            float(value)  # fails beyond 308 digits
        return value
    except (yaml.YAMLError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError):
        raise ValueError(f"{str(node.value)[:40]!r} is {_NO_VALUE}") from None


def _parse(path: Path, problems: list[Problem], rank: int) -> Node:
    location = Location(str(path), None, rank)
    root = _compose(location, path)
    location = replace(location, line=1)
    if root is None:  # an empty file sets nothing
        return Node({}, location)
    if not isinstance(root, yaml.MappingNode):
        raise RecipeProblemsError([Problem(location, "must be a mapping of keys to values")])
    return Node(dict(_Reader(location.path, rank, problems).entries(root, ())), location)


def _compose(location: Location, path: Path) -> yaml.Node | None:
    """Parse YAML to nodes, which unlike values know their lines."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        problem = Problem(location, f"cannot be read ({reason_of(error)})")
        raise RecipeProblemsError([problem]) from error
    try:
        return _nodes(content)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line, text = _reason(error, content)
        raise RecipeProblemsError([Problem(replace(location, line=line), text)]) from error


@lru_cache(maxsize=64)
def _nodes(content: bytes) -> yaml.Node | None:
    # Parsing takes most of the time of reading a file, and the guidelines and recipes that others
    # extend are read for each of them.
    return yaml.compose(content.decode("utf-8-sig"), Loader=_Loader)


def _reason(error: Exception, content: bytes) -> tuple[int | None, str]:
    """Return the line at which a file cannot be read, if there is one, and the reason."""
    match error:
        case UnicodeDecodeError():
            return content.count(b"\n", 0, error.start) + 1, "is not UTF-8 text"
        case yaml.MarkedYAMLError():
            mark = error.problem_mark
            return mark.line + 1 if mark else None, f"not YAML: {error.problem}"
        case yaml.reader.ReaderError():
            text = content.decode("utf-8-sig")
            return text.count("\n", 0, error.position) + 1, "not YAML: has a control character"
    return None, f"not YAML: {' '.join(str(error).split())}"


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
            location = self._place(key_node, where)
            if not isinstance(key_node, yaml.ScalarNode):
                self.problems.append(Problem(location, "a key must be plain text"))
                continue
            key = str(key_node.value)
            if key in seen:
                self.problems.append(Problem(location, f"{'.'.join((*where, key))} is given twice"))
            seen.add(key)
            yield key, Node(self._value(value_node, (*where, key), location), location)

    def _place(self, key_node: yaml.Node, where: tuple[str, ...]) -> Location:
        # A variant lies over all plain values, also over those of recipes that extend this one.
        rank = self.rank + (OVER_ALL_FILES if where[:1] == (VARIANTS,) else 0)
        return Location(self.path, key_node.start_mark.line + 1, rank)

    def _value(self, node: yaml.Node, where: tuple[str, ...], location: Location) -> Any:
        if isinstance(node, yaml.MappingNode):
            if len(where) < _DEEPEST:
                return dict(self.entries(node, where))
            self.problems.append(Problem(location, "mappings are nested too deeply"))
            return UNREADABLE
        try:
            return _construct(node)
        except ValueError as error:
            self.problems.append(Problem(location, f"{'.'.join(where)}: {error}"))
            return UNREADABLE
