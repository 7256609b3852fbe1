"""Where the markup of a source goes in its translation: on the words that stand for its words.

Punctuation and quotation marks are inside a span where they were inside it; spans that stood inside
one another or apart do so again. Of a translation's words those stand for a span that share most in
its words, and other words least; rules decide what words alone leave open.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import regex

from subfit.subtitles.markup import PlacedSpans, PlaceSpans, Span, Turn, is_pinned
from subfit.text.alignment import Alignment, Word, WordScores, align
from subfit.text.linebreak_lists import WordLists, word_lists
from subfit.text.word_bounds import is_of_word

_TRAIL = regex.compile(r"[^\w\s]*(?:[\xa0\u202f]?[^\w\s]+)*")
_LEAD = regex.compile(r"(?:[^\w\s]+[\xa0\u202f]?)*$")


@dataclass(frozen=True, slots=True)
class SpanPlacer:
    """Places the spans of turns in their translations.

    Args:
        source_language: Tag of the source's language.
        target_language: Tag of the translation's.
        known: What is known of words; without it, equal words and places tell.
    """

    source_language: str
    target_language: str
    known: WordScores | None = None

    def place(self, turn: Turn, text: str) -> PlacedSpans | None:
        """Return the spans of a turn as they stand in a translation.

        Args:
            turn: The source with its spans.
            text: Its translation, or the part of it that stands in the same cue; in one line.

        Returns:
            The spans; one whose words the translation does not say stands nowhere. None where
            markup stands at single places (times, ruby), which words do not tell of.
        """
        if not turn.spans or any(map(is_pinned, turn.spans)):
            return None
        alignment = align(turn.text, text, self.known)
        if not alignment.source or not alignment.target:
            return None
        sides = (word_lists(self.source_language), word_lists(self.target_language))
        placing = _Placing(turn, text, RunFinder(turn.text, text, alignment, *sides))
        for span in turn.spans:
            placing.taken.append((span, placing.place(span)))
        # Of spans over the same words, the one that was opened first is the outer one.
        spans = [placed for _, placed in placing.taken if placed is not None]
        unplaced = tuple(span.open for span, placed in placing.taken if placed is None)
        return PlacedSpans(tuple(sorted(spans, key=lambda span: (span.start, -span.end))), unplaced)


class _Placing:
    """The spans of one turn on their way into its translation."""

    def __init__(self, turn: Turn, text: str, runs: RunFinder) -> None:
        self.turn, self.text, self.runs, self.alignment = turn, text, runs, runs.alignment
        self.taken: list[tuple[Span, Span | None]] = []
        """Spans of the source with what they have become; None of those that are said nowhere."""

    def place(self, span: Span) -> Span | None:
        """Return where a span of the source stands in the translation; None for nowhere."""
        for other, placed in self.taken:
            if (other.start, other.end) == (span.start, span.end):
                return placed and replace(span, start=placed.start, end=placed.end)
        inside = [_is_in(word, span) for word in self.alignment.source]
        if not any(inside):
            return None
        low, high = 0, len(self.text)  # within the last that it is inside of
        apart = list[Span]()
        for other, placed in self.taken:
            if placed and other.start <= span.start and span.end <= other.end:
                low, high = placed.start, placed.end
            elif placed and (other.end <= span.start or span.end <= other.start):
                apart.append(placed)
        free = [
            low <= word.start and word.end <= high and not any(_is_in(word, one) for one in apart)
            for word in self.alignment.target
        ]
        run = self.runs.find(inside, free)
        return None if run is None else self._with_marks(run, span, low, high)

    def _with_marks(self, run: tuple[int, int], span: Span, low: int, high: int) -> Span:
        """Make a span of words, with the punctuation that its source has at its ends."""
        words, own = self.alignment.target, self.turn.text[span.start : span.end]
        start, end = words[run[0]].start, words[run[1] - 1].end
        if own and not is_of_word(own[-1]) and (trail := _TRAIL.match(self.text, end)):
            end = trail.end()
            if regex.search("[?!]", trail[0]):  # ¿Dónde estás?
                start -= len(regex.search("[¿¡]*$", self.text[:start])[0])
        if own and not is_of_word(own[0]) and (lead := _LEAD.search(self.text, 0, start)):
            start = lead.start()
        return replace(span, start=max(start, low), end=min(end, high))


def _is_in(word: Word, span: Span) -> bool:
    """Whether most of a word is in a span."""
    overlap = min(word.end, span.end) - max(word.start, span.start)
    return 2 * overlap > word.end - word.start


def place_over_cues(
    place: PlaceSpans, turns: Sequence[Turn], texts: Sequence[str]
) -> tuple[PlacedSpans, ...] | None:
    """Place the spans of a sentence that runs over several cues; words may change their cue.

    Args:
        place: As `SpanPlacer.place`.
        turns: The parts of the source with their spans, one from each cue.
        texts: The parts of the translation, each in one line.

    Returns:
        Per part the spans in its text; one that runs over parts is in each of them. What has no
        words is told of where it stood. None where `place` cannot tell.
    """
    spans: list[Span] = []
    at = 0
    for turn in turns:
        spans += (replace(span, start=at + span.start, end=at + span.end) for span in turn.spans)
        at += len(turn.text) + 1
    whole = Turn(" ".join(turn.text for turn in turns), tuple(spans))
    placed = place(whole, " ".join(texts)) if spans else PlacedSpans(())
    if placed is None:
        return None
    lost = list(placed.unplaced)
    parts: list[PlacedSpans] = []
    at = 0
    for turn, text in zip(turns, texts, strict=True):
        inside = (_within(span, at, text) for span in placed.spans)
        own = [span.open for span in turn.spans if span.open in lost]
        for tag in own:
            if tag in lost:
                lost.remove(tag)
        parts.append(PlacedSpans(tuple(span for span in inside if span), tuple(own)))
        at += len(text) + 1
    return tuple(parts)


def _within(span: Span, at: int, text: str) -> Span | None:
    """The part of a span that stands in a text which begins at a place; None if it has no words."""
    start, end = max(span.start - at, 0), min(span.end - at, len(text))
    if start >= end or not any(map(str.isalnum, text[start:end])):
        return None
    return replace(span, start=start, end=end)


_HALF = 0.5
_PLACE = 0.3
"""Weight of its place alone, for a word that nothing else is known of."""
_BACKWARD = 0.5
"""Weight of the shares of source words, beside those of target words."""
_LENGTH = 0.05
"""Cost of every word that a run is longer or shorter than its source would be in proportion."""
_PAUSE, _EDGE = 0.4, 0.3
"""Worth of beginning or ending at a pause, or at the end of the sentence, as the source does."""
_CLAUSE = 0.8
"""Worth of being a whole clause as the source is, from a pause or conjunction to a pause."""
_FEW = 2
"""Words that are hardly a clause."""
_UNSAID = -0.2
"""Gain of a run below which the translation does not say the words."""
_LITTLE, _ALL = 0.25, 0.6
"""Gain below which little speaks for a word, and share of its source that other words must have."""
_ELIDED_ARTICLES = {"l", "d", "n", "un", "dell", "all", "nell", "sull", "dall"}

_PAUSE_MARKS = regex.compile(r"[,;:.!?…—–()\[\]\"“”„«»]")


class RunFinder:
    """Finds runs of a translation's words.

    Args:
        source: The source text.
        target: Its translation.
        alignment: Of their words.
        ours: Words of the source's language.
        theirs: Words of the translation's.
    """

    def __init__(
        self, source: str, target: str, alignment: Alignment, ours: WordLists, theirs: WordLists
    ) -> None:
        self.alignment, self.ours, self.theirs = alignment, ours, theirs
        self.pauses = _pauses(target, alignment.target)
        self.source_pauses = _pauses(source, alignment.source)

    def find(self, inside: Sequence[bool], free: Sequence[bool]) -> tuple[int, int] | None:
        """Return the run of target words that stands for source words.

        Args:
            inside: Per source word, whether it is meant.
            free: Per target word, whether it may be taken.

        Returns:
            The first word and that behind the last; None where the translation does not seem to say
            the words.
        """
        gains = self._gains(inside)
        best = self._best(inside, gains, free)
        if best is None or sum(gains[slice(*best)]) < _UNSAID:
            return None
        return self._trimmed(*best, inside, gains)

    def _gains(self, inside: Sequence[bool]) -> list[float]:
        """How much speaks for each target word being in the span; negative: against it."""
        alignment, gains = self.alignment, []
        for j, shares in enumerate(alignment.of_target):
            within = sum(
                share for share, is_inside in zip(shares, inside, strict=True) if is_inside
            )
            sure = alignment.target_sure[j]
            gain = (sure + (1 - sure) * _PLACE) * (within - _HALF)
            for i, is_inside in enumerate(inside):
                share = alignment.of_source[i][j] * alignment.source_sure[i] * _BACKWARD
                gain += share if is_inside else -share
            gains.append(gain)
        return gains

    def _best(
        self, inside: Sequence[bool], gains: Sequence[float], free: Sequence[bool]
    ) -> tuple[int, int] | None:
        """The run of free words that is worth most."""
        expected = sum(inside) * len(gains) / len(inside)
        starts, ends, clause = self._edges(inside)
        most, best = -math.inf, None
        for start in range(len(gains)):
            worth = 0.0
            for end in range(start + 1, len(gains) + 1):
                if not free[end - 1]:
                    break
                worth += gains[end - 1]
                opens, closes = self._is_edge(start), self._is_edge(end)
                total = worth + starts * opens + ends * closes
                if closes and (opens or self._begins_clause(start)):
                    total += clause
                total -= _LENGTH * abs(end - start - expected)
                if total > most:
                    most, best = total, (start, end)
        return best

    def _edges(self, inside: Sequence[bool]) -> tuple[float, float, float]:
        """What it is worth that a run begins, ends, and does both, at pauses as in its source."""
        first = inside.index(True)
        end = len(inside) - list(reversed(inside)).index(True)
        starts = _EDGE if first == 0 else _PAUSE * self.source_pauses[first]
        ends = _EDGE if end == len(inside) else _PAUSE * self.source_pauses[end]
        opens = starts or self.alignment.source[first].text.lower() in self.ours.conjunctions
        return starts, ends, _CLAUSE if opens and ends and end - first > 2 else 0.0

    def _is_edge(self, at: int) -> bool:
        return at in (0, len(self.alignment.target)) or bool(self.pauses[at])

    def _begins_clause(self, at: int) -> bool:
        word = self.alignment.target[at].text.lower().rstrip("'’")
        return word in self.theirs.conjunctions or word == "qu"

    def _trimmed(
        self, start: int, end: int, inside: Sequence[bool], gains: Sequence[float]
    ) -> tuple[int, int]:
        """Leave words out at the ends of a run that stand for nothing in its source.

        Articles stay with their noun only where the source has one there: ``the <i>ship</i>``,
        ``das <i>Schiff</i>``; so do auxiliaries and clitics. Other words go if little speaks for
        them and the rest stands for all of the source.
        """
        pairs = zip(self.alignment.source, inside, strict=True)
        own = {word.text.lower() for word, is_inside in pairs if is_inside}
        words = [word.text.lower().rstrip("'’") for word in self.alignment.target]
        little = self._little(own) - own
        at_start, at_end, _ = self._edges(inside)
        if sum(inside) <= _FEW and not (at_start and at_end):
            at_start = at_end = 0.0  # no clause: "Anna" begins a sentence by chance

        def goes(word: int, rest: tuple[int, int], kinds: set[str]) -> bool:
            return words[word] in kinds or self._is_spare(word, rest, inside, gains)

        if not (at_start and self._is_edge(start)):
            while start + 1 < end and goes(start, (start + 1, end), little):
                start += 1
        if not (at_end and self._is_edge(end)):
            little |= self.theirs.articles - own
            while start + 1 < end and goes(end - 1, (start, end - 1), little):
                end -= 1
        return start, end

    def _is_spare(
        self, word: int, rest: tuple[int, int], inside: Sequence[bool], gains: Sequence[float]
    ) -> bool:
        """Whether little speaks for a word, and the rest of a run stands for all of its source."""
        if gains[word] >= _LITTLE:
            return False
        alignment = self.alignment
        said = [
            sum(alignment.of_source[i][slice(*rest)]) * alignment.source_sure[i]
            for i, is_inside in enumerate(inside)
            if is_inside
        ]
        return sum(said) >= _ALL * len(said)

    def _little(self, own: set[str]) -> set[str]:
        """Kinds of target words that stand in no span without a word of their kind."""
        kinds = (
            (self.ours.articles, self.theirs.articles | _ELIDED_ARTICLES),
            (self.ours.auxiliaries, self.theirs.auxiliaries),
            (self.ours.pronouns, self.theirs.clitics),
        )
        return {word for here, there in kinds if not own & here for word in there}


def _pauses(text: str, words: Sequence[Word]) -> list[int]:
    """Return, before each word and after the last, 1 if punctuation stands there and 0 if not."""
    ends = [0, *(word.end for word in words)]
    starts = [*(word.start for word in words), len(text)]
    return [
        int(bool(_PAUSE_MARKS.search(text, end, start)))
        for end, start in zip(ends, starts, strict=True)
    ]
