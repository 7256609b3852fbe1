"""Short translations are shown more often, and what is usual without a wish stays as it is."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from subfit.configuration.contradictions import ContradictionsError
from subfit.errors import RecipeError
from subfit.evaluation.corpus import Pair
from subfit.training.data.dataset import Dataset
from subfit.training.data.example import Example
from subfit.training.data.sampling import draw
from subfit.training.data.short_targets import are_short, describe_short, length_weights
from subfit.training.recipe.data import Data
from subfit.training.recipe.model import Length
from tests.tiny import RECIPE

SOURCE = "Nobody told me about the party."


def data(**changes) -> Data:
    return Data(train=("a",), dev="b", **changes)


def pair(target_characters: int, language: str = "de", source: str = SOURCE) -> Pair:
    return Pair("c", source, "x" * target_characters, language)


def test_short_is_measured_by_the_usual_length_of_the_language():
    long_language = [pair(40), pair(40), pair(40), pair(30)]
    short_language = [pair(20, "it"), pair(20, "it"), pair(20, "it"), pair(30, "it")]
    assert are_short([*long_language, *short_language], 0.85) == [False] * 3 + [True] + [False] * 4


def test_short_sources_never_have_short_translations():
    pairs = [pair(40), pair(40), pair(10), pair(2, source="Nobody told me.")]
    assert are_short(pairs, 0.8) == [False, False, True, False]


def test_weights_are_one_where_nothing_is_asked_for():
    pairs = [pair(40), pair(40), pair(10)]
    assert length_weights(pairs, data()) == [1, 1, 1]
    assert length_weights(pairs, data(short_weight=2.5)) == [1, 1, 2.5]
    assert describe_short(pairs, data(short_weight=2.5)) == (
        "1 short translations shown 2.5 times as often"
    )


def test_an_example_is_drawn_as_often_as_its_length_and_its_corpus_say():
    examples = [Example("c", [5], [6], 30, 30), Example("c", [5], [6], 30, 15, weight=3.0)]
    assert Counter(draw(examples, data(), random.Random(1))) == {0: 1, 1: 3}
    assert Counter(draw(examples, data(weights={"c": 2.0}), random.Random(1))) == {0: 2, 1: 6}


def test_the_additional_times_have_a_length_signal(tokenizer, config):
    """Over an epoch a short pair goes without a signal as often as any other."""
    pairs = [Pair("c", f"{SOURCE} {number}", f"Kein Wort. {number}") for number in range(2000)]
    weighted = Dataset(pairs, tokenizer, config, 128, weights=[4.0] * len(pairs))
    shown = [unit for batch in weighted.epoch(1, data(), 4000) for unit in batch]
    assert len(shown) == 4 * len(pairs)
    free = (weighted.batch(shown, seed=1, free=0.4).asked == 0).sum()
    assert free == pytest.approx(0.4 * len(pairs), rel=0.1)


def test_joined_and_varied_texts_keep_their_weights(tokenizer, config):
    pairs = [Pair("c", f"{SOURCE} {number}.", f"Kein Wort. {number}.") for number in range(2000)]
    weighted = Dataset(
        pairs, tokenizer, config, 128, weights=[2.0] * len(pairs), variations={"shouted": 1.0}
    )
    units = [(number, number + 1) for number in range(len(pairs) - 1)]
    batch = weighted.batch(units, seed=1, free=0.8)
    assert (batch.asked == 0).sum() == pytest.approx(0.2 * len(units), rel=0.15)


def test_values_that_cannot_be_are_refused():
    with pytest.raises(ContradictionsError, match=r"data\.short_weight must be 1 or more"):
        data(short_weight=0.5)
    with pytest.raises(ContradictionsError, match=r"data\.short_ratio is a share"):
        data(short_ratio=0.0)


def test_they_need_a_token_for_their_length():
    with pytest.raises(RecipeError, match=r"which needs length\.classes"):
        replace(RECIPE, length=Length(encodings=("abs",)), data=data(short_weight=2.0))
