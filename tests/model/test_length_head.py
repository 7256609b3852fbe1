"""The head that predicts lengths, and embeddings with lengths."""

from __future__ import annotations

import pytest
import torch

from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint, save_checkpoint
from subfit.model.length import LengthHead
from tests.tiny import PAIRS, tiny_model

TEXTS = [pair.source for pair in PAIRS]


def test_padding_states_do_not_reach_the_head():
    torch.manual_seed(1)
    head = LengthHead(8, 1.1)
    torch.nn.init.normal_(head.output)
    torch.nn.init.normal_(head.attention)
    states, mask = torch.randn(1, 5, 8), torch.tensor([[1, 1, 1, 0, 0]])
    other = states.clone()
    other[:, 3:] = 1e3
    characters = torch.tensor([20.0])
    assert torch.equal(head(states, mask, characters), head(other, mask, characters))
    short = head(states[:, :3], mask[:, :3], characters)
    assert torch.allclose(head(states, mask, characters), short)


def test_a_head_is_saved_with_its_model(predicting, tokenizer, tmp_path):
    save_checkpoint(tmp_path, predicting.model, tokenizer, {}, dtype=torch.float32)
    loaded = load_checkpoint(str(tmp_path))
    expected = Translator(predicting).predict_lengths(TEXTS)
    assert Translator(loaded).predict_lengths(TEXTS) == expected


def test_a_folder_whose_head_is_missing_is_refused(tokenizer, tmp_path):
    model = tiny_model(tokenizer)
    model.config.length_predictor = True
    save_checkpoint(tmp_path, model, tokenizer, {})
    with pytest.raises(ModelError, match="length_head"):
        load_checkpoint(str(tmp_path))
