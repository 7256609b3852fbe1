"""Choosing among hypotheses: by words of the source, by isometric length, by expected chrF."""

from __future__ import annotations

import math

import pytest
from sacrebleu.metrics import CHRF

from subfit.decoding.hypotheses import Hypothesis
from subfit.errors import UsageError
from subfit.evaluation.comparison import Bench, compare
from subfit.evaluation.reranking import Reranking
from subfit.evaluation.rows import Comparison, Row
from subfit.limits.budget import ISOMETRIC, LengthRatio


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
