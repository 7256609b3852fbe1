"""The cues of the challenge set, read from ``cues/*.yaml``: one file for each category."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

LANGUAGES = ("de", "es", "fr", "it")
CUES = Path(__file__).parent / "cues"
AMPLE_SECONDS = 7.0
"""Time on screen of cues that name none: the lines limit those, not the reading speed."""

Value = bool | str | tuple[str, ...]
"""What a property says: true, or the patterns, strings or word that it is about."""
Properties = Mapping[str, Value]

FIELDS = ("id", "source", "seconds", "cuts", "natural", "good")
"""Keys of a cue that are no property."""


@dataclass(frozen=True, slots=True)
class Case:
    """One or more cues that follow each other, and what is expected of their translations."""

    id: str
    category: str
    source: tuple[str, ...]
    """The payload of each cue."""
    properties: Mapping[str, Properties]
    """By language; `benchmarks.challenge.checks.CHECKS` explains them."""
    seconds: float = AMPLE_SECONDS
    """Time on screen of each cue."""
    cut: int = 0
    """How much shorter than natural the translation must be, in per cent; overrules `seconds`."""
    natural: Mapping[str, str] = field(default_factory=dict)
    """By language, a translation of natural length, which `cut` refers to."""
    good: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By language, a translation that passes: the text of each cue."""

    def duration(self, language: str, reading_speed: float) -> int:
        """Return the milliseconds that each cue is on screen.

        Args:
            language: The target language.
            reading_speed: The guideline's characters per second.
        """
        if not self.cut:
            return round(self.seconds * 1000)
        budget = math.floor(len(self.natural[language]) * (100 - self.cut) / 100)
        return math.ceil(budget * 1000 / reading_speed)


def read_cases(folder: Path = CUES) -> tuple[Case, ...]:
    """Read the challenge set.

    Args:
        folder: Where its files lie.

    Raises:
        ValueError: A file does not have the form that the others have.
    """
    return tuple(case for path in sorted(folder.glob("*.yaml")) for case in _read_file(path))


def _read_file(path: Path) -> Iterator[Case]:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    shared = content.get("all", {})
    for entry in content["cues"]:
        try:
            yield from _cases_of({**shared, **entry}, path.stem)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path.name}: {entry.get('id', entry)}: {error!r}") from error


def _cases_of(entry: dict[str, Any], category: str) -> Iterator[Case]:
    """Yield the cases of an entry: one, or one for each of its cuts."""
    cuts = entry.get("cuts", [0])
    given = {name: value for name, value in entry.items() if name not in FIELDS}
    for cut in cuts:
        yield Case(
            id=f"{entry['id']}-{cut}" if cut else entry["id"],
            category=category,
            source=_strings(entry["source"]),
            properties={language: _properties(given, language) for language in LANGUAGES},
            seconds=float(entry.get("seconds", AMPLE_SECONDS)),
            cut=cut,
            natural=entry.get("natural", {}),
            good={language: _strings(text) for language, text in entry.get("good", {}).items()},
        )


def _properties(given: Mapping[str, Any], language: str) -> dict[str, Value]:
    """Return what is expected in one language; a mapping names all languages, or a KeyError."""
    return {name: _value(name, value, language) for name, value in given.items()}


def _value(name: str, value: Any, language: str) -> Value:
    if isinstance(value, dict):
        return _strings(value[language])
    return value if isinstance(value, bool) or name == "address" else _strings(value)


def _strings(value: Any) -> tuple[str, ...]:
    """Return one string or several as a tuple; YAML reads a bare ``no`` as something else."""
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise TypeError(f"{value!r} is no string and no list of strings")
    return tuple(values)
