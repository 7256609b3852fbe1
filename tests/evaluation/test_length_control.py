"""What lengths are asked for, and of which models they can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import FREE, Request
from subfit.decoding.translator import Translator
from subfit.errors import InputFileError, UsageError
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.length_control import (
    desired_lengths,
    make_length_control,
    parse_desired_length,
)
from subfit.limits.budget import LengthRatio
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


def test_lengths_of_a_file(translator, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lengths.txt").write_bytes(b"\xef\xbb\xbf7\r\n12 \r\n")
    ask = parse_desired_length("lengths.txt")
    assert desired_lengths(ask, translator, PAIRS[:2]) == [7, 12]
    assert ask.at([1]).lengths == (12,)


def test_predicted_lengths_are_those_of_the_model(translator, monkeypatch):
    monkeypatch.setattr("subfit.decoding.translator.has_predictor", lambda checkpoint: True)
    monkeypatch.setattr(
        Translator, "predict_units", lambda self, texts: [len(t) + 1 for t in texts], raising=False
    )
    assert desired_lengths(parse_desired_length("predicted*2"), translator, PAIRS[:2]) == [26, 44]
    assert evaluate(translator, PAIRS[:2], make_length_control("predicted")).asked_lines == 2


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


def test_a_class_besides_a_length(translator):
    """Lakew 2019, table 6: token and encoding, the length scaled independently of the token."""
    control = make_length_control("source*1.1", "short")
    found = evaluate(translator, PAIRS[:6], control)
    assert found.asked_lines == 6
    requests = [
        Request(pair.source, asked=round(1.1 * len(pair.source)), length_class="short")
        for pair in PAIRS[:6]
    ]
    assert found.hypotheses == tuple(each[0].text for each in translator.translate(requests))


@pytest.mark.parametrize(
    ("signals", "control", "problem"),
    [
        ({"classes": CLASSES}, (None, "tiny"), "no length class 'tiny'; it has: short, normal"),
        ({}, (None, "short"), "no length class 'short'; it has none"),
        ({"classes": CLASSES, "encodings": ("abs",)}, (None, "short"), "add --ask"),
        ({"classes": CLASSES}, ("source", "short"), "leave out --ask source"),
        ({"classes": CLASSES}, ("free",), "must be asked for some length"),
        ({"encodings": ("abs",)}, ("free",), "must be asked for some length"),
        ({}, ("30",), "has no length control"),
        ({"encodings": ("abs",)}, ("predicted",), "does not predict lengths"),
    ],
)
def test_what_a_model_cannot_be_asked_for(with_signals, signals, control, problem):
    with pytest.raises(UsageError, match=problem):
        evaluate(with_signals(**signals), PAIRS[:2], make_length_control(*control))


@pytest.mark.parametrize(
    "control",
    [
        ("natural", "short", None),
        ("source", None, LengthRatio(0, 1)),
        (None, "short", LengthRatio(0, 1)),
    ],
)
def test_wishes_that_do_not_go_together(control):
    with pytest.raises(UsageError, match="leave out"):
        make_length_control(*control)


def test_whole_sentences_go_over_a_ceiling_so_there_must_be_one():
    with pytest.raises(UsageError, match="--no-strict-budget goes over a ceiling: give --length"):
        make_length_control(None, strict_budget=False)
    assert not make_length_control(None, natural_ratio=0.7, strict_budget=False).strict_budget
