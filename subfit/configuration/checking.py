"""Trees of settings made into dataclasses; everything wrong with them is told at once.

Types and ranges are those of the fields' annotations, checked by pydantic (in its strict mode); a
dataclass that has settings which cannot be together says so by `require` in ``__post_init__``.
Pydantic takes a tenth of a second to import, so it is imported only where something is checked.
"""

from __future__ import annotations

import dataclasses
import json
import re
import typing
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import reduce
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from subfit.configuration.tree import UNREADABLE, Node, Problem, did_you_mean
from subfit.errors import RecipeError

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

T = TypeVar("T")
_ADAPTERS: dict[type, TypeAdapter[Any]] = {}
Path = tuple[str, ...]
"""The keys on the way to a value."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Settings that cannot be together, or one that cannot be."""

    keys: Path
    """The fields concerned, all of one dataclass."""
    message: str


class ContradictionsError(RecipeError, ValueError):
    """All contradictions in one dataclass."""

    def __init__(self, contradictions: list[Contradiction]) -> None:
        self.contradictions = contradictions
        super().__init__("; ".join(contradiction.message for contradiction in contradictions))


Condition = tuple[object, str, str]
"""What must be true, the fields it is about (parted by spaces), and the message if it is not."""


def require(*conditions: Condition) -> None:
    """Check settings that depend on one another.

    Raises:
        ContradictionsError: Every condition that is not met.
    """
    broken = [Contradiction(tuple(keys.split()), text) for met, keys, text in conditions if not met]
    if broken:
        raise ContradictionsError(broken)


def check(kind: type[T], tree: Node, problems: list[Problem], name: str = "") -> T | None:
    """Make a dataclass of a mapping.

    Args:
        kind: The dataclass; its fields are the keys.
        tree: The mapping.
        problems: Grows by unknown and missing keys, wrong values and contradictions. What is wrong
            is left out to look for contradictions among the rest.
        name: What stands before keys in messages, as ``sources.Tatoeba``; nothing for whole files.

    Returns:
        The dataclass, or None if there was any problem with it.
    """
    return _Check(kind, tree, name, problems).run()


@dataclass(slots=True)
class _Check(Generic[T]):
    kind: type[T]
    tree: Node
    name: str
    problems: list[Problem]
    rejected: set[Path] = field(default_factory=set)
    """Where wrong values stand, which are left out when the rest is checked again."""

    def run(self) -> T | None:
        from pydantic import ValidationError

        adapter = _adapter(self.kind)
        self.rejected.update(_unreadable(self.tree))
        first = True
        while True:
            document = json.dumps(_plain(self.tree, self.rejected))
            try:
                made = adapter.validate_json(document, strict=True, extra="forbid")
            except ValidationError as error:
                errors = error.errors(include_url=False)
            else:
                return None if self.rejected else made
            before = set(self.rejected)
            self._tell(errors, first=first)
            first = False
            if self.rejected == before:
                return None

    def _tell(self, errors: list[ErrorDetails], *, first: bool) -> None:
        wrong: dict[Path, list[str]] = {}
        for error in errors:
            path, node = self._find(error["loc"])
            contradictions = error.get("ctx", {}).get("error")
            if isinstance(contradictions, ContradictionsError):
                self._tell_contradictions(contradictions, path, node)
            elif error["type"] == "missing" and node.is_mapping:
                if first:
                    text = f"missing key {self._dotted((*path, str(error['loc'][-1])))}"
                    self.problems.append(Problem(node.location, text, mendable=True))
            elif path in self.rejected:  # and so it is missing
                continue
            elif error["type"] == "unexpected_keyword_argument":
                self._reject(path, f"unknown key {self._dotted(path)}{_hint(self.kind, path)}")
            else:
                wrong.setdefault(path, []).append(_demand(error))
        for path, demands in wrong.items():
            # Of several possible types, the one that matched furthest is the one that was meant.
            if not any(other[: len(path)] == path and other != path for other in wrong):
                first_demand, *others = dict.fromkeys(demands)
                others = [demand.removeprefix("must be ") for demand in others]
                self._reject_value(path, " or ".join([first_demand, *others]))

    def _find(self, location: tuple[int | str, ...]) -> tuple[Path, Node]:
        """Return the value that pydantic names, whose locations also have names of types."""
        path, node = list[str](), self.tree
        for part in map(str, location):
            if node.is_mapping and part in node.value:
                path, node = [*path, part], node.value[part]
        return tuple(path), node

    def _tell_contradictions(self, error: ContradictionsError, section: Path, node: Node) -> None:
        for contradiction in error.contradictions:
            paths = [(*section, key) for key in contradiction.keys]
            if any(bad[: len(path)] == path for bad in self.rejected for path in paths):
                continue
            given = [node.value[key].location for key in contradiction.keys if key in node.value]
            location = max(given, key=lambda location: location.rank, default=node.location)
            self.problems.append(Problem(location, contradiction.message, mendable=True))
        self.rejected.add(section)

    def _reject_value(self, path: Path, demand: str) -> None:
        value = json.dumps(_plain(self._find(path)[1], self.rejected, path), ensure_ascii=False)
        shown = value if len(value) <= 60 else f"{value[:57]}..."
        self._reject(path, f"{self._dotted(path)} {demand}, not {shown}")

    def _reject(self, path: Path, text: str) -> None:
        self.problems.append(Problem(self._find(path)[1].location, text))
        self.rejected.add(path)

    def _dotted(self, path: Path) -> str:
        return ".".join(filter(None, (self.name, *path)))


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    from pydantic import TypeAdapter

    if kind not in _ADAPTERS:  # making one takes longer than all that it checks
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def _plain(node: Node, without: Set[Path], path: Path = ()) -> Any:
    """Return a node's value without places, and without what stands at some paths below it."""
    if not node.is_mapping:
        return node.value
    return {
        key: _plain(entry, without, (*path, key))
        for key, entry in node.value.items()
        if (*path, key) not in without
    }


def _unreadable(node: Node, path: Path = ()) -> Iterator[Path]:
    """Yield where values stand that could not be read, which has been told."""
    if node.value is UNREADABLE:
        yield path
    for key, entry in node.value.items() if node.is_mapping else ():
        yield from _unreadable(entry, (*path, key))


def _demand(error: ErrorDetails) -> str:
    """Say what a value must be, in the words of YAML."""
    if error["type"] in ("missing", "too_long"):
        return "must have another number of values"
    text = error["msg"].removeprefix("Value error, ").replace("an object", "a mapping")
    text = (
        text.replace("a valid array", "a list").replace("a valid ", "a ").replace("a int", "an int")
    )
    return re.sub(r"^(Input|String|Dictionary|Tuple) should", "must", text)


def _hint(root: type, path: Path) -> str:
    """Say which key may have been meant by an unknown one."""
    *section, key = path
    known = list(_keys_of(reduce(_entry_type, section, root)))
    others = {name: set(_keys_of(hint)) for name, hint in typing.get_type_hints(root).items()}
    elsewhere = [f"{name}.{key}" for name, keys in others.items() if key in keys]
    if elsewhere and not get_close_matches(key, known, n=1):
        return f" (did you mean {' or '.join(elsewhere)}?)"
    return did_you_mean(key, known)


def _entry_type(hint: Any, key: str) -> Any:
    """Return the type of an entry of a mapping; None where the type is none of a mapping."""
    if dataclasses.is_dataclass(hint):
        return typing.get_type_hints(hint).get(key)
    if typing.get_origin(hint) is dict:
        return typing.get_args(hint)[1]
    options = (_entry_type(option, key) for option in typing.get_args(hint))
    return next(filter(None, options), None)


def _keys_of(hint: Any) -> Iterator[str]:
    for kind in (hint, *typing.get_args(hint)):
        if dataclasses.is_dataclass(kind):
            yield from kind.__dataclass_fields__
