"""What the encoder reads of a request."""

from __future__ import annotations

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.source_tokens import SourceFilter, SourceTokens
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint
from tests.tiny import PAIRS, tiny_model

TEXT = "Where is the old lighthouse?"


@pytest.fixture(scope="module")
def tokens(checkpoint: Checkpoint) -> SourceTokens:
    return SourceTokens(checkpoint, "de")


def test_what_is_too_long_for_the_model_is_told(tokens: SourceTokens) -> None:
    assert tokens.accepts(TEXT, 128)
    assert not tokens.accepts(TEXT * 20, 128)
    pieces = len(tokens.of(Request(TEXT))) - 1
    assert [tokens.accepts(TEXT, limit) for limit in (pieces + 2, pieces + 3)] == [False, True]


def test_what_is_accepted_has_positions_for_all_its_tokens(tokens: SourceTokens) -> None:
    for positions in range(3, 40):
        for pair in PAIRS:
            if tokens.accepts(pair.source, positions):
                assert len(tokens.of(Request(pair.source, asked=30))) <= positions


def test_the_form_of_address_is_told_behind_the_length_to_models_that_know_it(checkpoint, tokens):
    forms, tokenizer = {"formal": 17, "informal": 18}, checkpoint.tokenizer
    taught = Checkpoint("x", tiny_model(tokenizer, formality_tokens=forms), tokenizer)
    knowing = SourceTokens(taught, "de")
    assert (tokens.formalities, set(knowing.formalities)) == ((), set(forms))
    for form, token in forms.items():
        request = Request(TEXT, asked=60, formality=form)
        length, *text = tokens.of(request)
        assert knowing.of(request) == (length, token, *text)


def test_what_a_model_cannot_read_is_left_out_and_never_made_up(checkpoint) -> None:
    translator = Translator(checkpoint)
    plain, strange, nothing = translator.translate(
        [Request("It is cold."), Request("It is \U0001f3b5 cold.\u202c"), Request("你好 →")]
    )
    assert [each.text for each in strange] == [each.text for each in plain] != []
    assert nothing == []
    done: list[int] = []
    translator.translate([Request("你好"), Request("It is cold.")], done.append)
    assert sum(done) == 2


def test_letters_currencies_and_marks_are_read_however_they_are_spelt(checkpoint) -> None:
    source_filter = SourceFilter(checkpoint.tokenizer)
    assert source_filter.text("Erdoğan’s £5 & 3 °C – 50%") == "Erdoğan’s £5 & 3 °C – 50%"
    assert source_filter.text("cafe\u0301 Z\u0323\u0353a \u202bhere\u202c") == "café Ẓa here"
    assert source_filter.text("I <3 ♪ 你好 this") == "I  3      this".replace("♪", " ")


def test_what_a_model_was_trained_on_is_read_as_it_stands(checkpoint) -> None:
    source_filter = SourceFilter(checkpoint.tokenizer)
    for pair in PAIRS:
        assert source_filter.text(pair.source) == pair.source
        assert source_filter.text(pair.target) == pair.target
