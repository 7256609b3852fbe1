"""Scores of lines by their length, and variances at lengths that are asked for."""

from __future__ import annotations

import pytest
from sacrebleu.metrics import BLEU

from subfit.decoding.translator import Translator
from subfit.evaluation.comparison import bucket_scores, variances_at
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.length_control import make_length_control
from subfit.evaluation.outputs import OutputStore
from subfit.evaluation.systems import Comparison, Row
from subfit.model.checkpoint import load_checkpoint
from tests.evaluation.conftest import FEW


def test_buckets_are_those_of_sacrebleu_on_their_lines(lines):
    texts = [pair.target.replace("e", "a", 1) for pair in FEW]
    lengths = [len(pair.target) for pair in FEW]
    first, second = sorted(lengths)[2], sorted(lengths)[5]
    found = bucket_scores(texts, lines, [3, first, second])
    for (low, high), (count, score) in zip(
        [(0, 3), (4, first), (first + 1, second), (second + 1, 999)], found, strict=True
    ):
        inside = [number for number, each in enumerate(lengths) if low <= each <= high]
        assert count == len(inside)
        if not inside:
            assert score is None
            continue
        references = [[FEW[number].target for number in inside]]
        expected = BLEU().corpus_score([texts[number] for number in inside], references).score
        assert score == pytest.approx(expected)
    assert sum(count for count, _ in found) == len(FEW)


def test_variance_at_fixed_lengths(lines, tiny_model_folder, tiny_marian_folder, translations):
    rows = {"aware": Row(str(tiny_model_folder)), "plain": Row(str(tiny_marian_folder))}
    found = variances_at(Comparison(rows), [10, 20], lines, OutputStore(None))
    translator = Translator(load_checkpoint(str(tiny_model_folder)))
    for length in (10, 20):
        alone = evaluate(translator, FEW, make_length_control(str(length)))
        assert found["aware"][length] == pytest.approx(alone.value("VAR asked"))
    texts = evaluate(Translator(load_checkpoint(str(tiny_marian_folder))), FEW).hypotheses
    assert found["plain"][10] == pytest.approx(sum((len(t) - 10) ** 2 for t in texts) / len(FEW))
    assert translations.count("natural") == 1
