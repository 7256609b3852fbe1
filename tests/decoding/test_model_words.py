"""What a model knows of words, for the language that it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.model_words import ModelWords
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from tests.places import EN_MULTI


@pytest.fixture(scope="module")
def bundled() -> Checkpoint:
    return load_checkpoint(str(EN_MULTI))


def said(checkpoint: Checkpoint, text: str) -> Hypothesis:
    return Hypothesis(text, len(text), -0.1, -0.1, tuple(checkpoint.tokenizer.encode(text)))


def test_a_translation_that_leaves_something_out_covers_less(bundled):
    words = ModelWords(bundled, "de", "de")
    texts = "Der Hund schläft unter dem Tisch.", "Der Hund schläft.", "Der."
    shares = words.coverage_of("The dog sleeps under the table.", [said(bundled, t) for t in texts])
    assert shares is not None
    whole, half, none = shares
    assert 1.0 >= whole > half > none >= 0.0


def test_words_and_pieces_are_those_of_the_language(bundled):
    german, italian = (ModelWords(bundled, tag, tag) for tag in ("de", "it"))
    assert german.known is not None and italian.known is not None
    assert german.known.out_of_vocabulary("Der Hund schlorft.", "", []) == ("schlorft",)
    assert "schläft" in italian.known.out_of_vocabulary("Il cane schläft.", "", [])
    ours, theirs = (set(each.pieces.tolist()) for each in (german, italian))
    assert set(bundled.tokenizer.encode("Der Hund schläft.")) <= ours
    assert ours - theirs and theirs - ours


def test_a_model_without_tables_knows_nothing(tiny_model_folder: Path):
    words = ModelWords(load_checkpoint(str(tiny_model_folder)), None, "de")
    assert (words.table, words.scores, words.known, words.pieces) == (None,) * 4
    assert words.coverage_of("The dog sleeps.", []) is None
