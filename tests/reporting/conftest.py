"""A small track and its report, whose figures can be worked out by hand."""

from dataclasses import replace

import pytest

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.budget import budget_for
from subfit.limits.guideline import Guideline
from subfit.reporting.figures import CueVerdict
from subfit.reporting.report import Report, report_on
from subfit.subtitles.cues import Cue, Repair, Track

NETFLIX = Guideline(name="netflix", language="de", cps=17, cpl=42, lines=2)


def outcome(source: str, target: str, natural: str, start: int, end: int) -> CueOutcome:
    """A translated cue under `NETFLIX`."""
    budget = budget_for(source, end - start, NETFLIX)
    return CueOutcome(
        cue=Cue(start, end, source, line=start // 1000 + 1),
        status="fits" if budget.fits(target, NETFLIX) else "overflow",
        source=source,
        target=target,
        payload=target,
        budget=budget,
        natural=natural,
        score=-1.0,
    )


OUTCOMES = (
    # 17 characters allowed; 20 characters were cut to 10: source 10, ratio 1.0
    outcome("0123456789", "abcdefghij", "x" * 20, 0, 1000),
    # 84 allowed by the lines; two lines of 30, source 60 with its space: LR (30 + 1 + 30) / 60
    outcome("s" * 60, "a" * 30 + "\n" + "b" * 30, "y" * 61, 10_000, 20_000),
    # 34 allowed, 40 written: 6 over, before as after; LR 40 / 20
    outcome("t" * 20, "u" * 40, "u" * 40, 30_000, 32_000),
    CueOutcome(Cue(40_000, 41_000, "♪", line=41), "passed", "♪", "♪", "♪", note="music is kept"),
    CueOutcome(Cue(50_000, 51_000, "Hm.", line=51), "untranslated", "Hm.", "Hm.", "Hm."),
)


TRACK = Track(tuple(each.cue for each in OUTCOMES), "srt", repairs=(Repair(7, "no index"),))


def with_outcome(verdict: CueVerdict, **changes: object) -> CueVerdict:
    """A verdict on another outcome, with the same figures."""
    return replace(verdict, outcome=replace(verdict.outcome, **changes))


@pytest.fixture(scope="module")
def report() -> Report:
    return report_on(OUTCOMES, TRACK, NETFLIX, {"model": "en-de"})
