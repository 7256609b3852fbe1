"""What a model knows of words, for the language that it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.word_table import ModelWords
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from tests.places import EN_MULTI


@pytest.fixture(scope="module")
def bundled() -> Checkpoint:
    return load_checkpoint(str(EN_MULTI))


def test_pieces_are_those_of_the_language(bundled):
    german, italian = (ModelWords(bundled, tag) for tag in ("de", "it"))
    ours, theirs = (set(each.pieces.tolist()) for each in (german, italian))
    assert set(bundled.tokenizer.encode("Der Hund schläft.")) <= ours
    assert ours - theirs and theirs - ours


def test_a_model_without_tables_knows_nothing(tiny_model_folder: Path):
    words = ModelWords(load_checkpoint(str(tiny_model_folder)), None)
    assert (words.table, words.scores, words.pieces) == (None,) * 3
