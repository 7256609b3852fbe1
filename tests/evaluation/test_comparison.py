"""Comparisons: rows translated once, measured alike, and told as tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.evaluation.comparison import compare
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.outputs import OutputStore
from subfit.evaluation.systems import Comparison, Row
from subfit.model.checkpoint import load_checkpoint
from tests.evaluation.conftest import FEW


def test_rows_have_the_figures_of_their_evaluations(rows, lines, tiny_model_folder):
    results = compare(Comparison(rows, "plain"), lines, OutputStore(None), trials=40)
    found = {each.label: each for each in results}
    assert list(found) == ["plain", "short", "ceiling", "human"]
    translator = Translator(load_checkpoint(str(tiny_model_folder)))
    alone = evaluate(translator, FEW)
    plain = found["plain"].evaluation
    assert plain.hypotheses == alone.hypotheses
    assert {name: one.value for name, one in plain.figures.items()} == {
        name: one.value for name, one in alone.figures.items()
    }
    assert found["short"].evaluation.value("VAR asked") == pytest.approx(
        sum((len(text) - 8) ** 2 for text in found["short"].evaluation.hypotheses) / len(FEW)
    )
    assert found["ceiling"].evaluation.value("over budget") >= 0
    assert found["human"].evaluation.value("BLEU") == pytest.approx(100)
    assert found["human"].evaluation.value("VAR reference") == 0
    assert found["plain"].differences == {}
    assert found["short"].differences["BLEU"].p_holm <= 1


def test_all_rows_with_impossible_wishes_are_named_before_the_work(
    lines, tiny_marian_folder, tiny_model_folder, translations
):
    rows = {
        "good": Row(str(tiny_model_folder)),
        "one": Row(str(tiny_marian_folder), ask="source"),
        "two": Row(str(tiny_model_folder), length_class="tiny"),
    }
    with pytest.raises(UsageError, match=r"row 'one': .*; row 'two': .*'tiny'"):
        compare(Comparison(rows), lines, OutputStore(None), trials=10)
    assert not translations


def test_models_beside_vote_and_hypotheses_are_reranked(
    rows, lines, tiny_model_folder, tmp_path, translations
):
    model = str(tiny_model_folder)
    twice = replace(rows["short"], beside=(model, model))
    chosen = replace(rows["short"], rerank=4)
    store = OutputStore(tmp_path / "outputs")
    comparison = Comparison({"short": rows["short"], "twice": twice, "chosen": chosen})
    try:
        one, two, _ = compare(comparison, lines, store, trials=10)
    except UsageError as error:  # the tiny model has no table of words
        assert "rerank" in str(error)
        comparison = Comparison({"short": rows["short"], "twice": twice})
        one, two = compare(comparison, lines, store, trials=10)
    assert one.evaluation.hypotheses == two.evaluation.hypotheses  # its own vote, three times
    assert two.evaluation.setup.model.count(" + ") == 2
    assert len(translations) == len(comparison.rows)
