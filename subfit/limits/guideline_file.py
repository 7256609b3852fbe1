"""Read one guideline file: YAML to checked values, with every problem and its line at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.reader import ReaderError

from subfit.errors import GuidelineError

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GuidelineFile:
    """What one file says, before what it extends is taken into account."""

    origin: str
    """The file's path, or the preset's name, for messages."""
    values: Values
    """Values for all languages."""
    languages: dict[str, Values] | None
    """Values by lower-case language tag; None if the file does not distinguish languages."""
    extends: str | None
    extends_line: int


@dataclass(frozen=True, slots=True)
class _Range:
    """What a number must be; ``null`` lifts a limit and is always allowed."""

    low: float
    high: float = math.inf
    whole: bool = False
    above_low: bool = False
    """Whether ``low`` itself is excluded."""

    def problem(self, value: object) -> str | None:
        """Say what is wrong with a value, or None."""
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            return "must be a number"
        if not math.isfinite(value):
            return "must be a finite number"
        if self.whole and value != int(value):
            return "must be a whole number"
        if value < self.low or (self.above_low and value == self.low):
            return f"must be {'more than' if self.above_low else 'at least'} {self.low:g}"
        return f"must be at most {self.high:g}" if value > self.high else None


_HOUR = 3_600_000
_NUMBERS = {
    "cps": _Range(0, 1000, above_low=True),
    "wpm": _Range(0, 10_000, above_low=True),
    "characters_per_word": _Range(0, 100, above_low=True),
    "cpl": _Range(0, 10_000, above_low=True),
    "lines": _Range(1, 100, whole=True),
    "max_characters": _Range(0, above_low=True),
    "min_duration": _Range(0, _HOUR, whole=True),
    "max_duration": _Range(0, _HOUR, whole=True, above_low=True),
    "min_gap_frames": _Range(0, 10_000, whole=True),
    "min_gap_ms": _Range(0, _HOUR, whole=True),
    "frame_rate": _Range(0, 1000, above_low=True),
    "out_slack": _Range(0, _HOUR, whole=True),
    "close_gaps": _Range(0, _HOUR, whole=True),
    "shot_gap_frames": _Range(0, 10_000, whole=True),
    "shot_zone": _Range(0, _HOUR, whole=True),
    "min_line_balance": _Range(0, 1),
}
_REQUIRED = {"frame_rate": "frames per second"}
_FLAGS = ("bottom_heavy",)
_TEXTS = ("source", "description")
_COUNTINGS = ("counting", "cps_counting")
_COUNTING_KEYS = ("spaces", "punctuation", "arabic_diacritics", "half_width")


def read_guideline_file(content: bytes, origin: str) -> GuidelineFile:
    """Read and check one guideline file.

    Args:
        content: The file's bytes.
        origin: How messages name the file.

    Raises:
        GuidelineError: It is no YAML mapping, or has unknown keys, keys given twice, wrong types
            or impossible values; the message lists all of them with their lines.
    """
    root = _compose(content, origin)
    if root is None:  # an empty file sets nothing
        return GuidelineFile(origin, {}, None, None, 0)
    return _Checker(origin).read(root)


def _compose(content: bytes, origin: str) -> yaml.Node | None:
    """Parse YAML to nodes, which unlike values know their lines."""
    try:
        text = content.decode("utf-8-sig")
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise GuidelineError(f"{origin}:{line}: is not UTF-8 text") from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise GuidelineError(f"{origin}:{line}: has a control character") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise GuidelineError(f"{origin}:{line}: not valid YAML: {error.problem}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise GuidelineError(f"{origin}: not valid YAML") from error


@dataclass(slots=True)
class _Checker:
    """Walks the nodes of one file and collects what is wrong."""

    origin: str
    problems: list[str] = field(default_factory=list)

    def read(self, root: yaml.Node) -> GuidelineFile:
        values: Values = {}
        languages: dict[str, Values] | None = None
        extends, extends_line = None, 0
        for key, node in self._items(root, "a guideline"):
            if key.value == "extends":
                extends, extends_line = self._text(key, node), _line(key)
            elif key.value == "languages":
                languages = {
                    tag.value.lower().replace("_", "-"): self._limits(
                        entry, f"language {tag.value!r}"
                    )
                    for tag, entry in self._items(node, "'languages'")
                }
            elif key.value in _TEXTS:
                values[key.value] = self._text(key, node)
            else:
                self._limit(key, node, values)
        if self.problems:
            raise GuidelineError("; ".join(self.problems))
        return GuidelineFile(self.origin, values, languages, extends, extends_line)

    def _limits(self, node: yaml.Node, what: str) -> Values:
        values: Values = {}
        for key, value in self._items(node, what):
            self._limit(key, value, values)
        return values

    def _limit(self, key: yaml.Node, node: yaml.Node, values: Values) -> None:
        """Check one limit and enter it in ``values``."""
        name = key.value
        if name in _NUMBERS:
            value = _construct(node)
            problem = _NUMBERS[name].problem(value)
            if value is None and name in _REQUIRED:
                problem = f"must be a number ({_REQUIRED[name]})"
            if problem:
                self._complain(key, f"{name} {problem}, not {_show(node)}")
            else:
                values[name] = int(value) if value and _NUMBERS[name].whole else value
        elif name in _FLAGS:
            flag = _construct(node)
            if isinstance(flag, bool):
                values[name] = flag
            else:
                self._complain(key, f"{name} must be true or false, not {_show(node)}")
        elif name in _COUNTINGS:
            values[name] = self._counting(name, node)
        else:
            known = ", ".join((*_NUMBERS, *_FLAGS, *_COUNTINGS))
            self._complain(key, f"unknown key {name!r}; known here: {known}")

    def _counting(self, counting: str, node: yaml.Node) -> dict[str, bool]:
        values: dict[str, bool] = {}
        for key, entry in self._items(node, f"{counting!r}"):
            name, value = key.value, _construct(entry)
            if name not in _COUNTING_KEYS:
                known = ", ".join(_COUNTING_KEYS)
                self._complain(key, f"unknown key {name!r} in {counting}; known here: {known}")
            elif not isinstance(value, bool):
                self._complain(key, f"{counting}.{name} must be true or false, not {_show(entry)}")
            else:
                values[name] = value
        return values

    def _text(self, key: yaml.Node, node: yaml.Node) -> str | None:
        value = _construct(node)
        if not isinstance(value, str):
            self._complain(key, f"{key.value} must be text, not {_show(node)}")
            return None
        return value.strip()

    def _items(self, node: yaml.Node, what: str) -> Iterator[tuple[yaml.Node, yaml.Node]]:
        """Yield a mapping's entries. Their keys are read as written: to YAML ``no`` is false."""
        if not isinstance(node, yaml.MappingNode):
            if _construct(node) is not None:
                self._complain(node, f"{what} must be a mapping of keys to values")
            return
        seen: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._complain(key, f"a key of {what} must be plain text")
            elif key.value in seen:
                self._complain(key, f"{key.value!r} is given twice")
            else:
                seen.add(key.value)
                yield key, value

    def _complain(self, node: yaml.Node, problem: str) -> None:
        self.problems.append(f"{self.origin}:{_line(node)}: {problem}")


def _construct(node: yaml.Node) -> Any:
    """Return a scalar's value; anything else, and a malformed scalar, stands for itself."""
    if not isinstance(node, yaml.ScalarNode):
        return node
    try:
        return yaml.SafeLoader("").construct_object(node)
    except (yaml.YAMLError, ValueError, OverflowError):
        return node


def _show(node: yaml.Node) -> str:
    return str(node.value)[:40] if isinstance(node, yaml.ScalarNode) else "a list or mapping"


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
