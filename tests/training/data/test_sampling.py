"""What an epoch shows: few targets per source, languages by temperature."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from subfit.configuration.contradictions import ContradictionsError
from subfit.training.data.example import Example
from subfit.training.data.sampling import draw, language_factors
from subfit.training.recipe.data import Data

LENGTHS = (10, 10, 10, 10, 14, 20)
"""Of the translations of one source; the others have one translation each."""
EXAMPLES = [
    *(Example("a", [5], [6], 8, length, "de", 0) for length in LENGTHS),
    *(Example("a", [5], [6], 8, 9, "de", group) for group in range(1, 10)),
]


def data(**changes) -> Data:
    return Data(train=("a",), dev="b", **changes)


def test_no_source_has_more_targets_than_allowed_and_the_others_have_theirs():
    for most in (1, 2, 5, 6, 9):
        drawn = draw(EXAMPLES, data(targets_per_source=most), random.Random(1))
        counts = Counter(EXAMPLES[index].group for index in drawn)
        assert counts == {0: min(most, 6), **dict.fromkeys(range(1, 10), 1)}
        assert len(set(drawn)) == len(drawn)


def test_all_targets_are_shown_over_the_epochs():
    seen: Counter[int] = Counter()
    for seed in range(300):
        seen.update(draw(EXAMPLES, data(targets_per_source=1), random.Random(seed)))
    assert all(seen[index] > 25 for index in range(6))


def test_targets_of_different_lengths_go_first():
    for seed in range(50):
        drawn = draw(EXAMPLES, data(targets_per_source=3), random.Random(seed))
        assert {EXAMPLES[index].target_characters for index in drawn[:3]} == {10, 14, 20}


def test_a_language_is_seen_more_often_on_top_of_its_corpora():
    french = [Example("a", [5], [6], 8, 9, "fr", group) for group in range(20, 24)]
    files = {"de": ("a",), "fr": ("a",)}
    settings = Data(
        train=files,
        dev={"de": "b", "fr": "b"},
        weights={"a": 2.0},
        language_weights={"fr": 3.0},
    )
    drawn = draw([*EXAMPLES, *french], settings, random.Random(1))
    seen = Counter(drawn)
    assert {seen[index] for index in range(len(EXAMPLES))} == {2}
    assert {seen[len(EXAMPLES) + index] for index in range(4)} == {6}


def test_language_weights_are_for_languages_that_there_are():
    with pytest.raises(ContradictionsError, match=r"data\.language_weights must be for languages"):
        data(language_weights={"fr": 2.0})


def test_weights_count_after_the_targets_are_drawn():
    drawn = draw(EXAMPLES, data(targets_per_source=2, weights={"a": 2.0}), random.Random(1))
    assert set(Counter(drawn).values()) == {2}
    assert len(drawn) == 2 * (2 + 9)


@pytest.mark.parametrize(
    ("temperature", "ratio"), [(1.0, 100.0), (2.0, 10.0), (4.0, 100**0.25), (1e9, 1.0)]
)
def test_a_temperature_flattens_the_shares_of_languages(temperature, ratio):
    sizes = {"de": 10_000, "it": 100}
    factors = language_factors(sizes, temperature)
    shares = {name: size * factors[name] for name, size in sizes.items()}
    assert shares["de"] / shares["it"] == pytest.approx(ratio, rel=1e-6)
    assert sum(shares.values()) == pytest.approx(10_100)


def test_the_draw_keeps_to_the_temperature_and_to_the_length_of_the_epoch():
    examples = [
        Example("a", [5], [6], 8, 8, language, group)
        for group, language in enumerate(["de"] * 1600 + ["it"] * 100)
    ]
    several = Data(train={"de": ("a",), "it": ("a",)}, dev={"de": "b", "it": "b"}, temperature=2.0)
    drawn = draw(examples, several, random.Random(1))
    counts = Counter(examples[index].language for index in drawn)
    assert counts["de"] / counts["it"] == pytest.approx(4, rel=0.1)
    assert len(drawn) == pytest.approx(1700, rel=0.03)
    assert (
        draw(examples, several, random.Random(1))
        == drawn
        != draw(examples, several, random.Random(2))
    )
