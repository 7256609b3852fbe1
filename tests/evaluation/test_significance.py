"""Paired approximate randomisation: sacreBLEU's p-values, and those of length ratios."""

from __future__ import annotations

import itertools

import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

from subfit.errors import UsageError
from subfit.evaluation.significance import paired_test
from tests.tiny import PAIRS

SOURCES = [pair.source for pair in PAIRS]
REFERENCES = [pair.target for pair in PAIRS]
WORSE = [text.split(" ", 1)[-1] for text in REFERENCES]
MIXED = [
    worse if number % 3 else text
    for number, (text, worse) in enumerate(zip(REFERENCES, WORSE, strict=True))
]


def test_quality_is_tested_by_sacrebleu():
    systems = [("a", WORSE), ("b", MIXED)]
    metrics = {"BLEU": BLEU(), "chrF": CHRF()}
    _, scores = PairedTest(systems, metrics, [REFERENCES], "ar", n_samples=300)()
    found = paired_test(WORSE, MIXED, sources=SOURCES, references=REFERENCES, trials=300)
    assert found.bleu == scores["BLEU"][1].p_value
    assert found.chrf == scores["chrF2"][1].p_value
    assert (found.trials, found.seed) == (300, "12345")
    assert "ar:300|seed:12345" in found.signature


def test_a_system_does_not_differ_from_itself():
    found = paired_test(MIXED, MIXED, sources=SOURCES, references=REFERENCES, trials=50)
    assert (found.bleu, found.chrf, found.length_ratio) == (1, 1, 1)


@pytest.mark.parametrize(("differing", "least"), [(1, 1.0), (2, 0.5), (4, 0.125)])
def test_few_different_lines_cannot_be_significant(differing, least):
    other = [*WORSE[:differing], *REFERENCES[differing:]]
    found = paired_test(REFERENCES, other, sources=SOURCES, references=REFERENCES, trials=500)
    assert found.bleu >= least
    assert found.length_ratio == pytest.approx(least, abs=0.1)


def test_the_test_of_length_ratios_is_that_over_all_exchanges():
    count = 9
    sources, ours, theirs = SOURCES[:count], WORSE[:count], REFERENCES[:count]
    ours[0], ours[3] = f"{theirs[0]} Und dir?", f"{theirs[3]} Ja, dort."
    differences = [
        (len(a) - len(b)) / len(source) for source, a, b in zip(sources, ours, theirs, strict=True)
    ]
    exchanges = [
        abs(sum(sign * each for sign, each in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=count)
    ]
    exact = sum(each >= abs(sum(differences)) - 1e-9 for each in exchanges) / len(exchanges)
    found = paired_test(theirs, ours, sources=sources, references=theirs, trials=4000)
    assert found.length_ratio == pytest.approx(exact, abs=0.03)
    assert 0.02 < exact < 0.98


def test_the_same_trials_every_time(monkeypatch):
    arguments = {"sources": SOURCES, "references": REFERENCES, "trials": 60}
    first = paired_test(WORSE, MIXED, **arguments)
    assert first == paired_test(WORSE, MIXED, **arguments)
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert paired_test(WORSE, MIXED, **arguments).seed == "7"
    monkeypatch.setenv("SACREBLEU_SEED", "seven")
    with pytest.raises(UsageError, match="SACREBLEU_SEED=seven"):
        paired_test(WORSE, MIXED, **arguments)
