"""The tensors of one step."""

from __future__ import annotations

import torch

from subfit.training.data.batch import IGNORED, Batch, padded


def test_rows_are_filled_up_on_the_right() -> None:
    assert padded([[1, 2, 3], [4]], 9).tolist() == [[1, 2, 3], [4, 9, 9]]


def test_padding_counts_as_no_token_and_fertilities_may_lack() -> None:
    labels = padded([[5, 6, 2], [7, 2]], IGNORED)
    rows = torch.ones(2, 1, dtype=torch.int64)
    batch = Batch(rows, rows, labels, rows[:, 0], rows, rows)
    assert batch.target_tokens == 5 and len(batch.tensors) == 6
    moved = Batch(*batch.tensors, fertilities=rows).to(torch.device("cpu"))
    assert moved.fertilities is not None and len(moved.tensors) == 7
