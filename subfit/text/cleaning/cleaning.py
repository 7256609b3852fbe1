"""A text as a small model reads it best.

`clean` puts in the accents that a keyboard did not have (`subfit.text.cleaning.spellings`), Latin
letters for others that look like them (`subfit.text.cleaning.look_alikes`), and stand-ins for what
models garble (`subfit.text.cleaning.stand_ins`), takes stutters, drawn-out letters and shouting off
words (`subfit.text.cleaning.words`), makes one mark of several (`subfit.text.cleaning.marks`),
takes sound descriptions out (`subfit.text.cleaning.asides`), and asterisks off whose pair stands
around all of it; `subfit.text.cleaning.restoring` undoes all this
in what the model has made of the text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import localcontext
from functools import lru_cache

import regex

from subfit.text.cleaning.addresses import find_addresses
from subfit.text.cleaning.amounts import find_amounts
from subfit.text.cleaning.arrows import find_arrows
from subfit.text.cleaning.asides import Aside, find_asides
from subfit.text.cleaning.clock_times import find_times
from subfit.text.cleaning.look_alikes import in_latin_letters
from subfit.text.cleaning.marks import DoubledMark, find_doubled, find_openers
from subfit.text.cleaning.measures import find_measures
from subfit.text.cleaning.spellings import spelt_out
from subfit.text.cleaning.stand_ins import StandIn
from subfit.text.cleaning.words import Spoken, spoken_words
from subfit.text.languages import same_language


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text for a model to read, and what there is to put back."""

    source: str
    text: str
    """What the model reads."""
    source_language: str
    language: str
    """Tag of the target language."""
    stand_ins: tuple[StandIn, ...] = ()
    words: tuple[tuple[int, Spoken], ...] = ()
    """Words that have lost their look, with their places in `text`."""
    marks: tuple[tuple[int, DoubledMark], ...] = ()
    """Marks that were doubled, with their places in `text`."""
    asides: tuple[tuple[int, Aside], ...] = ()
    """What was taken out, with the places in `text` before which it stood."""
    frame: str = ""
    """A mark that stands before and behind all of it, which the model does not read: ``*``."""

    @property
    def changed(self) -> bool:
        """Whether the model reads anything else than the source."""
        return self.text != self.source

    @property
    def growth(self) -> int:
        """By how many characters a translation is longer when everything is put back, about."""
        return (
            sum(len(stand_in.written) - len(stand_in.form) for stand_in in self.stand_ins)
            + sum(2 * word.stutter + max(word.drawn - 1, 0) for _, word in self.words)
            + sum(len(mark.written) - 1 for _, mark in self.marks)
            + sum(len(aside.text) + 1 for _, aside in self.asides)
            + 2 * len(self.frame)
        )


_FRAMED = regex.compile(r"([*~_])(?=[^\s*~_])[^*~_]*[^\s*~_]\1")
_SPARE_DIGITS = 40
"""More than a text has characters: thousands are written out."""


def frame_of(text: str) -> str:
    """Return the mark whose pair stands around all of a text, ``*`` mostly; empty if none does."""
    return text[0] if _FRAMED.fullmatch(text) else ""


def find_stand_ins(text: str, source_language: str, language: str) -> list[StandIn]:
    """Return what of a text a model reads something else for, in order, none overlapping.

    Args:
        text: Plain text.
        source_language: Its tag.
        language: Tag of the target language.
    """
    stand_ins = [*find_addresses(text), *find_arrows(text)]
    if same_language(source_language, language):
        return sorted(stand_ins, key=lambda stand_in: stand_in.start)
    with localcontext(prec=len(text) + _SPARE_DIGITS):  # of no number a digit is lost
        for finder in (find_times, find_measures, find_amounts):
            stand_ins += finder(text, language, source_language)
    kept: list[StandIn] = []
    for stand_in in stand_ins:
        at = bisect_left(kept, stand_in.start, key=lambda other: other.start)
        before, behind = kept[max(0, at - 1) : at], kept[at : at + 1]
        if all(one.end <= stand_in.start for one in before) and all(
            stand_in.end <= one.start for one in behind
        ):
            kept.insert(at, stand_in)
    return kept


@lru_cache(maxsize=4096)
def clean(
    text: str,
    source_language: str,
    language: str,
    *,
    asides: bool = True,
) -> Cleaned:
    """Return a text as a small model reads it best.

    Args:
        text: Plain text in one line.
        source_language: Its tag.
        language: Tag of the target language.
        asides: Take out sound descriptions within it, to put them back as they are.
    """
    if frame_of(text):
        inside = clean(text[1:-1], source_language, language, asides=asides)
        return replace(inside, source=text, frame=text[0])
    if (spelt := spelt_out(in_latin_letters(text), source_language)) != text:
        read = clean(spelt, source_language, language, asides=asides)
        return replace(read, source=text)
    stand_ins = find_stand_ins(text, source_language, language)
    changes: list[tuple[int, int, str, object]] = [
        (stand_in.start, stand_in.end, stand_in.text, stand_in) for stand_in in stand_ins
    ]
    if asides:
        changes += (
            (aside.start, aside.end, "", aside) for aside in find_asides(text, source_language)
        )
    spanish = same_language(source_language, "es")
    if spanish:
        changes += ((start, end, mark, None) for start, end, mark in find_openers(text))
    if spanish or not regex.search("[¿¡]", text):
        changes += ((mark.start, mark.end, mark.plain, mark) for mark in find_doubled(text))
    words = (word for word in spoken_words(text, source_language) if word.changed)
    changes += ((word.start, word.end, word.plain, word) for word in words)
    return _cleaned(text, source_language, language, changes)


def _cleaned(
    text: str,
    source_language: str,
    language: str,
    changes: Sequence[tuple[int, int, str, object]],
) -> Cleaned:
    """Make changes that do not overlap, those that come first before others."""
    taken: list[tuple[int, int, str, object]] = []
    for change in changes:
        if all(change[1] <= other[0] or other[1] <= change[0] for other in taken):
            taken.append(change)
    parts: list[str] = []
    at = length = 0
    placed: list[tuple[int, object]] = []
    for start, end, new, what in sorted(taken, key=lambda change: change[0]):
        parts += [text[at:start], new]
        placed.append((length + start - at, what))
        length += start - at + len(new)
        at = end
    return Cleaned(
        text,
        "".join([*parts, text[at:]]),
        source_language,
        language,
        tuple(what for _, what in placed if isinstance(what, StandIn)),
        tuple((place, what) for place, what in placed if isinstance(what, Spoken)),
        tuple((place, what) for place, what in placed if isinstance(what, DoubledMark)),
        tuple((place, what) for place, what in placed if isinstance(what, Aside)),
    )
