"""Comparisons: rows read, translated once, kept, measured alike, and told length by length."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from sacrebleu.metrics import BLEU, CHRF

from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.evaluation.comparison import Bench, bucket_scores, compare, variances_at
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.reranking import Reranking
from subfit.evaluation.rows import Comparison, Row
from subfit.limits.budget import ISOMETRIC, LengthRatio
from subfit.model.checkpoint import load_checkpoint
from tests.evaluation.conftest import FEW


def test_rows_have_the_figures_of_their_evaluations(rows, lines, tiny_model_folder):
    results = compare(Comparison(rows, "plain"), Bench(lines), trials=40)
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
        compare(Comparison(rows), Bench(lines), trials=10)
    assert not translations


def test_models_beside_vote(rows, lines, tiny_model_folder, tmp_path, translations):
    model = str(tiny_model_folder)
    twice = replace(rows["short"], beside=(model, model))
    comparison = Comparison({"short": rows["short"], "twice": twice})
    one, two = compare(comparison, Bench(lines), trials=10)
    assert one.evaluation.hypotheses == two.evaluation.hypotheses  # its own vote, three times
    assert two.evaluation.setup["model"].count(" + ") == 2
    assert len(translations) == len(comparison.rows)


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


def test_variance_at_fixed_lengths(
    lines, tiny_model_folder, tiny_marian_folder, tmp_path, translations
):
    rows = {"aware": Row(str(tiny_model_folder)), "plain": Row(str(tiny_marian_folder))}
    bench = Bench(lines, tmp_path / "outputs")
    bench.translate({"plain": rows["plain"]})
    found = variances_at(Comparison(rows), [10, 20], bench)
    translator = Translator(load_checkpoint(str(tiny_model_folder)))
    for length in (10, 20):
        alone = evaluate(translator, FEW, Row("tiny", ask=length))
        assert found["aware"][length] == pytest.approx(alone.value("VAR asked"))
    texts = evaluate(Translator(load_checkpoint(str(tiny_marian_folder))), FEW).hypotheses
    assert found["plain"][10] == pytest.approx(sum((len(t) - 10) ** 2 for t in texts) / len(FEW))
    assert translations.count("natural") == 1


def nbest(*texts: str) -> list[Hypothesis]:
    """Hypotheses, each a little less likely than the one before."""
    scores = [-0.1 * place for place in range(1, len(texts) + 1)]
    return [Hypothesis(text, len(text), s, s) for text, s in zip(texts, scores, strict=True)]


@pytest.mark.parametrize(
    ("reranking", "source", "texts", "first"),
    [
        (Reranking(3), "two dogs bark at two cats", ["cats bark", "two two cats", "dog"], 1),
        (Reranking(1), "two dogs bark at two cats", ["cats bark", "two two cats", "dog"], 0),
        # 13 characters but spaces: from 12 to 14 are within 10 %.
        (Reranking(3, "isometric", 0.5), "where are they", ["wo", "wo sind die da", "ach"], 1),
        (Reranking(3, "isometric", 1.0), "where are they", ["wo", "wo sind die da", "ach"], 0),
        (Reranking(3, "isometric", 0.0), "so short", ["wo", "ach du", "ja"], 0),  # free
        (Reranking(3, "mbr"), "x", ["xyz", "das Haus ist rot", "das Haus ist rosa"], 2),
    ],
)
def test_the_best_comes_first(reranking, source, texts, first):
    assert reranking.ordered(source, nbest(*texts))[0].text == texts[first]


def test_expected_chrf_is_that_of_sacrebleu_weighed_by_probability():
    some = nbest("ein altes Haus", "ein altes Boot", "das alte Haus")
    chrf = CHRF()
    gains = [
        sum(
            chrf.sentence_score(one.text, [o.text]).score * math.exp(o.log_probability)
            for o in some
        )
        for one in some
    ]
    order = sorted(some, key=lambda one: -gains[some.index(one)])
    assert Reranking(3, "mbr").ordered("", some) == order


def test_rows_choose_within_a_budget_what_a_search_found(lines, tiny_model_folder, tmp_path):
    model, tight = str(tiny_model_folder), LengthRatio(maximum=0.8)
    rows = {
        "search": Row(model, ask="free"),
        "isometric": Row(model, rerank=8, rerank_by="isometric", alpha=0.0),
        "mbr": Row(model, rerank=4, rerank_by="mbr", length_ratio=":0.8"),
        "both": Row(model, rerank=4, rerank_by="isometric", length_ratio="isometric"),
    }
    assert rows["both"].ratio == ISOMETRIC
    results = compare(Comparison(rows), Bench(lines), trials=10)
    found = {one.label: one.evaluation for one in results}
    lc = {label: one.value("LC IWSLT") for label, one in found.items()}
    assert lc["isometric"] >= lc["search"] and found["mbr"].value("over budget") == 0
    for pair, text in zip(lines.pairs, found["mbr"].hypotheses, strict=True):
        assert text == pair.source or len(text) <= tight.maximum * len(pair.source)
    setup = found["isometric"].setup
    asked = ("rerank", "rerank_by", "alpha", "ask")
    assert [setup[name] for name in asked] == [8, "isometric", 0.0, "free"]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"model": "x", "rerank_by": "mbr"}, "need rerank"),
        ({"model": "x", "rerank": 4, "memory": ("x.tmx",)}, "memory"),
        ({"runs": ("x", "y"), "beside": ("z",)}, "beside one model"),
    ],
)
def test_rows_that_do_not_go_together_are_refused(row, told):
    with pytest.raises(Exception, match=told):
        Row(**row)


def test_words_are_counted_in_one_language_only(lines, tiny_model_folder):
    rows = {"words": Row(str(tiny_model_folder), rerank=4, ask="source")}
    with pytest.raises(UsageError, match="between languages"):
        compare(Comparison(rows), Bench(lines))
