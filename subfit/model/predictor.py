"""Length predictors on the translator's own encoder, and finding the one that a model has."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from subfit.model.checkpoint import Checkpoint
from subfit.model.length_head import LengthHead
from subfit.model.length_predictor import LengthPredictor
from subfit.model.pretrained_predictor import PREDICTOR_FOLDER, PretrainedPredictor
from subfit.model.transformer import SubfitForTranslation
from subfit.tokenizer import AnyTokenizer


class EncoderPredictor(LengthPredictor):
    """A `LengthHead` on the translator's encoder, which stays as it is.

    Texts are encoded without a token for a length class: it would tell what is to be predicted.

    Args:
        model: The translator.
        head: Its length head.
        tokenizer: Its tokenizer.
    """

    kind = "encoder"

    def __init__(
        self, model: SubfitForTranslation, head: LengthHead, tokenizer: AnyTokenizer
    ) -> None:
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
    """Return the length predictor that comes with a model, or None if there is none.

    A pretrained one goes before a head on the model's own encoder.

    Raises:
        ModelError: There is one, but it is damaged.
    """
    if checkpoint.folder is not None and (checkpoint.folder / PREDICTOR_FOLDER).is_dir():
        return PretrainedPredictor.load(checkpoint.folder / PREDICTOR_FOLDER)
    model = checkpoint.model
    if isinstance(model, SubfitForTranslation) and model.length_head is not None:
        return EncoderPredictor(model, model.length_head, checkpoint.tokenizer)
    return None
