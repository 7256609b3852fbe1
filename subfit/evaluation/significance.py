"""Whether two systems differ by more than chance: paired approximate randomisation.

The translations of some lines, chosen at random, are exchanged between the two systems; how often
that makes a difference as large as the one observed is the p-value (Noreen 1989). BLEU and chrF
are tested by sacreBLEU, length ratios here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from subfit.errors import UsageError
from subfit.reporting.lengths import length_ratio_of

TRIALS = 15_000
"""Random exchanges, as many as Lakew 2019 makes."""
LEVEL = 0.05
"""Differences with a smaller p-value are marked as significant."""
_SEED_VARIABLE, _SEED = "SACREBLEU_SEED", "12345"
"""sacreBLEU takes its seed from the environment, and this one if there is none."""
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Significance:
    """How likely chance alone makes differences as large as those between two systems."""

    bleu: float
    """p-value of the difference in BLEU."""
    chrf: float
    """p-value of the difference in chrF."""
    length_ratio: float
    """p-value of the difference in LR_src, the mean length ratio to the source."""
    trials: int
    seed: str
    signature: str
    """sacreBLEU's for the test on BLEU."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def paired_test(
    baseline: Sequence[str],
    hypotheses: Sequence[str],
    *,
    sources: Sequence[str],
    references: Sequence[str],
    trials: int = TRIALS,
) -> Significance:
    """Test the differences between two systems' translations of the same lines, two-sided.

    sacreBLEU counts only differences that are larger than the observed one, and so finds two
    systems with the same output significantly different. With n lines that differ no p-value is
    below 2^(1 - n), the share of exchanges of all n or none; lower ones are raised to it.

    Args:
        baseline: Translations of one system, at least one.
        hypotheses: Those of the other.
        sources: The lines that were translated.
        references: One for each.
        trials: Random exchanges.

    Raises:
        UsageError: The environment's ``SACREBLEU_SEED`` is neither a number nor ``none``.
    """
    from sacrebleu.metrics import BLEU, CHRF
    from sacrebleu.significance import PairedTest

    seed = _seed()
    systems = [("baseline", list(baseline)), ("system", list(hypotheses))]
    test = PairedTest(
        systems, {"BLEU": BLEU(), "chrF": CHRF()}, [list(references)], "ar", n_samples=trials
    )
    signatures, scores = test()
    bleu, chrf = (key for key in scores if key != "System")
    differing = sum(one != other for one, other in zip(baseline, hypotheses, strict=True))
    least = 2.0 ** min(0, 1 - differing)
    ratios = [
        [length_ratio_of(*pair) for pair in zip(sources, texts, strict=True)]
        for texts in (baseline, hypotheses)
    ]
    known = [(a, b) for a, b in zip(*ratios, strict=True) if a is not None and b is not None]
    return Significance(
        bleu=max(least, float(scores[bleu][1].p_value)),
        chrf=max(least, float(scores[chrf][1].p_value)),
        length_ratio=_p_of_means([a - b for a, b in known], trials, seed),
        trials=trials,
        seed=seed,
        signature=str(signatures[bleu]),
    )


def _p_of_means(differences: Sequence[float], trials: int, seed: str) -> float:
    """Return the p-value of a mean of paired differences, whose signs chance may turn."""
    values = np.asarray(differences)
    observed = abs(float(values.sum())) - _ROUNDING * len(values)
    rng = np.random.default_rng(int(seed) if seed != "none" else None)
    signs = (2.0 * rng.integers(2, size=len(values)) - 1 for _ in range(trials))
    count = sum(abs(float(values @ sign)) >= observed for sign in signs)
    return (count + 1) / (trials + 1)


def _seed() -> str:
    seed = os.environ.get(_SEED_VARIABLE, _SEED).lower()
    if seed != "none" and not seed.isdecimal():
        raise UsageError(f"{_SEED_VARIABLE}={seed}: the seed must be a whole number, or none")
    return seed
