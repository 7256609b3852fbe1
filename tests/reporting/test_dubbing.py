"""What stands beside the lines of a dubbing script once they are translated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.cue_budgets import Dubbing
from subfit.reporting.report import with_speaking
from subfit.speech import estimate_seconds
from tests.limits.test_dubbing_budgets import MEDIUM, SOURCE
from tests.reporting.conftest import OUTCOMES

LINE = replace(OUTCOMES[0], source=SOURCE, target=MEDIUM, payload=MEDIUM)


def spoken(outcome: CueOutcome, milliseconds: int) -> CueOutcome:
    timed = replace(outcome, cue=replace(outcome.cue, start=0, end=milliseconds))
    return with_speaking(timed, Dubbing(), "de")


@pytest.mark.parametrize(("share", "sync"), [(1.0, "ok"), (0.5, "over")])
def test_a_line_is_held_against_the_time_there_is(share: float, sync: str) -> None:
    seconds = estimate_seconds(MEDIUM, "de")
    told = spoken(LINE, round(1000 * share * seconds)).speaking
    assert told is not None
    assert told.estimated == pytest.approx(seconds, abs=0.01)
    assert (told.speed_factor, told.sync) == (pytest.approx(1 / share, abs=0.02), sync)
