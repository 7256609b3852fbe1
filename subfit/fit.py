"""The policy of fitting: what length to ask for, which hypothesis to take, how it is placed.

Lengths are asked for in this order, until a hypothesis fits its cues:

1. the natural length, without a ceiling. It also tells how long the translation would have been;
2. the budget and a little less, under a hard ceiling (where the natural translation is too short,
   lengths between floor and ceiling);
3. less and less of the budget, which gives the decoder room to end well and to break into lines;
4. the budget again, with more beams.

All that was found is then scored alike, as if no length had been asked for: of what fits, the best
score wins. It is placed over the cues of its sentence and broken into lines. If nothing fits, the
complete translation with the least excess is placed as well as can be, and marked as overflow;
text is never cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from subfit.alignment import WordScores
from subfit.budget import LengthBudget
from subfit.cue_splits import BETWEEN_PHRASES, cut_cost, split_over_cues
from subfit.glossary import Occurrence
from subfit.guideline import Guideline, count_characters
from subfit.hypotheses import FREE, Hypothesis, Request, Wanted
from subfit.linebreak import break_lines, break_lines_overlong
from subfit.linebreak_rules import break_demerits
from subfit.outcomes import Alternative, TermUse
from subfit.policy import DEFAULT_POLICY, Policy
from subfit.ranking import Candidate, ranked, standing, with_words, worth
from subfit.sentences import Part, Sentence

TERM_WEIGHT = 0.25
"""What a term is worth where nothing fits, as a share of the source's length."""

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """A sentence with the budgets of the cues it must go back into."""

    sentence: Sentence
    budgets: tuple[LengthBudget, ...]
    """One for each part of the sentence."""
    terms: tuple[Occurrence, ...] = ()
    """What must be said in a certain way."""
    extended: tuple[LengthBudget, ...] | None = None
    """The same with the most time that its cues may take; None if they may take none."""
    words: WordScores | None = field(default=None, compare=False, repr=False)
    """Knows which words translate each other, for words to stand in their source's cues."""

    def with_more_time(self) -> Task:
        """Return the task with its extended budgets for its budgets."""
        return replace(self, budgets=self.extended or self.budgets, extended=None)

    @property
    def ceiling(self) -> float:
        """Most characters over all cues.

        The spaces where the cues part are not printed, but dots that show where they do are.
        """
        ceilings = (min(each.characters, each.reading) for each in self.budgets)
        dots = sum(len(each.shown("")) for each in self.sentence.parts)
        return sum(ceilings) + len(self.budgets) - 1 - dots

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """What is asked of translations for the sake of its terms."""
        return tuple(Wanted(each.source, each.targets) for each in self.terms)

    @property
    def floor(self) -> float:
        """Fewest characters wished, over all cues."""
        return sum(each.floor for each in self.budgets)

    @property
    def least(self) -> float:
        """Fewest characters to ask for: the floor, or about what takes the shortest time to say."""
        return sum(
            max(each.floor, each.speaking.least_characters if each.speaking else 0.0)
            for each in self.budgets
        )

    def reaches(self, hypothesis: Hypothesis) -> bool:
        """Tell whether a translation is as long as is wished."""
        return hypothesis.characters >= self.floor and all(
            each.speaking is None or each.speaking.reaches(hypothesis.text) for each in self.budgets
        )


@dataclass(frozen=True, slots=True)
class Placement:
    """A translation in its cues, every one within its budget."""

    lines: tuple[Lines, ...]
    """For each part of the sentence its lines."""
    demerits: float = 0.0
    """Of its cuts between cues, and of line breaks that part a phrase."""


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
    if ceiling < 1 or math.isinf(ceiling):
        return []
    if not asks:
        return [[Request(text, ceiling, FREE, terms=task.wanted)]]
    rounds = [[share * ceiling for share in shares] for shares in policy.rounds]
    if natural is not None and not task.reaches(natural):
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
    asked = math.floor(ceiling)
    return Request(task.sentence.spoken, ceiling, asked, terms=task.wanted, beams=policy.wide_beams)


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

    Candidates that have the glossary's terms go before those that lack some, those that reach the
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
        value = worth(each.hypothesis, policy)
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
    return Fitted(task, placement.lines, chosen.hypothesis, chosen.asked, natural, fits=True)


def least_bad(
    task: Task, candidates: Sequence[Candidate], guideline: Guideline, language: str
) -> Fitted | None:
    """Take the complete translation that passes its budgets by least, and mark it as overflow.

    A poor translation does not become a good one by being a little shorter: one nat per token of
    score weighs as much as an excess of the source's whole length, a missing term as a quarter of
    that.

    Returns:
        The sentence with that translation, or None if no candidate says anything.
    """
    speaking = with_words(candidates, task.sentence.text)
    if not speaking:
        return None

    def badness(candidate: Candidate) -> float:
        excess = max(candidate.hypothesis.characters - task.ceiling, 0.0)
        lacking = TERM_WEIGHT * candidate.missed
        return excess / len(task.sentence.text) + lacking - candidate.hypothesis.score

    best = min(speaking, key=badness)
    lines = _place_overlong(best.hypothesis.text, task, guideline, language)
    natural = candidates[0].hypothesis
    return Fitted(task, lines, best.hypothesis, best.asked, natural, fits=False)


def place(text: str, task: Task, guideline: Guideline, language: str) -> Placement | None:
    """Spread a translation over its cues as well as it goes, and break each part into lines.

    Returns:
        The placement, or None if there is no way that keeps every budget.
    """
    sources = task.sentence.parts
    split = split_over_cues(text, sources, task.budgets, guideline, language, words=task.words)
    if split is None:
        return None
    lines = [
        _break(part, budget, source, guideline, language)
        for part, budget, source in zip(split.parts, task.budgets, sources, strict=True)
    ]
    whole = tuple(each for each in lines if each is not None)
    if len(whole) < len(lines):
        return None
    return Placement(whole, split.demerits + sum(_broken(each, language) for each in whole))


def _break(
    text: str, budget: LengthBudget, source: Part, guideline: Guideline, language: str
) -> Lines | None:
    """Break one part into lines, or return None if it is over its budget or cannot be broken."""
    if not budget.allows(text, guideline):
        return None
    if budget.cpl is None:
        return _break_like(text, source.lines, guideline, language)
    return break_lines(
        text,
        budget.cpl,
        budget.lines,
        _counter(guideline),
        language,
        min_balance=guideline.min_line_balance,
        bottom_heavy=guideline.bottom_heavy,
    )


def _broken(lines: Lines, language: str) -> float:
    """The demerits of line breaks beyond those of a break anywhere between phrases."""
    costs = (cut_cost(break_demerits(*pair, language)) for pair in pairwise(lines))
    return sum(max(cost - BETWEEN_PHRASES, 0.0) for cost in costs)


def _break_like(text: str, lines: int, guideline: Guideline, language: str) -> Lines:
    """Break a text that no width limits into about as many lines as its source has."""
    count = _counter(guideline)
    for slack in (1.1, 1.3, 1.6):
        width = math.ceil(slack * count(text) / lines)
        broken = break_lines(text, width, lines, count, language) if lines > 1 else None
        if broken is not None:
            return broken
    return (text,)


def _counter(guideline: Guideline) -> Callable[[str], float]:
    return lambda text: count_characters(text, guideline.counting)


def _place_overlong(
    text: str, task: Task, guideline: Guideline, language: str
) -> tuple[Lines, ...]:
    """Place a translation that does not fit: fewest characters over, least bad lines."""
    parts = spread_overlong(text, task, task.budgets, guideline, language)
    count = _counter(guideline)
    return tuple(
        break_lines_overlong(part, budget.cpl, budget.lines, count, language) or ("",)
        for part, budget in zip(parts, task.budgets, strict=True)
    )


def spread_overlong(
    text: str, task: Task, budgets: Sequence[LengthBudget], guideline: Guideline, language: str
) -> tuple[str, ...]:
    """Spread a translation even if some cues get too much.

    If it has fewer words than there are cues, all of it stands in the first.
    """
    sources = task.sentence.parts
    split = split_over_cues(
        text, sources, budgets, guideline, language, words=task.words, overlong=True
    )
    return split.parts if split else (text, *[""] * (len(sources) - 1))
