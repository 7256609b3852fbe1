"""Embeddings of what has been written, with lengths."""

from __future__ import annotations

import torch

from subfit.model.tokenizer import Tokenizer
from tests.tiny import tiny_model


def test_the_padding_learns_nothing_from_being_looked_up(tiny_model_folder):
    """Nor does it in Hugging Face's Marian, whose translations begin with it."""
    model = tiny_model(Tokenizer(tiny_model_folder / "tokenizer.model"), seed=1)
    pad = int(model.config.pad_token_id)
    embedded = model.embed_target(torch.tensor([[pad, 5, 6]]), torch.tensor([9]))
    embedded.sum().backward()
    gradient = model.target_embedding[0].grad
    assert not gradient[pad].any()
    assert gradient[5].any()
