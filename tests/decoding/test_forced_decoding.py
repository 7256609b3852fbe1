"""Translations that are given, scored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.network import Network
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


def test_a_translation_that_was_scored_is_not_computed_again(checkpoint, monkeypatch):
    translator = Translator(checkpoint)
    nbest = translator.translate([Request(TEXTS[0])])
    first = translator.rate([TEXTS[0]] * 2, nbest * 2)
    assert first[0] == first[1]
    monkeypatch.setattr(Network, "rate", None)
    assert translator.rate([TEXTS[0]], nbest) == first[:1]


def test_what_is_remembered_is_bounded(checkpoint, monkeypatch):
    usual = Translator(checkpoint)
    requests = [Request(text) for text in TEXTS]
    nbest = usual.translate(requests)
    most = usual._network._encoded_bytes // 2
    monkeypatch.setattr("subfit.decoding.network.REMEMBERED_BYTES", most)
    monkeypatch.setattr("subfit.decoding.rating.REMEMBERED", 3)
    small = Translator(checkpoint)
    assert small.translate(requests) == nbest
    assert 0 < small._network._encoded_bytes <= most
    assert 0 < len(small._network._encoded) < len(TEXTS)
    assert small.rate(TEXTS, nbest) == usual.rate(TEXTS, nbest)
    assert len(small.rating._known) == 3
