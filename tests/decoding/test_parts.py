"""The parts of models: each family computes with them what Hugging Face computes."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from subfit.decoding.network import Network
from subfit.decoding.parts import Distances
from subfit.model.families import settle
from tests.tiny import tiny_marian
from tests.tiny_families import FAMILIES, tiny_family

SIZE, END, PAD = 30, 2, 1
SOURCES = [(5, 9, 3, END), (*range(4, 25), END)]
TARGETS = [(4, 8, END), (6, 6, 11, 29, 7, END)]


def model_of(family: str) -> Any:
    if family == "marian":
        return tiny_marian(SIZE)
    torch.manual_seed(3)
    model = tiny_family(
        family, SIZE, eos_token_id=END, pad_token_id=PAD, decoder_start_token_id=END
    )
    settle(model)
    return model


@pytest.mark.parametrize("family", ["marian", *FAMILIES])
def test_targets_are_as_probable_as_hugging_face_has_it(family):
    model = model_of(family)
    network = Network([model])
    rated = network.rate(TARGETS, network.encode(SOURCES))
    start = model.config.decoder_start_token_id
    for ours, source, target in zip(rated, SOURCES, TARGETS, strict=True):
        with torch.inference_mode():
            logits = model(
                input_ids=torch.tensor([source]),
                decoder_input_ids=torch.tensor([[start, *target[:-1]]]),
            ).logits[0]
        theirs = logits.log_softmax(-1)[range(len(target)), list(target)]
        assert ours == pytest.approx(theirs.tolist(), abs=1e-4)


def test_distances_add_what_t5_adds():
    model = model_of("madlad")
    for stack in (model.encoder, model.decoder):
        attention = stack.block[0].layer[0].SelfAttention
        theirs = attention.compute_bias(9, 9)[0]
        places = torch.arange(9)
        ours = Distances(attention).bias(places.unsqueeze(1), places.unsqueeze(0))
        torch.testing.assert_close(ours, theirs)
