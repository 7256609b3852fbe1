"""Lexical tables of a model, from the pairs of its recipe."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.errors import InputFileError
from subfit.training.data.alignment import AlignmentSettings
from subfit.training.data.lexicon import LexiconSource, learn_lexicon
from tests.tiny import PAIRS, write_pairs

ONE = "source_language: en\ntarget_language: de\ndata: {train: [toy.tsv], dev: toy.tsv}\n"
TWO = (
    "source_language: en\ntarget_language: [de, it]\n"
    "data: {train: {de: [toy.tsv], it: [few.tsv]}, dev: {de: toy.tsv, it: few.tsv}}\n"
)


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    write_pairs(tmp_path / "toy.tsv")
    write_pairs(tmp_path / "few.tsv", PAIRS[:5])
    return tmp_path


def read(corpora: Path, recipe: str, most: int = 1000, seed: int = 1) -> LexiconSource:
    path = corpora / "recipe.yaml"
    path.write_text(f"name: toy\n{recipe}", encoding="utf-8")
    return LexiconSource.read(path, corpora, most, seed)


def test_no_more_pairs_than_wanted_are_drawn_each_once_and_always_the_same(corpora):
    drawn = read(corpora, ONE, most=12).pairs
    assert list(drawn) == ["de"] and len(drawn["de"]) == 12
    sides = {(pair.source, pair.target) for pair in drawn["de"]}
    assert len(sides) == 12 and sides < {(pair.source, pair.target) for pair in PAIRS}
    assert read(corpora, ONE, most=12).pairs == drawn
    assert read(corpora, ONE, most=12, seed=2).pairs != drawn
    assert len(read(corpora, ONE).pairs["de"]) == len(PAIRS)


def test_every_language_has_its_own_pairs(corpora):
    found = read(corpora, TWO, most=8)
    assert {language: len(pairs) for language, pairs in found.pairs.items()} == {"de": 8, "it": 5}


def test_a_table_is_learned_for_each_language_and_progress_ends_at_its_total(corpora, tokenizer):
    told: list[tuple[int, int]] = []
    source = read(corpora, TWO)
    settings = AlignmentSettings(iterations=3)
    tables = learn_lexicon(source, tokenizer, settings, lambda *done: told.append(done))
    assert list(tables) == ["de", "it"]
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert told[-1] == (6, 6)
    (ship,) = tokenizer.encode("ship")[:1]
    spelt = {tokenizer.piece_texts[piece] for piece, _ in tables["de"].translations(ship)}
    assert any(text.strip() and text.strip().lower() in "schiff" for text in spelt)


def test_a_corpus_that_is_missing_is_named(corpora):
    (corpora / "toy.tsv").unlink()
    with pytest.raises(InputFileError, match=r"toy\.tsv") as caught:
        read(corpora, ONE)
    assert "\n" not in str(caught.value)
