"""What a user asks for: limits laid over guidelines, and what cannot be asked for together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.batch.job import Job, Limits
from subfit.errors import UsageError
from subfit.fitting.options import Options

JOB = Job(("film.srt",), ("de",))
EXTENDING = replace(JOB, options=Options(timing="extend"))


def test_text_that_is_on_no_screen_has_no_limits_of_its_own() -> None:
    assert JOB.guideline_for("de").name == "netflix"
    assert JOB.guideline_for("de", timed=False).name == "none"
    asked = replace(JOB, limits=Limits("bbc"))
    assert asked.guideline_for("de", timed=False).name == "bbc"


def test_what_the_user_says_overrules_the_guideline_and_the_rest_stays() -> None:
    usual = JOB.guideline_for("de")
    own = replace(JOB, limits=Limits(cps=12.0, lines=1)).guideline_for("de")
    assert (own.cps, own.lines, own.cpl) == (12.0, 1, usual.cpl)
    with pytest.raises(UsageError):
        replace(JOB, limits=Limits(cps=-1.0)).guideline_for("de")


def test_cues_end_later_only_where_something_says_how_much() -> None:
    assert replace(EXTENDING, limits=Limits(out_slack=700)).guideline_for("de").out_slack == 700
    assert EXTENDING.guideline_for("de", timed=False).out_slack is None
    with pytest.raises(UsageError, match="how much later a cue may end"):
        replace(EXTENDING, limits=Limits("none", cps=17.0)).guideline_for("de")
