"""How sure figures are: bootstrap intervals, paired approximate randomisation, Holm's correction.

Intervals come from lines drawn anew with repetition (Koehn 2004), of a difference from the same
lines of both systems. p-values come from exchanging the translations of random lines between two
systems, two-sided (Noreen 1989; 15,000 exchanges as in Lakew 2019).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from subfit.errors import UsageError
from subfit.evaluation.metrics import Floats, Metric

TRIALS = 15_000
"""Random exchanges."""
SAMPLES = 1_000
"""Sets of lines that are drawn for an interval."""
LEVEL = 0.05
"""Differences with a smaller p-value are marked as significant."""
_AT_ONCE = 500
_ROUNDING = 1e-9
_SEED_VARIABLE, _SEED = "SACREBLEU_SEED", "12345"
"""sacreBLEU takes its seed from the environment, and this one if there is none; so do we."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A system's figure less that of the one it is compared with."""

    value: float
    low: float
    """The lower end of its 95 % interval."""
    high: float
    p: float
    """How likely chance alone makes a difference as large."""
    p_holm: float
    """The same, corrected for all systems that are compared with the same one by the same metric;
    for a single one the same."""


def seed() -> int | None:
    """Return the seed of all random draws; None where the environment asks for none.

    Raises:
        UsageError: The environment's ``SACREBLEU_SEED`` is neither a number nor ``none``.
    """
    told = os.environ.get(_SEED_VARIABLE, _SEED).lower()
    if told != "none" and not told.isdecimal():
        raise UsageError(f"{_SEED_VARIABLE}={told}: the seed must be a whole number, or none")
    return None if told == "none" else int(told)


def interval(metric: Metric, rows: Floats, samples: int = SAMPLES) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a figure.

    Args:
        metric: The metric.
        rows: Its statistics, line by line.
        samples: Sets of lines that are drawn.
    """
    return _bounds([metric.values(drawn @ rows) for drawn in _resampled(len(rows), samples)])


def difference(
    metric: Metric, own: Floats, other: Floats, trials: int = TRIALS, samples: int = SAMPLES
) -> Difference:
    """Compare two systems' translations of the same lines.

    Args:
        metric: The metric.
        own: Statistics of a system, line by line.
        other: Those of the system it is compared with.
        trials: Random exchanges.
        samples: Sets of lines that are drawn for the interval.
    """
    observed = metric.value(own) - metric.value(other)
    drawn = [
        metric.values(counts @ own) - metric.values(counts @ other)
        for counts in _resampled(len(own), samples)
    ]
    return Difference(observed, *_bounds(drawn), *[_p(metric, own, other, trials)] * 2)


def _p(metric: Metric, own: Floats, other: Floats, trials: int) -> float:
    gaps = other - own
    differing = np.abs(gaps).sum(axis=1) > 0
    gaps, ours, theirs = gaps[differing], own.sum(axis=0), other.sum(axis=0)
    least = abs(metric.value(own) - metric.value(other)) - _ROUNDING
    count = 0
    for masks in _draws(trials, lambda rng, n: rng.integers(2, size=(n, len(gaps))).astype(float)):
        moved = masks @ gaps
        found = np.abs(metric.values(ours + moved) - metric.values(theirs - moved))
        count += int((found >= least).sum())
    return (count + 1) / (trials + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979), in the order given."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    corrected, highest = [1.0] * len(values), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[at]))
        corrected[at] = highest
    return corrected


def _resampled(lines: int, samples: int) -> Iterator[Floats]:
    """How often each line is drawn, in each of many samples."""
    shares = np.full(lines, 1 / lines)
    return _draws(samples, lambda rng, n: rng.multinomial(lines, shares, size=n).astype(float))


def _draws(count: int, draw: Callable[[np.random.Generator, int], Floats]) -> Iterator[Floats]:
    rng = np.random.default_rng(seed())
    for start in range(0, count, _AT_ONCE):
        yield draw(rng, min(_AT_ONCE, count - start))


def _bounds(found: Sequence[Floats]) -> tuple[float, float]:
    low, high = np.nanpercentile(np.concatenate(found), [2.5, 97.5])
    return float(low), float(high)
