"""The translator: Marian's encoder-decoder with length conditioning on the decoder's input."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModelForSeq2SeqLM, MarianMTModel
from transformers import initialization as init
from transformers.modeling_outputs import Seq2SeqLMOutput
from transformers.models.marian.modeling_marian import shift_tokens_right

from subfit.model.conditioning import MarianShaped, NoPositions, fertility_bounds
from subfit.model.covering_attention import CoveringAttention
from subfit.model.fertility import FertilityBounds
from subfit.model.length import LengthSignal
from subfit.model.length_head import LengthHead
from subfit.model.marian_config import SubfitConfig


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
        """See `subfit.model.with_lengths.ModelWithLengths`."""
        return self.lm_head.weight, self.final_logits_bias[0]

    def states(
        self, source: Tensor, mask: Tensor, tokens: Tensor, asked: Tensor
    ) -> tuple[Tensor, Tensor]:
        """See `subfit.model.with_lengths.ModelWithLengths`."""
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
