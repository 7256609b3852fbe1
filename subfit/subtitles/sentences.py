"""From cues to sentences, the units of translation, and which cues are one.

A sentence is followed into the next cue where the text visibly goes on: its end is open, at a
comma, or in dots, and the next cue starts as the rest of a sentence does (`Seam.runs_on`). A cue
that closes one sentence and begins another is joined with all it has. What a start with a capital
or a missing full stop mean differs from file to file, so that is read off the file first
(`Habits`). Signs on screen between two halves of a sentence, and cues that stand there twice, are
layers of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

import regex

from subfit.subtitles.cues import Cue, FormatName
from subfit.subtitles.markup import CueText, Turn, is_pinned
from subfit.subtitles.markup.payload import kind_of, parse_cue_text, script_of
from subfit.text.casing import capitalised, names_in, recased, small, uncapitalised
from subfit.text.languages import language_of, primary_language
from subfit.text.linebreak_lists import word_lists
from subfit.text.non_speech import split_non_speech
from subfit.text.sentence_ends import End, Start, end_of, sentences_in, start_of, without_dots
from subfit.text.spoken import is_loud

_SENTENCE_START = re.compile(r"((?:^|[.!?…]\s+)[\W\d_]*)(\w+)")
_STRAIGHT = str.maketrans("“”„", '"""')
_SPACED_COLON = re.compile(r"(?<=\S)[ \u00a0\u202f](?=:\s)")
_PRONOUN = re.compile(r"\bi\b")
YIELDING = ",;."
"""Marks at the end of a part that give way to dots."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one cue's speaker contributes to a sentence."""

    cue: int
    """Index of the cue in its track."""
    turn: int
    """Which speaker's turn of that cue."""
    text: str
    """Plain source text."""
    lines: int = 1
    """Lines it stands in."""
    opening: str = ""
    """Dots before the text that show a sentence going on, which its cue keeps."""
    closing: str = ""
    """Dots after it that show that the sentence goes on, with the space before them."""
    lead: str = ""
    """What is not said and stands before all this (`subfit.text.non_speech`), with the space behind
    it."""
    tail: str = ""
    """What is not said and stands behind all this, with the space before it."""
    written_lead: str | None = None
    """The lead as the target language writes it, without French spaces before colons; None if it
    writes it as it stands."""

    @property
    def lead_shown(self) -> str:
        """What is not said and stands before all this in the target."""
        return self.lead if self.written_lead is None else self.written_lead

    @property
    def behind(self) -> str:
        """All that stands behind its words."""
        return self.closing + self.tail

    @property
    def gives_way(self) -> bool:
        """Whether a comma or full stop at the end of a text gives way to its dots.

        So it is if the source has none there.
        """
        return bool(self.closing) and not self.text.endswith((",", ";"))

    def dotted(self, text: str) -> str:
        """Return a text with the dots that stand around this part's."""
        if self.gives_way:
            text = text.rstrip(YIELDING) or text
        return f"{self.opening}{text}{self.closing}"

    def shown(self, text: str) -> str:
        """Return a text as it stands in place of this part, with all that stands around it."""
        return f"{self.lead_shown}{self.dotted(text)}{self.tail}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A unit of translation: one turn of one cue, or a sentence that runs over several cues."""

    parts: tuple[Part, ...]
    language: str = "en"
    """Tag of the source's language, which tells what its capitals are without capitals."""
    names: frozenset[str] = frozenset()
    """Words that have a capital wherever else they stand, told of sentences in capitals."""

    @property
    def text(self) -> str:
        """The plain source text."""
        return " ".join(part.text for part in self.parts)

    @property
    def shouted(self) -> bool:
        """Whether it is in capitals throughout, as whole files of captions are."""
        text = self.text
        letters = sum(map(str.isalpha, text))
        return letters > 3 and " " in text and is_loud(text, self.language)

    @property
    def spoken(self) -> str:
        """The source text as models read it: not in capitals, and with straight quotes.

        Known names keep their capitals, as do German nouns (`subfit.text.casing`).
        Of other quotes many make the dashes of novels, which are those of speakers in subtitles.
        """
        text = self.text.translate(_STRAIGHT)
        if not self.shouted:
            return text
        lower = small(text, self.language)
        if language_of(self.language) == "en":
            lower = _PRONOUN.sub("I", lower)
        lower = recased(lower, self.language, self.names)
        return _SENTENCE_START.sub(
            lambda match: match[1] + capitalised(match[2], self.language), lower
        )

    def led_in(self, language: str) -> Sentence:
        """Return it with names before colons as a target language writes them: ``Jean:``."""
        spaced = any(_SPACED_COLON.search(part.lead) for part in self.parts)
        if language_of(language) == "fr" or not spaced:
            return self
        parts = (
            replace(part, written_lead=_SPACED_COLON.sub("", part.lead)) for part in self.parts
        )
        return replace(self, parts=tuple(parts))

    def separated(self) -> tuple[Sentence, ...]:
        """Return the parts as sentences, one for each cue."""
        alone = (
            replace(part, text=part.dotted(part.text), opening="", closing="")
            for part in self.parts
        )
        return tuple(replace(self, parts=(part,)) for part in alone)


def parse_cues(cues: Sequence[Cue], format: FormatName) -> tuple[CueText, ...]:
    """Return every cue's payload as speakers' turns of plain text, markup lifted off."""
    return tuple(parse_cue_text(cue.text, format) for cue in cues)


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
LONGEST_SIGN = 8000
"""Milliseconds for which a sign may interrupt a sentence."""
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
_NUMBER = regex.compile(r"\W*\d[\d\s.,:]*\W*")
_CRIED = regex.compile(r"\W*(?:\p{L}*(\p{L})\1{4,}\p{L}*|(\p{L}+)(?:\W+\2){3,})\W*", regex.I)
"""A cry, or one word over and over, which is a sentence of its own."""
_UNCLOSED = regex.compile(r"<(/?)([ibu])\b[^>]*>", regex.IGNORECASE)


def join_cues(
    cues: Sequence[Cue], texts: Sequence[CueText], *, across_cues: bool = True, language: str = "en"
) -> tuple[Sentence, ...]:
    """Make sentences of the cues that have something to translate.

    Empty cues and cues of music or sounds only give none.

    Args:
        cues: The track's cues.
        texts: Their payloads, from `subfit.subtitles.sentences.parse_cues`.
        across_cues: Follow sentences over cues; otherwise every cue stands alone.
        language: The cues' language tag.

    Returns:
        Sentences in the order of their first cue; every turn that is spoken is in exactly one. Dots
        that only show that a sentence runs on are not in its text but beside it
        (`Part.opening`, `Part.closing`), as is what is not said (`Part.lead`, `Part.tail`).
    """
    turns = utterances_of(cues, texts, language)
    chains = [[turn] for turn in turns]
    if across_cues:
        seams, chains = seams_of(turns, language), chains[:1]
        habits = habits_of(turns, seams, language)
        for seam in seams:
            if seam.runs_on(habits):
                chains[-1].append(seam.after)
            else:
                chains.append([seam.after])
    sentences = [
        _sentence(bound, language) for chain in chains for bound in _within_bounds(chain, language)
    ]
    sentences.sort(key=lambda sentence: (sentence.parts[0].cue, sentence.parts[0].turn))
    return _with_names(sentences, turns)


def _with_names(sentences: Sequence[Sentence], turns: Sequence[Utterance]) -> tuple[Sentence, ...]:
    """Tell sentences in capitals which words are names in the rest of the file."""
    shouted = any(sentence.shouted for sentence in sentences)
    names = names_in(turn.part.text for turn in turns) if shouted else frozenset[str]()
    return tuple(replace(one, names=names) if one.shouted else one for one in sentences)


def is_chain(cues: int, characters: int) -> bool:
    """Whether what runs over so many cues is longer than one sentence may be.

    If it is several sentences, none of which ends at the end of a cue, each is translated alone.
    """
    few_words = characters <= 12 * cues  # a word a cue, as machines time them
    return (cues > MOST_CUES and not few_words) or characters > MOST_CHARACTERS


def _within_bounds(chain: list[Utterance], language: str) -> Iterator[list[Utterance]]:
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
        closes = end_of(before.part.text, after.part.text, language) in ("clause", "trails")
        begun = sum(len(turn.part.text) + 1 for turn in chain[:cut])
        pause = min(after.cue.start - before.cue.end, LONGEST_PAUSE) / LONGEST_PAUSE
        return abs(begun / characters - 0.5) - 0.2 * closes - 0.2 * pause

    cut = min(range(1, len(chain)), key=badness)
    for part in (chain[:cut], chain[cut:]):
        yield from _within_bounds(part, language)


def _sentence(chain: Sequence[Utterance], language: str) -> Sentence:
    """A sentence of turns; dots where it runs on, and what is no speech, stand beside its text."""
    named = language if chain[0].cue.duration > 0 else None
    parts = []
    for turn in chain:
        lead, text, tail = split_non_speech(turn.part.text, language=named)
        parts.append(replace(turn.part, text=text, lead=lead, tail=tail))
    for number in range(len(parts) - 1):
        before, after = parts[number], parts[number + 1]
        text, closing = without_dots(before.text, at_end=True)
        rest, opening = without_dots(after.text, at_end=False)
        if end_of(before.text, after.text, language) in ("clause", "trails"):
            rest = uncapitalised(rest, language)
        parts[number] = replace(before, text=text, closing=closing)
        parts[number + 1] = replace(after, text=rest, opening=opening)
    return Sentence(tuple(parts), language)


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
    layer: str = ""
    """Which of the layers on screen its cue is of; the speech itself has no name."""
    number: int = 0
    """The cue's, among those of its layer."""

    @property
    def turn(self) -> Turn:
        """As it stands in its cue."""
        return self.text.turns[self.part.turn]

    @property
    def style(self) -> str:
        """The markup around it, which tells speakers apart; where it stands on screen does not."""
        return str(_OVERRIDE.sub("", self.text.prefix + self.turn.prefix))


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
        """Milliseconds between the cues of both; less than 0 where they overlap.

        While a sign is on screen between them, time is not counted; where styles tell signs, these
        are shown beside the speech.
        """
        pause = self.after.cue.start - self.before.cue.end
        interrupted = self.after.part.cue > self.before.part.cue + 1 and not self.after.cue.style
        return 0 if interrupted and 0 < pause < LONGEST_SIGN else pause

    @property
    def one_voice(self) -> bool:
        """Whether nothing tells that another one speaks, or that what is said must stay apart."""
        before, after = self.before, self.after
        return (
            (after.layer, after.number) == (before.layer, before.number + 1)
            and before.part.turn == len(before.text.turns) - 1
            and after.part.turn == 0
            and not after.turn.dash
            and before.text.kind == after.text.kind == "speech"
            and min(before.cue.duration, after.cue.duration) > 0
            and len({before.cue.speaker, after.cue.speaker} - {""}) < 2
            and _LINE.sub("", before.cue.settings) == _LINE.sub("", after.cue.settings)
            and (before.style == after.style or _style_runs_over(before.cue.text, after.cue.text))
            # Times and readings must stay in their cue.
            and not any(map(is_pinned, (*before.turn.spans, *after.turn.spans)))
        )

    def runs_on(self, habits: Habits) -> bool:
        """Whether a sentence goes on from the one turn to the other.

        Args:
            habits: Those of the file.
        """
        if not self.one_voice or not -LONGEST_OVERLAP <= self.pause <= LONGEST_PAUSE:
            return False
        if _NUMBER.fullmatch(self.before.part.text) and self.start != "small":
            return False
        texts = self.before.part.text, self.after.part.text
        if any(map(_CRIED.fullmatch, texts)) or len({*map(script_of, texts), ""}) > 2:
            return False
        if (
            self.end == "open"
            and self.start == "capital"
            and habits.cased
            and not self.before.part.text.endswith(".")
            and not (self.name is not None and (self.inner or self.name in habits.names))
        ):
            return False
        abbreviated = self.end == "open" and self.before.part.text.endswith(".")  # "Mr."
        return (abbreviated and self.start == "capital") or _goes_on(
            self.end, self.start, habits, short=self.pause <= SHORT_PAUSE
        )


def utterances_of(cues: Sequence[Cue], texts: Sequence[CueText], language: str) -> list[Utterance]:
    """Return the turns of cues that are to be translated, those of a layer together.

    Args:
        cues: The track's cues; those that have a translation are passed over.
        texts: Their payloads.
        language: Their tag; in a file of two languages, turns in another script are not its own.
    """
    script = _script(primary_language(language) or language)
    layers, numbers = _layers(cues, texts), Counter[str]()
    found: list[Utterance] = []
    for index, (cue, text, layer) in enumerate(zip(cues, texts, layers, strict=True)):
        numbers[layer] += 1
        if text.kind != "speech" or cue.target:
            continue
        lines = cue.text.count("\n") + 1 if len(text.turns) == 1 else 1
        scripts = [script_of(turn.text) for turn in text.turns]
        for at, turn in enumerate(text.turns):
            foreign = script in scripts and scripts[at] not in (script, "")
            if kind_of(turn.text) == "speech" and not foreign:
                part = Part(index, at, turn.text, lines)
                found.append(Utterance(part, cue, text, layer, numbers[layer]))
    return sorted(found, key=lambda turn: turn.layer)


def _script(language: str) -> str:
    """The script (ISO 15924) that a language is usually written in."""
    from babel.core import get_global  # takes long to import

    likely = str(get_global("likely_subtags").get(language, "und_Latn_US")).split("_")[1]
    return {"Hans": "Hani", "Jpan": "Hani", "Kore": "Hang"}.get(likely, likely)


def _layers(cues: Sequence[Cue], texts: Sequence[CueText]) -> list[str]:
    """The layer of each cue: the speech, a sign that interrupts it, a style (signs and songs have
    their own, where there are such), or a cue that stands twice."""
    seen = Counter[tuple[int, int, str]]()
    layers = []
    raised = [cue.is_raised for cue in cues]
    for at, cue in enumerate(cues):
        between = 0 < at < len(cues) - 1 and raised[at - 1 : at + 2] == [False, True, False]
        interrupts = between and texts[at + 1].shown[:1].islower()
        twin = (cue.start, cue.end, cue.text)
        twice = f" {seen[twin]} times" if seen[twin] else ""
        layers.append("sign" if interrupts else f"{cue.style}{twice}")
        seen[twin] += bool(cue.text)
    return layers


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
    (opens, first), (closes, last) = (
        ([not close for close, _ in tags], {name.lower() for _, name in tags})
        for tags in (_UNCLOSED.findall(before), _UNCLOSED.findall(after))
    )
    return opens == [True] and closes == [False] and first == last
