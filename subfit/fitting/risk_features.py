"""What speaks against a translation that was chosen: the features of its risk."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from operator import mul

from subfit.condensing.words import words_of as words_for
from subfit.fitting.risk import MOST_NATS, RiskFeatures
from subfit.fitting.state import Candidate, Fitted, Setup
from subfit.text.alignment import Alignment, Word, align, words_of

SURE, UNSURE = 0.6, 0.3
"""How sure it must be that a translation says a word of its source, and how unsure that it does
not."""
_SHORT = 3
"""Words with no more letters hardly carry meaning, where nothing else tells."""


def risk_features(fitted: Fitted, candidates: Sequence[Candidate], setup: Setup) -> RiskFeatures:
    """Return the features of the translation that was chosen for a sentence.

    Args:
        fitted: The sentence.
        candidates: All that was found for it.
        setup: Its translator says what the model can tell.
    """
    chosen, natural = fitted.candidate, fitted.natural
    one, other = chosen.hypothesis, natural.hypothesis
    shortened = one.text != other.text
    knows = setup.translator.known_words is not None
    rates = setup.translator.can_rate
    scored = bool(one.token_ids)  # models behind servers have scores of another kind, or none
    said = _said(fitted)
    return RiskFeatures(
        improbability=-one.score if scored else None,
        surprise=math.log1p(max(-one.log_probability, 0.0)) if scored else None,
        loss=max(other.score - one.score, 0.0) if scored else None,
        disagreement=_disagreement(natural, candidates) if scored else None,
        early_end=(min(-one.closing, MOST_NATS) if shortened else 0.0) if rates else None,
        dropped=said.dropped,
        unsaid=said.unsaid,
        unfounded=said.unfounded,
        unfamiliar=float(len(one.unfamiliar)) if knows else None,
        shortening=max(math.log(max(other.characters, 1) / max(one.characters, 1)), 0.0),
        omitted=0.0 if chosen.condensation is None else float(chosen.condensation.cost),
        missing=float(chosen.missing_terms + chosen.missing_numbers),
        length=math.log1p(len(words_of(fitted.task.sentence.spoken))),
    )


def _disagreement(best: Candidate, candidates: Sequence[Candidate]) -> float:
    """The mean share of words that natural translations do not share with the best one."""
    others = [
        one.hypothesis
        for one in candidates
        if one.asked == best.asked and one.condensation is None and one is not best
    ]
    words = Counter(_lowered(best.hypothesis.text))
    most = best.hypothesis.log_probability
    shares = [math.exp(min(one.log_probability - most, 0.0)) for one in others]
    apart = [_apart(words, Counter(_lowered(one.text))) for one in others]
    return sum(map(mul, shares, apart), 0.0) / (1 + sum(shares))


def _apart(one: Counter[str], other: Counter[str]) -> float:
    """Share of the words of two texts that only one of them has (one less Dice's coefficient)."""
    return 1 - 2 * (one & other).total() / max(one.total() + other.total(), 1)


def _lowered(text: str) -> list[str]:
    return [word.text.lower() for word in words_of(_line(text))]


def _said(fitted: Fitted) -> RiskFeatures:
    """The features that an alignment with the source tells; none without a lexical table."""
    task = fitted.task
    if task.words is None:
        return RiskFeatures()
    source, text = task.sentence.spoken, _line(fitted.candidate.hypothesis.text)
    natural = _line(fitted.natural.hypothesis.text)
    ours = align(source, text, task.words)
    free = ours if natural == text else align(source, natural, task.words)
    content = _content(ours.source, task.sentence.language)
    return RiskFeatures(
        dropped=_dropped(ours, free, content),
        unsaid=_share_unsure([ours.source_sure[number] for number in content]),
        unfounded=_share_unsure(ours.target_sure),
    )


def _dropped(ours: Alignment, natural: Alignment, content: Sequence[int]) -> float:
    pairs = [(natural.source_sure[number], ours.source_sure[number]) for number in content]
    return sum(there - here for there, here in pairs if there > SURE and there - here > UNSURE)


def _share_unsure(sure: Sequence[float]) -> float:
    return sum(each < UNSURE for each in sure) / len(sure) if sure else 0.0


def _content(words: Sequence[Word], language: str) -> list[int]:
    """Which words carry meaning: those of no closed class, or the longer ones without a list."""
    lists = words_for(language)
    if lists is None:
        return [number for number, word in enumerate(words) if len(word.text) > _SHORT]
    empty = lists.function | lists.fillers
    return [number for number, word in enumerate(words) if word.text.lower() not in empty]


def _line(text: str) -> str:
    return text.replace("\n", " ")
