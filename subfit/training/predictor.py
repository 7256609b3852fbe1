"""Training and measuring what predicts the length of a translation (Oka et al. 2020)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import StatisticsError, correlation, fmean
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from subfit.evaluation.corpus import Pair
from subfit.model.length import CHARACTERS, LengthUnit
from subfit.model.length_predictor import LengthPredictor

ENCODER_SHARE = 0.02
"""Learning rate of a pre-trained encoder, as a share of its head's."""
STEPS, TEXTS, RATE = 2000, 64, 1e-3
"""Of training a pre-trained predictor; its rate falls linearly to 0."""


def length_loss(predicted: Tensor, source: Tensor, target: Tensor, counted: Tensor) -> Tensor:
    """Return the mean loss of predicted log ratios, a scalar.

    It is the absolute error, rounded off below 0.05, so that what is learned is the median. The
    median of the logarithm is the logarithm of the median: the lengths it gives have the least
    absolute error in characters as well, and a few odd pairs do not spoil it.

    Args:
        predicted: (texts,) of ln(target characters / source characters).
        source: (texts,) characters.
        target: (texts,) characters.
        counted: (texts,) true for those to take the mean of, 0 if there are none.
    """
    wanted = (target.clamp(min=1) / source.clamp(min=1)).log()
    losses = smooth_l1_loss(predicted, wanted, reduction="none", beta=0.05)
    return (losses * counted).sum() / counted.sum().clamp(min=1)


def usable(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs that have characters on both sides."""
    return [pair for pair in pairs if pair.source and pair.target]


def mean_ratio(pairs: Sequence[Pair]) -> float:
    """Return the mean target/source characters of usable pairs."""
    return fmean(len(pair.target) / len(pair.source) for pair in pairs)


def train_predictor(
    predictor: LengthPredictor,
    pairs: Sequence[Pair],
    seed: int,
    unit: LengthUnit = CHARACTERS,
    steps: int = STEPS,
) -> None:
    """Train a predictor on pairs drawn at random; which ones depends on seed and step alone.

    Args:
        predictor: Changed in place; ready to predict afterwards.
        pairs: Usable ones, at least one.
        seed: Of the draw and of dropout.
        unit: Of the model's lengths.
        steps: Of `TEXTS` pairs each.
    """
    predictor.unit_characters = unit.characters
    torch.manual_seed(seed)
    head, *encoder = predictor.modules()
    groups = [{"params": list(head.parameters()), "lr": RATE}]
    groups += [{"params": list(each.parameters()), "lr": RATE * ENCODER_SHARE} for each in encoder]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for module in (head, *encoder):
        module.train()
    for step in range(steps):
        chooser = random.Random(seed * 1_000_003 + step)
        batch = chooser.sample(pairs, min(TEXTS, len(pairs)))
        ratios = predictor.log_ratios([pair.source for pair in batch])
        source = torch.tensor([len(pair.source) for pair in batch], device=ratios.device)
        lengths = unit.target_lengths([pair.target for pair in batch])
        target = torch.tensor(lengths, device=ratios.device) * unit.characters
        length_loss(ratios, source, target, source > 0).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
    for module in (head, *encoder):
        module.eval()


def measure_predictor(
    predictor: LengthPredictor,
    pairs: Sequence[Pair],
    trained_on: Sequence[Pair],
    unit: LengthUnit = CHARACTERS,
) -> dict[str, Any]:
    """Compare predicted with reference lengths, beside what needs no training.

    Args:
        predictor: A trained one.
        pairs: Usable ones, at least one.
        trained_on: Usable ones; they give a mean ratio.
        unit: Of the model's lengths.

    Returns:
        `prediction_errors` of the predictor, of the source's length (as Lakew et al.
        2019 ask for it, §3.2), and of that times the mean ratio.
    """
    texts = [pair.source for pair in pairs]
    reference = unit.target_lengths([pair.target for pair in pairs])
    ratio = mean_ratio(trained_on)
    predicted = {
        "predictor": predictor.predict(texts),
        "source_times_ratio": [unit.of_characters(len(text) * ratio) for text in texts],
        "source": unit.source_lengths(texts),
    }
    errors = {name: prediction_errors(each, reference) for name, each in predicted.items()}
    return {"kind": predictor.kind, "unit": unit.name, "lines": len(pairs), **errors}


def prediction_errors(
    predicted: Sequence[int], reference: Sequence[int]
) -> dict[str, float | None]:
    """Measure predicted against reference lengths; at least one of each.

    Returns:
        ``mean_absolute`` error; ``variance``, VAR, the mean squared one; Pearson's ``correlation``,
        None where either length is always the same.
    """
    errors = [one - other for one, other in zip(predicted, reference, strict=True)]
    try:
        agreement = correlation(predicted, reference)
    except StatisticsError:  # a single line, or always the same length
        agreement = None
    variance = fmean(error * error for error in errors)
    return {
        "mean_absolute": fmean(map(abs, errors)), "variance": variance, "correlation": agreement
    }  # fmt: skip
