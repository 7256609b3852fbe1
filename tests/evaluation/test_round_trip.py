"""Translations rated by what another model gives back of their sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from sacrebleu.metrics import CHRF

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.evaluation.round_trip import check_back_model, round_trip, source_probabilities
from tests.scripted import ScriptedTranslator
from tests.tiny import PAIRS

FEW = PAIRS[:6]
THERE = [pair.target for pair in FEW]
HERE = [pair.source for pair in FEW]


@pytest.fixture(scope="module")
def back(tiny_model_folder: Path) -> Translator:
    """Translates English to German: back, if the sources are German."""
    return Translator.load(tiny_model_folder)


def test_it_is_what_one_finds_by_hand(back: Translator) -> None:
    """Translate back, then score each line with sacreBLEU; force the source, then add up."""
    made = round_trip(back, THERE, HERE)
    given_back = [nbest[0].text for nbest in back.translate([Request(text) for text in HERE])]
    scores = [
        CHRF().sentence_score(text, [source]).score
        for text, source in zip(given_back, THERE, strict=True)
    ]
    assert [line.text for line in made.lines] == given_back
    assert [line.chrf for line in made.lines] == scores
    assert made.chrf == pytest.approx(sum(scores) / len(scores))
    hypotheses = [[Hypothesis(source, float(len(source)), 0.0, 0.0)] for source in THERE]
    rated = [one.log_probability for (one,) in back.rate(HERE, hypotheses)]
    assert [line.log_probability for line in made.lines] == pytest.approx(rated)
    tokens = sum(line.pieces or 0 for line in made.lines)
    assert tokens == sum(len(back.rating.pieces_of(source)) + 1 for source in THERE)
    assert made.log_probability == pytest.approx(sum(rated) / tokens)
    assert (made.model, made.unread) == ("tiny", 0)
    assert "nc:6" in made.signature


def test_the_translation_of_another_source_is_rated_lower(back: Translator) -> None:
    own, other = round_trip(back, THERE, HERE), round_trip(back, THERE, [*HERE[1:], HERE[0]])
    assert own.chrf is not None and other.chrf is not None and own.chrf > other.chrf + 20
    assert own.log_probability is not None and other.log_probability is not None
    assert own.log_probability > other.log_probability + 1


def test_lines_that_cannot_be_read_and_empty_ones_are_told_apart(back: Translator) -> None:
    made = round_trip(back, ["Wer ist da?"] * 3, ["Who is there?", "", "word " * 4000])
    first, empty, endless = made.lines
    assert first.text and first.chrf and first.log_probability is not None
    assert (empty.text, empty.chrf, empty.log_probability) == ("", 0.0, None)
    assert (endless.text, endless.chrf, endless.log_probability) == (None, None, None)
    assert made.unread == 1 and made.chrf == pytest.approx(first.chrf / 2)
    none = round_trip(back, ["Wer?"], ["word " * 4000])
    assert (none.chrf, none.log_probability, none.unread) == (None, None, 1)


def test_a_model_that_is_only_asked_tells_no_probability() -> None:
    script = cast(Any, ScriptedTranslator({"Who is there?": "Wer ist denn da?"}))
    made = round_trip(script, ["Wer ist da?"], ["Who is there?"])
    assert made.lines[0].text == "Wer ist denn da?" and made.log_probability is None
    assert source_probabilities(script, ["Wer?"], ["Who?"]) == [(None, None)]


def test_progress_is_of_all_lines(back: Translator) -> None:
    seen: list[tuple[int, int]] = []
    round_trip(back, THERE, HERE, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(FEW), len(FEW))


@pytest.mark.parametrize(
    ("languages", "right"),
    [
        (("de", "en"), True),
        (("de-AT", "en-GB"), True),
        (("und", "und"), True),
        (("und", "en"), True),
        (("en", "de"), False),
        (("fr", "en"), False),
        (("de", "it"), False),
    ],
)
def test_a_model_of_another_direction_is_refused(
    back: Translator, languages: tuple[str, str], right: bool
) -> None:
    """The tiny model reads English and writes German."""
    if right:
        check_back_model(back, languages)
        return
    with pytest.raises(UsageError, match=r"tiny translates en to de, not back from"):
        check_back_model(back, languages)
