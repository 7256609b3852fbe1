"""Totals of cues that can be worked out by hand."""

from __future__ import annotations

import pytest

from subfit.reporting.judged import Judged, binding_limits, overflow_of_cues, terms_of_cues
from subfit.reporting.report import report_on
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK


@pytest.fixture(scope="module")
def judged() -> Judged:
    return Judged(report_on(OUTCOMES, TRACK, NETFLIX).cues, NETFLIX)


def test_only_what_was_translated_has_a_pair(judged: Judged) -> None:
    sources, targets, _ = judged.pairs
    assert len(judged.translated) == len(sources) == len(targets) == 3
    assert judged.count(lambda cue: cue.translated) == 3
    assert judged.count(lambda cue: not cue.translated) == 2


def test_overflow_is_told_before_and_after_length_control(judged: Judged) -> None:
    before, after = (overflow_of_cues(judged)[part] for part in ("before", "after"))
    assert (before["over"], before["characters"]) == (2, 3 + 6)
    assert (after["over"], after["characters"]) == (1, 6)


def test_limits_are_counted_that_bind(judged: Judged) -> None:
    binding = binding_limits(judged)
    assert sum(binding["all"].values()) == 3
    assert binding["natural_overflow"] == {"cps": 2}


def test_without_a_glossary_nothing_is_found(judged: Judged) -> None:
    assert terms_of_cues(judged) == {"found": 0, "placed": 0}
