"""The translator: Marian's encoder-decoder with length conditioning on the decoder's input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout
from transformers import AutoConfig, AutoModelForSeq2SeqLM, MarianConfig, MarianMTModel
from transformers import initialization as init
from transformers.modeling_outputs import Seq2SeqLMOutput
from transformers.models.marian.modeling_marian import MarianAttention, shift_tokens_right

from subfit.model.attention import FertilityBounds, SourceAttention, fertility_bounds
from subfit.model.config import LengthConfig
from subfit.model.families import ConfigWithLengths, ModelWithLengths
from subfit.model.length import LengthHead, LengthSignal, MarianShaped, NoPositions


class SubfitConfig(LengthConfig, MarianConfig):  # type: ignore[misc]
    """A `MarianConfig` with the length signals a model was trained with; see `LengthConfig`."""

    model_type = "subfit"

    if TYPE_CHECKING:  # or its values would seem to be those of `LengthConfig` alone

        def __init__(self, **values: Any) -> None: ...


class CoveringAttention(MarianAttention):  # type: ignore[misc]
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


class SubfitForTranslation(MarianShaped, MarianMTModel):  # type: ignore[misc]
    """`MarianMTModel` whose decoder knows how many characters it may still write.

    ``decoder_char_budget`` (batch_size,) is the target length asked for, in
    ``config.length_unit``, 0 where none is asked. What is written so far follows from the
    decoder's own tokens, so training, Hugging Face ``generate`` and `subfit.decoding.search` need
    no further input; a caller that feeds only the newest token passes ``decoder_chars_emitted``
    (batch_size, length).
    """

    config_class = SubfitConfig

    def __init__(self, config: SubfitConfig) -> None:
        super().__init__(config)
        self.length_signal = LengthSignal(
            config.d_model,
            config.decoder_vocab_size,
            tuple(config.length_encodings or ()),
            steps=config.rel_steps,
            start_id=config.decoder_start_token_id,
            closed_gate=config.closed_gate,
            unit=config.length_unit,
        )
        if not config.decoder_positions:
            self.model.decoder.embed_positions = NoPositions()
        self.length_head = None
        if config.length_predictor:
            with torch.random.fork_rng(devices=[]):  # the translator starts as it does without it
                self.length_head = LengthHead(config.d_model, config.mean_length_ratio)
        self.fertility = None
        if not config.plain_attention:
            self._remember_attention(config)
        self.post_init()

    def _remember_attention(self, config: SubfitConfig) -> None:
        """Let the last layer attend to the source as the configuration says."""
        last = self.model.decoder.layers[-1]
        last.encoder_attn = CoveringAttention(last.encoder_attn, config)
        if config.constrained:
            with torch.random.fork_rng(devices=[]):
                self.fertility = fertility_bounds(config)

    def _init_weights(self, module: nn.Module) -> None:
        """Also fill what a checkpoint of a plain Marian model lacks.

        Loading allocates absent weights and buffers without content, and then calls this.
        """
        super()._init_weights(module)
        if isinstance(module, LengthSignal):
            init.constant_(module.gate, 0.0 if module.closed_gate else 1.0)
            init.zeros_(module.piece_characters)
            init.zeros_(module.piece_leads)
            if module.start_vector is not None:
                init.zeros_(module.start_vector)
        elif isinstance(module, LengthHead):
            module.start_at(self.config.mean_length_ratio)
        elif isinstance(module, FertilityBounds):
            module.start()
        elif isinstance(module, CoveringAttention) and module.coverage_vector is not None:
            init.zeros_(module.coverage_vector)

    @property
    def output_layer(self) -> tuple[Tensor, Tensor]:
        """See `subfit.model.families.ModelWithLengths`."""
        return self.lm_head.weight, self.final_logits_bias[0]

    def states(
        self, source: Tensor, mask: Tensor, tokens: Tensor, asked: Tensor
    ) -> tuple[Tensor, Tensor]:
        """See `subfit.model.families.ModelWithLengths`."""
        outputs = self.model(
            decoder_inputs_embeds=self.embed_target(tokens, asked),
            **(self.source_inputs(source, mask) | {"use_cache": False}),
        )
        return outputs.last_hidden_state, outputs.encoder_last_hidden_state

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
            kwargs["decoder_inputs_embeds"] = self.embed_target(
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
        if self.fertility is None:
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
            bounds = self.fertility(source, encoder_outputs[0])
            inputs = {"attention_mask": mask, "encoder_outputs": encoder_outputs}
            inputs["source_bounds"] = bounds
        if not self.config.plain_attention:
            inputs["use_cache"] = False
        return inputs

    def generate(self, inputs: Tensor | None = None, *args: Any, **kwargs: Any) -> Any:
        """Translate with Hugging Face's search; see `GenerationMixin.generate`.

        A model whose attention remembers what it has spent is shown whole hypotheses at every step:
        its cache would have to hold what each has spent, and does not.
        """
        if not self.config.plain_attention:
            kwargs["use_cache"] = False
            source = kwargs.get("input_ids") if inputs is None else inputs
            kwargs.setdefault("decoder_source_ids", source)
        return super().generate(inputs, *args, **kwargs)

    def prepare_inputs_for_generation(self, input_ids: Tensor, **kwargs: Any) -> dict[str, Any]:
        """Add the characters written so far, counted over the whole prefix."""
        inputs: dict[str, Any] = super().prepare_inputs_for_generation(input_ids, **kwargs)
        if inputs.get("decoder_char_budget") is not None:
            fed = inputs["decoder_input_ids"].shape[1]
            inputs["decoder_chars_emitted"] = self.length_signal.emitted(input_ids)[:, -fed:]
        return inputs


AutoConfig.register("subfit", SubfitConfig)
AutoModelForSeq2SeqLM.register(SubfitConfig, SubfitForTranslation)

TrainableModel = SubfitForTranslation | ModelWithLengths
"""One of subfit's own shape, or one of Hugging Face's with what makes it take lengths."""
TrainableConfig = SubfitConfig | ConfigWithLengths
"""Its configuration."""
