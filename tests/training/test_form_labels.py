"""Labels of many pairs, found by one process or several."""

from __future__ import annotations

import pytest

from subfit.evaluation.corpus import Pair
from subfit.training import pairs as training_pairs
from subfit.training.pairs import formality_labels

PAIRS = [
    Pair("toy", "Can you help me?", "Kannst du mir helfen?", "de"),
    Pair("toy", "Can you help me?", "Vous pouvez m'aider ?", "fr"),
    Pair("toy", "It is late.", "Es ist spät."),
    Pair("toy", "Are you there?", "Sind Sie da?"),
] * 30


@pytest.mark.parametrize("processes", [0, 2])
def test_labels_are_those_of_each_pair_whoever_finds_them(processes, monkeypatch):
    monkeypatch.setattr(training_pairs, "CHUNK", 50)
    wanted = ["informal", "formal", None, "formal"] * 30
    assert formality_labels(PAIRS, "de", processes) == wanted
