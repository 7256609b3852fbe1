"""Cues that end later so that their translations need not be shortened, from file to file."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.limits.guideline import Guideline, override
from subfit.limits.timing_slack import later_ends
from subfit.localization import Localization, Options, localize
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import convert_track, parse_track, render_track
from subfit.subtitles.pairing import bilingual_track
from tests.properties import examples
from tests.scripted import ScriptedTranslator

NETFLIX = Guideline.load("netflix", "de")
EXTEND = Options(timing="extend")
WAIT = "Wait here."
# One second is 17 characters, and with all of the slack 25.
SHORT, OF_20, OF_23, OF_25, OF_26 = (
    "Warten Sie hier.",
    "Warten Sie hier, ja.",
    "Warten Sie doch mal da.",
    "Warten Sie bitte hier ja.",
    "Warten Sie bitte hier, ja.",
)


def srt(*cues: tuple[str, str]) -> Track:
    blocks = [f"{n}\n{times}\n{text}\n" for n, (times, text) in enumerate(cues, start=1)]
    return parse_track("\n".join(blocks).encode(), name="scene.srt", format="srt")


def localized(
    track: Track, script: dict[str, Any], options: Options = EXTEND, **changes: Any
) -> Localization:
    guideline = override(NETFLIX, **changes)
    return localize(track, cast(Any, ScriptedTranslator(script)), guideline, options)


ONE = srt(("00:00:01,000 --> 00:00:02,000", WAIT), ("00:00:05,000 --> 00:00:09,000", "♪"))


@pytest.mark.parametrize(
    ("answers", "target", "end"),
    [
        # What fits keeps its time, whatever else might be had for more of it.
        ([SHORT, OF_20], SHORT, 2000),
        # What does not fit takes as much as it needs, up to a frame.
        ([OF_20, SHORT], OF_20, 2208),
        ([OF_23, SHORT], OF_23, 2375),
        ([OF_25, SHORT], OF_25, 2500),
        # What would not fit with all of it is shortened, under the budget of all of it.
        ([OF_26, OF_23, SHORT], OF_23, 2375),
        ([OF_26, OF_20], OF_20, 2208),
        ([OF_26, SHORT], SHORT, 2000),
    ],
)
def test_a_cue_takes_the_time_it_needs_before_words_are_cut(answers, target, end):
    done = localized(ONE, {WAIT: answers})
    (outcome, _), (cue, _) = done.outcomes, done.track.cues
    assert (outcome.target, cue.start, cue.end, outcome.status) == (target, 1000, end, "fits")
    assert done.report.totals["timing"]["moved"] == (end > 2000)
    assert done.report.totals["timing"]["milliseconds"] == end - 2000


def test_times_are_kept_by_default() -> None:
    done = localized(ONE, {WAIT: [OF_20, SHORT]}, Options())
    assert done.outcomes[0].target == SHORT
    assert [(cue.start, cue.end) for cue in done.track.cues] == [(1000, 2000), (5000, 9000)]
    assert done.report.to_dict()["totals"]["timing"] == {
        "moved": 0,
        "milliseconds": 0,
        "longest": 0,
    }


def test_the_report_has_both_out_times_and_figures_of_the_new_one() -> None:
    done = localized(ONE, {WAIT: [OF_20, SHORT]})
    verdict, music = done.report.to_dict()["cues"]
    assert (verdict["start"], verdict["source_end"], verdict["end"]) == (1000, 2000, 2208)
    assert (music["source_end"], music["end"]) == (9000, 9000)
    assert verdict["cps"] == pytest.approx(20 / 1.208)
    assert verdict["limits"]["cps"] == verdict["budget"] == 20
    # There was an overflow of 3 characters in the time of the source.
    assert done.report.cues[0].natural_excess == 3 and verdict["excess"] == 0
    totals = done.report.to_dict()["totals"]
    assert totals["timing"] == {"moved": 1, "milliseconds": 208, "longest": 208}
    assert totals["overflow"]["before"]["over"] == 1 and totals["overflow"]["after"]["over"] == 0


def test_what_cannot_fit_is_over_by_as_little_as_time_allows() -> None:
    done = localized(ONE, {WAIT: [OF_26]})
    verdict = done.report.cues[0]
    outcome = verdict.outcome
    assert (outcome.status, outcome.end, verdict.excess) == ("overflow", 2500, 1)


def test_lines_that_are_too_wide_take_no_time() -> None:
    done = localized(ONE, {WAIT: ["Donaudampfschiff"]}, cpl=10)
    assert done.outcomes[0].status == "overflow" and done.track.cues[0].end == 2000


def test_kept_cues_are_never_moved() -> None:
    track = srt(("00:00:01,000 --> 00:00:01,100", "[DOOR SLAMS]"))
    assert localized(track, {}).track.cues[0].end == 1100


def test_a_sentence_over_two_cues_takes_time_in_both() -> None:
    track = srt(
        ("00:00:01,000 --> 00:00:02,000", "When the ship comes"),
        ("00:00:03,000 --> 00:00:04,000", "we all go home."),
    )
    text = "Wenn das Schiff kommt, gehen wir alle heim."
    done = localized(track, {"When the ship comes we all go home.": [text]})
    first, second = done.outcomes
    assert (first.target, second.target) == ("Wenn das Schiff kommt,", "gehen wir alle heim.")
    assert [cue.end for cue in done.track.cues] == [2333, 4208]
    assert {first.status, second.status} == {"fits"}


def test_cues_of_a_sentence_that_was_given_up_keep_their_time_if_they_fit() -> None:
    track = srt(
        ("00:00:01,000 --> 00:00:02,000", "When the ship comes"),
        ("00:00:03,000 --> 00:00:04,000", "we all go home."),
    )
    script: dict[str, Any] = {
        "When the ship comes we all go home.": ["x" * 60],
        "When the ship comes": ["Kommt das Schiff", "Wenn das Schiff kommt"],
        "we all go home.": ["gehen wir alle heim."],
    }
    done = localized(track, script)
    assert [each.target for each in done.outcomes] == ["Kommt das Schiff", "gehen wir alle heim."]
    assert [cue.end for cue in done.track.cues] == [2000, 4208]


def test_two_speakers_of_a_cue() -> None:
    track = srt(("00:00:01,000 --> 00:00:02,000", "- No.\n- Yes."))
    done = localized(track, {"No.": ["Niemals."], "Yes.": ["Aber ja."]})
    assert done.outcomes[0].target == "- Niemals.\n- Aber ja."  # 20 characters
    assert done.track.cues[0].end == 2208 and done.outcomes[0].status == "fits"


def test_alternatives_fit_the_time_that_is_taken() -> None:
    done = localized(ONE, {WAIT: [OF_20, OF_23, SHORT]}, Options(timing="extend", alternatives=5))
    (outcome, _) = done.outcomes
    assert outcome.written_end == 2208
    assert [each.text for each in outcome.alternatives] == [SHORT]


def test_shot_changes_of_the_track_are_kept_to() -> None:
    track = replace(ONE, shot_changes=(2250,))
    done = localized(track, {WAIT: [OF_20, SHORT]})
    assert done.outcomes[0].target == SHORT and done.track.cues[0].end == 2000


SRT_STYLES = """\
7
00:00:01,000 -->  0{h}:00:02,000\x20\x20
Wait here.

8
00:00:05,000 --> 00:00:06,000 X1:100 X2:200 Y1:1 Y2:2
Wait here.
"""
VTT_STYLES = """\
WEBVTT - a scene

NOTE times without hours

one
59:58.000 -->\t59:59.900 align:start position:10%
Wait here, you.

two
000:00:01.000 --> 000:00:02.000 line:0
Wait here.

01:10.000 --> 01:11.000
Wait <00:01:10.500>here.
"""


@pytest.mark.parametrize(
    ("text", "format", "replaced"),
    [
        (
            SRT_STYLES.replace("{h}", "0"),
            "srt",
            [("00:00:02,000  ", "00:00:02,208  "), ("00:00:06,000 X1", "00:00:06,208 X1")],
        ),
        (
            VTT_STYLES,
            "vtt",
            [
                ("59:59.900 align", "01:00:00.125 align"),
                ("000:00:02.000 line", "000:00:02.208 line"),
                ("01:11.000\n", "01:11.208\n"),
            ],
        ),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_out_time_of_a_timing_line_changes(text, format, replaced, newline):
    track = parse_track(text.replace("\n", newline).encode(), name="-", format=format)
    script: dict[str, Any] = {WAIT: [OF_20, SHORT], "Wait here, you.": ["x" * 17 + " " + "y" * 18]}
    done = localized(track, script)
    lines = [line for line in render_track(done.track).decode().split(newline) if "-->" in line]
    wanted = text
    for old, new in replaced:
        assert old in wanted
        wanted = wanted.replace(old, new)
    assert lines == [line for line in wanted.split("\n") if "-->" in line]


def test_other_files_made_of_it_have_the_new_times() -> None:
    done = localized(ONE, {WAIT: [OF_20, SHORT]})
    assert b"00:00:02.208" in render_track(convert_track(done.track, "vtt"))
    both = bilingual_track(ONE, done.track, "source-first")
    assert b"00:00:02,208" in render_track(both) and WAIT.encode() in render_track(both)


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Track, dict[str, Any]]:
    """Cues anywhere, each with translations of two lengths."""
    cues, script, at = [], {}, 0
    for number in range(draw(st.integers(1, 6))):
        start = max(at + draw(st.integers(-300, 1500)), 0)
        at = start + draw(st.integers(0, 3000))
        text = f"This is line {number}."
        cues.append(Cue(start, at, text, str(number + 1)))
        lengths = draw(st.lists(st.integers(2, 60), min_size=1, max_size=2))
        script[text] = [" ".join(["abc"] * (length // 4 + 1))[:length] + "." for length in lengths]
    shots = tuple(sorted(draw(st.sets(st.integers(0, 9000), max_size=3))))
    track = Track(tuple(cues), draw(st.sampled_from(["srt", "vtt"])))
    return parsed(track, shots), script


def parsed(track: Track, shots: tuple[int, ...]) -> Track:
    again = parse_track(render_track(track), name="-", format=track.format)
    return replace(again, shot_changes=shots)


TIMING = re.compile(rb"^.*-->.*$", re.MULTILINE)


@given(scenes(), st.sampled_from([23.976, 24, 25, 29.97, 50]))
@examples(25)
def test_extend_moves_no_more_than_is_needed_and_breaks_no_rule(case, rate):
    track, script = case
    guideline = override(NETFLIX, frame_rate=rate)
    done = localized(track, script, frame_rate=rate)
    kept = localized(track, script, Options(), frame_rate=rate)
    assert TIMING.findall(render_track(kept.track)) == TIMING.findall(render_track(track))
    checked, before = check_track(done.track, guideline), check_track(track, guideline)
    ends = later_ends(track, guideline)
    for index, (outcome, cue) in enumerate(zip(done.outcomes, done.track.cues, strict=True)):
        source = track.cues[index]
        assert cue.start == source.start
        # A check finds nothing that it did not find before, and what fits keeps all limits.
        times = {"gap", "overlap", "max_duration", "no_duration"}
        new = {each.kind for each in checked.cues[index].violations}
        assert new & times == {each.kind for each in before.cues[index].violations} & times
        if outcome.status == "fits":
            assert not new & {"cps", "cpl", "lines"}
        # What fits as it was timed, without shortening, is as it was.
        if not done.report.cues[index].natural_excess and kept.outcomes[index].status == "fits":
            assert (cue.end, outcome.target) == (source.end, kept.outcomes[index].target)
        if cue.end == source.end:
            continue
        assert cue.end in ends[index]
        earlier = [source.end, *(end for end in ends[index] if end < cue.end)][-1]
        shorter = done.track.with_ends(
            [earlier if n == index else each.end for n, each in enumerate(done.track.cues)]
        )
        assert check_track(shorter, guideline).cues[index].overflow > checked.cues[index].overflow
