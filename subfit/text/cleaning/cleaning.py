"""A text as a small model reads it best, and its translation as the target language writes it.

`clean` puts stand-ins for what models garble (`subfit.text.cleaning.stand_ins`), takes stutters,
drawn-out letters and shouting off words (`subfit.text.cleaning.words`), makes one mark of several
(`subfit.text.cleaning.marks`), and takes sound descriptions out (`subfit.text.cleaning.asides`);
`restore` undoes all this in what the model has made of the text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import localcontext
from functools import lru_cache

import regex

from subfit.text.alignment import Alignment, WordScores, align
from subfit.text.cleaning.addresses import find_addresses
from subfit.text.cleaning.amounts import find_amounts
from subfit.text.cleaning.asides import Aside, find_asides, place_before
from subfit.text.cleaning.clock_times import find_times, tidied_around
from subfit.text.cleaning.edits import Edit, edited
from subfit.text.cleaning.looks import drawn_out, loud, stuttered
from subfit.text.cleaning.marks import DoubledMark, find_doubled, find_openers, places_of
from subfit.text.cleaning.measures import find_measures
from subfit.text.cleaning.stand_ins import StandIn
from subfit.text.cleaning.words import Spoken, spoken_words
from subfit.text.languages import same_language
from subfit.text.sentence_ends import sentence_places

_SURE = 0.4
"""Evidence that a word of a translation stands for one of its source; less is but its place."""


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
        )


_SPARE_DIGITS = 40
"""More than a text has characters: thousands are written out."""


def find_stand_ins(text: str, source_language: str, language: str) -> list[StandIn]:
    """Return what of a text a model reads something else for, in order, none overlapping.

    Args:
        text: Plain text.
        source_language: Its tag.
        language: Tag of the target language.
    """
    stand_ins = list(find_addresses(text))
    if same_language(source_language, language):
        return stand_ins
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
def clean(text: str, source_language: str, language: str, *, asides: bool = True) -> Cleaned:
    """Return a text as a small model reads it best.

    Args:
        text: Plain text in one line.
        source_language: Its tag.
        language: Tag of the target language.
        asides: Take out sound descriptions within it, to put them back as they are.
    """
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


def restore(cleaned: Cleaned, translation: str, known: WordScores | None = None) -> str:
    """Return a translation of a cleaned text with everything put back.

    What stands nowhere in the translation cannot be: `StandIn.targets` tell what is missing then.

    Args:
        cleaned: The text as the model read it.
        translation: What it made of it, in one line.
        known: What is known of the words of both languages.
    """
    if not cleaned.changed or not translation:
        return translation
    edits = [*_stand_in_edits(cleaned, translation)]
    alignment = align(cleaned.text, translation, known) if cleaned.words or cleaned.asides else None
    loud_ranges: list[tuple[int, int]] = []
    if alignment is not None:
        edits += _word_edits(cleaned, translation, alignment)
        loud_ranges += _loud_ranges(cleaned, translation, alignment)
        for at, aside in cleaned.asides:
            languages = cleaned.source_language, cleaned.language
            place = place_before(at, cleaned.text, translation, languages, alignment)
            edits.append(Edit(place, place, aside.beside(translation, place)))
    places = places_of(cleaned.text, [at for at, _ in cleaned.marks], translation)
    for (_, mark), span in zip(cleaned.marks, places, strict=True):
        if span is not None:
            edits.append(Edit(*span, mark.written))
    language = cleaned.language
    text = edited(translation, edits, loud_ranges, lambda part: loud(part, language))
    times = any(stand_in.kind == "time" for stand_in in cleaned.stand_ins)
    return tidied_around(text, language) if times else text


def _stand_in_edits(cleaned: Cleaned, translation: str) -> Iterator[Edit]:
    """What the model made of stand-ins, as it is to be written; the last of some takes the rest."""
    taken: list[tuple[int, int]] = []
    for number, stand_in in enumerate(cleaned.stand_ins):
        again = any(other.pattern == stand_in.pattern for other in cleaned.stand_ins[number + 1 :])
        for start, end in stand_in.places_in(translation):
            if any(start < stop and begin < end for begin, stop in taken):
                continue
            taken.append((start, end))
            yield Edit(start, end, stand_in.as_written(translation[start:end]), fixed=True)
            if again or stand_in.kind == "time":
                break


def _word_edits(cleaned: Cleaned, translation: str, alignment: Alignment) -> Iterator[Edit]:
    """Words with stutters and drawn-out letters, where they stand for such words."""
    done: set[int] = set()
    for at, word in cleaned.words:
        if not (word.stutter or word.drawn):
            continue
        target = _target_of(at, cleaned, translation, alignment, first=bool(word.stutter))
        if target is None or target in done:
            continue
        done.add(target)
        place = alignment.target[target]
        new = _with_look(place.text, word, cleaned.language)
        yield Edit(place.start, place.end, new)


def _with_look(target: str, word: Spoken, language: str) -> str:
    """A word of a translation with the look of its source's word."""
    new = target
    if word.drawn:
        same = target.casefold() == word.plain.casefold()
        bare = word.source.rpartition("-")[2]
        new = bare if same else drawn_out(target, word.drawn, language)
        if target.islower():
            new = new.lower()
    if word.stutter:
        second = word.source.rpartition("-")[2]
        small = second[:1].islower() and word.source[:1].isupper()
        new = stuttered(new, word.stutter, language, small=small)
    return new


def _target_of(
    at: int, cleaned: Cleaned, translation: str, alignment: Alignment, *, first: bool
) -> int | None:
    """The word of a translation that stands for the one at a place of its source.

    Args:
        at: The place.
        cleaned: The source.
        translation: What the model made of it.
        alignment: Of both.
        first: Whether the first word of a sentence stands for the first one, whatever it means.
    """
    number = next(
        (n for n, word in enumerate(alignment.source) if word.start <= at < word.end), None
    )
    if number is None or not alignment.target:
        return None
    opening = _opening_word(at, cleaned, translation, alignment)
    if first and opening is not None:
        return opening
    inside = _within_sentence(at, cleaned, translation, alignment)
    rows = [(n, alignment.of_target[n]) for n in inside]
    own = [n for n, row in rows if _stands_for(n, row, number, alignment)]
    if own:  # of "por favor" the last one
        return own[-1]
    best = _best(alignment.of_source[number])
    sure = alignment.source_sure[number] > _SURE and best in inside
    return best if sure and alignment.of_source[number][best] > _SURE else opening


def _within_sentence(
    at: int, cleaned: Cleaned, translation: str, alignment: Alignment
) -> list[int]:
    """The words of the sentence that stands for the one at a place; all if that cannot be told."""
    ours = sentence_places(cleaned.text, cleaned.source_language)
    theirs = sentence_places(translation, cleaned.language)
    number = next((n for n, (start, end) in enumerate(ours) if start <= at < end), None)
    every = range(len(alignment.target))
    if number is None or len(ours) != len(theirs):
        return list(every)
    start, end = theirs[number]
    return [n for n in every if start <= alignment.target[n].start < end]


def _stands_for(target: int, row: Sequence[float], source: int, alignment: Alignment) -> bool:
    """Whether a word of a translation is sure to stand for one of its source."""
    sure = alignment.target_sure[target] > _SURE and row[source] > _SURE
    return sure and _best(row) == source


def _best(row: Sequence[float]) -> int:
    return max(range(len(row)), key=row.__getitem__)


def _opening_word(at: int, cleaned: Cleaned, translation: str, alignment: Alignment) -> int | None:
    """The first word of the sentence that stands for the one which begins at a place."""
    ours = sentence_places(cleaned.text, cleaned.source_language)
    theirs = sentence_places(translation, cleaned.language)
    number = next((n for n, (start, end) in enumerate(ours) if start <= at < end), None)
    if number is None or any(map(str.isalnum, cleaned.text[ours[number][0] : at])):
        return None
    if number and len(ours) != len(theirs):
        return None
    start, end = theirs[number]
    return next((n for n, word in enumerate(alignment.target) if start <= word.start < end), None)


def _loud_ranges(
    cleaned: Cleaned, translation: str, alignment: Alignment
) -> Iterator[tuple[int, int]]:
    """Where a translation is to be in capitals: whole sentences, or words that are sure."""
    shouted = [(at, at + len(word.plain)) for at, word in cleaned.words if word.shouted]
    if not shouted:
        return
    ours = sentence_places(cleaned.text, cleaned.source_language)
    theirs = sentence_places(translation, cleaned.language)
    loud_words = {
        n
        for n, word in enumerate(alignment.source)
        if any(start <= word.start < end for start, end in shouted)
    }
    for number, (start, end) in enumerate(ours):
        inside = [n for n, word in enumerate(alignment.source) if start <= word.start < end]
        whole = all(n in loud_words or alignment.source[n].text.isupper() for n in inside)
        if inside and whole and len(ours) == len(theirs):
            yield theirs[number]
            loud_words -= {*inside}
    for source in loud_words:
        rows = enumerate(alignment.of_target)
        own = [n for n, row in rows if _stands_for(n, row, source, alignment)]
        for n in own if len(loud_words) > 1 else own[-1:]:
            yield alignment.target[n].start, alignment.target[n].end
