"""The sink behind sources, and what stands for each of their tokens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.model.tokenizer import Tokenizer
from subfit.model.transformer import SubfitConfig
from subfit.training.data.batch import IGNORED
from subfit.training.data.dataset import Dataset
from subfit.training.recipe.attention import Attention
from subfit.training.run.model_config import config_for
from tests.tiny import PAIRS, RECIPE


@pytest.fixture(scope="module")
def predicted(tokenizer: Tokenizer) -> SubfitConfig:
    attention = Attention(kind="csparsemax", fertility="predicted")
    return config_for(replace(RECIPE, attention=attention), tokenizer)


def test_the_sink_is_a_token_of_its_own_that_no_target_has(tokenizer, predicted) -> None:
    assert predicted.sink_token == len(tokenizer)  # the tiny vocabulary knows nothing of it
    assert predicted.vocab_size == len(tokenizer) + 1
    assert predicted.sink_token in predicted.source_token_ids


def test_the_sink_stands_behind_the_end_of_every_source(tokenizer, predicted) -> None:
    batch = Dataset(PAIRS, tokenizer, predicted, 128).batch([(0,), (1, 2)])
    for row, mask in zip(batch.source.tolist(), batch.source_mask.tolist(), strict=True):
        shown = row[: sum(mask)]
        assert shown[-2:] == [tokenizer.eos_id, predicted.sink_token]
        assert predicted.sink_token not in shown[:-1]


def test_fertilities_stand_beside_their_tokens_and_others_stand_for_nothing(
    tokenizer, predicted
) -> None:
    dataset = Dataset(PAIRS[:3], tokenizer, predicted, 128)
    told = [tuple(range(1, len(each.source) + 1)) for each in dataset.examples]
    dataset.tell_fertilities(told)
    batch = dataset.batch([(0,), (1, 2)])
    for row, joined in zip(batch.fertilities.tolist(), (told[0], told[1] + told[2]), strict=True):
        # a length token before; the end and the sink behind; then padding
        assert row[: len(joined) + 3] == [0, *joined, 0, 0]
        assert set(row[len(joined) + 3 :]) <= {IGNORED}


def test_of_texts_that_are_cut_anew_nothing_is_known(tokenizer, predicted) -> None:
    dataset = Dataset(PAIRS[:3], tokenizer, predicted, 128, sampling=0.3)
    dataset.tell_fertilities([(1,) * len(each.source) for each in dataset.examples])
    assert set(dataset.batch([(0,), (1,)], seed=3).fertilities.flatten().tolist()) == {IGNORED}


def test_models_that_predict_none_are_told_none(tokenizer, config) -> None:
    batch = Dataset(PAIRS[:3], tokenizer, config, 128).batch([(0,)])
    assert batch.fertilities is None
    assert len(batch.tensors) == 6
