"""What a model proposes: sentences written anew in their own language, under a hard ceiling."""

from __future__ import annotations

import math
from collections.abc import Sequence

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.losses import Loss
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.limits.guideline import Guideline
from subfit.shortening.losses import changed_words, losses_between
from subfit.shortening.proposals import Proposal, SpokenTurn
from subfit.text.casing import capitals

SHARES = (1.0, 0.9, 0.8)
"""Shares of the budget that are asked for."""
_LIKELIHOOD = 0.5
"""What a nat per token counts, in words of meaning."""
_STOPS = ".!?…"


def rewrite(
    turns: Sequence[SpokenTurn], translator: AnyTranslator, guideline: Guideline
) -> list[list[Proposal]]:
    """Let a model write the words of turns anew.

    Returns:
        For each turn what is proposed for it, every text once.
    """
    asked = [
        (number, request)
        for number, turn in enumerate(turns)
        for request in _requests(turn, translator)
    ]
    requests = [request for _, request in asked]
    nbest = translator.translate(requests)
    rated = translator.rate([request.text for request in requests], nbest)
    proposed: list[dict[str, Proposal]] = [{} for _ in turns]
    for (number, _), hypotheses in zip(asked, rated, strict=True):
        for hypothesis in hypotheses:
            proposal = _proposal(turns[number], hypothesis, guideline.language)
            if proposal is not None:
                proposed[number].setdefault(proposal.text, proposal)
    return [list(own.values()) for own in proposed]


def _requests(turn: SpokenTurn, translator: AnyTranslator) -> list[Request]:
    task = turn.task.with_more_time()
    text, ceiling = task.sentence.spoken, task.ceiling
    if ceiling < 1 or math.isinf(ceiling) or not translator.accepts(text):
        return []
    if not translator.takes_lengths:
        return [Request(text, ceiling, FREE)]
    lengths = dict.fromkeys(max(1, math.floor(share * ceiling)) for share in SHARES)
    return [Request(text, ceiling, length) for length in lengths]


def _proposal(turn: SpokenTurn, hypothesis: Hypothesis, language: str) -> Proposal | None:
    text = _as_written(hypothesis.text, turn)
    if not any(map(str.isalnum, text)) or text == turn.part.text:
        return None
    losses = set(losses_between(turn.part.text, text, language))
    if hypothesis.closing < DEFAULT_SETTINGS.doubtful:
        losses.add(Loss.END)
    cost = changed_words(turn.part.text, text, language) - _LIKELIHOOD * hypothesis.score
    return Proposal(text, "model", cost, frozenset(losses), score=hypothesis.score)


def _as_written(text: str, turn: SpokenTurn) -> str:
    """A model's text with the capital and the closing mark that its cue's words have."""
    text, source = text.strip(), turn.part.text
    if turn.task.sentence.shouted:
        text = capitals(text, turn.passage.language)
    if source[:1].islower() and text[1:2].islower():
        text = text[:1].lower() + text[1:]
    if source[-1:].isalnum():
        text = text.rstrip(_STOPS)
    elif source[-1:] in ",;:-–—" and text[-1:] in _STOPS:
        text = text.rstrip(_STOPS) + source[-1:]
    return text
