"""The translator in Hugging Face's Marian: lengths, and attention that covers."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import pytest
import torch
from transformers import MarianMTModel

from subfit.decoding.translator import Request, Translator
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import LENGTH_ENCODINGS
from subfit.model.tokenizer import Tokenizer
from subfit.model.transformer import CoveringAttention, SubfitConfig, SubfitForTranslation
from subfit.training.dataset import Dataset
from subfit.training.loss import token_losses
from subfit.training.sections import Length
from tests.model.test_checkpoint import stale_memory
from tests.tiny import save_tiny_marian, tiny_marian, tiny_model

SIZE = 40


def states() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of targets and of sources, and which of the sources' are no padding."""
    torch.manual_seed(1)
    real = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    return torch.randn(2, 5, 32), torch.randn(2, 6, 32), real[:, None, None, :].expand(-1, 1, 5, -1)


def covering(**settings) -> CoveringAttention:
    former = tiny_marian(SIZE).model.decoder.layers[-1].encoder_attn
    return CoveringAttention(former, SubfitConfig(**settings)).eval()


@torch.inference_mode()
@pytest.mark.parametrize("vector", [False, True])
def test_before_it_is_trained_it_attends_as_marian_does(vector):
    marian = tiny_marian(SIZE).model.decoder.layers[-1].encoder_attn.eval()
    targets, sources, real = states()
    added = torch.zeros(real.shape).masked_fill(~real, torch.finfo(torch.float32).min)
    theirs, _ = marian(targets, sources, attention_mask=added)
    for mask in (real, added):
        ours, shares = covering(coverage_vector=vector)(targets, sources, attention_mask=mask)
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)
        assert not shares[1, :, :, 4:].any()


@torch.inference_mode()
def test_what_a_source_token_is_given_is_bounded():
    targets, sources, real = states()
    bounds = torch.full((2, 6), 0.9)
    bounds[0, 5] = bounds[1, 3] = float("inf")
    attention = covering(source_attention="csoftmax")
    _, shares = attention(targets, sources, attention_mask=real, source_bounds=bounds)
    assert (shares.mean(1).sum(1) <= bounds + 1e-5).all()


ENCODINGS = [
    pytest.param(names, id="+".join(names), marks=() if len(names) < 3 else pytest.mark.slow)
    for names in chain.from_iterable(combinations(LENGTH_ENCODINGS, n) for n in range(4))
]


@pytest.fixture(scope="module")
def tokenizer(tiny_model_folder: Path) -> Tokenizer:
    return Tokenizer(tiny_model_folder / "tokenizer.model")


@pytest.mark.parametrize("encodings", ENCODINGS)
@pytest.mark.parametrize("positions", [True, False], ids=["+PE", "no PE"])
@pytest.mark.parametrize("classes", [{}, {"short": 1.0, "long": None}], ids=["", "classes"])
def test_every_combination_learns_and_translates(tokenizer, encodings, positions, classes):
    length = Length(classes=classes, encodings=encodings, positions=positions)
    model = tiny_model(tokenizer, length=length).train()
    dataset = Dataset([Pair("", "Who is there?", "Wer ist da?")], tokenizer, model.config, 128)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for _ in range(2):
        loss = token_losses(model, dataset.batch([(0,)]))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[1] < losses[0]
    translator = Translator(Checkpoint("x", model.eval(), tokenizer))
    assert len(translator.translate([Request("Who?", 12, 12), Request("Who?")])) == 2


@pytest.mark.parametrize("closed", [True, False], ids=["closed gate", "no length asked"])
def test_marian_weights_give_the_same_outputs_at_step_0(tmp_path, closed, monkeypatch):
    folder = save_tiny_marian(tmp_path)
    marian = MarianMTModel.from_pretrained(folder)
    config = SubfitConfig(
        **{**marian.config.to_dict(), "model_type": "subfit"},
        length_encodings=["abs", "rel", "lrpe"],
        closed_gate=closed,
    )
    stale_memory(monkeypatch)
    ours = SubfitForTranslation.from_pretrained(folder, config=config).eval()
    assert not ours.length_signal.piece_characters.any()  # allocated, then filled
    assert not ours.length_signal.piece_leads.any()
    source = torch.tensor([[5, 6, 7, 0], [8, 9, 0, 1]])
    target = torch.tensor([[10, 11, 12], [13, 14, 15]])
    asked = torch.tensor([20, 9]) if closed else None
    with torch.inference_mode():
        theirs = marian(input_ids=source, decoder_input_ids=target).logits
        found = ours(input_ids=source, decoder_input_ids=target, decoder_char_budget=asked).logits
    assert torch.equal(theirs, found)
    assert ours.length_signal.gate.item() == (0.0 if closed else 1.0)
