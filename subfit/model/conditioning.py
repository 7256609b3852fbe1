"""What a length-conditioned model has beyond Marian's encoder-decoder, in training and in use."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from subfit.model.config import LengthConfig
from subfit.model.fertility import FertilityBounds
from subfit.model.length import LengthSignal
from subfit.model.length_head import LengthHead


class NoPositions(nn.Module):
    """Stands where the decoder's position encoding was, for models that do without it."""

    def forward(self, shape: torch.Size, *_: Any, **__: Any) -> Tensor:
        """Return a zero that broadcasts over ``shape``, on any device."""
        return torch.zeros(())


class LengthConditioned:
    """A model that can be told how much it may write."""

    config: Any
    length_signal: LengthSignal
    length_head: LengthHead | None
    fertility: FertilityBounds | None

    @property
    def target_embedding(self) -> tuple[Tensor, float]:
        """The table (pieces, d_model) that decoder tokens are looked up in, and its factor."""
        raise NotImplementedError

    @property
    def target_padding(self) -> int | None:
        """The token whose row in that table is not trained by being looked up, if there is one."""
        raise NotImplementedError

    def set_piece_table(self, characters: list[int], leads: list[bool]) -> None:
        """Store the tokenizer's characters per piece and which pieces open with a space.

        Tokens that were added behind the tokenizer's pieces print nothing.
        """
        pieces = len(characters)
        self.length_signal.piece_characters[:pieces] = torch.tensor(characters)
        self.length_signal.piece_leads[:pieces] = torch.tensor(leads)

    def embed_target(
        self, token_ids: Tensor, asked: Tensor | None, emitted: Tensor | None = None
    ) -> Tensor:
        """Embed decoder tokens with their length encodings, before scaling and positions.

        Args:
            token_ids: (batch_size, length) decoder input.
            asked: (batch_size,) lengths asked for, in the model's unit, or None for none at all.
            emitted: (batch_size, length) what is written so far, likewise; computed from the tokens
                if None.

        Returns:
            (batch_size, length, d_model); the decoder multiplies it by its embedding scale, so the
            encodings are divided by that scale here.
        """
        table, scale = self.target_embedding
        embedded = embedding(token_ids, table, padding_idx=self.target_padding)
        if asked is None or not self.length_signal.encodings:
            return embedded
        if emitted is None:
            emitted = self.length_signal.emitted(token_ids)
        signal: Tensor = self.length_signal(asked, emitted, token_ids, embedded * scale) / scale
        return embedded + signal.to(embedded.dtype)


class MarianShaped(LengthConditioned):
    """One whose modules have the names of Hugging Face's Marian."""

    model: Any

    @property
    def target_embedding(self) -> tuple[Tensor, float]:
        """See `LengthConditioned.target_embedding`."""
        decoder = self.model.decoder
        return decoder.embed_tokens.weight, decoder.embed_scale

    @property
    def target_padding(self) -> int | None:
        """See `LengthConditioned.target_padding`."""
        padding: int | None = self.model.decoder.embed_tokens.padding_idx
        return padding


def fertility_bounds(config: LengthConfig) -> FertilityBounds:
    """Return what gives the source tokens of a model with constrained attention their bounds."""
    assert config.sink_token is not None
    sizes: Any = config
    return FertilityBounds(
        config.fertility,
        config.constant_fertility,
        sizes.vocab_size,
        sizes.d_model,
        config.sink_token,
    )
