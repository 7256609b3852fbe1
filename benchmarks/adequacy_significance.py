"""Whether two systems differ in REP or DROP by more than chance: paired approximate randomisation.

As in `subfit.evaluation.significance`, the translations of lines chosen at random are exchanged
between the systems, and the whole scores, with their penalties, are computed anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from subfit.evaluation.adequacy import WordAligner, repetition, scored_words
from subfit.evaluation.significance import TRIALS

_SEED = 12345
_ROUNDING = 1e-9
_AT_ONCE = 500
"""Trials that are computed together."""

Lines = NDArray[np.float64]
"""(lines, 5): of each line what is repeated, words dropped and words that are to be said, words of
the hypothesis and of the reference."""


@dataclass(frozen=True, slots=True)
class AdequacySignificance:
    """How likely chance alone makes differences as large as those between two systems."""

    rep: float
    """p-value of the difference in REP."""
    drop: float
    """p-value of the difference in DROP."""
    trials: int


def count_lines(
    hypotheses: Sequence[str],
    sources: Sequence[str],
    references: Sequence[str],
    aligner: WordAligner,
) -> Lines:
    """Return what each line adds to REP and DROP.

    Args:
        hypotheses: Translations of one system.
        sources: The lines that were translated.
        references: One for each.
        aligner: Learned from all systems' translations, as for `adequacy_of`.
    """
    rows = []
    for source, text, reference in zip(
        map(scored_words, sources),
        map(scored_words, hypotheses),
        map(scored_words, references),
        strict=True,
    ):
        wanted = aligner.aligned_sources(source, reference)
        dropped = wanted - aligner.aligned_sources(source, text)
        repeated = repetition(text, [reference])
        rows.append((repeated, len(dropped), len(wanted), len(text), len(reference)))
    return np.array(rows, dtype=np.float64).reshape(-1, 5)


def scores_of(totals: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return REP and DROP (…) from sums (…, 5) of what `count_lines` gives."""
    repeated, dropped, wanted, said, reference = np.moveaxis(totals, -1, 0)
    short = np.exp(np.maximum(reference / np.maximum(said, 1) - 1, 0)) * (said > 0) + (said == 0)
    long = np.exp(np.maximum(said / np.maximum(reference, 1) - 1, 0))
    rep = 100 * short * repeated / np.maximum(reference, 1)
    return rep, 100 * long * dropped / np.maximum(wanted, 1)


def randomised(
    baseline: Lines, system: Lines, trials: int = TRIALS, seed: int = _SEED
) -> AdequacySignificance:
    """Test the differences between two systems' translations of the same lines, two-sided.

    Args:
        baseline: From `count_lines`, of one system.
        system: Of the other.
        trials: Random exchanges.
        seed: Of the exchanges.
    """
    observed = [
        abs(float(one - other)) - _ROUNDING
        for one, other in zip(scores_of(baseline.sum(0)), scores_of(system.sum(0)), strict=True)
    ]
    rng, change = np.random.default_rng(seed), system - baseline
    counts, left = [0, 0], trials
    while left:
        number = min(left, _AT_ONCE)
        moved = rng.integers(2, size=(number, len(change))) @ change
        pairs = zip(
            scores_of(baseline.sum(0) + moved), scores_of(system.sum(0) - moved), strict=True
        )
        for place, (one, other) in enumerate(pairs):
            counts[place] += int((np.abs(one - other) >= observed[place]).sum())
        left -= number
    rep, drop = ((count + 1) / (trials + 1) for count in counts)
    return AdequacySignificance(rep, drop, trials)


def against(
    label: str, lines: Mapping[str, Lines], trials: int = TRIALS
) -> dict[str, AdequacySignificance]:
    """Test all systems but one against that one, by label."""
    return {
        other: randomised(lines[label], counted, trials)
        for other, counted in lines.items()
        if other != label
    }
