"""Where the markup of a source goes in its translation: on the words that stand for its words.

Punctuation and quotation marks are inside a span where they were inside it; spans that stood inside
one another or apart do so again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import regex

from subfit.fitting.span_runs import RunFinder, WordRun
from subfit.subtitles.markup.cuetext import PlacedSpans, PlaceSpans, Span, Turn, is_pinned
from subfit.text.alignment import Word, WordScores, align
from subfit.text.linebreak_lists import word_lists
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
            The spans; one whose words are clearly parted stands twice, and one whose words the
            translation does not say stands nowhere. None where markup stands at single places
            (times, ruby), which words do not tell of.
        """
        if not turn.spans or any(map(is_pinned, turn.spans)):
            return None
        alignment = align(turn.text, text, self.known)
        if not alignment.source or not alignment.target:
            return None
        sides = (word_lists(self.source_language), word_lists(self.target_language))
        runs = RunFinder(turn.text, text, alignment, *sides)
        return _Placing(turn, text, runs).all()


class _Placing:
    """The spans of one turn on their way into its translation."""

    def __init__(self, turn: Turn, text: str, runs: RunFinder) -> None:
        self.turn, self.text, self.runs, self.alignment = turn, text, runs, runs.alignment
        self.taken: list[tuple[Span, list[Span]]] = []
        """Spans of the source with what they have become."""

    def all(self) -> PlacedSpans:
        """Place all spans; see `SpanPlacer.place`."""
        for span in self.turn.spans:
            self.taken.append((span, self._place(span)))
        # Of spans over the same words, the one that was opened first is the outer one.
        spans = [span for _, placed in self.taken for span in placed]
        unplaced = tuple(span.open for span, placed in self.taken if not placed)
        return PlacedSpans(tuple(sorted(spans, key=_order)), unplaced)

    def _place(self, span: Span) -> list[Span]:
        same = next((placed for other, placed in self.taken if _covers_same(span, other)), None)
        if same is not None:
            return [replace(span, start=placed.start, end=placed.end) for placed in same]
        inside = [_is_in(word, span) for word in self.alignment.source]
        if not any(inside):
            return []
        low, high = self._room(span)
        free = [self._is_free(word, span, low, high) for word in self.alignment.target]
        runs = self.runs.find(inside, free)
        return [self._with_marks(run, span, low, high) for run in runs]

    def _room(self, span: Span) -> tuple[int, int]:
        """Where a span may stand: within those that it is inside of."""
        outer = [
            placed
            for other, placed in self.taken
            if placed and other.start <= span.start and span.end <= other.end
        ]
        if not outer:
            return 0, len(self.text)
        longest = max(outer[-1], key=lambda placed: placed.end - placed.start)
        return longest.start, longest.end

    def _is_free(self, word: Word, span: Span, low: int, high: int) -> bool:
        """Whether a target word is in no other span that this one is not inside of."""
        apart = (
            own
            for other, placed in self.taken
            if other.end <= span.start or span.end <= other.start
            for own in placed
        )
        return low <= word.start and word.end <= high and not any(_is_in(word, a) for a in apart)

    def _with_marks(self, run: WordRun, span: Span, low: int, high: int) -> Span:
        """Make a span of words, with the punctuation that its source has at its ends."""
        start, end = self.alignment.target[run.start].start, self.alignment.target[run.end - 1].end
        own = self.turn.text[span.start : span.end]
        if own and not is_of_word(own[-1]):
            trail = _TRAIL.match(self.text, end)
            end = trail.end() if trail else end
        if own and not is_of_word(own[0]):
            lead = _LEAD.search(self.text, 0, start)
            start = lead.start() if lead else start
        return replace(span, start=max(start, low), end=min(end, high))


def _is_in(word: Word, span: Span) -> bool:
    """Whether most of a word is in a span."""
    overlap = min(word.end, span.end) - max(word.start, span.start)
    return 2 * overlap > word.end - word.start


def _covers_same(one: Span, other: Span) -> bool:
    return (one.start, one.end) == (other.start, other.end)


def _order(span: Span) -> tuple[int, int]:
    return span.start, -span.end


@dataclass(frozen=True, slots=True)
class CondensedTurn:
    """What is left of a turn when words are left out of it, before it is translated."""

    turn: Turn
    """The turn without the words that are left out."""
    lost: tuple[str, ...] = ()
    """Opening tags of spans that had no other words."""

    def place(self, place: PlaceSpans, text: str) -> PlacedSpans | None:
        """Return its spans as they stand in a translation.

        Args:
            place: As `SpanPlacer.place`.
            text: The translation, in one line.
        """
        if self.lost and not self.turn.spans:
            return PlacedSpans((), self.lost)
        return self.told(place(self.turn, text))

    def told(self, placed: PlacedSpans | None) -> PlacedSpans | None:
        """Return placed spans with those that were lost with their words."""
        return placed and replace(placed, unplaced=(*self.lost, *placed.unplaced))


def condense_turn(turn: Turn, omitted: Sequence[tuple[int, int]]) -> CondensedTurn:
    """Leave words out of a turn, and the spans of which no word is left.

    Args:
        turn: What one speaker says in a cue.
        omitted: Where the words are in its text, in their order.
    """
    if not omitted:
        return CondensedTurn(turn)
    edges = [0, *(edge for gap in omitted for edge in gap), len(turn.text)]
    kept = list(zip(edges[::2], edges[1::2], strict=True))

    def moved(place: int) -> int:
        return sum(min(end, place) - start for start, end in kept if start < place)

    text = "".join(turn.text[start:end] for start, end in kept)
    spans = [replace(span, start=moved(span.start), end=moved(span.end)) for span in turn.spans]
    lost = {
        number
        for number, (old, new) in enumerate(zip(turn.spans, spans, strict=True))
        if not is_pinned(old) and not any(map(str.isalnum, text[new.start : new.end]))
    }
    return CondensedTurn(
        replace(turn, text=text, spans=tuple(s for n, s in enumerate(spans) if n not in lost)),
        tuple(turn.spans[number].open for number in sorted(lost)),
    )


def place_over_cues(
    place: PlaceSpans, condensed: Sequence[CondensedTurn], texts: Sequence[str]
) -> tuple[PlacedSpans, ...] | None:
    """Place the spans of a sentence that runs over several cues; words may change their cue.

    Args:
        place: As `SpanPlacer.place`.
        condensed: The parts of the source with their spans, one from each cue.
        texts: The parts of the translation, each in one line.

    Returns:
        Per part the spans in its text; one that runs over parts is in each of them. What has no
        words is told of where it stood. None where `place` cannot tell.
    """
    spans: list[Span] = []
    turns = [part.turn for part in condensed]
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
    for part, text in zip(condensed, texts, strict=True):
        inside = (_within(span, at, text) for span in placed.spans)
        own = [span.open for span in part.turn.spans if span.open in lost]
        for tag in own:
            if tag in lost:
                lost.remove(tag)
        parts.append(PlacedSpans(tuple(span for span in inside if span), (*part.lost, *own)))
        at += len(text) + 1
    return tuple(parts)


def _within(span: Span, at: int, text: str) -> Span | None:
    """The part of a span that stands in a text which begins at a place; None if it has no words."""
    start, end = max(span.start - at, 0), min(span.end - at, len(text))
    if start >= end or not any(map(str.isalnum, text[start:end])):
        return None
    return replace(span, start=start, end=end)
