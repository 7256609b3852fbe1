"""The whole way of a track that is shortened in its own language; beside `subfit.localization`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from subfit.decoding.any_translator import AnyTranslator
from subfit.fitting.options import DEFAULT_OPTIONS, Options
from subfit.fitting.outcomes import CueOutcome
from subfit.fitting.span_placement import SpanPlacer
from subfit.limits.budget import excess
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, TakenApart, put_back, take_apart
from subfit.shortening.shorten import (
    UNASKED_ALTERNATIVES,
    ShorteningOptions,
    ToShorten,
    shorten_all,
)
from subfit.subtitles.cues import Track
from subfit.subtitles.markup.payload import plain_text, seen_lines
from subfit.terms.glossary import TermFinder
from subfit.text.counting import Counting, count_characters

__all__ = ["condense", "condense_all"]


def condense(
    track: Track,
    guideline: Guideline,
    options: Options = DEFAULT_OPTIONS,
    translator: AnyTranslator | None = None,
) -> Localization:
    """Shorten the cues of a track that are over their budgets; `condense_all` with one track."""
    (shortened,) = condense_all([track], guideline, options, translator)
    return shortened


def condense_all(
    tracks: Sequence[Track],
    guideline: Guideline,
    options: Options = DEFAULT_OPTIONS,
    translator: AnyTranslator | None = None,
) -> list[Localization]:
    """Shorten the cues of tracks that are over their budgets, in their own language.

    Args:
        tracks: What was read of each file.
        guideline: The limits, for the language of the tracks.
        options: ``condense`` says whether rules shorten, ``strict_budget`` whether essential words
            may be lost; of those about translating none counts.
        translator: A model from the language into itself; None for rules alone.

    Returns:
        Per track the shortened one. Cues within their budgets, and those that cannot be shortened
        without losing something essential, have the payload they had, to the last byte.
    """
    language = guideline.language
    options = replace(options, source_language=language, translate_sounds=False, memory=())
    finder = TermFinder(options.terms, language, language)
    apart = [take_apart(track, guideline, options, finder, None, None) for track in tracks]
    over = [_over(part, guideline) for part in apart]
    settings = ShorteningOptions(
        rules=options.condense,
        strict=options.strict_budget,
        alternatives=options.alternatives or UNASKED_ALTERNATIVES,
    )
    to_do = [_to_shorten(*pair, guideline.counting) for pair in zip(apart, over, strict=True)]
    fitted = shorten_all(to_do, guideline, settings, translator)
    placer = SpanPlacer(language, language)
    return [
        put_back(part, made, guideline, options, placer, amend=partial(_amended, own, guideline))
        for part, made, own in zip(apart, fitted, over, strict=True)
    ]


def _over(apart: TakenApart, guideline: Guideline) -> frozenset[int]:
    """The cues that are over their budgets, or their lines, in the time they have."""
    return frozenset(
        index
        for index, budget in enumerate(apart.budgets.own)
        if not budget.fits(_seen(apart, index), guideline)
    )


def _to_shorten(apart: TakenApart, over: frozenset[int], counting: Counting) -> ToShorten:
    written = {
        (index, number): turn.text
        for index, text in enumerate(apart.texts)
        for number, turn in enumerate(text.turns)
    }
    dashes = {
        (index, number): count_characters(turn.dash, counting)
        for index, text in enumerate(apart.texts)
        for number, turn in enumerate(text.turns)
    }
    return ToShorten(apart.tasks, over, written, apart.budgets.most, dashes)


def _seen(apart: TakenApart, index: int) -> str:
    """The lines of a cue as a viewer sees them."""
    track = apart.track
    return seen_lines(plain_text(track.cues[index].text, track.format))


def _amended(
    over: frozenset[int], guideline: Guideline, apart: TakenApart, outcomes: tuple[CueOutcome, ...]
) -> tuple[CueOutcome, ...]:
    """What became of cues, with those as they were that nothing, or nothing good, became of."""
    return tuple(
        _settled(outcome, index in over, guideline, _seen(apart, index))
        for index, outcome in enumerate(outcomes)
    )


def _settled(outcome: CueOutcome, is_over: bool, guideline: Guideline, seen: str) -> CueOutcome:
    if outcome.budget is None:
        return outcome
    before, after = (" ".join(text.split()) for text in (seen, outcome.target))
    whole = outcome.budget.fits(outcome.target, guideline)  # whatever each speaker's share of it
    status, withheld = ("fits", ()) if whole else (outcome.status, outcome.withheld)
    natural = replace(outcome, natural=seen, status=status, withheld=withheld)
    shortened = before != after
    better = excess(outcome.target, outcome.budget, guideline) < excess(
        seen, outcome.budget, guideline
    )
    if is_over and (whole or (shortened and better)):
        return natural
    fits = outcome.budget.fits(seen, guideline)
    return replace(
        natural,
        status="fits" if fits else "overflow",
        target=seen,
        payload=outcome.cue.text,
        omitted=(),
        losses=(),
        unplaced=(),
    )
