"""Training and measuring length predictors (Oka et al. 2020)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, fmean, linear_regression, pvariance
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from subfit.decoding.predictor import EncoderPredictor
from subfit.errors import UsageError
from subfit.evaluation.corpus import Pair
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.model.length import CHARACTERS, UNASKED, LengthConditioned, LengthHead, LengthUnit
from subfit.model.length_predictor import LengthPredictor
from subfit.model.transformer import TrainableModel
from subfit.training.data.batch import IGNORED, Batch

ENCODER_SHARE = 0.02
"""Learning rate of an encoder that is fine-tuned, as a share of its head's."""


@dataclass(frozen=True, slots=True)
class PredictorTraining:
    """How a predictor is trained on a finished model."""

    steps: int = 2000
    batch_texts: int = 64
    learning_rate: float = 1e-3
    """The head's rate at first; it falls linearly to 0."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class PredictionErrors:
    """How well target lengths are predicted, in the unit of the model's lengths."""

    mean_absolute: float
    variance: float
    """Variance of predicted − reference length, in units²."""
    correlation: float | None
    """Pearson's, of predicted and reference length; None where either is always the same."""


@dataclass(frozen=True, slots=True)
class PredictorReport:
    """A predictor on a set of pairs, beside those that need no training or little."""

    kind: str
    lines: int
    predictor: PredictionErrors
    mean_ratio: float
    """Target/source characters, by which the comparison multiplies the source's length."""
    source_times_ratio: PredictionErrors
    unit: str
    """What lengths are counted in: characters or tokens."""
    source: PredictionErrors
    """The errors of the source's own length, as Lakew et al. 2019 ask for it (§3.2)."""
    regression: PredictionErrors | None = None
    """Of a straight line through source and target lengths, fitted to the training pairs; None
    where these are not known."""


def length_loss(
    predicted: Tensor, source: Tensor, target: Tensor, counted: Tensor | None = None
) -> Tensor:
    """Return the mean loss of predicted log ratios, a scalar.

    It is the absolute error, rounded off below 0.05, so that what is learned is the median. The
    median of the logarithm is the logarithm of the median: the lengths it gives have the least
    absolute error in characters as well, and a few odd pairs do not spoil it.

    Args:
        predicted: (texts,) of ln(target characters / source characters).
        source: (texts,) characters.
        target: (texts,) characters.
        counted: (texts,) true for those to take the mean of, 0 if there are none; all by default.
    """
    counted = torch.ones_like(source) if counted is None else counted
    losses = smooth_l1_loss(predicted, (target / source).log(), reduction="none", beta=0.05)
    return (losses * counted).sum() / counted.sum().clamp(min=1)


def joint_length_loss(
    model: TrainableModel, batch: Batch, states: Tensor, *, gradient: bool
) -> Tensor:
    """Return the loss of a length head that is trained with its translator, a scalar.

    Texts behind the token of a length class do not count: it tells their reference's length.

    Args:
        model: Has a length head.
        batch: See `Batch` for shapes.
        states: (batch_size, max_source_length, d_model) of the encoder's last layer.
        gradient: Whether the gradient reaches the encoder.
    """
    assert model.length_head is not None
    source, target = batch.characters.unbind(1)
    if model.config.length_unit == "tokens":
        pieces = (batch.labels != IGNORED).sum(dim=1) - 1  # without the end token
        target = pieces * model.config.token_characters
    by_class = bool(model.config.length_classes)
    counted = batch.asked == UNASKED if by_class else torch.ones_like(source)
    states = states if gradient else states.detach()
    predicted = model.length_head(states, batch.source_mask, source)
    return length_loss(predicted, source, target, counted)


def new_encoder_predictor(checkpoint: Checkpoint, ratio: float, seed: int = 1) -> EncoderPredictor:
    """Give a model a new length head, in the place of the one it may have.

    Args:
        checkpoint: One of subfit's own models.
        ratio: Mean target/source characters, which the head predicts at first.
        seed: Determines the head's weights.

    Raises:
        UsageError: It is a plain Marian model, whose folder has no place for a head.
    """
    model = checkpoint.model
    if not isinstance(model, LengthConditioned):
        raise UsageError(
            f"{checkpoint.name} is a plain Marian model; a predictor on the model's own encoder"
            " needs one that was trained with subfit"
        )
    model.config.length_predictor = True
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = LengthHead(model.config.d_model, ratio).to(checkpoint.model.device)
    model.length_head = head
    return EncoderPredictor(model, head, checkpoint.tokenizer)


def check_one_language(checkpoint: Checkpoint) -> None:
    """Refuse a model of several languages, whose pairs would have to name theirs.

    Raises:
        UsageError: It is one.
    """
    if getattr(checkpoint.model.config, "language_tokens", None):
        languages = Directions.of_config(checkpoint.model.config).name
        raise UsageError(
            f"{checkpoint.name} translates {languages}; the predictor of such a"
            " model is trained with it, by length.predictor: encoder in its recipe"
        )


def usable(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs that have characters on both sides."""
    return [pair for pair in pairs if pair.source and pair.target]


def mean_ratio(pairs: Sequence[Pair]) -> float:
    """Return the mean target/source characters of usable pairs."""
    return fmean(len(pair.target) / len(pair.source) for pair in pairs)


def train_predictor(
    predictor: LengthPredictor,
    pairs: Sequence[Pair],
    settings: PredictorTraining,
    on_progress: Callable[[int, int], None] | None = None,
    unit: LengthUnit = CHARACTERS,
) -> None:
    """Train a predictor on pairs drawn at random; which ones depends on seed and step alone.

    Args:
        predictor: Changed in place; ready to predict afterwards.
        pairs: Usable ones, at least one.
        settings: See `PredictorTraining`.
        on_progress: Called with the steps done and the steps to do.
        unit: Of the model's lengths.
    """
    predictor.unit_characters = unit.characters
    torch.manual_seed(settings.seed)  # dropout
    head, *encoder = predictor.modules()
    rates = [settings.learning_rate, *(settings.learning_rate * ENCODER_SHARE for _ in encoder)]
    groups = [
        {"params": list(module.parameters()), "lr": rate}
        for module, rate in zip((head, *encoder), rates, strict=True)
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, settings.steps)
    for module in (head, *encoder):
        module.train()
    for step in range(settings.steps):
        chooser = random.Random(settings.seed * 1_000_003 + step)
        batch = chooser.sample(pairs, min(settings.batch_texts, len(pairs)))
        ratios = predictor.log_ratios([pair.source for pair in batch])
        source = torch.tensor([len(pair.source) for pair in batch], device=ratios.device)
        lengths = unit.target_lengths([pair.target for pair in batch])
        target = torch.tensor(lengths, device=ratios.device) * unit.characters
        length_loss(ratios, source, target).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        if on_progress:
            on_progress(step + 1, settings.steps)
    for module in (head, *encoder):
        module.eval()


_FITTED = 100_000
"""Pairs that a line is fitted to, at most."""


class RegressionLine(NamedTuple):
    """A straight line: target length = slope * source length + offset, in units."""

    slope: float
    offset: float

    def at(self, length: float) -> int:
        """Return what it predicts for a source length, 1 or more."""
        return max(1, round(self.slope * length + self.offset))


def fit_line(pairs: Sequence[Pair], unit: LengthUnit = CHARACTERS) -> RegressionLine:
    """Fit a line to the lengths of pairs by least squares: the regression without any encoder.

    Args:
        pairs: Usable ones, at least one; of many, evenly spread ones are taken.
        unit: What lengths are counted in.
    """
    taken = pairs[:: len(pairs) // _FITTED + 1]
    sources = unit.source_lengths([pair.source for pair in taken])
    targets = unit.target_lengths([pair.target for pair in taken])
    if len(set(sources)) < 2:
        return RegressionLine(0.0, fmean(targets))
    return RegressionLine(*linear_regression(sources, targets))


def measure_predictor(
    predictor: LengthPredictor,
    pairs: Sequence[Pair],
    ratio: float,
    unit: LengthUnit = CHARACTERS,
    line: RegressionLine | None = None,
) -> PredictorReport:
    """Compare predicted with reference lengths.

    Args:
        predictor: A trained one.
        pairs: Usable ones, at least one.
        ratio: Mean target/source characters of the pairs it was trained on.
        unit: Of the model's lengths.
        line: Fitted to the pairs it was trained on, if these are known.
    """
    texts = [pair.source for pair in pairs]
    reference = unit.target_lengths([pair.target for pair in pairs])
    trivial = [unit.of_characters(len(text) * ratio) for text in texts]
    sources = unit.source_lengths(texts)
    drawn = line and [line.at(length) for length in sources]
    return PredictorReport(
        predictor.kind,
        len(pairs),
        prediction_errors(predictor.predict(texts), reference),
        ratio,
        prediction_errors(trivial, reference),
        unit.name,
        prediction_errors(sources, reference),
        prediction_errors(drawn, reference) if drawn else None,
    )


def prediction_errors(predicted: Sequence[int], reference: Sequence[int]) -> PredictionErrors:
    """Measure predicted against reference lengths; at least one of each."""
    errors = [one - other for one, other in zip(predicted, reference, strict=True)]
    try:
        agreement = correlation(predicted, reference)
    except StatisticsError:  # a single line, or always the same length
        agreement = None
    return PredictionErrors(fmean(map(abs, errors)), pvariance(errors), agreement)
