"""Logistic regression on ratings with weights that are never negative, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEPS = 50
SURE = 1e-9
"""Below this change of a weight, Newton's method has arrived."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights of features as they are."""

    weights: Array
    """Logit for each unit above the mean; shape: (features,)."""
    means: Array
    """Of each feature over the cues it was fitted on, those left out that do not know it."""
    intercepts: Array
    """Logit of each level where all features have their means; shape: (levels,)."""

    def predict(self, values: Array) -> Array:
        """Return the probability that each cue is at least of each level; (cues, levels).

        Args:
            values: Shape: (cues, features); NaN where not known, which counts as the mean.
        """
        logits = np.nan_to_num(values - self.means) @ self.weights
        return np.asarray(1 / (1 + np.exp(-(logits[:, None] + self.intercepts))))


def fit(values: Array, ratings: Array, levels: Sequence[int], penalty: float) -> Fit:
    """Fit a model of proportional odds (McCullagh 1980): one weight for all levels of a rating.

    Newton's method (iteratively reweighted least squares) with an L2 penalty, each level of a cue
    a case of its own. Features whose weight comes out negative are taken out, the most negative
    first: each speaks against a translation, and what says otherwise is chance.

    Args:
        values: Of each cue; shape: (cues, features); NaN where not known.
        ratings: Of each cue; shape: (cues,).
        levels: Ratings; what is predicted is that a cue has at least these.
        penalty: On the square of each weight of a feature with a standard deviation of 1, halved.
    """
    means, deviations = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    deviations = np.where(deviations > 0, deviations, 1.0)
    scaled = np.nan_to_num((values - means) / deviations)
    wrong = np.concatenate([(ratings >= level).astype(np.float64) for level in levels])
    bases = np.repeat(np.eye(len(levels)), len(ratings), axis=0)  # (levels * cues, levels)
    kept = [n for n in range(values.shape[1]) if scaled[:, n].any()]
    while True:
        cases = np.c_[np.tile(scaled[:, kept], (len(levels), 1)), bases]
        found = _newton(cases, wrong, [penalty] * len(kept) + [SURE] * len(levels))
        lowest = int(np.argmin(found[: len(kept)])) if kept else 0
        if not kept or found[lowest] >= 0:
            break
        del kept[lowest]
    weights = np.zeros(values.shape[1])
    weights[kept] = found[: len(kept)] / deviations[kept]
    return Fit(weights, means, found[len(kept) :])


def _newton(values: Array, wrong: Array, penalties: Sequence[float]) -> Array:
    """Weights of the columns, with a penalty for each."""
    weights, ridge = np.zeros(values.shape[1]), np.diag(penalties)
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (likely - wrong) + ridge @ weights
        curve = (values.T * (likely * (1 - likely))) @ values + ridge
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < SURE:
            break
    return np.asarray(weights)


def cross_validated(
    values: Array,
    ratings: Array,
    levels: Sequence[int],
    groups: Sequence[object],
    penalty: float,
    folds: int = 10,
) -> Array:
    """Return the probabilities of each cue by weights that were fitted without its group.

    Args:
        values: As for `fit`.
        ratings: As for `fit`.
        levels: As for `fit`.
        groups: Of each cue, such as its sentence; cues of a group are left out together.
        penalty: As for `fit`.
        folds: How often weights are fitted.

    Returns:
        Shape: (cues, levels).
    """
    places = {group: n for n, group in enumerate(dict.fromkeys(groups))}
    fold = np.array([places[group] % folds for group in groups])
    likely = np.zeros((len(ratings), len(levels)))
    for number in range(folds):
        inside = fold != number
        if not inside.all():
            found = fit(values[inside], ratings[inside], levels, penalty)
            likely[~inside] = found.predict(values[~inside])
    return likely


def auc(likely: Array, wrong: Array) -> float:
    """Return how often a wrong cue has the higher probability of a wrong and a right one."""
    above, below = likely[wrong > 0], likely[wrong == 0]
    if not len(above) or not len(below):
        return float("nan")
    pairs = above[:, None] - below[None, :]
    return float(((pairs > 0) + 0.5 * (pairs == 0)).mean())


def log_loss(likely: Array, wrong: Array) -> float:
    """Return the mean nats that the outcomes cost."""
    sure = np.clip(np.where(wrong > 0, likely, 1 - likely), SURE, 1.0)
    return float(-np.log(sure).mean())


@dataclass(frozen=True, slots=True)
class Bin:
    """Cues of about the same risk."""

    cues: int
    predicted: float
    """Mean probability."""
    observed: float
    """Share that are wrong."""


def reliability(likely: Array, wrong: Array, bins: int = 10) -> list[Bin]:
    """Return cues in bins of as many cues each, the surest first."""
    order = np.argsort(likely, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    return [Bin(len(at), float(likely[at].mean()), float(wrong[at].mean())) for at in parts]


@dataclass(frozen=True, slots=True)
class Found:
    """What a threshold finds."""

    threshold: float
    told: int
    """Cues at or above it."""
    right: int
    """How many of these are wrong."""
    wrong: int
    """How many are, of all."""

    @property
    def precision(self) -> float | None:
        """Share of what is told that is wrong."""
        return self.right / self.told if self.told else None

    @property
    def recall(self) -> float | None:
        """Share of what is wrong that is told."""
        return self.right / self.wrong if self.wrong else None


def at_threshold(likely: Array, wrong: Array, threshold: float) -> Found:
    """Return what a threshold finds."""
    told = likely >= threshold
    return Found(threshold, int(told.sum()), int(wrong[told].sum()), int(wrong.sum()))
