"""Length predictors on the translator's own encoder, and finding the one that a model has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from subfit.decoding.layers import Encoder
from subfit.decoding.linears import Arithmetic
from subfit.decoding.parts import parts_of
from subfit.model.checkpoint import Checkpoint
from subfit.model.length import LengthConditioned, LengthHead, length_unit
from subfit.model.length_predictor import PREDICTOR_FOLDER, LengthPredictor
from subfit.model.tokenizer import AnyTokenizer


class EncoderPredictor(LengthPredictor):
    """A `LengthHead` on the translator's encoder, which stays as it is.

    Texts are encoded without a token for a length class: it would tell what is to be predicted.

    Args:
        model: The translator, Marian-shaped.
        head: Its length head.
        tokenizer: Its tokenizer.
        language_token: Of the target language, for a model of several; stands before every text.
        encoder: The translator's, as it is searched; by default one in float32.
    """

    kind = "encoder"

    def __init__(
        self,
        model: Any,
        head: LengthHead,
        tokenizer: AnyTokenizer,
        language_token: int | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        self._model, self._head, self._tokenizer = model, head, tokenizer
        self._encoder = encoder or Encoder(
            parts_of(model).encoder, Arithmetic("fp32"), model.device
        )
        self._before = [] if language_token is None else [language_token]
        sink = getattr(model.config, "sink_token", None)
        self._behind = [tokenizer.eos_id, *([] if sink is None else [sink])]

    def log_ratios(self, texts: Sequence[str]) -> Tensor:
        """See `LengthPredictor.log_ratios`."""
        device, beside = self._model.device, len(self._before) + len(self._behind)
        most = int(self._model.config.max_position_embeddings) - beside
        pieces = [self._tokenizer.encode(text)[:most] for text in texts]
        with torch.no_grad():
            framed = [[*self._before, *source, *self._behind] for source in pieces]
            rows = self._encoder(framed)
        states = pad_sequence(rows, batch_first=True)  # (texts, width, d)
        ones = [torch.ones(len(row), dtype=torch.int64, device=device) for row in rows]
        mask = pad_sequence(ones, batch_first=True)
        characters = torch.tensor([float(len(text)) for text in texts], device=device)
        ratios: Tensor = self._head(states, mask, characters)
        return ratios

    def modules(self) -> tuple[nn.Module, ...]:
        """See `LengthPredictor.modules`."""
        return (self._head,)


def has_predictor(checkpoint: Checkpoint) -> bool:
    """Whether a length predictor comes with a model."""
    folder, model = checkpoint.folder, checkpoint.model
    own = isinstance(model, LengthConditioned) and model.length_head is not None
    return own or (folder is not None and (folder / PREDICTOR_FOLDER).is_dir())


def find_predictor(
    checkpoint: Checkpoint, language_token: int | None = None, encoder: Encoder | None = None
) -> LengthPredictor | None:
    """Return the length predictor that comes with a model, or None if there is none.

    A pretrained one goes before a head on the model's own encoder.

    Args:
        checkpoint: The model.
        language_token: Of the language whose lengths to predict, for a model of several.
        encoder: The model's, if it is there already.

    Raises:
        ModelError: There is one, but it is damaged.
    """
    model = checkpoint.model
    if checkpoint.folder is not None and (checkpoint.folder / PREDICTOR_FOLDER).is_dir():
        from subfit.model.length_predictor import PretrainedPredictor  # long to import

        predictor: LengthPredictor = PretrainedPredictor.load(checkpoint.folder / PREDICTOR_FOLDER)
    elif isinstance(model, LengthConditioned) and model.length_head is not None:
        head = model.length_head
        predictor = EncoderPredictor(model, head, checkpoint.tokenizer, language_token, encoder)
    else:
        return None
    predictor.unit_characters = length_unit(model.config, checkpoint.tokenizer).characters
    return predictor
