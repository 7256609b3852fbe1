"""The example scenes are what a professional would deliver, and show what real files have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from subfit.limits.guideline import Guideline
from subfit.reporting.check import check_track
from subfit.subtitles.formats import read_track

EXAMPLES = Path(__file__).parent.parent / "examples"
LIGHTHOUSE, LECTURE, CHILDREN = "lighthouse.en.srt", "lecture.en.vtt", "children.en.srt"


@pytest.mark.parametrize(
    ("name", "cues", "pace"),
    [
        (LIGHTHOUSE, (60, 100), (12, 17)),
        (LECTURE, (35, 45), (11, 16)),
        (CHILDREN, (35, 45), (8, 12)),
    ],
)
def test_an_example_keeps_what_a_client_asks_for(name, cues, pace):
    track = read_track(EXAMPLES / name)
    report = check_track(track, Guideline.load("netflix", "en"))
    assert report.violations == {} and not track.repairs
    assert cues[0] <= len(track.cues) <= cues[1]
    assert pace[0] <= report.totals["cps"]["mean"] <= pace[1]


def test_some_fast_cues_are_over_the_german_limit_before_translation() -> None:
    report = check_track(read_track(EXAMPLES / LIGHTHOUSE), Guideline.load("netflix", "de"))
    assert 8 <= report.violations["cps"] <= 20


@pytest.mark.parametrize(
    ("name", "pattern", "least"),
    [
        (LIGHTHOUSE, r"\n- .+\n- ", 4),
        (LIGHTHOUSE, r"\n<i>[^<]+</i>\n\n", 8),
        (LIGHTHOUSE, r"\n\[[A-Z' ]+\]\n", 4),
        (LIGHTHOUSE, r"♪ [^♪]+ ♪\n", 2),
        (LIGHTHOUSE, r"[a-z,]\n\n", 3),
        (LECTURE, r"<v Maya>", 4),
        (LECTURE, r"<c\.term>", 2),
        (LECTURE, r"\w <i>\w+</i> \w", 1),
        (LECTURE, r"&amp;", 2),
        (LECTURE, r"(?:region:slide|line:|position:)", 6),
        (LECTURE, r"\nNOTE\n|\nSTYLE\n|\nREGION\n", 3),
    ],
)
def test_it_shows_what_real_files_have(name: str, pattern: str, least: int) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    assert len(re.findall(pattern, text)) >= least
