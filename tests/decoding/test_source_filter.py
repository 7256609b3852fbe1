"""What a model can read of a text: the rest is left out, and never made up."""

from __future__ import annotations

from pathlib import Path

from subfit.decoding.hypotheses import Request
from subfit.decoding.source_tokens import SourceFilter
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import load_checkpoint
from tests.tiny import PAIRS


def test_what_a_model_cannot_read_is_left_out_and_never_made_up(tiny_model_folder) -> None:
    checkpoint = load_checkpoint(str(tiny_model_folder))
    translator = Translator(checkpoint)
    plain, strange, nothing = translator.translate(
        [Request("It is cold."), Request("It is \U0001f3b5 cold.\u202c"), Request("你好 →")]
    )
    assert [each.text for each in strange] == [each.text for each in plain] != []
    assert nothing == []
    done: list[int] = []
    translator.translate([Request("你好"), Request("It is cold.")], done.append)
    assert sum(done) == 2


def test_letters_currencies_and_marks_are_read_however_they_are_spelt(tiny_model_folder) -> None:
    source_filter = SourceFilter(load_checkpoint(str(tiny_model_folder)).tokenizer)
    assert source_filter.text("Erdoğan’s £5 & 3 °C – 50%") == "Erdoğan’s £5 & 3 °C – 50%"
    assert source_filter.text("cafe\u0301 Z\u0323\u0353a \u202bhere\u202c") == "café Ẓa here"
    assert source_filter.text("I <3 ♪ 你好 this") == "I  3      this".replace("♪", " ")


def test_what_a_model_was_trained_on_is_read_as_it_stands(tiny_model_folder: Path) -> None:
    source_filter = SourceFilter(load_checkpoint(str(tiny_model_folder)).tokenizer)
    for pair in PAIRS:
        assert source_filter.text(pair.source) == pair.source
        assert source_filter.text(pair.target) == pair.target
