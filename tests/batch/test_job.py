"""What a user asks for: limits laid over guidelines, and what cannot be asked for together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.batch.job import Job, Limits, ReadingOptions
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


@pytest.mark.parametrize(
    ("limits", "asked"),
    [
        (Limits(), False),
        (Limits(cps=17.0), True),
        (Limits("bbc"), True),
        (Limits(out_slack=500), False),
    ],
)
def test_limits_that_only_screens_have_are_known(limits: Limits, asked: bool) -> None:
    assert limits.for_screens == asked


def test_cues_end_later_only_where_something_says_how_much() -> None:
    assert replace(EXTENDING, limits=Limits(out_slack=700)).guideline_for("de").out_slack == 700
    assert EXTENDING.guideline_for("de", timed=False).out_slack is None
    with pytest.raises(UsageError, match="how much later a cue may end"):
        replace(EXTENDING, limits=Limits("none", cps=17.0)).guideline_for("de")


def test_the_source_s_language_goes_for_dubbing_too() -> None:
    job = JOB.translating_from("it")
    assert job.source_language == job.options.dubbing.source_language == "it"
    assert replace(job, options=JOB.options) == JOB


def test_fewer_beams_give_no_more_hypotheses_than_there_are() -> None:
    usual = JOB.search()
    few = replace(JOB, beam=1).search()
    assert (few.beams, few.nbest) == (1, 1)
    assert replace(JOB, beam=64).search().nbest == usual.nbest


def test_standard_input_is_of_the_format_that_is_named() -> None:
    data = b"1\n00:00:01,000 --> 00:00:02,000\nHello.\n"
    assert ReadingOptions(input_format="txt").parse(data, "-", "en").format == "txt"
    assert ReadingOptions().parse(data, "-", "en").format == "srt"
    assert ReadingOptions().parse(b"Hello.\n", "a.txt", "en").format == "txt"
