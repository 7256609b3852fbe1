"""Logistic regression with weights that are never negative, and how good probabilities are."""

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
    intercept: float
    """Logit where all features have their means."""

    def predict(self, values: Array) -> Array:
        """Return the probability of each cue.

        Args:
            values: Shape: (cues, features); NaN where not known, which counts as the mean.
        """
        logits = np.nan_to_num(values - self.means) @ self.weights + self.intercept
        return np.asarray(1 / (1 + np.exp(-logits)))


def fit(values: Array, wrong: Array, penalty: float) -> Fit:
    """Fit weights by Newton's method (iteratively reweighted least squares) with an L2 penalty.

    Features whose weight comes out negative are taken out, the most negative first: each speaks
    against a translation, and what says otherwise is chance.

    Args:
        values: Of each cue; shape: (cues, features); NaN where not known.
        wrong: 1 for cues that must be changed, 0 for others; shape: (cues,).
        penalty: On the square of each weight of a feature with a standard deviation of 1, halved.
    """
    means, deviations = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    deviations = np.where(deviations > 0, deviations, 1.0)
    scaled = np.nan_to_num((values - means) / deviations)
    kept = [n for n in range(values.shape[1]) if scaled[:, n].any()]
    while True:
        found = _newton(np.c_[scaled[:, kept], np.ones(len(wrong))], wrong, penalty)
        lowest = int(np.argmin(found[:-1])) if kept else 0
        if not kept or found[lowest] >= 0:
            break
        del kept[lowest]
    weights = np.zeros(values.shape[1])
    weights[kept] = found[:-1] / deviations[kept]
    return Fit(weights, means, float(found[-1]))


def _newton(values: Array, wrong: Array, penalty: float) -> Array:
    """Weights of the columns, of which the last is the intercept and is not penalised."""
    weights = np.zeros(values.shape[1])
    ridge = np.diag([penalty] * (len(weights) - 1) + [SURE])
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
    values: Array, wrong: Array, groups: Sequence[object], penalty: float, folds: int = 10
) -> Array:
    """Return the probability of each cue by weights that were fitted without its group.

    Args:
        values: As for `fit`.
        wrong: As for `fit`.
        groups: Of each cue, such as its sentence; cues of a group are left out together.
        penalty: As for `fit`.
        folds: How often weights are fitted.
    """
    places = {group: n for n, group in enumerate(dict.fromkeys(groups))}
    fold = np.array([places[group] % folds for group in groups])
    likely = np.zeros(len(wrong))
    for number in range(folds):
        inside = fold != number
        if not inside.all():
            likely[~inside] = fit(values[inside], wrong[inside], penalty).predict(values[~inside])
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
