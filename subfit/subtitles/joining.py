"""Which cues are one sentence.

A sentence is followed into the next cue where the text visibly goes on: its end is open, at a
comma, or in dots, and the next cue starts as the rest of a sentence does. What a start with a
capital or a missing full stop mean differs from file to file, so that is read off the file first
(`Habits`). A cue that closes one sentence and begins another is joined with all it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

import regex

from subfit.subtitles.cues import Cue
from subfit.subtitles.markup.cuetext import CueText, is_pinned
from subfit.subtitles.markup.payload import kind_of
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.casing import language_of
from subfit.text.languages import CAPITALISED
from subfit.text.linebreak_lists import word_lists
from subfit.text.non_speech import split_non_speech
from subfit.text.recasing import names_in, uncapitalised
from subfit.text.sentence_ends import End, Start, end_of, sentences_in, start_of, without_dots

MOST_CUES = 6
"""Cues that one sentence is followed over."""
MOST_CHARACTERS = 240
"""Characters of a joined sentence: about what translation models see in training."""
LONGEST_CHAIN = 24
"""Cues over which several sentences are followed that do not end where cues do."""
LONGEST_PAUSE = 1500
"""A sentence is not followed over a longer gap, in milliseconds."""
SHORT_PAUSE = 500
"""Nor over more than this where only an open end, or dots, tell that it goes on."""
LONGEST_OVERLAP = 100
"""Milliseconds that times may overlap by their rounding; more, and two speak at once."""

_NAME = regex.compile(r"(?<=[\p{Ll},] (?:\p{Ll}{1,6}['’])?)\p{Lu}[\w'’]*")  # d'Hélène
_POSSESSIVE = regex.compile(r"(?<=\w)['’]s?$")
"""``Bell's``, ``James'``: the same name."""
_FIRST_WORD = regex.compile(r"[^\w]*([\w'’]+)")
_LAST_WORD = regex.compile(r"([\w'’]+)$")
_FEW = 4
"""So few cues tell nothing of a file's habits."""
_OVERRIDE = regex.compile(r"\{\\[^{}]*\}\s*")
_LINE = regex.compile(r"(?:^|\s)line:\S+")
_UNCLOSED = regex.compile(r"<(/?)([ibu])\b[^>]*>", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Habits:
    """What capitals and closing marks mean in a file."""

    cased: bool = True
    """A small letter starts no sentence: the file is neither in capitals nor without any."""
    stopped: bool = True
    """Sentences are closed by a mark, so that an open end is none."""
    names: frozenset[str] = frozenset()
    """Words that have a capital within sentences, without a possessive ending."""


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A spoken turn, with what tells whether it goes on from the one before."""

    part: Part
    cue: Cue
    text: CueText

    @property
    def first(self) -> bool:
        """Whether nobody speaks before it in its cue."""
        return self.part.turn == 0

    @property
    def last(self) -> bool:
        """Whether nobody speaks after it in its cue."""
        return self.part.turn == len(self.text.turns) - 1

    @property
    def dashed(self) -> bool:
        """Whether a dialogue dash opens it."""
        return bool(self.text.turns[self.part.turn].dash)

    @property
    def pinned(self) -> bool:
        """Whether it has markup at single places (times, ruby), which must stay in its cue."""
        return any(map(is_pinned, self.text.turns[self.part.turn].spans))

    @property
    def style(self) -> str:
        """The markup around it, which tells speakers apart; where it stands on screen does not."""
        return str(_OVERRIDE.sub("", self.text.prefix + self.text.turns[self.part.turn].prefix))


@dataclass(frozen=True, slots=True)
class _Seam:
    """Where a turn meets the next one: how the one ends, and how the other starts."""

    before: _Spoken
    after: _Spoken
    end: End
    start: Start

    @classmethod
    def of(cls, before: _Spoken, after: _Spoken, language: str) -> _Seam:
        text, following = before.part.text, after.part.text
        return cls(before, after, end_of(text, following, language), start_of(following, language))

    @property
    def pause(self) -> int:
        """Milliseconds between the cues of both; less than 0 where they overlap."""
        return self.after.cue.start - self.before.cue.end

    @property
    def one_voice(self) -> bool:
        """Whether nothing tells that another one speaks, or that what is said must stay apart."""
        before, after = self.before, self.after
        return (
            after.part.cue == before.part.cue + 1
            and before.last
            and after.first
            and not after.dashed
            and before.text.kind == after.text.kind == "speech"
            and min(before.cue.duration, after.cue.duration) > 0
            and _LINE.sub("", before.cue.settings) == _LINE.sub("", after.cue.settings)
            and (before.style == after.style or _style_runs_over(before.cue.text, after.cue.text))
            and not (before.pinned or after.pinned)
        )


def join_cues(
    cues: Sequence[Cue],
    texts: Sequence[CueText],
    *,
    translate_sounds: bool = False,
    across_cues: bool = True,
    language: str = "en",
) -> tuple[Sentence, ...]:
    """Make sentences of the cues that have something to translate.

    Empty cues, cues of music only and (unless ``translate_sounds``) of sounds only give none.

    Args:
        cues: The track's cues.
        texts: Their payloads, from `subfit.subtitles.sentences.parse_cues`.
        translate_sounds: Also translate ``[DOOR SLAMS]``.
        across_cues: Follow sentences over cues; otherwise every cue stands alone.
        language: The cues' language tag.

    Returns:
        Sentences in the order of their first cue; every turn that is spoken is in exactly one. Dots
        that only show that a sentence runs on are not in its text but beside it
        (`Part.opening`, `Part.closing`), as is what is not said (`Part.lead`, `Part.tail`).
    """
    spoken = {"speech", "sound"} if translate_sounds else {"speech"}
    sounds = not translate_sounds
    places = list(_places(cues, texts, spoken))
    if not across_cues:
        alone = [_sentence([place], language, sounds=sounds) for place in places]
        return _with_names(alone, places)
    seams = [_Seam.of(before, after, language) for before, after in pairwise(places)]
    habits = _habits_of(places, seams, language)
    chains = [places[:1]] if places else []
    for seam in seams:
        if _runs_on(seam, habits, language):
            chains[-1].append(seam.after)
        else:
            chains.append([seam.after])
    joined = [
        _sentence(bound, language, sounds=sounds)
        for chain in chains
        for bound in _within_bounds(chain, language)
    ]
    return _with_names(joined, places)


def _with_names(sentences: Sequence[Sentence], places: Sequence[_Spoken]) -> tuple[Sentence, ...]:
    """Tell sentences in capitals which words are names in the rest of the file."""
    if not any(sentence.shouted for sentence in sentences):
        return tuple(sentences)
    names = names_in(place.part.text for place in places)
    return tuple(
        replace(sentence, names=names) if sentence.shouted else sentence for sentence in sentences
    )


def _places(cues: Sequence[Cue], texts: Sequence[CueText], spoken: set[str]) -> Iterator[_Spoken]:
    for index, text in enumerate(texts):
        if text.kind not in spoken or cues[index].target:
            continue
        lines = cues[index].text.count("\n") + 1 if len(text.turns) == 1 else 1
        for number, turn in enumerate(text.turns):
            if kind_of(turn.text) in spoken:
                yield _Spoken(Part(index, number, turn.text, lines), cues[index], text)


def _habits_of(places: Sequence[_Spoken], seams: Sequence[_Seam], language: str) -> Habits:
    """Read off a file's turns what its capitals and its closing marks mean."""
    texts = [place.part.text for place in places]
    names = frozenset(_bare(name) for text in texts for name in _NAME.findall(text))
    letters = [char for text in texts for char in text if char.isalpha()]
    capitals, small = sum(map(str.isupper, letters)), sum(map(str.islower, letters))
    closed = [seam.end in ("closed", "trails") for seam in seams]
    closed_before_capitals = [
        is_closed
        for seam, is_closed in zip(seams, closed, strict=True)
        if seam.end != "clause" and seam.start == "capital"
    ]
    if len(texts) <= _FEW:
        return Habits(names=names)
    if capitals > 4 * small or not capitals or len(closed_before_capitals) < _FEW:
        cased = 0 < capitals <= 4 * small
        if language_of(language) in CAPITALISED:  # nouns have capitals whatever sentences have
            cased = cased and any(start_of(text, language) == "capital" for text in texts)
        return Habits(cased, stopped=fmean(closed) >= 0.2, names=names)
    return Habits(stopped=fmean(closed_before_capitals) >= 0.75, names=names)


def _runs_on(seam: _Seam, habits: Habits, language: str) -> bool:
    """Whether a sentence goes on from one turn to the next."""
    if not seam.one_voice or not -LONGEST_OVERLAP <= seam.pause <= LONGEST_PAUSE:
        return False
    text, start = seam.before.part.text, seam.start
    if (
        seam.end == "open"
        and start == "capital"
        and habits.cased
        and not text.endswith(".")
        and not _is_name(text, seam.after.part.text, habits, language)
    ):
        return False
    return _goes_on(seam.end, start, habits, short=seam.pause <= SHORT_PAUSE)


def _is_name(before: str, after: str, habits: Habits, language: str) -> bool:
    """Whether a text starts with a capital as names (in German, all nouns) have it anywhere.

    A word that belongs with what follows would have none within a sentence, but what follows such a
    word must be of its sentence.
    """
    words = word_lists(language).function_words
    opening, last = _FIRST_WORD.match(after), _LAST_WORD.search(before)
    if opening is None or opening[1].lower() in words:
        return False
    if language_of(language) in CAPITALISED:
        return True
    return _bare(opening[1]) in habits.names or (last is not None and last[1].lower() in words)


def _bare(name: str) -> str:
    return str(_POSSESSIVE.sub("", name))


def _goes_on(end: End, start: Start, habits: Habits, *, short: bool) -> bool:
    """Whether an end and a start belong to one sentence; ``short``: with hardly a pause between."""
    if end == "closed" or start == "label":
        return False
    if start == "continues":
        return True
    if start == "small":
        return (habits.cased or habits.stopped) if end != "trails" else habits.cased and short
    if end in ("trails", "dash"):
        return False
    if end == "clause":
        return start in ("number", "pronoun") or habits.stopped
    return habits.stopped and (short or start in ("number", "pronoun"))


def _style_runs_over(before: str, after: str) -> bool:
    """Whether one cue opens italics (or the like) that the next one closes."""
    opened = [(not close, name.lower()) for close, name in _UNCLOSED.findall(before)]
    closed = [(not close, name.lower()) for close, name in _UNCLOSED.findall(after)]
    names = {name for _, name in (*opened, *closed)}
    return (
        len(names) == 1
        and [opens for opens, _ in opened] == [True]
        and ([opens for opens, _ in closed] == [False])
    )


def is_chain(cues: int, characters: int) -> bool:
    """Whether what runs over so many cues is longer than one sentence may be.

    If it is several sentences, none of which ends at the end of a cue, each is translated alone.
    """
    return cues > MOST_CUES or characters > MOST_CHARACTERS


def _within_bounds(chain: list[_Spoken], language: str) -> Iterator[list[_Spoken]]:
    """Cut a chain of turns where one sentence of it is too long, at the best places."""
    characters = sum(len(turn.part.text) + 1 for turn in chain) - 1
    if len(chain) == 1 or not is_chain(len(chain), characters):
        yield chain
        return
    text = " ".join(turn.part.text for turn in chain)
    sentences = sentences_in(text, language)
    parted = len(sentences) > 1 and max(map(len, sentences)) <= MOST_CHARACTERS
    if parted and len(chain) <= LONGEST_CHAIN:
        yield chain  # to be translated sentence by sentence
        return

    def badness(cut: int) -> float:
        before, after = chain[cut - 1], chain[cut]
        end = end_of(before.part.text, after.part.text, language)
        begun = sum(len(turn.part.text) + 1 for turn in chain[:cut])
        pause = min(after.cue.start - before.cue.end, LONGEST_PAUSE) / LONGEST_PAUSE
        return abs(begun / characters - 0.5) - 0.2 * (end in ("clause", "trails")) - 0.2 * pause

    cut = min(range(1, len(chain)), key=badness)
    yield from _within_bounds(chain[:cut], language)
    yield from _within_bounds(chain[cut:], language)


def _sentence(chain: Sequence[_Spoken], language: str, *, sounds: bool) -> Sentence:
    """A sentence of turns; dots where it runs on, and what is no speech, stand beside its text."""
    named = language if chain[0].cue.duration > 0 else None
    parts = [_without_non_speech(turn.part, sounds=sounds, language=named) for turn in chain]
    for number in range(len(parts) - 1):
        before, after = parts[number], parts[number + 1]
        text, closing = without_dots(before.text, at_end=True)
        rest, opening = without_dots(after.text, at_end=False)
        if end_of(before.text, after.text, language) in ("clause", "trails"):
            rest = uncapitalised(rest, language)
        parts[number] = replace(before, text=text, closing=closing)
        parts[number + 1] = replace(after, text=rest, opening=opening)
    return Sentence(tuple(parts), language, keeps_sounds=sounds)


def _without_non_speech(part: Part, *, sounds: bool, language: str | None) -> Part:
    """A part with what is not said of it beside its text; sound descriptions only if ``sounds``."""
    lead, text, tail = split_non_speech(part.text, sounds=sounds, language=language)
    return replace(part, text=text, lead=lead, tail=tail)
