"""What there is to say about a text that was fitted: terms, memories, alternatives, its risk."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from typing import Literal

from subfit.decoding.hypotheses import FREE, Hypothesis
from subfit.fitting.choice import by_rank
from subfit.fitting.cue_splits import place
from subfit.fitting.losses import has_meaning
from subfit.fitting.outcomes import Alternative, MemoryUse, RiskFeatures, TermUse
from subfit.fitting.search import SHARES
from subfit.fitting.task import Fitted, Lines, Setup, State, Translation, place_in
from subfit.memory.recall import Recall
from subfit.memory.store import NO_MATCH
from subfit.terms.checked import added_numbers
from subfit.terms.glossary import OPEN_END, Occurrence
from subfit.text.alignment import Word, align
from subfit.text.counting import count_characters
from subfit.text.doubts import Doubt

UNASKED_ALTERNATIVES = 4
"""Alternatives that are told of though none were asked for."""
_UNSURE = 0.3
"""How unsure it must be that a word stands for one of the other text, to stand for none."""
Share = tuple[float, float]
"""Where a part of a text begins and ends, in shares of the text."""


def finished(fitted: Fitted, state: State | None, setup: Setup, alternatives: int) -> Fitted:
    """Return a text with all that reports tell of it.

    Args:
        fitted: The text in its cues.
        state: All that was found for it, if it was translated as one.
        setup: Translator and guideline.
        alternatives: How many other translations to tell of; 0 for some that are known anyway.
    """
    most = alternatives or UNASKED_ALTERNATIVES
    return replace(
        fitted,
        alternatives=() if state is None else alternatives_of(fitted, state, setup, most),
        terms=term_uses(fitted, () if state is None else state.found, setup),
        risk_features=risk_features(fitted, setup),
    )


def recalled(state: State, setup: Setup) -> list[Translation]:
    """Return what memories have for the whole text of a sentence, the preferred one first."""
    entries = state.task.recall.exact if state.task.recall else ()
    counting = setup.guideline.counting
    return [
        Translation(
            Hypothesis(entry.target, count_characters(entry.target, counting), 0.0, 0.0),
            asked=FREE,
            missing_terms=len(state.task.missing(entry.target)),
            recalled=True,
        )
        for entry in entries
    ]


def worst_use(fitted: Sequence[Fitted]) -> MemoryUse | None:
    """Return what memories had for the sentences of a cue, and what was made of it, of several the
    least similar; None if no memory was asked."""
    uses = (_memory_use(one, recall) for one in fitted if (recall := one.task.recall) is not None)
    return min(uses, key=lambda use: use.similarity or 0.0, default=None)


def _memory_use(fitted: Fitted, recall: Recall) -> MemoryUse:
    if recall.best is None:
        return MemoryUse(NO_MATCH)
    best, entry, translation = recall.best, recall.best.entry, fitted.translation
    used: Literal["exact", "guided", ""] = "guided" if translation.hypothesis.guided > 0 else ""
    if translation.recalled:
        said = (one for one in recall.exact if one.target == translation.text)
        entry, used = next(said, entry), "exact"
    return MemoryUse(
        best.match_class, best.similarity, used, entry.source, entry.target, entry.origin
    )


def term_uses(
    fitted: Fitted, found: Sequence[Translation], setup: Setup
) -> tuple[tuple[TermUse, ...], ...]:
    """Say what became of every term of a sentence, in the part of it where the term begins.

    Args:
        fitted: The sentence with the translation it was given.
        found: All that was found for it.
        setup: Its guideline says what a character is.
    """
    task = fitted.task
    uses: list[list[TermUse]] = [[] for _ in task.sentence.parts]
    missing = task.missing(fitted.translation.text)
    for term in task.terms:
        placed = term not in missing
        reason = "" if placed else _why_not(term, fitted, found, setup)
        use = TermUse(term.source, term.targets, placed, reason, term.placeable)
        uses[place_in(task.sentence, term.start)[0]].append(use)
    for number in added_numbers(task.sentence.text, fitted.translation.text, task.terms):
        uses[-1].append(TermUse(number, (), False, "it is not in the source", placeable=True))
    return tuple(map(tuple, uses))


def _why_not(term: Occurrence, fitted: Fitted, found: Sequence[Translation], setup: Setup) -> str:
    """Why a translation was taken that has not got a term."""
    task, counting = fitted.task, setup.guideline.counting
    if term.is_in(fitted.translation.text):
        return "it stands there more than once"
    shortest = min(
        count_characters(target.removesuffix(OPEN_END), counting) for target in term.targets
    )
    if shortest > task.ceiling:
        return f"it has {shortest:g} characters, and there is room for {task.ceiling:g}"
    having = [one for one in found if term.is_in(one.text)]
    if not having:
        return "no translation with it was found"
    if not any(place(one.text, task, setup.guideline, setup.words) for one in having):
        return "no translation with it fits"
    return "translations with it that fit lack other terms, are too short, or may end too early"


def alternatives_of(
    fitted: Fitted, state: State, setup: Setup, most: int
) -> tuple[tuple[Alternative, ...], ...]:
    """Return the best other translations that fit, as evenly from every length as there are.

    Returns:
        For each part of the sentence as many alternatives; all first ones are the parts of one
        translation, and so on. Longer ones come before shorter ones, better ones of about the same
        length before worse ones.
    """
    task = fitted.task
    base = min(task.ceiling, fitted.natural.characters)
    fits: list[tuple[int, float, Translation, tuple[Lines, ...]]] = []
    of_share = Counter[float]()
    for one in chain.from_iterable(by_rank(state, setup)):
        share = min((share for share in SHARES if one.characters <= share * base), default=1.0)
        if one.text != fitted.translation.text and of_share[share] < most:
            placed = place(one.text, task, setup.guideline, setup.words)
            if placed is not None:
                fits.append((of_share[share], -share, one, placed.lines))
                of_share[share] += 1
    # One of each length, then a second of each, and so on; told by length.
    kept = sorted(sorted(fits, key=lambda own: own[:2])[:most], key=lambda own: own[1])
    return tuple(
        tuple(_alternative(one, lines[part], -share, setup) for _, share, one, lines in kept)
        for part in range(len(task.budgets))
    )


def _alternative(one: Translation, lines: Lines, share: float, setup: Setup) -> Alternative:
    text = " ".join(lines)
    characters = count_characters(text, setup.guideline.counting)
    return Alternative(text, characters, share, one.hypothesis.score, "\n".join(lines))


def risk_features(fitted: Fitted, setup: Setup) -> tuple[tuple[RiskFeatures, ...], ...]:
    """Return for each part of a text what its risk is worked out of.

    What a memory translated has none. Of a model that does not tell how probable its translations
    are, what speaks against one counts as if nothing of it were the source's.
    """
    if fitted.translation.recalled:
        return ()
    sentence, one = fitted.task.sentence, fitted.translation
    texts = [" ".join(lines) for lines in fitted.lines]
    source, text = sentence.spoken, " ".join(texts)
    sources, targets = (_shares([part.text for part in sentence.parts]), _shares(texts))
    shorter = max(math.log(max(fitted.natural.characters, 1) / max(one.characters, 1)), 0.0)
    nats = max(-one.hypothesis.log_probability, 0.0)
    aligned = None if setup.words is None else align(source, text, setup.words)
    doubtful = any(loss in {*Doubt} for loss, _ in fitted.losses)
    features: list[tuple[RiskFeatures, ...]] = []
    for here, there in zip(sources, targets, strict=True):
        surprise = math.log1p(nats * (there[1] - there[0])) if setup.able.rates else None
        own = RiskFeatures(surprise, shortening=shorter)
        if doubtful:
            own = replace(own, unsaid=1.0, unfounded=1.0)
        if aligned is not None:
            content = [
                sure
                for word, sure in zip(aligned.source, aligned.source_sure, strict=True)
                if _is_in(word, source, here) and has_meaning(word.text, sentence.language)
            ]
            words = zip(aligned.target, aligned.target_sure, strict=True)
            theirs = [sure for word, sure in words if _is_in(word, text, there)]
            own = replace(own, unsaid=_share_unsure(content), unfounded=_share_unsure(theirs))
        features.append((own,))
    return tuple(features)


def _shares(parts: Sequence[str]) -> list[Share]:
    """Where the parts of a text begin and end, a space between each two."""
    ends = list(accumulate(len(part) + 1 for part in parts))
    most = max(ends[-1], 1)
    return list(pairwise([0.0, *(end / most for end in ends)]))


def _is_in(word: Word, text: str, share: Share) -> bool:
    return share[0] <= (word.start + word.end) / 2 / max(len(text), 1) < share[1]


def _share_unsure(sure: Sequence[float]) -> float:
    return sum(one < _UNSURE for one in sure) / len(sure) if sure else 0.0
