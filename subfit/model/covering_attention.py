"""The attention of `subfit.model.source_attention` in Hugging Face's Marian, over whole targets."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout
from transformers.models.marian.modeling_marian import MarianAttention

from subfit.model.config import LengthConfig
from subfit.model.source_attention import SourceAttention


class CoveringAttention(MarianAttention):  # type: ignore[misc]
    """Takes the place of the last layer's attention to the source; its weights have its names.

    What a step may attend to depends on all steps before it, so it is always shown whole targets
    and uses no cache.

    Args:
        former: The attention whose place it takes, with its weights.
        config: The model's.
    """

    coverage_vector: nn.Parameter | None

    def __init__(self, former: MarianAttention, config: LengthConfig) -> None:
        nn.Module.__init__(self)
        self.__dict__.update(
            {name: value for name, value in vars(former).items() if not name.startswith("_")}
        )
        for name, module in former.named_children():
            self.add_module(name, module)
        self.training = former.training
        self._settings = config.source_attention, config.exhaustion
        vector = torch.zeros(former.embed_dim) if config.coverage_vector else None
        self.coverage_vector = None if vector is None else nn.Parameter(vector)

    @property
    def way(self) -> SourceAttention:
        """How it attends."""
        return SourceAttention(*self._settings, self.coverage_vector)

    def forward(
        self,
        hidden_states: Tensor,
        key_value_states: Tensor,
        past_key_values: Any = None,
        attention_mask: Tensor | None = None,
        source_bounds: Tensor | None = None,
        **_: Any,
    ) -> tuple[Tensor, Tensor]:
        """Map states as `MarianAttention.forward` does.

        Args:
            hidden_states: (batch_size, target_length, d_model).
            key_value_states: (batch_size, source_length, d_model).
            past_key_values: Must be None.
            attention_mask: What may be attended to, or what to add to scores, as Hugging Face
                gives it; None for everything.
            source_bounds: (batch_size, source_length) fertilities, for the constrained kinds.
        """
        if past_key_values is not None:
            raise ValueError("this attention needs the whole target: pass use_cache=False")
        way = self.way
        query = self._parted(self.q_proj(hidden_states)) * self.scaling
        keys = self._parted(self.k_proj(key_value_states))
        values = self._parted(self.v_proj(key_value_states))
        scores = (query @ keys.transpose(2, 3)).float()
        if attention_mask is not None:
            mask = attention_mask
            barred = ~mask if mask.dtype == torch.bool else mask < -1
            scores = scores.masked_fill(barred, float("-inf"))
        with torch.autocast(scores.device.type, enabled=False):
            shares = way.share_all(scores, source_bounds, way.lean(query))
        shares = dropout(shares, p=self.dropout, training=self.training)
        context = (shares.to(values.dtype) @ values).transpose(1, 2).flatten(2)
        return self.out_proj(context), shares

    def _parted(self, states: Tensor) -> Tensor:
        """Return (batch_size, length, d_model) as (batch_size, heads, length, head_width)."""
        parted = states.view(*states.shape[:2], self.num_heads, self.head_dim)
        return parted.transpose(1, 2)
