"""Texts of different lengths, packed and padded."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.attention import STRIDE, Packing, chunks, padded_width

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
