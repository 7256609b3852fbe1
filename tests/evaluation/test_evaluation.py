"""Evaluation: the figures of a test set, by the way that users' texts go."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import FREE
from subfit.decoding.translator import Translator
from subfit.errors import InputFileError, RecipeError, UsageError
from subfit.evaluation.corpus import Pair
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.length_control import desired_lengths, parse_desired_length
from subfit.evaluation.rows import Row
from subfit.limits.budget import LengthRatio
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.tokenizer import Tokenizer
from subfit.subtitles.cues import Cue, Track
from subfit.training.sections import Length
from tests.tiny import PAIRS, tiny_model

FEW = PAIRS[:12]


@pytest.fixture(scope="module")
def translator(tiny_model_folder: Path) -> Translator:
    return Translator(load_checkpoint(str(tiny_model_folder)))


def test_figures_are_those_of_the_translations(translator):
    found = evaluate(translator, PAIRS)
    assert found.lines == len(found.hypotheses) == 30
    assert found.value("BLEU") > 90
    ratios = [
        len(text) / len(pair.source) for text, pair in zip(found.hypotheses, PAIRS, strict=True)
    ]
    assert found.value("LR source") == pytest.approx(sum(ratios) / 30)
    assert found.value("LR reference") == pytest.approx(1.0, abs=0.02)
    assert found.value("LC strict") == pytest.approx(
        100 * sum(0.9 - 1e-9 <= ratio <= 1.1 + 1e-9 for ratio in ratios) / 30
    )
    assert found.asked_lines == 0
    assert not {"VAR asked", "over budget"} & found.figures.keys()
    assert found.untranslated == 0
    assert found.sentences_per_second == pytest.approx(30 / found.seconds)


def test_a_length_ratio_holds_and_the_texts_are_those_of_localize(translator):
    found = evaluate(translator, FEW, Row("tiny", length_ratio="0.9:1.1"))
    assert found.value("over budget") == 0
    assert found.value("LR source") < evaluate(translator, FEW).value("LR source")
    assert found.asked_lines > 0
    cues = tuple(Cue(0, 0, pair.source) for pair in FEW)
    options = Options(length_ratio=LengthRatio(0.9, 1.1), strict_budget=True)
    guideline = Guideline(language=translator.language)
    used = localize(Track(cues, "txt"), translator, guideline, options)
    assert list(found.hypotheses) == [cue.text for cue in used.track.cues]


def test_isometric_translations_keep_the_rule_of_the_field(translator):
    found = evaluate(translator, FEW, Row("tiny", length_ratio="isometric"))
    dense = [
        (len(pair.source.replace(" ", "")), len(text.replace(" ", "")))
        for pair, text in zip(FEW, found.hypotheses, strict=True)
    ]
    assert any(source > 10 for source, _ in dense)
    assert all(source <= 10 or target <= 1.1 * source for source, target in dense)
    natural = evaluate(translator, FEW)
    assert found.value("LC IWSLT") > natural.value("LC IWSLT")


@pytest.mark.parametrize(
    ("ask", "wish"),
    [
        ("source", lambda pair: len(pair.source)),
        ("source*1.1", lambda pair: round(1.1 * len(pair.source))),
        ("reference", lambda pair: len(pair.target)),
    ],
)
def test_variance_is_that_of_the_length_asked_for(translator, ask, wish):
    found = evaluate(translator, FEW, Row("tiny", ask=ask))
    squares = [
        (len(text) - wish(pair)) ** 2 for text, pair in zip(found.hypotheses, FEW, strict=True)
    ]
    assert found.asked_lines == len(FEW)
    assert found.value("VAR asked") == pytest.approx(sum(squares) / len(FEW))


@pytest.mark.parametrize("ask", ["natural", "source", "free"])
def test_lines_the_model_cannot_take_are_kept_and_counted(translator, ask):
    long = Pair("", "how are you " * 60, "Wie geht es dir?")
    found = evaluate(translator, [PAIRS[0], long, PAIRS[1]], Row("tiny", ask=ask))
    assert found.untranslated == 1
    assert found.hypotheses[1].split() == long.source.split()
    assert [found.hypotheses[0], found.hypotheses[2]] == [PAIRS[0].target, PAIRS[1].target]


def test_wishes_a_model_cannot_be_given_are_refused(translator, tiny_marian_folder):
    marian = Translator(load_checkpoint(str(tiny_marian_folder)))
    tokenizer = translator.checkpoint.tokenizer
    assert isinstance(tokenizer, Tokenizer)
    unfree = tiny_model(tokenizer, length=Length(encodings=("abs",)))
    bound = Translator(Checkpoint("bound", unfree, tokenizer))
    for who, ask in ((marian, "source"), (bound, "free")):
        with pytest.raises(UsageError):
            evaluate(who, PAIRS[:2], Row("tiny", ask=ask))


CLASSES = {"short": 0.95, "normal": 1.15, "long": None}


@pytest.fixture(scope="module")
def with_signals(translator):
    """Make a random model with other length signals."""

    def make(**length) -> Translator:
        tokenizer = translator.checkpoint.tokenizer
        model = tiny_model(tokenizer, length=Length(**length))
        return Translator(Checkpoint("random", model, tokenizer))

    return make


@pytest.mark.parametrize(
    ("ask", "lengths"),
    [
        ("free", [FREE, FREE]),
        ("source", [12, 21]),
        ("source*1.1", [13, 23]),
        ("source*0.9", [11, 19]),
        ("source*.01", [1, 1]),
        ("reference", [16, 23]),
        ("reference*2", [32, 46]),
        ("30", [30, 30]),
    ],
)
def test_lengths(translator, ask, lengths):
    assert desired_lengths(parse_desired_length(ask), translator, PAIRS[:2]) == lengths


def test_predicted_lengths_are_those_of_the_model(translator, monkeypatch):
    translator = Translator(translator.checkpoint)  # what one can do is found out once
    monkeypatch.setattr("subfit.decoding.translator.has_predictor", lambda checkpoint: True)
    monkeypatch.setattr(
        Translator, "predict_units", lambda self, texts: [len(t) + 1 for t in texts], raising=False
    )
    assert desired_lengths(parse_desired_length("predicted*2"), translator, PAIRS[:2]) == [26, 44]
    assert evaluate(translator, PAIRS[:2], Row("tiny", ask="predicted")).asked_lines == 2


@pytest.mark.parametrize("text", ["", "0", "-3", "3.5", "much", "source*", "source*0", "source*x"])
def test_what_is_no_length_is_refused(text):
    with pytest.raises(UsageError, match="--ask"):
        parse_desired_length(text)


@pytest.mark.parametrize("line", ["", "0", "-1", "1.5", "ten", "1234567"])
def test_a_bad_line_of_a_file_is_named(tmp_path, line):
    path = tmp_path / "lengths.txt"
    path.write_text(f"5\n{line}\n7\n", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"lengths.txt:2: .* is no length"):
        parse_desired_length(str(path))


@pytest.mark.parametrize(
    ("signals", "wish", "problem"),
    [
        (
            {"classes": CLASSES},
            {"length_class": "tiny"},
            "no length class 'tiny'; it has: short, normal",
        ),
        ({}, {"length_class": "short"}, "no length class 'short'; it has none"),
        ({"classes": CLASSES, "encodings": ("abs",)}, {"length_class": "short"}, "add --ask"),
        (
            {"classes": CLASSES},
            {"ask": "source", "length_class": "short"},
            "leave out --ask source",
        ),
        ({"classes": CLASSES}, {"ask": "free"}, "must be asked for some length"),
        ({"encodings": ("abs",)}, {"ask": "free"}, "must be asked for some length"),
        ({}, {"ask": 30}, "has no length control"),
        ({"encodings": ("abs",)}, {"ask": "predicted"}, "does not predict lengths"),
    ],
)
def test_what_a_model_cannot_be_asked_for(with_signals, signals, wish, problem):
    with pytest.raises(UsageError, match=problem):
        evaluate(with_signals(**signals), PAIRS[:2], Row("tiny", **wish))


@pytest.mark.parametrize(
    "wish",
    [
        {"ask": "natural", "length_class": "short"},
        {"ask": "source", "length_ratio": ":1"},
        {"length_class": "short", "length_ratio": ":1"},
    ],
)
def test_wishes_that_do_not_go_together(wish):
    with pytest.raises(RecipeError, match="leave out"):
        Row("tiny", **wish)
