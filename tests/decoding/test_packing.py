"""Texts of different lengths, packed and padded."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.attention import attend
from subfit.decoding.packing import NEVER, STRIDE, Packing, chunks, padded_width

LENGTHS = st.lists(st.integers(1, 40), min_size=1, max_size=8)


@given(lengths=LENGTHS)
def test_what_is_padded_and_packed_again_is_as_it_was(lengths):
    packing = Packing(tuple(lengths), torch.device("cpu"))
    packed = torch.randn(sum(lengths), 3)
    padded = packing.pad(packed)
    assert padded.shape == (len(lengths), packing.width, 3)
    assert packing.width % STRIDE == 0 and 0 <= packing.width - max(lengths) < STRIDE
    assert torch.equal(packing.pack(padded), packed)
    for row, length, own in zip(padded, lengths, packing.split(packed), strict=True):
        assert torch.equal(row[:length], own)
        assert not row[length:].any()


@given(lengths=LENGTHS)
def test_masks_and_positions_are_those_of_each_text(lengths):
    packing = Packing(tuple(lengths), torch.device("cpu"))
    assert packing.positions.tolist() == [place for each in lengths for place in range(each)]
    assert packing.mask.shape == (len(lengths), 1, 1, packing.width)
    assert packing.mask.isfinite().sum((1, 2, 3)).tolist() == lengths


@given(lengths=LENGTHS, most=st.integers(1, 200))
def test_chunks_hold_every_text_once_in_one_width_and_by_powers_of_two(lengths, most):
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    found = chunks(order, lengths, most)
    assert [index for chunk in found for index in chunk] == order
    for chunk in found:
        assert len({padded_width(lengths[index]) for index in chunk}) == 1
        assert len(chunk) & (len(chunk) - 1) == 0
        assert len(chunk) == 1 or len(chunk) * padded_width(lengths[chunk[0]]) <= most


@pytest.mark.parametrize("beams", [1, 5, 16])
@pytest.mark.parametrize("length", [10, 100, 190, 200, 300, 390, 500, 580])
def test_more_padding_changes_no_bit(length, beams):
    """Places all over the width, of which a longer neighbour makes more."""
    torch.manual_seed(length)
    query, keys, values = (torch.randn(3, 2, n, 64) for n in (beams, 640, 640))
    mask = torch.full((3, 1, beams, 640), NEVER)
    mask[..., :length:2] = 0.0

    def context(width):
        parts = (each[:, :, :width].contiguous() for each in (keys, values))
        return attend(query, *parts, mask[..., :width].contiguous())

    widths = {padded_width(n) for n in range(length, 641)}
    assert all(torch.equal(context(width), context(640)) for width in widths)
