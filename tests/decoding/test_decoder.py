"""The decoder beside Hugging Face's, over whole targets."""

from __future__ import annotations

import pytest
import torch
from transformers import MarianMTModel

from subfit.decoding.layers import Decoder, Encoder
from subfit.decoding.linears import Arithmetic
from subfit.decoding.parts import parts_of
from tests.tiny import tiny_marian

CPU = torch.device("cpu")
SIZE, END, PAD = 40, 0, 39
SOURCES = [(5, 9, 3, END), (7, END), tuple(range(1, 20))]
TARGETS = [(PAD, 4, 8), (PAD, 6, 6, 6, 2, 11), (PAD,)]


def theirs(model: MarianMTModel, source: tuple[int, ...], target: tuple[int, ...]) -> torch.Tensor:
    """The states of the last decoder layer."""
    made = model.model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([target]))
    return made.last_hidden_state[0]


def ours(model: MarianMTModel, sources, targets, precision="fp32"):
    parts, arithmetic = parts_of(model), Arithmetic(precision)
    decoder = Decoder(model, parts.decoder, arithmetic)
    states = Encoder(parts.encoder, arithmetic, CPU)(sources)
    made = decoder.whole(targets, decoder.remember(states, sources))
    return torch.split(made, [len(target) for target in targets])


@torch.inference_mode()
def test_the_states_of_whole_targets_are_those_of_hugging_face():
    model = tiny_marian(SIZE)
    for made, *pair in zip(ours(model, SOURCES, TARGETS), SOURCES, TARGETS, strict=True):
        torch.testing.assert_close(made, theirs(model, *pair), atol=1e-4, rtol=1e-4)


@torch.inference_mode()
def test_no_token_sees_what_stands_behind_it():
    model = tiny_marian(SIZE)
    (long,) = ours(model, SOURCES[:1], [(PAD, 4, 8, 21, 30)])
    (other,) = ours(model, SOURCES[:1], [(PAD, 4, 8, 2, 17)])
    assert torch.equal(long[:3], other[:3]) and not torch.equal(long[3:], other[3:])


@pytest.mark.parametrize("precision", ["fp32", "int8"])
@torch.inference_mode()
def test_company_changes_no_bit(precision):
    model = tiny_marian(SIZE)
    together = ours(model, SOURCES, TARGETS, precision)
    for made, source, target in zip(together, SOURCES, TARGETS, strict=True):
        assert torch.equal(made, ours(model, [source], [target], precision)[0])
