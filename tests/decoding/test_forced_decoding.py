"""Translations that are given, scored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from tests.tiny import PAIRS

TEXTS = [pair.source for pair in PAIRS[:8]]


@pytest.fixture(scope="module")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_neither_company_nor_what_is_remembered_changes_a_bit(checkpoint, precision):
    computed = replace(checkpoint, precision=precision)
    translator = Translator(computed)
    nbest = translator.translate([Request(text) for text in TEXTS])
    alone = [
        Translator(computed).rate([text], [[hypothesis]])[0][0]
        for text, hypotheses in zip(TEXTS, nbest, strict=True)
        for hypothesis in hypotheses
    ]
    for _ in range(2):
        rated = translator.rate(TEXTS, nbest)
        assert [each for hypotheses in rated for each in hypotheses] == alone
    again = translator.translate([Request(text) for text in TEXTS])
    assert again == nbest
