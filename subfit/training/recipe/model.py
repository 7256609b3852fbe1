"""What is trained: the sections ``length`` and ``model`` of a recipe."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import AfterValidator

from subfit.configuration.checking import (
    AtLeastOne,
    Condition,
    Count,
    Positive,
    ShareBelowOne,
    Within,
    require,
)
from subfit.model.config import LengthUnitName, known_encoding


@dataclass(frozen=True, slots=True)
class Length:
    """Length conditioning (Lakew 2019 §3, Takase & Okazaki 2019 §2, Oka 2020)."""

    classes: dict[str, float | str | None] = field(default_factory=dict)
    """Length tokens: name to the largest target/source ratio, ascending; the last has null. All
    bounds may instead be quantiles of the training pairs' ratios, such as ``q0.33``, which a run
    replaces by numbers when it starts."""
    encodings: tuple[Annotated[str, AfterValidator(known_encoding)], ...] = ()
    """Length encodings summed into the decoder's input."""
    unit: LengthUnitName = "characters"
    """What the encodings and ``noise`` count: ``characters`` (Lakew, Takase), or ``tokens`` of the
    target side (Oka)."""
    gate_steps: Count = 0
    """Over so many steps, open the factor on the encodings from 0 to 1, so that a fine-tuned model
    begins as the one it starts from."""
    rel_steps: AtLeastOne = 5
    """N of the ``rel`` encoding."""
    positions: bool = True
    """Keep the decoder's ordinary position encoding ("+PE")."""
    noise: Count = 0
    """In training, add a uniform integer of [-noise, noise] to the reference's length (Oka), in
    ``unit``."""
    free: ShareBelowOne = 0.0
    """Share of training sentences shown without any length signal, so that the model can also be
    asked for no length at all."""
    predictor: Literal["encoder"] | None = None
    """Train a head on the encoder with the translator that predicts natural lengths (Oka). It
    learns from texts without a length token only, since that would tell."""
    predictor_weight: Positive = 1.0
    """What the head's loss, a mean over texts, is multiplied by before it is added to the loss per
    target token."""
    predictor_gradient: bool = False
    """Let the head's gradient move the encoder; otherwise the translator is trained as without
    it."""

    def __post_init__(self) -> None:
        require(
            (
                all(_is_bound(bound) for bound in self.classes.values()),
                "classes",
                "length.classes are bounded by ratios or by quantiles from q0 to q1, such as q0.33",
            ),
            (
                len({type(bound) for bound in self.classes.values() if bound is not None}) < 2,
                "classes",
                "length.classes are bounded all by ratios or all by quantiles",
            ),
            (
                _ascend(list(self.classes.values())),
                "classes",
                "length.classes must ascend and end with an open class (null)",
            ),
            (
                len(set(self.encodings)) == len(self.encodings),
                "encodings",
                "length.encodings names one twice",
            ),
            (
                self.encodings or not self.noise,
                "noise encodings",
                "length.noise needs length.encodings to act on; name one or drop it",
            ),
            (
                self.encodings or not self.gate_steps,
                "gate_steps encodings",
                "length.gate_steps needs length.encodings to act on; name one or drop it",
            ),
            *self._about_predictor(),
        )

    def _about_predictor(self) -> list[Condition]:
        changed = self.predictor_weight != 1.0 or self.predictor_gradient
        return [
            (
                self.predictor or not changed,
                "predictor predictor_weight predictor_gradient",
                "length.predictor_weight and length.predictor_gradient need length.predictor:"
                " encoder",
            ),
            (
                not self.predictor or not self.classes or self.free > 0,
                "predictor classes free",
                "length.predictor with length.classes needs length.free to be more than 0: it"
                " learns from texts without a length token; or train it after the model",
            ),
        ]

    @property
    def bounds(self) -> dict[str, float | None]:
        """The classes with their bounds as numbers: ratios, or the quantiles' shares of pairs."""
        return {name: _number(bound) for name, bound in self.classes.items()}

    @property
    def by_quantile(self) -> bool:
        """Whether the classes still have to be bounded by the training pairs."""
        return any(isinstance(bound, str) for bound in self.classes.values())


def _is_bound(bound: float | str | None) -> bool:
    return not isinstance(bound, str) or bool(re.fullmatch(r"q(0(\.\d+)?|1(\.0+)?)", bound))


def _number(bound: float | str | None) -> float | None:
    return float(bound.removeprefix("q")) if isinstance(bound, str) else bound


def _ascend(bounds: list[float | str | None]) -> bool:
    if not all(_is_bound(bound) for bound in bounds):
        return True  # wrong by themselves
    numbers = [float("inf") if bound is None else _number(bound) or 0.0 for bound in bounds]
    return numbers == sorted(set(numbers)) and numbers[-1:] in ([], [float("inf")])


@dataclass(frozen=True, slots=True)
class Architecture:
    """The Transformer: its size, or the trained model it starts from."""

    start: str = ""
    """Fine-tune this model: a folder (of a model or of a training run), a model that comes with
    subfit, or a Marian, M2M100, NLLB, mBART-50 or T5 (MADLAD) model by its folder, its hub name or
    that of its family. Sizes are then its own, and so is the vocabulary unless
    ``vocabulary.grown`` is set."""
    grown_encoder: Count = 0
    """With ``start``, give its encoder this many layers in all. Those that are added change nothing
    before they are trained (Chen et al. 2016, Net2Net). 0: as many as it has."""
    grown_width: Count = 0
    """With ``start``, make its states this wide, and its feed-forward layers as much wider. Units
    are copied, so that it translates about as before until it is trained (Chen et al. 2022,
    bert2BERT). 0: as wide as it is."""
    grown_feed_forward: Count = 0
    """With ``grown_width``, give its feed-forward layers this many units. 0: as much wider as its
    states become."""
    encoder_layers: AtLeastOne = 6
    decoder_layers: AtLeastOne = 2
    width: AtLeastOne = 320
    """d, the width of the hidden states; a multiple of ``heads``."""
    feed_forward: AtLeastOne = 1280
    heads: AtLeastOne = 5
    dropout: ShareBelowOne = 0.1
    attention_dropout: ShareBelowOne = 0.0
    max_tokens: Annotated[int, Within(ge=4)] = 512
    """Longest source or target in pieces."""

    def __post_init__(self) -> None:
        require(
            (
                self.heads < 1 or (self.width % 2 == 0 and self.width % self.heads == 0),
                "width heads",
                f"model.width={self.width} must be even and a multiple of model.heads={self.heads}",
            ),
            (
                not self.grown_encoder or self.start,
                "grown_encoder start",
                f"model.grown_encoder={self.grown_encoder} is a number of layers that model.start"
                " grows to; 0 leaves it as it is",
            ),
            (
                not self.grown_width or self.start,
                "grown_width start",
                f"model.grown_width={self.grown_width} is a width that model.start grows to; 0"
                " leaves it as it is",
            ),
            (
                not self.grown_feed_forward or self.grown_width,
                "grown_feed_forward grown_width",
                f"model.grown_feed_forward={self.grown_feed_forward} goes with model.grown_width;"
                " 0 leaves it as it is",
            ),
        )
