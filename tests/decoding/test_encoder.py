"""The encoder beside Hugging Face's, whatever stands beside a source."""

from __future__ import annotations

import pytest
import torch

from subfit.decoding.layers import MOST_TOKENS, Encoder
from subfit.decoding.linears import Arithmetic
from subfit.decoding.parts import parts_of
from tests.tiny import tiny_marian

CPU = torch.device("cpu")
SIZE, END, PAD = 40, 0, 39


def sources_of(*lengths: int) -> list[tuple[int, ...]]:
    """Random sources of so many tokens."""
    draw = torch.Generator().manual_seed(sum(lengths))
    return [(*torch.randint(1, PAD, (n - 1,), generator=draw).tolist(), END) for n in lengths]


@pytest.mark.parametrize("lengths", [(5,), (3, 1, 17, 16), (40, 2, 2, 33, 64)])
def test_it_encodes_as_hugging_faces_does_in_any_order(lengths):
    model = tiny_marian(SIZE)
    encoder = Encoder(parts_of(model).encoder, Arithmetic("fp32"), CPU)
    sources = sources_of(*lengths)
    for ours, source in zip(encoder(sources), sources, strict=True):
        with torch.inference_mode():
            theirs = model.get_encoder()(input_ids=torch.tensor([source])).last_hidden_state[0]
        torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("precision", ["fp32", "int8"])
@torch.inference_mode()
def test_company_changes_no_bit_also_of_more_than_goes_through_at_once(precision):
    encoder = Encoder(parts_of(tiny_marian(SIZE)).encoder, Arithmetic(precision), CPU)
    sources = sources_of(*[1 + n % 50 for n in range(60)])
    assert sum(map(len, sources)) > MOST_TOKENS
    for together, source in zip(encoder(sources), sources, strict=True):
        assert torch.equal(together, encoder([source])[0])
