"""Where what one speaker says meets what is said next: how the one ends, and how the other starts.

What a start with a capital or a missing full stop mean differs from file to file, so that is read
off the file first (`Habits`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

import regex

from subfit.subtitles.cues import Cue
from subfit.subtitles.markup.cuetext import CueText, is_pinned
from subfit.subtitles.markup.payload import kind_of
from subfit.subtitles.sentences import Part
from subfit.text.linebreak_lists import word_lists
from subfit.text.sentence_ends import End, Start, end_of, start_of

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
class Utterance:
    """What one speaker says in a cue, with what tells whether it goes on from the turn before."""

    part: Part
    cue: Cue
    text: CueText
    """All of the cue's."""

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
class Seam:
    """Where a turn meets the next one."""

    before: Utterance
    after: Utterance
    end: End
    """How the one ends."""
    start: Start
    """How the other starts."""
    name: str | None
    """The word by which the other starts, if it may have its capital as a name."""
    inner: bool
    """Whether such a word must be of a sentence that has begun: in German any noun has a capital,
    and elsewhere a function word before it belongs with it."""

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

    def runs_on(self, habits: Habits) -> bool:
        """Whether a sentence goes on from the one turn to the other.

        Args:
            habits: Those of the file.
        """
        if not self.one_voice or not -LONGEST_OVERLAP <= self.pause <= LONGEST_PAUSE:
            return False
        if (
            self.end == "open"
            and self.start == "capital"
            and habits.cased
            and not self.before.part.text.endswith(".")
            and not (self.name is not None and (self.inner or self.name in habits.names))
        ):
            return False
        return _goes_on(self.end, self.start, habits, short=self.pause <= SHORT_PAUSE)


def utterances_of(
    cues: Sequence[Cue], texts: Sequence[CueText], kinds: frozenset[str]
) -> Iterator[Utterance]:
    """Return the turns of cues that are to be translated.

    Args:
        cues: The track's cues; those that have a translation are passed over.
        texts: Their payloads.
        kinds: What is said: speech, or sounds as well.
    """
    for index, text in enumerate(texts):
        if text.kind not in kinds or cues[index].target:
            continue
        lines = cues[index].text.count("\n") + 1 if len(text.turns) == 1 else 1
        for number, turn in enumerate(text.turns):
            if kind_of(turn.text) in kinds:
                yield Utterance(Part(index, number, turn.text, lines), cues[index], text)


def seams_of(turns: Sequence[Utterance], language: str) -> list[Seam]:
    """Return where turns meet, each and the next.

    Args:
        turns: All of a track.
        language: Their language tag.
    """
    lists = word_lists(language)
    seams: list[Seam] = []
    for before, after in pairwise(turns):
        text, following = before.part.text, after.part.text
        opening, last = _FIRST_WORD.match(following), _LAST_WORD.search(text)
        named = opening is not None and opening[1].lower() not in lists.function_words
        name = _bare(opening[1]) if opening is not None and named else None
        leaning = last is not None and last[1].lower() in lists.function_words
        inner = lists.nouns_are_capitalised or leaning
        end, start = end_of(text, following, language), start_of(following, language)
        seams.append(Seam(before, after, end, start, name, inner))
    return seams


def habits_of(turns: Sequence[Utterance], seams: Sequence[Seam], language: str) -> Habits:
    """Read off a file's turns what its capitals and its closing marks mean.

    Args:
        turns: All of a track.
        seams: Where they meet.
        language: Their language tag.
    """
    texts = [turn.part.text for turn in turns]
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
        if word_lists(language).nouns_are_capitalised:  # whatever sentences have
            cased = cased and any(start_of(text, language) == "capital" for text in texts)
        return Habits(cased, stopped=fmean(closed) >= 0.2, names=names)
    return Habits(stopped=fmean(closed_before_capitals) >= 0.75, names=names)


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
