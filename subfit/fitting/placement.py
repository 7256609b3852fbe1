"""Putting fitted sentences back into their cues, and cues into no more time than they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from subfit.fitting.cue_splits import place, spread_overlong
from subfit.fitting.finish import worst_use
from subfit.fitting.losses import at_parts
from subfit.fitting.outcomes import Alternative, CueOutcome, Status
from subfit.fitting.spans import place_over_cues
from subfit.fitting.task import Fitted
from subfit.limits.budget import LengthBudget, LengthRatio, budget_for, excess, ratio_of
from subfit.limits.guideline import Guideline
from subfit.subtitles.cues import Cue, FormatName, Track
from subfit.subtitles.markup import CueText, PlacedSpans, PlaceSpans, Turn
from subfit.subtitles.markup.payload import parse_cue_text, plain_text, seen_lines
from subfit.subtitles.markup.restore import render_cue_text
from subfit.subtitles.sdh import LabelledTrack
from subfit.subtitles.sentences import Sentence
from subfit.text.alignment import WordScores
from subfit.text.counting import count_characters

Value = TypeVar("Value")
_WHY_PASSED = {
    "empty": "nothing to translate",
    "music": "music is kept",
    "sound": "sound descriptions are kept",
    "unsaid": "nothing is said in words",
}


@dataclass(frozen=True, slots=True)
class Placed:
    """One fitted sentence's part in one turn of one cue."""

    fitted: Fitted
    part: int
    natural: str
    """What stood there if nothing limited the translation."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The target lines of the turn."""
        return self.fitted.lines[self.part]


@dataclass(frozen=True, slots=True)
class Board:
    """Where everything is looked up while cues are put together."""

    track: Track
    texts: Sequence[CueText]
    budgets: Sequence[LengthBudget]
    expected: frozenset[tuple[int, int]]
    """Cue and turn of everything that was to be translated."""
    placed: dict[tuple[int, int], Placed]
    guideline: Guideline
    place_spans: PlaceSpans | None = None
    """Says where inner markup goes; by proportion without it."""
    spans: dict[tuple[int, int], tuple[str, PlacedSpans]] = field(default_factory=dict)
    """Cue and turn of everything in sentences over several cues: its text with its markup."""

    def placer(self, index: int) -> PlaceSpans | None:
        """What says where the inner markup of a cue goes."""
        if self.place_spans is None:
            return None
        place = self.place_spans

        def known(turn: Turn, text: str) -> PlacedSpans | None:
            number = next(n for n, own in enumerate(self.texts[index].turns) if own is turn)
            shown, spans = self.spans.get((index, number), ("", None))
            return spans if spans is not None and shown == text else place(turn, text)

        return known


def outcomes_of(
    track: Track,
    texts: Sequence[CueText],
    budgets: Sequence[LengthBudget],
    sentences: Sequence[Sentence],
    fitted: Sequence[Fitted],
    guideline: Guideline,
    place_spans: PlaceSpans | None = None,
    words: WordScores | None = None,
) -> tuple[CueOutcome, ...]:
    """Say for every cue of the source what stands in the target and why.

    Args:
        track: The source.
        texts: Its payloads, parsed.
        budgets: The budget of each cue.
        sentences: What was to be translated; every other turn is kept by rule.
        fitted: All fitted sentences, in any order.
        guideline: The limits that the target is held against.
        place_spans: Says where inner markup goes; by proportion without it.
        words: Knows which words translate each other; None where nothing does.
    """
    placed = {
        (part.cue, part.turn): Placed(translation, number, natural)
        for translation in fitted
        for number, (part, natural) in enumerate(
            zip(
                translation.task.sentence.parts,
                _natural_parts(translation, guideline, words),
                strict=True,
            )
        )
    }
    expected = frozenset((part.cue, part.turn) for sentence in sentences for part in sentence.parts)
    spans = {} if place_spans is None else _spans_over_cues(fitted, texts, place_spans)
    board = Board(track, texts, budgets, expected, placed, guideline, place_spans, spans)
    return tuple(_outcome(board, index) for index in range(len(track.cues)))


def with_source_labels(
    outcomes: Sequence[CueOutcome], labelled: LabelledTrack
) -> tuple[CueOutcome, ...]:
    """Return what became of cues with the labels of their source, which others stand for by now.

    Args:
        outcomes: One for each cue.
        labelled: The track with other labels, or none, and as it was.
    """
    if labelled.labels is None or labelled.labels.wish == "remove":
        return tuple(outcomes)
    format = labelled.source.format
    return tuple(
        outcome if outcome.cue.text == cue.text else _with_source(outcome, cue, format)
        for outcome, cue in zip(outcomes, labelled.source.cues, strict=True)
    )


def _with_source(outcome: CueOutcome, cue: Cue, format: FormatName) -> CueOutcome:
    if outcome.status == "passed":
        source = seen_lines(plain_text(cue.text, format))
        return replace(outcome, cue=cue, source=source, note="sound descriptions are translated")
    return replace(outcome, cue=cue, source=parse_cue_text(cue.text, format).shown)


def _spans_over_cues(
    fitted: Sequence[Fitted], texts: Sequence[CueText], place: PlaceSpans
) -> dict[tuple[int, int], tuple[str, PlacedSpans]]:
    """The markup of sentences over several cues, by cue and turn, with the text it stands in."""
    spans_of: dict[tuple[int, int], tuple[str, PlacedSpans]] = {}
    for translation in fitted:
        parts = translation.task.sentence.parts
        turns = [texts[part.cue].turns[part.turn] for part in parts]
        if len(parts) < 2 or not any(turn.spans for turn in turns):
            continue
        shown = [" ".join(lines) for lines in translation.lines]
        placed = place_over_cues(place, turns, shown)
        if placed is not None:
            for part, text, spans in zip(parts, shown, placed, strict=True):
                spans_of[part.cue, part.turn] = (text, spans)
    return spans_of


def _outcome(board: Board, index: int) -> CueOutcome:
    turns = range(len(board.texts[index].turns))
    expected = [turn for turn in turns if (index, turn) in board.expected]
    if not expected:
        return _kept(board, index, "passed", _WHY_PASSED.get(board.texts[index].kind, ""))
    if any((index, turn) not in board.placed for turn in expected):
        return _kept(board, index, "untranslated", "the model found no translation")
    return _translated(board, index)


def _kept(board: Board, index: int, status: Status, note: str) -> CueOutcome:
    """A cue that stands in the target as it stood in the source, or has its translation already."""
    cue, format = board.track.cues[index], board.track.format
    source = seen_lines(plain_text(cue.text, format))
    if cue.style and cue.target:
        note = "karaoke, or of a style that is kept"
    if cue.style or not cue.target:
        return CueOutcome(cue, status, source, source, cue.text, note=note)
    target, budget = seen_lines(plain_text(cue.target, format)), None
    if target and (target != source or board.texts[index].kind == "speech"):
        budget = board.budgets[index]
        status = "fits" if budget.fits(target, board.guideline) else "overflow"
    note = "was translated already"
    return CueOutcome(cue, status, source, target, cue.target, budget, note=note)


def _broken(text: CueText, lines: Sequence[Sequence[str]]) -> str:
    """The target of a cue, given the lines of each turn; the first one has the turn's dash."""
    return "\n".join(
        line if number else turn.dash + line
        for turn, broken in zip(text.turns, lines, strict=True)
        for number, line in enumerate(broken)
    )


def _translated(board: Board, index: int) -> CueOutcome:
    cue, text, budget = board.track.cues[index], board.texts[index], board.budgets[index]
    turns = [board.placed.get((index, turn)) for turn in range(len(text.turns))]
    here = [part for part in turns if part is not None]
    lines = _lines(text, turns)
    target = _broken(text, lines)
    rendered = render_cue_text(text, lines, board.track.format, board.placer(index))
    fits = budget.fits(target, board.guideline)
    first = here[0].fitted
    cues = tuple(part.cue for part in first.task.sentence.parts)
    return CueOutcome(
        cue=cue,
        status="fits" if fits else "overflow",
        source=text.shown,
        target=target,
        payload=rendered.text,
        budget=budget,
        natural=_natural(text, turns),
        asked=max(part.fitted.translation.asked for part in here),
        score=min(part.fitted.translation.hypothesis.score for part in here),
        losses=_once(_own(here, lambda one: at_parts(one.task, one.losses))),
        withheld=() if fits else _once(_own(here, lambda one: at_parts(one.task, one.withheld))),
        joined=cues if len(cues) > 1 else (),
        alternatives=_alternatives(board, index, turns),
        unplaced=rendered.unplaced,
        terms=_own(here, lambda one: one.terms),
        risk_features=_own(here, lambda one: one.risk_features),
        memory=worst_use([part.fitted for part in here]),
    )


def _once(losses: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(losses))


def _own(
    here: Sequence[Placed], values: Callable[[Fitted], Sequence[Sequence[Value]]]
) -> tuple[Value, ...]:
    """What sentences have in a cue, of what they have for each of their parts."""
    every = ((values(one.fitted), one.part) for one in here)
    return tuple(value for own, part in every if own for value in own[part])


def _alternatives(
    board: Board, index: int, turns: Sequence[Placed | None]
) -> tuple[Alternative, ...]:
    """Other texts of a cue; where several speak, one of them says something else in each."""
    alternatives = [
        _alternative(board, index, turns, number, other)
        for number, turn in enumerate(turns)
        if turn is not None and turn.fitted.alternatives
        for other in turn.fitted.alternatives[turn.part]
    ]
    budget = board.budgets[index]
    return tuple(one for one in alternatives if budget.allows(one.text, board.guideline))


def _alternative(
    board: Board, index: int, turns: Sequence[Placed | None], number: int, other: Alternative
) -> Alternative:
    """One other text of a cue, of another text of one of its turns."""
    text = board.texts[index]
    lines = _lines(text, turns)
    lines[number] = tuple(other.target.split("\n"))
    shown = "\n".join(
        turn.dash + " ".join(own) for turn, own in zip(text.turns, lines, strict=True)
    )
    return replace(
        other,
        text=shown,
        characters=count_characters(shown, board.guideline.counting),
        target=_broken(text, lines),
        payload=render_cue_text(text, lines, board.track.format, board.placer(index)).text,
    )


def _lines(text: CueText, turns: Sequence[Placed | None]) -> list[tuple[str, ...]]:
    """The lines of each turn of a cue; those that are not translated stay as they are."""
    pairs = zip(text.turns, turns, strict=True)
    return [(turn.text,) if part is None else part.lines for turn, part in pairs]


def _natural(text: CueText, turns: Sequence[Placed | None]) -> str:
    """What the cue would show if nothing limited it."""
    return "\n".join(
        turn.dash + (turn.text if part is None else part.natural)
        for turn, part in zip(text.turns, turns, strict=True)
    )


def _natural_parts(
    fitted: Fitted, guideline: Guideline, words: WordScores | None
) -> tuple[str, ...]:
    """What each cue of a sentence would show if nothing limited it.

    That is what it does show, if the natural translation was taken, and what it would show, if that
    fits as well.
    """
    natural, free = fitted.natural.text, [LengthBudget()] * len(fitted.lines)
    if fitted.translation.text == natural:
        return tuple(" ".join(lines) for lines in fitted.lines)
    placed = place(natural, fitted.task, guideline, words)
    if placed is not None:
        return tuple(" ".join(lines) for lines in placed.lines)
    return spread_overlong(natural, fitted.task, free, guideline, words)


def settle(
    outcomes: Sequence[CueOutcome],
    ends: Sequence[Sequence[int]],
    guideline: Guideline,
    ratio: LengthRatio | Sequence[LengthRatio] | None = None,
) -> tuple[CueOutcome, ...]:
    """Give each cue the earliest out-time with which it is over its budget by least.

    Args:
        outcomes: One for each cue, with the budget it has at the latest of its out-times.
        ends: Out-times that each cue may have beside its own, from `subfit.limits.timing_slack`.
        guideline: The limits for the target language.
        ratio: The length ratio wished; for all cues, or one for each.

    Returns:
        The outcomes with the out-times and the budgets that go with them. Alternatives that do not
        fit in that time are left out, of a sentence over several cues in all of them.
    """
    settled = [
        _settled(outcome, later, guideline, ratio_of(ratio, index))
        for index, (outcome, later) in enumerate(zip(outcomes, ends, strict=True))
    ]
    return tuple(_with_alternatives(outcome, settled, guideline) for outcome in settled)


def _settled(
    outcome: CueOutcome, later: Sequence[int], guideline: Guideline, ratio: LengthRatio | None
) -> CueOutcome:
    """The outcome with its out-time."""
    if outcome.budget is None or not later:
        return outcome

    def budget_at(end: int) -> LengthBudget:
        return budget_for(outcome.source, end - outcome.cue.start, guideline, ratio)

    given = best = budget_at(outcome.cue.end)
    end, over = None, excess(outcome.target, given, guideline)
    for time in later if over else ():
        budget = budget_at(time)
        if (less := excess(outcome.target, budget, guideline)) < over:
            end, best, over = time, budget, less
        if not over:
            break
    if end is None:
        return replace(outcome, budget=given)
    return replace(outcome, budget=best, end=end, given_budget=given)


def _with_alternatives(
    outcome: CueOutcome, outcomes: Sequence[CueOutcome], guideline: Guideline
) -> CueOutcome:
    """The outcome with those of its alternatives that still fit."""
    together = [outcomes[index] for index in outcome.joined] or [outcome]
    kept = [
        alternative
        for number, alternative in enumerate(outcome.alternatives)
        if all(_still_fits(one, number, guideline) for one in together)
    ]
    return replace(outcome, alternatives=tuple(kept))


def _still_fits(outcome: CueOutcome, number: int, guideline: Guideline) -> bool:
    if outcome.budget is None or number >= len(outcome.alternatives):
        return True
    return outcome.budget.allows(outcome.alternatives[number].text, guideline)
