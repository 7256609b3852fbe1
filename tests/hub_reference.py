"""What our model computes, by Hugging Face's code, whose `generate` searches are held to."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout
from transformers import MarianConfig, MarianMTModel
from transformers.modeling_outputs import Seq2SeqLMOutput
from transformers.models.marian.modeling_marian import MarianAttention, shift_tokens_right

from subfit.model.attention import SourceAttention
from subfit.model.config import LengthConfig
from subfit.model.length import NoPositions
from subfit.model.transformer import Transformer


def hub_model(model: Any) -> Any:
    """Return one of our models as Hugging Face's Marian that takes lengths; others as they are."""
    return Reference(model).eval() if isinstance(model, Transformer) else model


class CoveringAttention(MarianAttention):
    """`subfit.model.attention` in Hugging Face's Marian, over whole targets.

    It takes the place of the last layer's attention to the source; its weights have its names.

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


class Reference(MarianMTModel):
    """Marian whose decoder knows how many characters it may still write, on our model's weights.

    ``decoder_char_budget`` (batch_size,) is the length asked for, 0 where none is. A caller that
    feeds only the newest token passes ``decoder_chars_emitted`` (batch_size, length).
    """

    def __init__(self, ours: Transformer) -> None:
        values = {k: v for k, v in ours.config.to_dict().items() if k not in _OWN}
        super().__init__(MarianConfig(**values, forced_eos_token_id=None))
        self.ours, self.own = ours, ours.config
        if not self.own.decoder_positions:
            self.model.decoder.embed_positions = NoPositions()
        last = self.model.decoder.layers[-1]
        if not self.own.plain_attention:
            last.encoder_attn = CoveringAttention(last.encoder_attn, self.own)
        mine = {name: value for name, value in self.state_dict().items() if name[:5] != "ours."}
        theirs = ours.state_dict()
        self.load_state_dict(
            {name: theirs[name] for name in mine if "embed_positions" not in name}, strict=False
        )

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        decoder_char_budget: Tensor | None = None,
        decoder_chars_emitted: Tensor | None = None,
        decoder_source_ids: Tensor | None = None,
        **kwargs: Any,
    ) -> Seq2SeqLMOutput:
        """Run the model; see `MarianMTModel.forward` for everything not about length.

        ``decoder_source_ids`` are the source tokens where ``encoder_outputs`` are given in place of
        ``input_ids``; only models with fertilities read them.
        """
        if decoder_input_ids is None and labels is not None:
            config = self.config
            decoder_input_ids = shift_tokens_right(
                labels, config.pad_token_id, config.decoder_start_token_id
            )
        if decoder_input_ids is not None:
            kwargs["decoder_inputs_embeds"] = self.ours.embed_target(
                decoder_input_ids, decoder_char_budget, decoder_chars_emitted
            )
        source = input_ids if decoder_source_ids is None else decoder_source_ids
        kwargs |= self.source_inputs(source, attention_mask, kwargs.pop("encoder_outputs", None))
        return super().forward(labels=labels, **kwargs)

    def source_inputs(
        self, source: Tensor | None, mask: Tensor | None, encoder_outputs: Any = None
    ) -> dict[str, Any]:
        """Return what the encoder-decoder is to be given of a source.

        Args:
            source: (batch_size, source_length) token ids.
            mask: (batch_size, source_length), 1 where there is a token.
            encoder_outputs: The encoder's, where they are known.
        """
        if self.ours.fertility is None:
            inputs: dict[str, Any] = {"attention_mask": mask}
            if encoder_outputs is None:
                inputs["input_ids"] = source
            else:
                inputs["encoder_outputs"] = encoder_outputs
        else:
            if source is None:
                raise ValueError("fertilities need the source: pass decoder_source_ids")
            if encoder_outputs is None:
                encoder_outputs = self.model.encoder(input_ids=source, attention_mask=mask)
            bounds = self.ours.fertility(source, encoder_outputs[0])
            inputs = {"attention_mask": mask, "encoder_outputs": encoder_outputs}
            inputs["source_bounds"] = bounds
        if not self.own.plain_attention:
            inputs["use_cache"] = False
        return inputs

    def generate(self, inputs: Tensor | None = None, *args: Any, **kwargs: Any) -> Any:
        """Translate with Hugging Face's search; see `GenerationMixin.generate`.

        A model whose attention remembers what it has spent is shown whole hypotheses at every step:
        its cache would have to hold what each has spent, and does not.
        """
        if not self.own.plain_attention:
            kwargs["use_cache"] = False
            source = kwargs.get("input_ids") if inputs is None else inputs
            kwargs.setdefault("decoder_source_ids", source)
        return super().generate(inputs, *args, **kwargs)

    def prepare_inputs_for_generation(self, input_ids: Tensor, **kwargs: Any) -> dict[str, Any]:
        """Add the characters written so far, counted over the whole prefix."""
        inputs: dict[str, Any] = super().prepare_inputs_for_generation(input_ids, **kwargs)
        if inputs.get("decoder_char_budget") is not None:
            fed = inputs["decoder_input_ids"].shape[1]
            inputs["decoder_chars_emitted"] = self.ours.length_signal.emitted(input_ids)[:, -fed:]
        return inputs


_OWN = {*LengthConfig.__annotations__, "model_type", "architectures"}
