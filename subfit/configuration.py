"""Settings in YAML: trees in which every value knows its line, made into checked dataclasses.

Types and ranges are those of the fields' annotations, checked by pydantic (in its strict mode); a
dataclass that has settings which cannot be together says so by `require` in ``__post_init__``.
Pydantic takes a tenth of a second to import, so it is imported only where something is checked.
"""

from __future__ import annotations

import dataclasses
import json
import re
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, lru_cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import yaml

from subfit.errors import RecipeError, reason_of

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

EXTENDS = "extends"
VARIANTS = "variants"
NAME = "name"
OVER_ALL_FILES = 1000
"""Is added to the rank of what lies over all files."""
UNREADABLE = object()
"""Stands for a value that is none; what is wrong with it has been told."""
_DEEPEST = 8
"""Levels; a recipe needs five. An alias that holds itself would have no end."""
_NO_VALUE = "neither text, a finite number, true, false, null, a list nor a mapping"


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

    @property
    def has_gaps(self) -> bool:
        """Whether it, or something in it, cannot be read."""
        inner = self.value.values() if self.is_mapping else ()
        return self.value is UNREADABLE or any(node.has_gaps for node in inner)

    def plain(self) -> Any:
        """Return the value without places, and without what cannot be read."""
        if not self.is_mapping:
            return self.value
        kept = {key: node for key, node in self.value.items() if node.value is not UNREADABLE}
        return {key: node.plain() for key, node in kept.items()}

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
    content = b""
    try:
        content = path.read_bytes()
        root = _compose(content)
    except (yaml.YAMLError, RecursionError, ValueError, OSError) as error:
        line, text = _reason(error, content)
        raise RecipeProblemsError([Problem(replace(location, line=line), text)]) from error
    location = replace(location, line=1)
    if root is None:  # an empty file sets nothing
        return Node({}, location)
    if not isinstance(root, yaml.MappingNode):
        raise RecipeProblemsError([Problem(location, "must be a mapping of keys to values")])
    return Node(dict(_entries(root, (), location, problems)), location)


@lru_cache(maxsize=64)
def _compose(content: bytes) -> yaml.Node | None:
    # Parsing takes most of the time of reading a file, and the guidelines and recipes that others
    # extend are read for each of them.
    return yaml.compose(content.decode("utf-8-sig"), Loader=_Loader)


def _reason(error: Exception, content: bytes) -> tuple[int | None, str]:
    """Return the line at which a file cannot be read, if there is one, and the reason."""
    match error:
        case UnicodeDecodeError():
            return content.count(b"\n", 0, error.start) + 1, "is not UTF-8 text"
        case yaml.reader.ReaderError():
            before = content.decode("utf-8-sig")[: error.position]
            return before.count("\n") + 1, "not YAML: has a control character"
        case yaml.MarkedYAMLError():
            mark = error.problem_mark
            return mark.line + 1 if mark else None, f"not YAML: {error.problem}"
        case OSError():
            return None, f"cannot be read ({reason_of(error)})"
    return None, f"not YAML: {' '.join(str(error).split())}"


def _entries(
    root: yaml.MappingNode, where: tuple[str, ...], base: Location, problems: list[Problem]
) -> Iterator[tuple[str, Node]]:
    """Yield the entries of the mapping at ``where``."""
    seen = set()
    for key_node, value_node in root.value:
        # A variant lies over all plain values, also over those of recipes that extend this one.
        rank = base.rank + (OVER_ALL_FILES if where == (VARIANTS,) else 0)
        location = Location(base.path, key_node.start_mark.line + 1, rank)
        if not isinstance(key_node, yaml.ScalarNode):
            problems.append(Problem(location, "a key must be plain text"))
            continue
        key, value = str(key_node.value), UNREADABLE
        name = ".".join((*where, key))
        if key in seen:
            problems.append(Problem(location, f"{name} is given twice"))
        seen.add(key)
        if not isinstance(value_node, yaml.MappingNode):
            try:
                value = _construct(value_node)
            except ValueError as error:
                problems.append(Problem(location, f"{name}: {error}"))
        elif len(where) + 1 < _DEEPEST:
            value = dict(_entries(value_node, (*where, key), location, problems))
        else:
            problems.append(Problem(location, "mappings are nested too deeply"))
        yield key, Node(value, location)


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
Keys = tuple[str, ...]
"""The keys on the way to a value."""


class ContradictionsError(RecipeError, ValueError):
    """All contradictions in one dataclass: the fields concerned, and what is wrong with them."""

    def __init__(self, contradictions: Sequence[tuple[Keys, str]]) -> None:
        self.contradictions = contradictions
        super().__init__("; ".join(text for _, text in contradictions))


def require(settings: Any, *conditions: tuple[object, str]) -> None:
    """Check settings that depend on one another.

    Args:
        settings: The dataclass.
        conditions: What must be true, and what to say if it is not, naming the fields that it is
            about: ``section.field``, or ``field``.

    Raises:
        ContradictionsError: Every condition that is not met.
    """
    broken = [(_fields_in(text, settings), text) for met, text in conditions if not met]
    if broken:
        raise ContradictionsError(broken)


def _fields_in(text: str, settings: Any) -> Keys:
    known = settings.__dataclass_fields__
    named = [name for name in known if re.search(rf"\w\.{name}\b", text)]
    return tuple(named or (name for name in known if re.search(rf"(?<![\w.]){name}\b", text)))


def check(kind: type[T], tree: Node, problems: list[Problem], name: str = "") -> T | None:
    """Make a dataclass of a mapping.

    Args:
        kind: The dataclass; its fields are the keys.
        tree: The mapping.
        problems: Grows by unknown and missing keys, wrong values and contradictions; contradictions
            are looked for among what is right by itself.
        name: What stands before keys in messages, as ``sources.Tatoeba``; nothing for whole files.

    Returns:
        The dataclass, or None if there was any problem with it.
    """
    from pydantic import ValidationError  # a tenth of a second

    try:
        document = json.dumps(tree.plain())
        made = _adapter(kind).validate_json(document, strict=True, extra="forbid")  # type: ignore[arg-type]
        return None if tree.has_gaps else made
    except ValidationError as error:
        problems.extend(dict.fromkeys(_told(error, kind, tree, name)))
    return None


@cache  # making one takes longer than all that it checks
def _adapter(kind: type[T]) -> TypeAdapter[T]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _told(found: ValidationError, kind: type, tree: Node, name: str) -> Iterator[Problem]:
    """What pydantic found, in the words of YAML and with its places."""
    wrong: dict[Keys, list[str]] = {}
    for error in found.errors(include_url=False):
        path, node = _find(tree, error["loc"])
        if node.value is UNREADABLE:  # which has been told
            continue
        dotted = ".".join(filter(None, (name, *path)))
        contradictions = error.get("ctx", {}).get("error")
        if isinstance(contradictions, ContradictionsError):
            for keys, text in contradictions.contradictions:
                given = [node.value[key] for key in keys if key in node.value]
                if not any(one.has_gaps for one in given):
                    places = [one.location for one in given]
                    place = max(places, key=lambda place: place.rank, default=node.location)
                    yield Problem(place, text, mendable=True)
        elif error["type"] == "missing" and node.is_mapping:
            last = str(error["loc"][-1])
            if last not in node.value:  # else it cannot be read, which has been told
                key = ".".join(filter(None, (dotted, last)))
                yield Problem(node.location, f"missing key {key}", mendable=True)
        elif error["type"] == "unexpected_keyword_argument":
            yield Problem(node.location, f"unknown key {dotted}{_hint(kind, path)}")
        else:
            wrong.setdefault(path, []).append(_demand(error["type"], error["msg"]))
    for path, demands in wrong.items():
        # Of several possible types, the one that matched furthest is the one that was meant.
        if not any(other[: len(path)] == path and other != path for other in wrong):
            node, dotted = _find(tree, path)[1], ".".join(filter(None, (name, *path)))
            demand = " or ".join(dict.fromkeys(demands)).replace(" or must be ", " or ")
            shown = json.dumps(node.plain(), ensure_ascii=False)
            shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
            yield Problem(node.location, f"{dotted} {demand}, not {shown}")


def _find(tree: Node, location: tuple[int | str, ...]) -> tuple[Keys, Node]:
    """Return the value that pydantic names, whose locations also have names of types."""
    path, node = list[str](), tree
    for part in map(str, location):
        if node.is_mapping and part in node.value:
            path, node = [*path, part], node.value[part]
    return tuple(path), node


def _demand(kind: str, message: str) -> str:
    """Say what a value must be, in the words of YAML."""
    if kind in ("missing", "too_long"):
        return "must have another number of values"
    text = message.removeprefix("Value error, ").replace("an object", "a mapping")
    text = text.replace("a valid array", "a list").replace("a valid ", "a ")
    return re.sub(
        r"^(Input|String|Dictionary|Tuple) should", "must", text.replace("a int", "an int")
    )


def _hint(root: type, path: Keys) -> str:
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
