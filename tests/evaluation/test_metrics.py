"""Metrics against sacreBLEU, values worked out by hand, the authors' programs; intervals."""

from __future__ import annotations

import math
import os
import sys

import numpy as np
import pytest
import torch
from sacrebleu.metrics import BLEU, CHRF, TER
from torch.nn.functional import normalize

from subfit.errors import ModelError, UsageError
from subfit.evaluation.evaluation import difference, difference_over_runs, holm, interval
from subfit.evaluation.learned import bert_score
from subfit.evaluation.metrics import (
    ALWAYS,
    METRICS,
    Drop,
    Lines,
    Metric,
    Rep,
    Words,
    learn_alignment,
    metrics_of,
    scored_words,
    translation_quality,
)
from subfit.model.length_predictor import load_encoder
from tests.tiny import save_tiny_bert

SOURCES = ["What is it?", "No more of that, please.", "I am here", "Well"]
REFERENCES = ["Was ist das?", "Nichts mehr davon, bitte.", "Ich bin hier", "Nun ja"]
HYPOTHESES = ["Was ist es?", "Bitte nicht mehr davon.", "Ich bin hier", "Gut"]


def lines(hypotheses=HYPOTHESES, references=None, sources=SOURCES, **more) -> Lines:
    return Lines(sources, references or [[one] for one in REFERENCES], hypotheses, **more)


def value(name: str, of: Lines) -> float:
    metric = next(one for one in metrics_of([name]) if one.name == name)
    rows = metric.of(of)
    return math.nan if rows is None else metric.value(rows)


class ByName:
    """Aligns words that are spelt alike."""

    def aligned_sources(self, source: Words, target: Words) -> frozenset[int]:
        return frozenset(index for index, word in enumerate(source) if word in target)


def drop(source, hypothesis, references) -> float:
    metric = Drop(lambda _: ByName())
    rows = metric.statistics(Lines([source], [references], [hypothesis]))
    return metric.value(rows)


@pytest.mark.parametrize(
    ("name", "reference"),
    [("BLEU", BLEU()), ("chrF", CHRF()), ("chrF++", CHRF(word_order=2)), ("TER", TER())],
)
def test_surface_metrics_are_those_of_sacrebleu(name, reference):
    assert value(name, lines()) == pytest.approx(
        reference.corpus_score(HYPOTHESES, [REFERENCES]).score
    )
    second = ["Was ist es?", "Nicht mehr.", "Hier bin ich", "Gut"]
    both = [list(pair) for pair in zip(REFERENCES, second, strict=True)]
    expected = reference.corpus_score(HYPOTHESES, [REFERENCES, second]).score
    assert value(name, lines(references=both)) == pytest.approx(expected)


def test_bleu_star_is_bleu_without_its_brevity_penalty():
    score = BLEU().corpus_score(HYPOTHESES, [REFERENCES])
    assert score.bp < 1
    assert value("BLEU*", lines()) == pytest.approx(score.score / score.bp)
    assert translation_quality(HYPOTHESES, REFERENCES)["BLEU*"] == value("BLEU*", lines())
    with pytest.raises(ValueError, match="0 hypotheses"):
        translation_quality([], [])


def test_lengths_are_those_of_the_papers():
    ratios = [len(h) / len(s) for h, s in zip(HYPOTHESES, SOURCES, strict=True)]
    assert value("LR source", lines()) == pytest.approx(np.mean(ratios))
    assert value("sd LR", lines()) == pytest.approx(np.std(ratios))
    squares = [(len(h) - len(r)) ** 2 for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    assert value("VAR reference", lines()) == pytest.approx(np.mean(squares))
    asked = lines(asked=[9, 0, 20, 3])  # nothing was asked of the second
    assert value("VAR asked", asked) == pytest.approx(np.mean([4, 64, 0]))
    assert math.isnan(value("VAR asked", lines()))
    assert value("LC strict", lines()) == 75 - 25  # "Gut" is 3 of 4 characters
    assert value("LC IWSLT", lines()) == 100  # "Well" and "I am here" are free
    assert value("over budget", lines(ceilings=[11, 5, math.inf, 2])) == 50
    tokens = lines(asked=[3, 4, 5, 6], tokens=[3, 5, 5, 4], reference_tokens=[2, 5, 5, 5])
    assert math.isnan(value("VAR asked tokens", tokens))
    tokens = lines(
        asked=[3, 4, 5, 6], tokens=[3, 5, 5, 4], reference_tokens=[2, 5, 5, 5], unit="tokens"
    )
    assert value("VAR asked tokens", tokens) == pytest.approx(5 / 4)
    assert value("VAR tokens", tokens) == pytest.approx(2 / 4)
    assert value("LR tokens", tokens) == pytest.approx((1.5 + 1 + 1 + 0.8) / 4)


@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        ("a b c d", ["a b c d"], 0.0),
        ("a b a b", ["a b c d"], 100 * 1 / 4),  # "a b" stands twice, once in the reference
        ("a a b c", ["a b c d"], 100 * 2 / 4),  # "a a": a word in a row
        ("a a a a", ["a b c d"], 100 * 9 / 4),  # 3 as a bigram and 2 x 3 in a row
        ("no no no", ["no no no"], 0.0),
        ("a a", ["a b c d"], math.e * 100 * 2 / 4),  # half as long: e^(4/2 - 1)
        ("a a b c d e f g", ["a b c d"], 100 * 2 / 4),
        ("", ["a b"], 0.0),
        # Of several references the authors' program takes, by line, the least.
        ("a b a b x c d c d", ["a b a b x y", "c d c d x y"], 100 * 2 / 6),
        ("so so x", ["so x y", "so so x"], 0.0),
    ],
)
def test_rep_is_what_the_formula_gives(hypothesis, references, expected):
    metric = Rep()
    rows = metric.statistics(Lines(["s"], [references], [hypothesis]))
    assert metric.value(rows) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("source", "hypothesis", "references", "expected"),
    [
        ("a b c d", "a b c d", ["a b c d"], 0.0),
        ("a b c d", "a b c x", ["a b c d"], 25.0),
        ("a b c d", "a b x x", ["a b y y"], 0.0),  # what the reference leaves out may be left out
        ("a b c d", "a b c x x x x x", ["a b c d"], math.e * 25),  # twice as long
        ("a b c d", "a b", ["a b c d"], 50.0),
        ("a b", "x", ["y"], 0.0),
        ("a b", "a x", ["a x", "y b"], 50.0),  # what any reference says is asked for
    ],
)
def test_drop_is_what_the_formula_gives(source, hypothesis, references, expected):
    assert drop(source, hypothesis, references) == pytest.approx(expected)


def test_rouge_is_recall_of_stems_in_english_up_to_a_number_of_bytes():
    pytest.importorskip("rouge_score")
    texts = lines(["the dogs were barking"], [["a dog barks", "the dogs"]], ["x"], language="en")
    assert value("ROUGE-1", texts) == 100
    plain = lines(["the dogs were barking"], [["a dog barks"]], ["x"], language="de")
    assert value("ROUGE-1", plain) == 0
    both = lines(["police kill the gunman"], [["police killed the gunman"]], ["x"])
    found = [value(f"ROUGE-{kind}", both) for kind in "12L"]
    assert found == pytest.approx([75, 100 / 3, 75])
    assert value("ROUGE-1@6", both) == pytest.approx(25)  # "police" is left


def test_breaks_are_right_behind_the_same_words():
    reference = "we are here <eol> and there <eob> they came <eob>"
    same = lines([reference], [[reference]], ["x"])
    assert value("break F1", same) == 100
    other = "we are here and <eol> there <eob> they came <eob>"
    assert value("break F1", lines([other], [[reference]], ["x"])) == pytest.approx(100 * 4 / 6)
    assert value("BLEU", lines([other], [[reference]], ["x"])) == pytest.approx(100)
    assert math.isnan(value("break F1", lines()))


def test_unknown_metrics_are_told_and_known_ones_signed():
    with pytest.raises(UsageError, match="there is no metric 'BLUE'"):
        metrics_of(["BLUE"])
    assert [metric.name for metric in metrics_of(["TER", "BLEU"])] == [*ALWAYS, "TER"]
    assert len(set(METRICS)) == len(METRICS)
    (bleu,) = [metric for metric in metrics_of() if metric.name == "BLEU"]
    bleu.of(lines())
    assert bleu.signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def many(share: float) -> list[str]:
    """A text of forty lines of which a share is right."""
    return [REFERENCES[n % 3] if n < 40 * share else "etwas ganz Falsches" for n in range(40)]


def rows_of(metric: Metric, hypotheses: list[str]) -> np.ndarray:
    sources = [SOURCES[n % 3] for n in range(40)]
    references = [[REFERENCES[n % 3]] for n in range(40)]
    found = metric.of(Lines(sources, references, hypotheses))
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["BLEU", "chrF", "LR source", "sd LR", "LC strict", "TER", "REP"])
def test_every_metric_has_an_interval_and_a_p_value(name):
    metric = next(one for one in metrics_of([name]) if one.name == name)
    own, other = rows_of(metric, many(0.9)), rows_of(metric, many(0.4))
    low, high = interval(metric, own, 200)
    assert low <= metric.value(own) <= high or name == "REP"
    same = difference(metric, own, own, 100, 50)
    assert (same.value, same.p) == (0, 1)
    found = difference(metric, own, other, 500, 200)
    assert found.value == pytest.approx(metric.value(own) - metric.value(other))
    if name != "REP":
        assert found.p < 0.05
        assert found.low <= found.value <= found.high
        assert not found.low < 0 < found.high


def test_p_values_agree_with_sacrebleu():
    from sacrebleu.significance import PairedTest

    hypotheses = [many(0.8), [*many(0.8)[:30], *many(1)[30:38], "so", "nicht"]]
    references = [[REFERENCES[n % 3] for n in range(40)]]
    systems = [("one", hypotheses[0]), ("two", hypotheses[1])]
    test = PairedTest(systems, {"chrF": CHRF()}, references, "ar", n_samples=2000)
    expected = test()[1]["chrF"] if "chrF" in test()[1] else next(iter(test()[1].values()))
    chrf = next(one for one in metrics_of() if one.name == "chrF")
    found = difference(chrf, rows_of(chrf, hypotheses[1]), rows_of(chrf, hypotheses[0]), 2000, 10)
    if hasattr(expected[1], "p_value"):
        assert found.p == pytest.approx(expected[1].p_value, abs=0.05)


def test_holm_multiplies_the_least_by_all():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1, 1])
    assert holm([]) == []


def test_runs_are_drawn_as_well_as_lines():
    metric = next(one for one in metrics_of() if one.name == "LR source")

    def runs(*ratios: float) -> list[np.ndarray]:
        return [np.tile([ratio, ratio**2, 1.0], (40, 1)) for ratio in ratios]

    sure = difference_over_runs(metric, runs(1.0, 1.01, 1.02), runs(1.2, 1.21, 1.22))
    assert sure.value == pytest.approx(-0.2) and sure.low < -0.2 < sure.high < 0
    assert sure.p < 0.01
    unsure = difference_over_runs(metric, runs(0.9, 1.3), runs(1.0, 1.1))
    assert unsure.low < 0 < unsure.high and unsure.p > 0.2
    alike = difference_over_runs(metric, runs(1.0, 1.0), runs(1.0))
    assert alike.value == alike.low == alike.high == 0 and alike.p == 1


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


PAIRS = [
    ("the house is green", "das Haus ist grün"),
    ("the dog is big", "der Hund ist groß"),
    ("a green dog", "ein grüner Hund"),
    ("the house", "das Haus"),
    ("is the dog green", "ist der Hund grün"),
]


def test_a_dropped_word_is_found() -> None:
    pytest.importorskip("systran_align")
    aligner = learn_alignment([(scored_words(s), scored_words(t)) for s, t in PAIRS * 20])
    source, whole, cut = "the house is green", "das Haus ist grün", "das Haus"
    assert aligner.aligned_sources(scored_words(source), scored_words(whole)) == {0, 1, 2, 3}
    metric = Drop(lambda _: aligner)
    for text, least, most in ((whole, 0, 0), (cut, 20, 100)):
        rows = metric.statistics(Lines([source], [[whole]], [text]))
        assert least <= metric.value(rows) <= most
    assert aligner.aligned_sources((), ("das",)) == frozenset()


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "systran_align", None)
    with pytest.raises(UsageError, match=r"subfit\[adequacy\]"):
        learn_alignment([])
