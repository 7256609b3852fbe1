"""How much of a source its translations say."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.coverage import Coverage
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.lexicon import LexicalTable

WORDS = ["", " the", " letter", " burned", " 7", " Brief", " verbrannte", " der", " 8", " Nora"]


def table_of(translations: dict[int, dict[int, float]], counts: list[int]) -> LexicalTable:
    rows = [translations.get(piece, {}) for piece in range(len(counts))]
    offsets = torch.tensor([0, *map(len, rows)]).cumsum(0)
    targets = torch.tensor([target for row in rows for target in row])
    probabilities = torch.tensor([each for row in rows for each in row.values()])
    return LexicalTable(offsets, targets, probabilities, torch.tensor(counts))


@pytest.fixture
def coverage() -> Coverage:
    """ "the" may be any little word; "letter" and "burned" have one translation each."""
    translations = {1: {7: 0.3, 5: 0.001}, 2: {5: 0.9, 7: 0.05}, 3: {6: 0.8, 7: 0.1}}
    return Coverage(table_of(translations, [0, 0, 0, 0, 5, 5, 5, 900, 5, 0]), WORDS)


@pytest.mark.parametrize(
    ("source", "target", "share"),
    [
        ([1, 2, 3], [7, 5, 6], 1.0),
        ([1, 2, 3], [7, 5], 0.5),  # the verb is gone
        ([1, 2, 3], [7], 0.0),  # "der" stands beside everything
        ([1], [], 1.0),  # nothing to say
        ([2, 4], [5, 4], 1.0),  # numbers are copied
        ([2, 4], [5, 8], 0.5),  # and not changed
        ([2, 9], [5, 9], 1.0),  # names are copied
        ([2, 9], [5, 7], 0.5),  # and not left out
        ([9, 2], [5, 7], 1.0),  # the first word need be no name
        ([2, 0, 99], [5], 1.0),  # special tokens, also those beyond the vocabulary
    ],
)
def test_coverage_counts_what_has_fixed_translations(
    source: list[int], target: list[int], share: float, coverage: Coverage
) -> None:
    assert coverage.score(source, [target]) == [share]


PIECES = st.lists(st.integers(0, 9), max_size=6)


@given(PIECES, PIECES, PIECES)
def test_coverage_is_a_share_and_more_words_never_say_less(source, target, more):
    translations = {1: {7: 0.3}, 2: {5: 0.9, 7: 0.05}, 3: {6: 0.8, 7: 0.1}}
    coverage = Coverage(table_of(translations, [0, 0, 0, 0, 5, 5, 5, 900, 5, 0]), WORDS)
    less_said, said = coverage.score(source, [target, [*target, *more]])
    assert 0 <= less_said <= said <= 1


@pytest.fixture(scope="module")
def bundled(project_root: Path) -> Checkpoint:
    return load_checkpoint(str(project_root / "models" / "en-multi"))


@pytest.mark.parametrize(
    ("language", "source", "whole", "cut"),
    [
        ("de", "He opened the old window.", "Er öffnete das alte Fenster.", "Er öffnete das alte."),
        ("de", "I have lost my book.", "Ich habe mein Buch verloren.", "Ich habe mein Buch."),
        ("de", "Wait for 12 minutes.", "Warte 12 Minuten.", "Warte 15 Minuten."),
        ("es", "The ship comes tomorrow.", "El barco viene mañana.", "El barco viene."),
        (
            "fr",
            "My brother drinks cold water.",
            "Mon frère boit de l'eau froide.",
            "Mon frère boit.",
        ),
        ("it", "Nobody reads this letter.", "Nessuno legge questa lettera.", "Nessuno legge."),
    ],
)
def test_a_translation_that_drops_a_word_says_less(
    language: str, source: str, whole: str, cut: str, bundled: Checkpoint
) -> None:
    coverage = Translator(bundled, target_language=language)._words.coverage
    assert coverage is not None
    encode = bundled.tokenizer.encode
    said, said_less = coverage.score(encode(source), [encode(whole), encode(cut)])
    assert said > 0.75
    assert said_less < said


def test_a_model_without_tables_measures_no_coverage(tiny_model_folder: Path) -> None:
    assert Translator(load_checkpoint(str(tiny_model_folder)))._words.coverage is None
