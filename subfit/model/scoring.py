"""What a model thinks of translations it is shown, with no length asked for."""

from __future__ import annotations

import torch
from torch import Tensor
from transformers import MarianMTModel
from transformers.models.marian.modeling_marian import shift_tokens_right

IGNORED = -100


@torch.inference_mode()
def token_log_probabilities(
    model: MarianMTModel, source: Tensor, source_mask: Tensor, labels: Tensor
) -> Tensor:
    """Return the log-probability of each target token, without any length signal.

    Args:
        model: A Marian-shaped model in evaluation mode.
        source: (batch_size, source_length) tokens.
        source_mask: (batch_size, source_length), 1 where there is a token.
        labels: (batch_size, target_length) targets with their end tokens, `IGNORED` after them.

    Returns:
        (batch_size, target_length) log-probabilities, 0 after the end tokens.
    """
    config = model.config
    inputs = shift_tokens_right(labels, config.pad_token_id, config.decoder_start_token_id)
    logits = model(
        input_ids=source, attention_mask=source_mask, decoder_input_ids=inputs, use_cache=False
    ).logits  # (batch_size, target_length, vocab_size)
    real = labels != IGNORED
    chosen = logits.float().log_softmax(dim=-1).gather(2, labels.clamp(min=0).unsqueeze(2))
    result: Tensor = chosen.squeeze(2) * real
    return result
