"""From plain values to dataclasses, with everything that is wrong on the way."""

from __future__ import annotations

import dataclasses
import math
import re
import types
import typing
from dataclasses import MISSING
from difflib import get_close_matches
from typing import Any, TypeVar

from subfit.configuration.contradictions import Contradiction, ContradictionsError
from subfit.configuration.tree import Node, Problem, did_you_mean

S = TypeVar("S")


def build_section(kind: type[S], node: Node, where: str, problems: list[Problem]) -> S | None:
    """Make a dataclass of a mapping.

    Args:
        kind: The dataclass; its fields are the keys.
        node: The mapping.
        where: Its name in messages, as ``rows.baseline``.
        problems: Grows by unknown and missing keys, wrong types and contradictions.

    Returns:
        The dataclass, or None if there was any problem with it.
    """
    made = _build(kind, node, where, problems, kind)
    return made if isinstance(made, kind) else None


_NO_MATCH = object()
"""Stands for a value that is missing or cannot be used."""


def _build(kind: type, node: Node, where: str, problems: list[Problem], root: type) -> object:
    """Make a dataclass of the mapping at ``where`` below ``root``, or return `_NO_MATCH`."""
    if not node.is_mapping:
        problems.append(Problem(node.place, f"{where} must be a section with keys"))
        return _NO_MATCH
    before = len(problems)
    hints = typing.get_type_hints(kind)
    fields = {each.name: each for each in dataclasses.fields(kind)}
    for key, entry in node.value.items():
        if key not in fields:
            problems.append(Problem(entry.place, _unknown(_dotted(where, key), kind, root)))
    made: dict[str, Any] = {}
    for name, each in fields.items():
        if name in node.value:
            made[name] = _convert(
                hints[name], node.value[name], _dotted(where, name), problems, root
            )
        elif _is_required(each):
            text = f"missing key {_dotted(where, name)}"
            problems.append(Problem(node.place, text, mendable=True))
            made[name] = _NO_MATCH
    result = _checked(kind, made, node, problems)
    return result if len(problems) == before else _NO_MATCH


def _checked(kind: type, made: dict[str, Any], node: Node, problems: list[Problem]) -> object:
    """Let the dataclass look for contradictions among the values that are not wrong by themselves.

    What is wrong has its default meanwhile, or is empty; no contradiction with it is told.
    """
    wrong = {name for name, value in made.items() if value is _NO_MATCH}
    required = {each.name for each in dataclasses.fields(kind) if _is_required(each)}
    good = {name: value for name, value in made.items() if name not in wrong}
    try:
        return kind(**good, **dict.fromkeys(wrong & required, ""))
    except ContradictionsError as error:
        told = [each for each in error.found if wrong.isdisjoint(each.keys)]
        problems.extend(_problem(each, node) for each in told)
        return _NO_MATCH


def _is_required(each: dataclasses.Field[Any]) -> bool:
    return each.default is MISSING and each.default_factory is MISSING


def _problem(contradiction: Contradiction, node: Node) -> Problem:
    """Place a contradiction at that of its values which was given last."""
    given = [node.value[key].place for key in contradiction.keys if key in node.value]
    place = max(given, key=lambda each: each.rank, default=node.place)
    return Problem(place, contradiction.message, mendable=True)


def _unknown(name: str, kind: type, root: type) -> str:
    """Say that a key of a section is unknown, and which one may be meant."""
    *_, key = name.split(".")
    known = [each.name for each in dataclasses.fields(kind)]
    elsewhere = [f"{section}.{key}" for section, names in _sections(root).items() if key in names]
    if elsewhere and not get_close_matches(key, known, n=1):
        return f"unknown key {name} (did you mean {' or '.join(elsewhere)}?)"
    return f"unknown key {name}{did_you_mean(key, known)}"


def _sections(root: type) -> dict[str, set[str]]:
    """The keys of every section of a dataclass of sections."""
    hints = typing.get_type_hints(root)
    sections = {name: hint for name, hint in hints.items() if dataclasses.is_dataclass(hint)}
    return {
        name: {each.name for each in dataclasses.fields(kind)} for name, kind in sections.items()
    }


def _dotted(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _convert(hint: Any, node: Node, where: str, problems: list[Problem], root: type) -> Any:
    """Convert one value to the type a field declares, or return `_NO_MATCH`."""
    if dataclasses.is_dataclass(hint):
        return _build(typing.cast(type, hint), node, where, problems, root)
    value = node.plain()
    converted = _matched(hint, value)
    if converted is _NO_MATCH:
        wanted = getattr(hint, "__name__", str(hint)) if isinstance(hint, type) else str(hint)
        problems.append(Problem(node.place, f"{where}: {value!r} is not {_spoken(wanted)}"))
    return converted


def _matched(hint: Any, value: Any) -> Any:
    """Return ``value`` as ``hint`` wants it, or `_NO_MATCH`."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return value if value in arguments else _NO_MATCH
    if origin in (typing.Union, types.UnionType):
        tries = (_matched(each, value) for each in arguments)
        return next((each for each in tries if each is not _NO_MATCH), _NO_MATCH)
    if origin is tuple and isinstance(value, list):
        kinds = [arguments[0]] * len(value) if arguments[-1] is ... else list(arguments)
        if len(kinds) != len(value):
            return _NO_MATCH
        items = [_matched(kind, each) for kind, each in zip(kinds, value, strict=True)]
        return _NO_MATCH if _NO_MATCH in items else tuple(items)
    if origin is dict and isinstance(value, dict):
        entries = {str(key): _matched(arguments[1], each) for key, each in value.items()}
        return _NO_MATCH if _NO_MATCH in entries.values() else entries
    if hint is float:
        return _as_float(value)
    if hint is type(None):
        return None if value is None else _NO_MATCH
    exact = isinstance(hint, type) and type(value) is hint
    return value if exact else _NO_MATCH


def _as_float(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d+(\.\d*)?[eE][+-]?\d+", value):
        value = float(value)  # YAML takes 1e-3, which lacks a point, for text
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _NO_MATCH
    try:
        return float(value) if math.isfinite(value) else _NO_MATCH
    except OverflowError:  # an integer of more than 308 digits
        return _NO_MATCH


def _spoken(wanted: str) -> str:
    return wanted.replace("typing.", "").replace("Literal", "one of ")
