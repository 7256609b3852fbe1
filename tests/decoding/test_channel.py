"""Translations ranked by how well a second model gives their sources back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.rating import UNREAD, Channel
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from tests.tiny import PAIRS

FEW = PAIRS[:4]
GERMAN, ENGLISH = [pair.target for pair in FEW], [pair.source for pair in FEW]


@pytest.fixture(scope="module")
def back(tiny_model_folder: Path) -> Translator:
    """Translates English to German: it gives German sources back."""
    return Translator.load(tiny_model_folder)


@pytest.fixture(scope="module")
def channel(back: Translator) -> Channel:
    return back.as_channel()


def said(*texts: str) -> list[Hypothesis]:
    return [Hypothesis(text, float(len(text)), -1.0, -1.0) for text in texts]


def test_it_is_the_forced_decoding_of_the_source(back: Translator, channel: Channel) -> None:
    nbest = [said(text, text.lower()) for text in ENGLISH]
    made = channel.of(GERMAN, nbest)
    for source, own, means in zip(GERMAN, nbest, made, strict=True):
        forced = back.rate([one.text for one in own], [said(source)] * len(own))
        assert means == pytest.approx(
            [one.score for (one,) in forced]
        )  # per token, length penalty 1


def test_the_translation_of_the_source_gives_it_back_best(channel: Channel) -> None:
    made = channel.of(GERMAN, [said(*ENGLISH)] * len(GERMAN))
    for number, means in enumerate(made):
        assert max(range(len(means)), key=means.__getitem__) == number


def test_what_cannot_be_read_is_worth_least_and_what_cannot_be_written_tells_nothing(channel):
    nbest = said(ENGLISH[0], "", "word " * 4000)
    ((own, *unread),) = channel.of(GERMAN[:1], [nbest])
    assert own > UNREAD and unread == [UNREAD, UNREAD]
    unwritable = "wort " * 4000
    assert channel.of([unwritable, GERMAN[0]], [nbest, nbest[:1]]) == [
        [0.0, 0.0, 0.0],
        pytest.approx([own]),
    ]
    assert channel.of([], []) == [] and channel.of(GERMAN[:1], [[]]) == [[]]


def test_a_model_that_must_be_told_a_length_is_none(back: Translator) -> None:
    turned = Translator(back.checkpoint)
    turned.__dict__["capabilities"] = replace(turned.capabilities, freely=False)
    with pytest.raises(UsageError, match="must be asked for a length"):
        turned.as_channel()


def test_the_model_into_english_comes_with_its_channel_model(loaded_once) -> None:
    translator = Translator.load("multi-en", source_language="de", channel_model="auto")
    assert translator.channel_model == "en-multi"
    sources = ["Wo ist der Hund?"]
    ((right, wrong),) = translator.channel_of(sources, [said("Where is the dog?", "I am here.")])
    assert right > wrong
