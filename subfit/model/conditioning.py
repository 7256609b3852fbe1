"""What a length-conditioned model has beyond Marian's encoder-decoder, in training and in use."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

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
    """A Marian-shaped model that can be told how much it may write."""

    config: Any
    model: Any
    length_signal: LengthSignal
    length_head: LengthHead | None
    fertility: FertilityBounds | None

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
        decoder = self.model.decoder
        embedded: Tensor = decoder.embed_tokens(token_ids)
        if asked is None or not self.length_signal.encodings:
            return embedded
        if emitted is None:
            emitted = self.length_signal.emitted(token_ids)
        scale = decoder.embed_scale
        signal = self.length_signal(asked, emitted, token_ids, embedded * scale) / scale
        return embedded + signal.to(embedded.dtype)  # type: ignore[no-any-return]


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
