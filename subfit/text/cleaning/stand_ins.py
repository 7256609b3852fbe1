"""What a model reads in place of something that it cannot write, and how that is put back.

A small model garbles "£20", a web address or "5:30 p.m.", but knows "20 dollars", "Google" and
"9 o'clock" in all its languages. So these stand in while it translates, from any of five languages
into any other; in its translation they are looked for, and what they stand for is written as the
target language has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import regex

from subfit.text.languages import closest_language

NO_BREAK_SPACE = "\u00a0"
Kind = Literal["address", "amount", "arrow", "measure", "time"]
LANGUAGES = ("de", "en", "es", "fr", "it")
"""Whose amounts, measures and times of day are known, as sources and as targets; in others these
are left to the model."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """One thing in a text with what stands in for it."""

    kind: Kind
    source: str
    """The thing as the text has it."""
    start: int
    """Where it begins in the text, in characters."""
    text: str
    """What the model reads in its place."""
    pattern: str
    """A regular expression for what it makes of that."""
    form: str
    """The most usual of these."""
    written: str
    """As the target language writes what the source has."""
    accepted: tuple[str, ...] = ()
    """What may also stand for it in a translation that was made without a stand-in."""

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.source)

    @property
    def targets(self) -> tuple[str, ...]:
        """What may stand for it in the target, the preferred form first."""
        return tuple(dict.fromkeys((self.written, *self.accepted)))

    def places_in(self, translation: str) -> list[tuple[int, int]]:
        """Return where the model's translation has what it made of the stand-in."""
        return [match.span() for match in _compiled(self.pattern).finditer(translation)]

    def as_written(self, made: str) -> str:
        """Return what to write for what the model made of the stand-in."""
        if self.kind == "time" and made.endswith("-Uhr"):  # der 9-Uhr-Zug
            return self.written.replace(f"{NO_BREAK_SPACE}Uhr", "-Uhr")
        return self.written


def known_languages(source_language: str, language: str) -> tuple[str, str] | None:
    """Return which of `LANGUAGES` the tags of source and target mean; None if either is another."""
    source = closest_language(source_language, LANGUAGES)
    target = closest_language(language, LANGUAGES)
    return None if source is None or target is None else (source, target)


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?<![\p{{L}}\p{{N}}])(?:{pattern})(?![\p{{L}}\p{{N}}])", regex.I)
