"""Figures of an evaluation, each with the settings that made it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from subfit.cli.measured import (
    adequacy_figures,
    asked_of,
    differences,
    figures_of,
    rouge_figures,
    round_trip_figures,
)
from subfit.evaluation.corpus import Pair
from subfit.evaluation.evaluation import measure
from subfit.evaluation.outputs import Outputs

PAIRS = [
    Pair("toy", "Where is the lighthouse?", "Wo ist der Leuchtturm?"),
    Pair("toy", "The door is open.", "Die Tür ist offen."),
]


@pytest.mark.parametrize(("cut", "told"), [(0, "subsequence)"), (75, "cut at 75 bytes)")])
def test_rouge_says_where_it_was_cut(cut: int, told: str) -> None:
    recall = SimpleNamespace(bytes=cut, rouge_1=41.234, rouge_2=20.0, rouge_l=39.999)
    ((label, value),) = rouge_figures(recall)
    assert label == "ROUGE" and value.startswith("41.23 / 20.00 / 40.00") and value.endswith(told)


def test_round_trips_say_what_gave_the_sources_back_and_what_it_could_not() -> None:
    trip = SimpleNamespace(
        chrf=59.8, signature="nc:6", model="multi-en", log_probability=-1.25, unread=2
    )
    told = [value for _, value in round_trip_figures(trip)]
    assert told == [
        "chrF 59.80  (nc:6) of what multi-en gives back and the sources",
        "-1.250 nats a token of the sources, given the translations",
        "2 lines that multi-en cannot take",
    ]
    nothing = SimpleNamespace(chrf=None, model="m", log_probability=None, unread=0)
    assert [value.split()[:2] for _, value in round_trip_figures(nothing)] == [["chrF", "none"]]


def test_what_was_not_measured_is_not_told() -> None:
    assert not [*rouge_figures(None), *round_trip_figures(None), *adequacy_figures(None)]


def test_scores_stand_with_their_signatures() -> None:
    evaluation = measure(Outputs(tuple(pair.target for pair in PAIRS)), PAIRS)
    figures = dict(figures_of(evaluation))
    assert figures["BLEU"].startswith("100.00  (nrefs:1|")
    assert figures["chrF"].startswith("100.00  (nrefs:1|")
    assert figures["LR reference"].startswith("1.000")
    assert asked_of(evaluation) == ""
    same = SimpleNamespace(bleu=1.0, chrf=1.0, length_ratio=0.25, signature="n:10")
    rows = dict(differences(evaluation, evaluation, same))
    assert rows["BLEU"] == "100.00 and 100.00, +0.00, p = 1.0000"
    assert rows["LR source"].endswith("+0.000, p = 0.2500")
    assert "n:10" in rows["test"]
