"""What lengths are asked for, and of which models they can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import FREE
from subfit.decoding.translator import Translator
from subfit.errors import InputFileError, RecipeError, UsageError
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.length_control import desired_lengths, parse_desired_length
from subfit.evaluation.rows import Row
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.training.sections import Length
from tests.tiny import PAIRS, tiny_model

CLASSES = {"short": 0.95, "normal": 1.15, "long": None}


@pytest.fixture(scope="module")
def translator(tiny_model_folder: Path) -> Translator:
    return Translator(load_checkpoint(str(tiny_model_folder)))


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
