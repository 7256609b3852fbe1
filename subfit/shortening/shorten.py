"""Shortening the cues of tracks that are over their budgets, in their own language.

For each speaker's words in such a cue, in this order:

1. The words as they are, in other lines, or in the more time that the cue may take.
2. What says the same shorter, or leaves out what can be spared, by rules (`subfit.condensing`) and,
   where there is one, by a model under the budget as a hard ceiling. Of what fits and loses nothing
   essential (`subfit.shortening.losses`), what loses least.
3. Where all that fits loses something essential, the words stay as they are, over the budget and
   marked. If the budget is strict, what loses least of it is taken; and where there is nothing
   else, as many words of meaning as fit (`subfit.condensing.telegraphic`).

Words never change their cue, so a cue that is within its budget is left alone, whatever becomes of
the others that its sentence runs over.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from subfit.condensing.shortenings import Edit
from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.cue_lines import Placement, place, place_overlong
from subfit.fitting.losses import Loss
from subfit.fitting.outcomes import Alternative
from subfit.fitting.state import Candidate, Fitted
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.shortening.proposals import Key, Proposal, SpokenTurn, turns_of
from subfit.shortening.rewriting import rewrite
from subfit.text.counting import count_characters

UNASKED_ALTERNATIVES = 4
_ROOM = (1.0, 0.93, 0.86, 0.75, 0.6)
"""Shares of the room that are tried, until words break into lines."""


@dataclass(frozen=True, slots=True)
class ShorteningOptions:
    """How to shorten."""

    rules: bool = True
    """Whether the rules propose anything."""
    strict: bool = False
    """Keep to budgets at any price."""
    alternatives: int = UNASKED_ALTERNATIVES
    """How many other texts that fit to tell of."""


@dataclass(frozen=True, slots=True)
class ToShorten:
    """A track's sentences, and which of their cues are over their budgets."""

    tasks: tuple[Task, ...]
    over: frozenset[int]
    """Indices of cues."""
    written: Mapping[Key, str]
    """The text of each cue and turn as it is written, without dialogue dashes."""
    budgets: tuple[LengthBudget, ...]
    """The budget of every whole cue, with the most time that it may take."""
    dashes: Mapping[Key, float]
    """Characters of the dialogue dash of each cue and turn, with its space."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """A proposal in its lines."""

    proposal: Proposal
    placement: Placement
    edits: tuple[Edit, ...] = ()


def shorten_all(
    tracks: Sequence[ToShorten],
    guideline: Guideline,
    settings: ShorteningOptions,
    translator: AnyTranslator | None = None,
) -> list[list[Fitted]]:
    """Shorten what is over its budget, all tracks together.

    Args:
        tracks: Their sentences.
        guideline: Says what a character is and names the language.
        settings: How to shorten.
        translator: A model that writes the language anew, shorter; None for rules alone.

    Returns:
        Per track what became of each speaker's words in each cue, each by itself; of cues within
        their budgets they are as they were.
    """
    turns = [[turns_of(task, track.written) for task in track.tasks] for track in tracks]
    over = [
        (number, turn)
        for number, (track, own) in enumerate(zip(tracks, turns, strict=True))
        for sentence in own
        for turn in sentence
        if turn.part.cue in track.over and _unchanged(turn, guideline) is None
    ]
    proposed: list[list[Proposal]] = [[] for _ in over]
    if translator is not None and over:
        proposed = rewrite([turn for _, turn in over], translator, guideline)
    proposals: list[dict[Key, list[Proposal]]] = [{} for _ in tracks]
    for (number, turn), own_proposals in zip(over, proposed, strict=True):
        proposals[number][turn.key] = own_proposals
    return [
        _track(track, own, needed, guideline, settings)
        for track, own, needed in zip(tracks, turns, proposals, strict=True)
    ]


def _track(
    track: ToShorten,
    turns: Sequence[Sequence[SpokenTurn]],
    proposals: Mapping[Key, Sequence[Proposal]],
    guideline: Guideline,
    settings: ShorteningOptions,
) -> list[Fitted]:
    """Shorten a track; in a dialogue, what one speaker leaves of the room is the other's."""
    fitted = {
        _key(cue): cue
        for sentence in turns
        for cue in _sentence(sentence, proposals, guideline, settings)
    }
    turn_of = {turn.key: turn for sentence in turns for turn in sentence}
    for key in [key for key, cue in fitted.items() if not cue.fits and key in proposals]:
        others = [cue for other, cue in fitted.items() if other[0] == key[0] and other != key]
        if others:
            budget = _room_beside(key, others, track, guideline)
            task = replace(turn_of[key].task.with_more_time(), budgets=(budget,))
            alone = replace(turn_of[key], task=task)
            needed = {} if _unchanged(alone, guideline) else proposals
            (fitted[key],) = _sentence([alone], needed, guideline, settings)
    return list(fitted.values())


def _key(fitted: Fitted) -> Key:
    part = fitted.task.sentence.parts[0]
    return part.cue, part.turn


def _room_beside(
    key: Key, others: Sequence[Fitted], track: ToShorten, guideline: Guideline
) -> LengthBudget:
    """The budget of one turn of a cue, given what the other turns take."""
    budget, own = track.budgets[key[0]], track.dashes[key]
    shown = [" ".join(other.lines[0]) for other in others]
    dashes = own + sum(track.dashes[_key(other)] for other in others)
    taken = dashes + sum(count_characters(text, guideline.counting) for text in shown)
    read = dashes + sum(count_characters(text, guideline.cps_counting) for text in shown)
    lines = sum(len(other.lines[0]) for other in others)
    return replace(
        budget,
        characters=max(budget.characters - taken, 0.0),
        reading=max(budget.reading - read, 0.0),
        lines=None if budget.lines is None else max(budget.lines - lines, 1),
        cpl=None if budget.cpl is None else budget.cpl - own,
    )


def _unchanged(turn: SpokenTurn, guideline: Guideline) -> Fitted | None:
    """The words as they are, if they fit in other lines, or in the most time of their cue."""
    for task in _times(turn.task):
        placed = place(turn.part.text, task, guideline)
        if placed is not None:
            fit = _Fit(turn.source, placed)
            return _fitted(replace(turn, task=task), fit, (), guideline, fits=True)
    return None


def _times(task: Task) -> Iterable[Task]:
    """A task in its own time, and with the most that it may take."""
    return (task,) if task.extended is None else (task, task.with_more_time())


def _sentence(
    turns: Sequence[SpokenTurn],
    proposals: Mapping[Key, Sequence[Proposal]],
    guideline: Guideline,
    settings: ShorteningOptions,
) -> list[Fitted]:
    """Shorten those parts of a sentence that need it, one after the other.

    Proposals are those of a model, if any, for each part that does.
    """
    made: list[Edit] = []
    fitted: list[Fitted] = []
    for turn in turns:
        if turn.key not in proposals:
            fitted.append(_unchanged(turn, guideline) or _kept(turn, (), guideline, ()))
            continue
        turn = replace(turn, task=turn.task.with_more_time())
        fits = _fits(turn, proposals[turn.key], made, guideline, settings)
        chosen = _chosen(fits, strict=settings.strict)
        others = [fit for fit in fits if fit is not chosen][: settings.alternatives]
        if chosen is None:
            withheld = min(fits, key=lambda fit: fit.proposal.badness, default=None)
            losses = frozenset() if withheld is None else withheld.proposal.losses
            fitted.append(_kept(turn, others, guideline, losses))
        else:
            made += chosen.edits
            fitted.append(_fitted(turn, chosen, others, guideline, fits=True))
    return fitted


def _fits(
    turn: SpokenTurn,
    proposed: Iterable[Proposal],
    made: Sequence[Edit],
    guideline: Guideline,
    settings: ShorteningOptions,
) -> list[_Fit]:
    """What fits of all that is proposed; what loses least first."""
    task = turn.task
    most = _letters(turn, guideline)
    proposals: list[tuple[Proposal, tuple[Edit, ...]]] = [(proposal, ()) for proposal in proposed]
    if settings.rules:
        proposals += turn.by_rules(most, made)
    fits = [
        _Fit(proposal, placed, edits)
        for proposal, edits in proposals
        if (placed := place(proposal.text, task, guideline)) is not None
    ]
    if settings.strict and not any(not fit.proposal.losses for fit in fits):
        fits += _telegraphic(turn, most, guideline)
    return sorted(fits, key=lambda fit: (bool(fit.proposal.losses), fit.proposal.badness))


def _telegraphic(turn: SpokenTurn, most: float, guideline: Guideline) -> list[_Fit]:
    """As many words of meaning as fit; a little fewer where they do not break into lines."""
    for share in _ROOM:
        words = turn.by_words(share * most)
        placed = None if words is None else place(words.text, turn.task, guideline)
        if words is not None and placed is not None:
            return [_Fit(words, placed)]
    return []


def _letters(turn: SpokenTurn, guideline: Guideline) -> float:
    """The characters that a part may have, as strings have them, for a count that may leave some
    out; of a cue that no time or ratio limits, as many as it has, for its lines."""
    text, most = turn.part.text, turn.task.ceiling
    if math.isinf(most):
        return len(text)
    return max(most, 0.0) + max(len(text) - count_characters(text, guideline.counting), 0.0)


def _chosen(fits: Sequence[_Fit], *, strict: bool) -> _Fit | None:
    """What loses nothing essential, or if the budget is strict least of it."""
    best = fits[0] if fits else None
    if best is None or (best.proposal.losses and not strict):
        return None
    return best


def _kept(
    turn: SpokenTurn, others: Sequence[_Fit], guideline: Guideline, withheld: Iterable[Loss]
) -> Fitted:
    """The words as they are, over their budget."""
    lines = place_overlong(turn.part.text, turn.task, guideline)
    fit = _Fit(turn.source, Placement(lines))
    fitted = _fitted(turn, fit, others, guideline, fits=False)
    return replace(fitted, withheld=tuple(sorted(withheld)))


def _fitted(
    turn: SpokenTurn, chosen: _Fit, others: Sequence[_Fit], guideline: Guideline, *, fits: bool
) -> Fitted:
    source, proposal = _candidate(turn.source, guideline), chosen.proposal
    return Fitted(
        turn.task,
        chosen.placement.lines,
        _candidate(proposal, guideline),
        source,
        fits=fits,
        losses=tuple(sorted(proposal.losses)),
        alternatives=(tuple(_alternative(turn, other, guideline) for other in others),),
    )


def _candidate(proposal: Proposal, guideline: Guideline) -> Candidate:
    characters = count_characters(proposal.text, guideline.counting)
    hypothesis = Hypothesis(proposal.text, characters, proposal.score, proposal.score)
    return Candidate(hypothesis, asked=0, omitted=(proposal.omitted,))


def _alternative(turn: SpokenTurn, fit: _Fit, guideline: Guideline) -> Alternative:
    lines = fit.placement.lines[0]
    text = " ".join(lines)
    count = count_characters(text, guideline.counting)
    return Alternative(text, count, 1.0, fit.proposal.score, "\n".join(lines))
