"""Sentences that come and go in a running search, alone and in any company."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.text.counting import Counting
from tests.decoding.test_search import compare
from tests.tiny import PAIRS

STEPS = 24


@pytest.fixture(scope="module")
def trained(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


def search_of(checkpoint: Checkpoint, batch_size: int) -> BudgetedBeamSearch:
    settings = SearchSettings(beams=3, nbest=3, batch_size=batch_size, max_steps=STEPS)
    network = Network([checkpoint.model], checkpoint.precision)
    return BudgetedBeamSearch(network, piece_table(checkpoint, Counting()), settings)


def random_sources(checkpoint: Checkpoint, count: int, seed: int) -> list[tuple[int, ...]]:
    """Sentences of the trained model's words in any order."""
    draw, tokenizer = random.Random(seed), checkpoint.tokenizer
    words = sorted({word for pair in PAIRS for word in pair.source.split()})
    texts = [" ".join(draw.choices(words, k=draw.randint(1, 7))) for _ in range(count)]
    return [(*tokenizer.encode(text), tokenizer.eos_id) for text in texts]


def queries_of(checkpoint: Checkpoint) -> list[TokenRequest]:
    """Sources of 1 to 64 tokens, free, asked for a length, and under a ceiling."""
    end, draw = checkpoint.tokenizer.eos_id, random.Random(5)
    longest = max(random_sources(checkpoint, 40, 1), key=len)[:-1]
    sources = [((*(longest * 20)[: length - 1], end)) for length in (1, 3, 16, 17, 33, 64)]
    sources += random_sources(checkpoint, 5, 2)
    requests = [TokenRequest(source, *limits) for source in sources for limits in ((), (12, 14.0))]
    draw.shuffle(requests)
    return requests


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_rows_that_come_and_go_change_no_bit(trained, precision):
    computed = replace(trained, precision=precision)
    requests = queries_of(trained)
    alone = search_of(computed, 1).search(requests)
    assert sum(map(bool, alone)) > len(requests) // 2
    for batch_size in (3, 64):
        assert search_of(computed, batch_size).search(requests) == alone
    shuffled = random.Random(1).sample(range(len(requests)), len(requests))
    again = search_of(computed, 3).search([requests[number] for number in shuffled])
    assert again == [alone[number] for number in shuffled]


def test_more_threads_change_no_bit(trained):
    requests = queries_of(trained)[:16]
    alone = search_of(trained, 8).search(requests)
    torch.set_num_threads(2)
    try:
        assert search_of(trained, 8).search(requests) == alone
    finally:
        torch.set_num_threads(1)


@pytest.mark.parametrize("asked", [None, 18])
def test_random_sentences_are_searched_as_generate_does(trained, asked):
    rows = random_sources(trained, 150, 4)
    width, pad = max(map(len, rows)), trained.tokenizer.pad_id
    source = torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])
    lengths = None if asked is None else torch.full((len(rows),), asked)
    assert compare(trained.model, trained.tokenizer, source, 3, lengths, batch_size=16) >= 100
