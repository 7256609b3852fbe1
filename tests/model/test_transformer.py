"""Models of every combination of length signals learn, and translate."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import pytest
import torch

from subfit.decoding.translator import Request, Translator
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import LENGTH_ENCODINGS
from subfit.model.tokenizer import Tokenizer
from subfit.training.dataset import Dataset
from subfit.training.loss import TrainingLoss
from subfit.training.sections import Length
from tests.tiny import RECIPE, tiny_model

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
    model = tiny_model(tokenizer, length=length)
    dataset = Dataset([Pair("", "Who is there?", "Wer ist da?")], tokenizer, model.config, 128)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0001)
    losses = []
    for _ in range(2):
        loss = TrainingLoss(RECIPE, model)(dataset.batch([(0,)])) / 10
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[1] < losses[0]
    translator = Translator(Checkpoint("x", model.eval(), tokenizer))
    assert len(translator.translate([Request("Who?", 12, 12), Request("Who?")])) == 2
