"""The translator in Hugging Face's Marian: what lengths add to it, and what they leave as it is."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import pytest
import torch
from transformers import MarianMTModel

from subfit.decoding.translator import Request, Translator
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from subfit.model.config import LENGTH_ENCODINGS
from subfit.model.tokenizer import Tokenizer
from subfit.model.transformer import SubfitConfig, SubfitForTranslation
from subfit.training.dataset import Dataset
from subfit.training.loss import token_losses
from subfit.training.sections import Length
from tests.model.test_checkpoint import stale_memory
from tests.tiny import save_tiny_marian, tiny_model

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


def test_an_opened_gate_is_kept(tokenizer, tmp_path):
    model = tiny_model(tokenizer, closed_gate=True)
    model.length_signal.open_gate(0.25)
    save_checkpoint(tmp_path, model, tokenizer, {}, dtype=torch.float32)
    assert load_checkpoint(str(tmp_path)).model.length_signal.gate.item() == 0.25
