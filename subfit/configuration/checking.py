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
from functools import cache, reduce
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

from subfit.configuration.tree import UNREADABLE, Node, Problem, did_you_mean
from subfit.errors import RecipeError

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError


@dataclass(frozen=True)
class Within:
    """Bounds of a setting, for `Annotated`: numbers ``ge``, ``gt``, ``le``, ``lt``, or least items.

    pydantic's own would have to be imported with every module that has settings.
    """

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    min_length: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        bounds = {name: bound for name, bound in vars(self).items() if bound is not None}
        return {**handler(source), **bounds}


Count = Annotated[int, Within(ge=0)]
AtLeastOne = Annotated[int, Within(ge=1)]
Share = Annotated[float, Within(ge=0, le=1)]
ShareBelowOne = Annotated[float, Within(ge=0, lt=1)]
NotNegative = Annotated[float, Within(ge=0)]
Positive = Annotated[float, Within(gt=0)]

T = TypeVar("T")
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


@cache  # making one takes longer than all that it checks
def _adapter(kind: type[T]) -> TypeAdapter[T]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


@dataclass(slots=True)
class _Check(Generic[T]):
    kind: type[T]
    tree: Node
    name: str
    problems: list[Problem]
    rejected: set[Path] = field(default_factory=set)
    """Where wrong values stand, which are left out when the rest is checked again."""

    def run(self) -> T | None:
        from pydantic import ValidationError  # a tenth of a second

        self.rejected.update(_unreadable(self.tree))
        known = -1
        missing = True
        while known < len(self.rejected):
            known = len(self.rejected)
            document = json.dumps(_plain(self.tree, self.rejected))
            try:
                made = _adapter(self.kind).validate_json(document, strict=True, extra="forbid")  # type: ignore[arg-type]
                return None if self.rejected else made
            except ValidationError as error:
                self._tell(error, missing=missing)
            missing = False  # what is missing now was left out
        return None

    def _tell(self, found: ValidationError, *, missing: bool) -> None:
        wrong: dict[Path, list[str]] = {}
        for error in found.errors(include_url=False):
            path, node = self._find(error["loc"])
            contradictions = error.get("ctx", {}).get("error")
            if isinstance(contradictions, ContradictionsError):
                self._tell_contradictions(contradictions, path, node)
            elif error["type"] == "missing" and node.is_mapping:
                if missing:
                    text = f"missing key {self._dotted((*path, str(error['loc'][-1])))}"
                    self.problems.append(Problem(node.location, text, mendable=True))
            elif path in self.rejected:  # and so it is missing
                continue
            elif error["type"] == "unexpected_keyword_argument":
                self._reject(path, f"unknown key {self._dotted(path)}{_hint(self.kind, path)}")
            else:
                wrong.setdefault(path, []).append(_demand(error["type"], error["msg"]))
        for path, demands in wrong.items():
            # Of several possible types, the one that matched furthest is the one that was meant.
            if not any(other[: len(path)] == path and other != path for other in wrong):
                demand = " or ".join(dict.fromkeys(demands)).replace(" or must be ", " or ")
                given = _plain(self._find(path)[1], self.rejected, path)
                shown = json.dumps(given, ensure_ascii=False)
                shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
                self._reject(path, f"{self._dotted(path)} {demand}, not {shown}")

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

    def _reject(self, path: Path, text: str) -> None:
        self.problems.append(Problem(self._find(path)[1].location, text))
        self.rejected.add(path)

    def _dotted(self, path: Path) -> str:
        return ".".join(filter(None, (self.name, *path)))


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


def _demand(kind: str, message: str) -> str:
    """Say what a value must be, in the words of YAML."""
    if kind in ("missing", "too_long"):
        return "must have another number of values"
    text = message.removeprefix("Value error, ").replace("an object", "a mapping")
    text = text.replace("a valid array", "a list").replace("a valid ", "a ")
    return re.sub(
        r"^(Input|String|Dictionary|Tuple) should", "must", text.replace("a int", "an int")
    )


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
