"""Attention beside that of PyTorch, under any padding."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from subfit.decoding.attention import BLOCK, NEVER, attend, padded_width


@pytest.mark.parametrize("heads", [2, 8])
@pytest.mark.parametrize("beams", [1, 5, 16])
@pytest.mark.parametrize("length", [10, 100, 190, 200, 300, 390, 500, 580])
def test_more_padding_changes_no_bit(length, beams, heads):
    """Places all over the width, of which a longer neighbour makes more."""
    most = 4 * BLOCK
    torch.manual_seed(length)
    query, keys, values = (torch.randn(3, heads, n, 64) for n in (beams, most, most))
    mask = torch.full((3, 1, beams, most), NEVER)
    mask[..., :length:2] = 0.0

    def context(width):
        parts = (each[:, :, :width].contiguous() for each in (keys, values))
        return attend(query, *parts, mask[..., :width].contiguous())

    widths = {padded_width(n) for n in range(length, most + 1)}
    assert all(torch.equal(context(width), context(most)) for width in widths)


@pytest.mark.parametrize("beams", [1, 2, 5, 16, 48])
@pytest.mark.parametrize("places", [16, 96, 208])
def test_company_changes_no_bit(beams, places):
    torch.manual_seed(places)
    query, keys, values = (torch.randn(7, 8, n, 64) for n in (beams, places, places))
    mask = torch.zeros(7, 1, beams, places)
    together = attend(query, keys, values, mask)
    alone = [attend(query[n:][:1], keys[n:][:1], values[n:][:1], mask[n:][:1]) for n in range(7)]
    assert torch.equal(torch.cat(alone), together)


def test_it_is_that_of_pytorch():
    torch.manual_seed(3)
    query, keys, values = (torch.randn(2, 8, n, 64) for n in (5, 96, 96))
    mask = torch.zeros(2, 1, 1, 96)
    mask[1, ..., 50:] = NEVER
    exact = scaled_dot_product_attention(query, keys, values, mask).transpose(1, 2).flatten(2)
    torch.testing.assert_close(attend(query, keys, values, mask), exact, atol=1e-5, rtol=1e-5)
