"""Predicting how long the translation of a text naturally is (Oka et al. 2020).

Both predictors estimate ln(target characters / source characters): `EncoderPredictor` from the
translator's own encoder, `PretrainedPredictor` from any encoder of Hugging Face's.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from subfit.model.checkpoint import Checkpoint, Pieces
from subfit.model.length_head import LengthHead
from subfit.model.transformer import SubfitForTranslation
from subfit.tokenizer import normalize

LARGEST_LOG_RATIO = math.log(10)
"""No translation is taken to be ten times as long as its source, or a tenth of it."""
BATCH_TEXTS = 64


class LengthPredictor(ABC):
    """Estimates natural lengths in characters."""

    kind: str
    """``encoder`` or ``pretrained``."""

    @abstractmethod
    def log_ratios(self, texts: Sequence[str]) -> Tensor:
        """Return ln(target characters / source characters) of normalised texts, (texts,).

        Gradients reach what is trained of the predictor. Texts too long for it are cut.
        """

    @abstractmethod
    def modules(self) -> tuple[nn.Module, ...]:
        """Return what the predictor is made of, its head first."""

    def predict(self, texts: Sequence[str]) -> list[int]:
        """Return the natural length of each text's translation in characters, 1 or more."""
        normal = [normalize(text) for text in texts]
        order = sorted(range(len(normal)), key=lambda index: len(normal[index]))
        lengths = [1] * len(normal)
        for start in range(0, len(order), BATCH_TEXTS):
            batch = order[start : start + BATCH_TEXTS]
            with torch.inference_mode():
                found = self.log_ratios([normal[index] for index in batch])
            ratios = found.clamp(-LARGEST_LOG_RATIO, LARGEST_LOG_RATIO).exp().tolist()
            for index, ratio in zip(batch, ratios, strict=True):
                lengths[index] = max(1, round(len(normal[index]) * ratio))
        return lengths


class EncoderPredictor(LengthPredictor):
    """A `LengthHead` on the translator's encoder, which stays as it is.

    Texts are encoded without a token for a length class: it would tell what is to be predicted.

    Args:
        model: The translator.
        head: Its length head.
        tokenizer: Its tokenizer.
    """

    kind = "encoder"

    def __init__(self, model: SubfitForTranslation, head: LengthHead, tokenizer: Pieces) -> None:
        self._model, self._head, self._tokenizer = model, head, tokenizer

    def log_ratios(self, texts: Sequence[str]) -> Tensor:
        """See `LengthPredictor.log_ratios`."""
        device, most = self._model.device, int(self._model.config.max_position_embeddings) - 1
        pieces = [self._tokenizer.encode(text)[:most] for text in texts]
        rows = [torch.tensor([*each, self._tokenizer.eos_id], device=device) for each in pieces]
        source = pad_sequence(rows, batch_first=True, padding_value=self._tokenizer.pad_id)
        mask = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
        with torch.no_grad():
            states = self._model.model.encoder(source, attention_mask=mask).last_hidden_state
        characters = torch.tensor([float(len(text)) for text in texts], device=device)
        ratios: Tensor = self._head(states, mask, characters)
        return ratios

    def modules(self) -> tuple[nn.Module, ...]:
        """See `LengthPredictor.modules`."""
        return (self._head,)


def find_predictor(checkpoint: Checkpoint) -> LengthPredictor | None:
    """Return the length predictor that comes with a model, or None if there is none."""
    model = checkpoint.model
    if isinstance(model, SubfitForTranslation) and model.length_head is not None:
        return EncoderPredictor(model, model.length_head, checkpoint.tokenizer)
    return None
