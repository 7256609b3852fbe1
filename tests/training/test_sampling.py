"""What an epoch shows: few targets per source, languages by temperature."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from subfit.evaluation.corpus import Pair
from subfit.training.dataset import Dataset, Example, Shown, draw, epoch
from subfit.training.pairs import are_short, formality_labels, script_share, scripts_of
from subfit.training.sections import Data

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


def test_targets_of_different_lengths_go_first():
    for seed in range(50):
        drawn = draw(EXAMPLES, data(targets_per_source=3), random.Random(seed))
        assert {EXAMPLES[index].target_characters for index in drawn[:3]} == {10, 14, 20}


def test_shares_of_languages_are_of_target_tokens():
    """Many entries of a dictionary do not count as so many sentences."""
    entries = [Example("ding", [5], [6], 8, 8, "de", group) for group in range(4000)]
    sentences = [
        Example("talks", [5] * 9, [6] * 9, 40, 40, language, 4000 + group)
        for group, language in enumerate(["de"] * 300 + ["it"] * 900)
    ]
    examples = [*entries, *sentences]
    languages = {"de": ("a",), "it": ("a",)}
    several = Data(
        train=languages,
        dev={"de": "b", "it": "b"},
        weights={"ding": 0.1},
        language_shares={"de": 3, "it": 1},
    )
    drawn = draw(examples, several, random.Random(1))
    tokens = Counter[str]()
    for index in drawn:
        tokens[examples[index].language] += len(examples[index].target) + 1
    assert tokens["de"] / tokens["it"] == pytest.approx(3, rel=0.05)
    assert tokens.total() == pytest.approx(400 * 2 + 1200 * 10, rel=0.02)
    corpora = Counter(examples[index].corpus for index in drawn if examples[index].language == "de")
    assert corpora["ding"] / corpora["talks"] == pytest.approx(400 / 300, rel=0.1)


SOURCE = "Nobody told me about the party."


def pair(target_characters: int, language: str = "de", source: str = SOURCE) -> Pair:
    return Pair("c", source, "x" * target_characters, language)


def test_short_is_measured_by_the_usual_length_of_the_language():
    long_language = [pair(40), pair(40), pair(40), pair(30)]
    short_language = [pair(20, "it"), pair(20, "it"), pair(20, "it"), pair(30, "it")]
    assert are_short([*long_language, *short_language], 0.85) == [False] * 3 + [True] + [False] * 4


def test_the_additional_times_have_a_length_signal(tokenizer, config):
    """Over an epoch a short pair goes without a signal as often as any other."""
    pairs = [Pair("c", f"{SOURCE} {number}", f"Kein Wort. {number}") for number in range(2000)]
    weighted = Dataset(pairs, tokenizer, config, 128, Shown(weights=[4.0] * len(pairs)))
    shown = [unit for batch in epoch(weighted, 1, data(), 4000) for unit in batch]
    assert len(shown) == 4 * len(pairs)
    free = (weighted.batch(shown, seed=1, free=0.4).asked == 0).sum()
    assert free == pytest.approx(0.4 * len(pairs), rel=0.1)


@pytest.mark.parametrize(
    ("text", "language", "foreign"),
    [
        ("Привет, Tom", "de", True),
        ("Größe XL", "de-AT", False),
        ("東京タワーへ", "ja", False),
        ("Seoul is big", "ko", True),
        ("서울", "ko", False),
        ("Здраво", "sr", False),
        ("Zdravo", "sr", False),
        ("whatever", "xx", False),  # its scripts are not known
    ],
)
def test_texts_in_another_script_are_told(text, language, foreign):
    scripts = scripts_of(language)
    assert (bool(scripts) and script_share(text, scripts) <= 0.5) == foreign


def test_labels_of_several_processes_are_those_of_one(monkeypatch):
    pairs = [Pair("", "Can you?", text, "de") for text in ("Können Sie?", "Kannst du?", "Ja.")]
    alone = formality_labels(pairs)
    assert alone == ["formal", "informal", None]
    monkeypatch.setattr("subfit.training.pairs.CHUNK", 1)
    assert formality_labels(pairs, "", 2) == alone
