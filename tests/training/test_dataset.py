"""Batches: what is in them, in which order, and that only the seed decides."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import torch

from subfit.model.config import SubfitConfig
from subfit.tokenizer import Tokenizer
from subfit.training.corpus import Pair
from subfit.training.dataset import IGNORED, Dataset
from subfit.training.recipe_data import Data
from tests.tiny import PAIRS

MANY = tuple(
    Pair(
        ("half", "twice", "once")[number % 3], f"{pair.source} {number}", f"{pair.target} {number}"
    )
    for number in range(200)
    for pair in (PAIRS[number % len(PAIRS)],)
)


@pytest.fixture(scope="module")
def tokenizer(tiny_model_folder: Path) -> Tokenizer:
    return Tokenizer(tiny_model_folder / "tokenizer.model")


@pytest.fixture(scope="module")
def config(tiny_model_folder: Path) -> SubfitConfig:
    return SubfitConfig.from_pretrained(tiny_model_folder)


@pytest.fixture(scope="module")
def dataset(tokenizer: Tokenizer, config: SubfitConfig) -> Dataset:
    return Dataset(MANY, tokenizer, config, 128)


def data(**changes) -> Data:
    return Data(train=("a",), dev="b", **changes)


def drawn(epoch) -> Counter[int]:
    return Counter(index for batch in epoch for unit in batch for index in unit)


@pytest.mark.parametrize("join", [0.0, 0.5, 1.0])
def test_an_epoch_shows_every_pair_once_whatever_is_joined(dataset, join):
    epoch = dataset.epoch(1, data(join=join), 300)
    assert drawn(epoch) == Counter(range(len(MANY)))
    joined = sum(len(unit) == 2 for batch in epoch for unit in batch)
    assert (joined > 10) == (join > 0)


def test_weights_draw_a_share_or_several_copies(dataset):
    counts = drawn(dataset.epoch(1, data(weights={"half": 0.3, "twice": 2.0}), 300))
    by_corpus = Counter(dict.fromkeys(("half", "twice", "once"), 0))
    for index, count in counts.items():
        by_corpus[dataset.examples[index].corpus] += count
    sizes = Counter(example.corpus for example in dataset.examples)
    assert by_corpus["once"] == sizes["once"]
    assert by_corpus["twice"] == 2 * sizes["twice"]
    assert by_corpus["half"] == pytest.approx(0.3 * sizes["half"], abs=10)
    assert 0 < by_corpus["half"] < sizes["half"]


def test_only_the_seed_decides(dataset):
    settings = data(weights={"half": 0.5}, join=0.3)
    assert dataset.epoch(4, settings, 300) == dataset.epoch(4, settings, 300)
    assert dataset.epoch(4, settings, 300) != dataset.epoch(5, settings, 300)


@pytest.mark.parametrize("batch_tokens", [1, 60, 300])
def test_batches_keep_to_their_size_and_hold_texts_of_like_length(dataset, batch_tokens):
    for units in dataset.epoch(1, data(join=0.3), batch_tokens):
        batch = dataset.batch(units)
        assert len(units) == 1 or batch.labels.numel() <= batch_tokens
        assert len(units) == 1 or batch.source.numel() <= batch_tokens + len(units)
        lengths = (batch.labels != IGNORED).sum(dim=1)
        assert batch.target_tokens == lengths.sum()


def test_a_batch_holds_what_its_pairs_say(dataset, tokenizer, config):
    batch = dataset.batch([(0,), (1, 2)])
    first, joined = MANY[0], (MANY[1], MANY[2])
    assert batch.asked.tolist() == [
        len(first.target),
        len(f"{joined[0].target} {joined[1].target}"),
    ]
    for row, source, target in (
        (0, first.source, first.target),
        (1, f"{joined[0].source} {joined[1].source}", f"{joined[0].target} {joined[1].target}"),
    ):
        tokens = batch.source[row][batch.source_mask[row] == 1].tolist()
        labels = [each for each in batch.labels[row].tolist() if each != IGNORED]
        length_class = config.class_for(len(target) / len(source))
        assert tokens[0] == length_class.token_id
        assert tokens[-1] == labels[-1] == tokenizer.eos_id
        assert tokenizer.decode(tokens) == source
        assert tokenizer.decode(labels) == target
        assert (batch.source[row][batch.source_mask[row] == 0] == config.pad_token_id).all()


def test_free_texts_have_no_length_signal(dataset, config):
    units = [(index,) for index in range(100)]
    tokens = {each.token_id for each in config.classes}
    batch = dataset.batch(units, seed=1, free=0.4)
    free = batch.asked == 0
    assert 20 < free.sum() < 60
    with_class = torch.tensor([int(row[0]) in tokens for row in batch.source])
    assert torch.equal(with_class, ~free)
    assert not dataset.batch(units, free=1.0).asked.any()


def test_noise_stays_in_its_window_and_uses_all_of_it(dataset):
    units = [(index,) for index in range(150)]
    exact = dataset.batch(units).asked
    shifts = dataset.batch(units, seed=3, noise=2).asked - exact
    assert set(shifts.tolist()) == {-2, -1, 0, 1, 2}
    counts = Counter(shifts.tolist())
    assert min(counts.values()) > 12
    assert torch.equal(dataset.batch(units, seed=3, noise=2).asked, exact + shifts)


def test_no_noise_asks_for_less_than_one_character(tokenizer, config):
    short = Dataset([Pair("", "a", "b")] * 30, tokenizer, config, 128)
    assert short.batch([(index,) for index in range(30)], noise=4).asked.min() == 1


def test_pairs_that_are_empty_or_too_long_for_the_model_are_left_out(tokenizer, config):
    pairs = [Pair("", "", "x"), Pair("", "x", ""), Pair("", "ж" * 40, "x"), Pair("", "x", "y")]
    kept = Dataset(pairs, tokenizer, config, 64)
    assert [example.source_characters for example in kept.examples] == [1]


def test_texts_are_not_joined_beyond_the_models_positions(tokenizer, config):
    pairs = [Pair("", "ж" * 20, "ж" * 20), Pair("", "ш" * 20, "ш" * 20)]  # two bytes a letter
    small = Dataset(pairs, tokenizer, config, 64)
    assert drawn(small.epoch(1, data(join=1.0), 999)) == {0: 1, 1: 1}
    assert all(len(unit) == 1 for batch in small.epoch(1, data(join=1.0), 999) for unit in batch)


def test_the_mean_length_ratio_is_a_mean_of_ratios(tokenizer, config):
    pairs = [Pair("", "ab", "abcd"), Pair("", "abcd", "abcd")]
    assert Dataset(pairs, tokenizer, config, 64).mean_length_ratio == 1.5
