"""BERTScore by its formula, and COMET by a program that stands in for its authors'."""

from __future__ import annotations

import os

import pytest
import torch
from torch.nn.functional import normalize

from subfit.errors import ModelError, UsageError
from subfit.evaluation.learned import bert_score
from subfit.evaluation.metrics import Lines, metrics_of
from subfit.model.length_predictor import load_encoder
from tests.tiny import save_tiny_bert

TEXTS = Lines(["Who is there?", "Yes."], [["Wer ist da?"], ["Ja."]], ["Wer da?", "Ja."])
COMET = """\
#!/bin/sh
while [ "$1" ]; do
  case $1 in
    -t) texts=$2;;
    --to_json) out=$2;;
    --model) grep -q . "$2" || { echo "no" >&2; exit 3; };;
  esac
  shift
done
echo "{\\"$texts\\": [{\\"COMET\\": 0.25}, {\\"COMET\\": 0.75}]}" > "$out"
"""


def test_bert_score_is_its_formula(tmp_path):
    folder = str(save_tiny_bert(tmp_path / "bert"))
    found = bert_score(folder, TEXTS, ["Wer ist da?", "Ja."])
    encoder, tokenizer = load_encoder(folder)
    with torch.inference_mode():
        one, other = (
            normalize(
                encoder(**tokenizer(text, return_tensors="pt")).last_hidden_state[0, 1:-1], dim=-1
            )
            for text in ("Wer da?", "Wer ist da?")
        )
    alike = one @ other.T
    precision, recall = float(alike.max(1).values.mean()), float(alike.max(0).values.mean())
    expected = 2 * precision * recall / (precision + recall)
    assert found.tolist() == pytest.approx([expected, 1.0], abs=1e-5)
    assert bert_score(f"{folder}@1", TEXTS, ["Wer ist da?", "Ja."])[0] != pytest.approx(expected)
    metric = metrics_of([f"BERTScore:{folder}"])[-1]
    assert metric.value(metric.of(TEXTS)) == pytest.approx(50 * (expected + 1), abs=1e-3)


def test_comet_is_asked_of_its_program(tmp_path, monkeypatch):
    program, model = tmp_path / "comet-score", tmp_path / "model.ckpt"
    program.write_text(COMET)
    program.chmod(0o755)
    model.write_text("weights")
    metric = metrics_of([f"COMET:{model}"])[-1]
    with pytest.raises(UsageError, match="there is no comet-score"):
        metric.of(TEXTS)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert metric.value(metric.of(TEXTS)) == 50
    model.write_text("")
    with pytest.raises(ModelError, match="no"):
        metric.of(TEXTS)
