"""A model as a search sees it, and several that vote."""

from __future__ import annotations

import pytest
import torch

from subfit.decoding.network import Network
from subfit.errors import ModelError
from tests.tiny import tiny_marian

SIZE, END, PAD = 40, 0, 39
SOURCES = [(5, 9, 3, END), (7, END), (*range(1, 20), END)]
TARGETS = [(4, 8, END), (6, 6, 11, 30, END), (END,)]


def test_a_model_that_computes_no_numbers_is_told():
    model = tiny_marian(SIZE)
    with torch.no_grad():
        model.model.decoder.layers[0].fc2.weight[0, 0] = float("nan")
    network = Network([model])
    with pytest.raises(ModelError, match=r"no numbers .*are its weights damaged"):
        network.rate(TARGETS, network.encode(SOURCES))
