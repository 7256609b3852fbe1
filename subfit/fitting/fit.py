"""The policy of fitting: what length to ask for, and which hypothesis to take.

Lengths are asked for in this order, until a hypothesis fits its cues:

1. the natural length, without a ceiling. It also tells how long the translation would have been;
2. the budget and a little less, under a hard ceiling (where the natural translation is too short,
   lengths between floor and ceiling);
3. less and less of the budget, which gives the decoder room to end well and to break into lines;
4. if what fits may be no whole sentence, or is a poor one: condensations of the source
   (`subfit.condensing`), at about their natural lengths, under the ceiling;
5. the budget again, with more beams.

All that was found is then scored alike, as if no length had been asked for, and placed over the
cues of its sentence and in their lines: of what fits, the best wins, which says its source well and
parts no phrase. If nothing fits, the translation with the least excess is placed as well
as can be, and marked as overflow; text is never cut.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.condensed import omitted_of
from subfit.fitting.cue_lines import Lines, Placement, place, place_overlong
from subfit.fitting.outcomes import Alternative, TermUse
from subfit.fitting.policy import DEFAULT_POLICY, Policy
from subfit.fitting.ranking import (
    Candidate,
    natural_value_of,
    omission_of,
    ranked,
    standing,
    value_of,
    with_words,
)
from subfit.fitting.task import Ranges, Task
from subfit.limits.guideline import Guideline

TERM_WEIGHT = 0.25
"""What a term is worth where nothing fits, as a share of the source's length."""
LONGER = (1.0, 1.1)
"""Multiples of the floor that are asked for where there is no ceiling."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A sentence with the translation it was given."""

    task: Task
    lines: tuple[Lines, ...]
    """For each part of the sentence its lines."""
    hypothesis: Hypothesis
    asked: int
    """The length asked for when it was found; 0 for the natural length."""
    natural: Hypothesis
    """The best translation had nothing limited it."""
    fits: bool
    """Whether every part is within its budget and its lines."""
    alternatives: tuple[tuple[Alternative, ...], ...] = ()
    """For each part of the sentence its text in other translations that fit, all in one order."""
    terms: tuple[tuple[TermUse, ...], ...] = ()
    """For each part of the sentence the terms that begin in it, and what became of them."""
    doubtful: bool = False
    """Whether it was shortened so far that it may end too early."""
    omitted: tuple[Ranges, ...] = ()
    """For each part of the sentence where something of its text was left out."""


def natural_request(task: Task, ratio: float | None) -> Request:
    """Ask for the natural length, without ceiling.

    Args:
        task: The sentence.
        ratio: Mean target/source characters, for models that must be asked for some length; None
            for models that need not.
    """
    text = task.sentence.spoken
    return Request(text, asked=FREE if ratio is None else max(1, round(len(text) * ratio)))


def predicted_request(task: Task, length: int) -> Request:
    """Ask for the predicted natural length, or the budget if that is less; without ceiling.

    Args:
        task: The sentence.
        length: Of its translation as predicted, in characters.
    """
    return Request(task.sentence.spoken, asked=max(1, math.floor(min(length, task.ceiling))))


def fitting_requests(
    task: Task,
    natural: Hypothesis | None,
    *,
    asks: bool = True,
    policy: Policy = DEFAULT_POLICY,
) -> list[list[Request]]:
    """Return what to ask for, round by round, when the natural translation does not fit.

    Args:
        task: The sentence.
        natural: Its translation without a ceiling, if the search found one.
        asks: Whether the model can be asked for a length; otherwise it only gets the ceiling.
        policy: Says which shares of the budget.
    """
    text, ceiling = task.sentence.spoken, task.ceiling
    too_short = natural is not None and not task.reaches(natural)
    if math.isinf(ceiling):
        if not (too_short and asks):
            return []
        lengths = [math.ceil(share * task.least) for share in LONGER]
        return [[Request(text, asked=each, terms=task.wanted) for each in lengths]]
    if ceiling < 1:
        return []
    text = task.brief(text)
    if not asks:
        return [[Request(text, ceiling, FREE, terms=task.wanted)]]
    rounds = [[share * ceiling for share in shares] for shares in policy.rounds]
    if too_short:
        least = min(task.least, ceiling)
        rounds = [[(least + ceiling) / 2, ceiling, least]]
    asked = [dict.fromkeys(max(1, math.floor(wish)) for wish in wishes) for wishes in rounds]
    wanted = task.wanted
    return [[Request(text, ceiling, wish, terms=wanted) for wish in wishes] for wishes in asked]


def wide_request(task: Task, policy: Policy = DEFAULT_POLICY) -> Request | None:
    """Ask for the budget once more, with more beams, for what is in doubt or over after all rounds.

    Args:
        task: The sentence.
        policy: Says how many beams.

    Returns:
        The request, or None if there is no budget or no such search is wished.
    """
    ceiling = task.ceiling
    if not policy.wide_beams or ceiling < 1 or math.isinf(ceiling):
        return None
    text, asked = task.brief(task.sentence.spoken), math.floor(ceiling)
    return Request(text, ceiling, asked, terms=task.wanted, beams=policy.wide_beams)


def in_doubt(hypothesis: Hypothesis, natural: Hypothesis, policy: Policy = DEFAULT_POLICY) -> bool:
    """Tell whether a translation was shortened so far that it may end too early.

    Args:
        hypothesis: With its `Hypothesis.closing`, in nats, as rated without a length signal.
        natural: The best translation had nothing limited it.
        policy: Says below how many nats an end is doubtful.
    """
    shortened = hypothesis.characters < natural.characters
    return shortened and hypothesis.closing < policy.doubtful


def choose(
    task: Task,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    language: str,
    policy: Policy = DEFAULT_POLICY,
) -> Fitted | None:
    """Take the best candidate that fits its cues and breaks into their lines.

    Those that have all terms and placeables go before those that lack some, those that reach the
    floor before those that do not, and those that close as the source does before those that just
    stop. Then the score counts, and whether phrases stay whole between cues and lines.

    Args:
        task: Sentence and budgets.
        candidates: What the searches found; the first is the natural translation's best.
        guideline: Says what a character is.
        language: Target language, for line breaking.
        policy: Says what a likely end, saying all of the source, and a good cut are worth.

    Returns:
        The sentence fitted, or None if no candidate fits.
    """
    source = task.sentence.text
    best: tuple[float, Candidate, Placement] | None = None
    for each in ranked(candidates, source, task.reaches, policy):
        value = value_of(each, policy)
        if best is not None and (
            value <= best[0]  # and so are all that follow
            or standing(each, source, task.reaches) != standing(best[1], source, task.reaches)
        ):
            break
        placement = place(each.hypothesis.text, task, guideline, language)
        if placement is not None:
            value -= policy.cut_weight * placement.demerits
            if best is None or value > best[0]:
                best = value, each, placement
    if best is None:
        return None
    _, chosen, placement = best
    natural = candidates[0].hypothesis
    omitted = omitted_of(task.sentence, chosen.condensation)
    lines, hypothesis = placement.lines, chosen.hypothesis
    return Fitted(task, lines, hypothesis, chosen.asked, natural, fits=True, omitted=omitted)


def least_bad(
    task: Task,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    language: str,
    policy: Policy = DEFAULT_POLICY,
) -> Fitted | None:
    """Take the translation that passes its budgets by least, and mark it as overflow.

    A poor translation does not become a good one by being a little shorter: one nat per token of
    score weighs as much as an excess of the source's whole length, a missing term as a quarter of
    that, what a condensation leaves out as the policy says.

    Returns:
        The sentence with that translation, or None if no candidate says anything.
    """
    speaking = with_words(candidates, task.sentence.text)
    if not speaking:
        return None

    def badness(candidate: Candidate) -> float:
        excess = max(candidate.hypothesis.characters - task.ceiling, 0.0)
        lacking = TERM_WEIGHT * candidate.missed
        left_out = omission_of(candidate, policy)
        score = natural_value_of(candidate, policy)
        return excess / len(task.sentence.text) + lacking + left_out - score

    best = min(speaking, key=badness)
    lines = place_overlong(best.hypothesis.text, task, guideline, language)
    natural = candidates[0].hypothesis
    omitted = omitted_of(task.sentence, best.condensation)
    return Fitted(task, lines, best.hypothesis, best.asked, natural, fits=False, omitted=omitted)
