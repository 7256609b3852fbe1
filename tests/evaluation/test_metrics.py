"""BLEU, BLEU* and chrF beside sacreBLEU's own."""

from __future__ import annotations

import math

import pytest
import sacrebleu

from subfit.evaluation.metrics import translation_quality

REFERENCES = ["Der Leuchtturm steht auf dem Hügel.", "Mir geht es gut, danke.", "Ja, natürlich."]
SAME_LENGTH = ["Der Leuchtturm steht auf einem Berg.", "Es geht mir gut, danke.", "Ja, natürlich."]
SHORTER = ["Der Leuchtturm steht auf dem", "Mir geht es gut.", "Ja."]
LONGER = [f"{text} Und so weiter und so fort." for text in REFERENCES]


@pytest.mark.parametrize("hypotheses", [REFERENCES, SAME_LENGTH, SHORTER, LONGER])
def test_scores_are_those_of_sacrebleu(hypotheses):
    found = translation_quality(hypotheses, REFERENCES)
    assert found.bleu.value == sacrebleu.corpus_bleu(hypotheses, [REFERENCES]).score
    assert found.chrf.value == sacrebleu.corpus_chrf(hypotheses, [REFERENCES]).score


def test_bleu_star_takes_the_brevity_penalty_out():
    found = translation_quality(SHORTER, REFERENCES)
    words = [
        len(" ".join(texts).replace(".", " .").replace(",", " ,").split())
        for texts in (SHORTER, REFERENCES)
    ]
    penalty = math.exp(1 - words[1] / words[0])
    assert found.bleu_star.value == pytest.approx(found.bleu.value / penalty)
    assert found.bleu_star.value > 1.2 * found.bleu.value


@pytest.mark.parametrize("hypotheses", [REFERENCES, LONGER])
def test_bleu_star_is_bleu_where_nothing_is_missing(hypotheses):
    found = translation_quality(hypotheses, REFERENCES)
    assert found.bleu_star.value == pytest.approx(found.bleu.value)


def test_signatures_name_the_settings():
    found = translation_quality(REFERENCES, REFERENCES)
    for score in (found.bleu, found.bleu_star):
        assert "tok:13a" in score.signature
        assert f"version:{sacrebleu.__version__}" in score.signature
    assert "nc:6" in found.chrf.signature
    assert found.bleu_star.signature != found.bleu.signature
    assert found.to_dict()["bleu"]["value"] == pytest.approx(100)


def test_empty_output_scores_nothing():
    found = translation_quality(["", "", ""], REFERENCES)
    assert (found.bleu.value, found.bleu_star.value, found.chrf.value) == (0, 0, 0)


@pytest.mark.parametrize(("hypotheses", "references"), [([], []), (["a"], ["a", "b"])])
def test_nothing_to_compare_is_an_error(hypotheses, references):
    with pytest.raises(ValueError, match="hypotheses"):
        translation_quality(hypotheses, references)
