"""What predicts how long the translation of a text naturally is (Oka et al. 2020)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from subfit.errors import ModelError
from subfit.model.tokenizer import normalize

LARGEST_LOG_RATIO = math.log(10)
"""No translation is taken to be ten times as long as its source, or a tenth of it."""
BATCH_TEXTS = 64
PREDICTOR_FOLDER = "length_predictor"
"""Where a model's pretrained predictor lies, in the model's folder."""


class LengthPredictor(ABC):
    """Estimates natural lengths, by way of ln(target / source characters).

    Of a model whose unit is tokens, target characters are its tokens times their mean characters.
    """

    kind: str
    """``encoder`` or ``pretrained``."""
    unit_characters: float = 1.0
    """Mean characters of a unit of the model's lengths (`subfit.model.length_unit`)."""

    @abstractmethod
    def log_ratios(self, texts: Sequence[str]) -> Tensor:
        """Return ln(target characters / source characters) of normalised texts, (texts,).

        Gradients reach what is trained of the predictor. Texts too long for it are cut.
        """

    @abstractmethod
    def modules(self) -> tuple[nn.Module, ...]:
        """Return what the predictor is made of, its head first."""

    def predict(self, texts: Sequence[str]) -> list[int]:
        """Return the natural length of each text's translation in the unit, 1 or more."""
        normal = [normalize(text) for text in texts]
        order = sorted(range(len(normal)), key=lambda index: len(normal[index]))
        lengths = [1] * len(normal)
        for start in range(0, len(order), BATCH_TEXTS):
            batch = order[start : start + BATCH_TEXTS]
            with torch.inference_mode():
                log_ratios = self.log_ratios([normal[index] for index in batch])
            if not bool(log_ratios.isfinite().all()):
                raise ModelError("the length predictor computes no numbers; is it damaged?")
            ratios = log_ratios.clamp(-LARGEST_LOG_RATIO, LARGEST_LOG_RATIO).exp().tolist()
            for index, ratio in zip(batch, ratios, strict=True):
                lengths[index] = max(1, round(len(normal[index]) * ratio / self.unit_characters))
        return lengths
