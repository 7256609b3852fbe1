"""A file with one fault of each kind has that fault and no other; what can be mended is mended."""

from __future__ import annotations

import json
from dataclasses import fields
from xml.etree import ElementTree

import pytest

from subfit.limits.guideline import Guideline, Style
from subfit.quality.exchange import TITLES, github, junit, sarif
from subfit.quality.findings import Finding
from subfit.quality.inspect import inspect, mend
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track
from tests.places import ROOT

EN = Guideline.load("netflix", "en")
FINE = "The boat leaves before noon."
SHOTS = (20_000,)


def film(
    text: str = FINE, start: int = 10_000, end: int = 12_000, more: tuple[Cue, ...] = ()
) -> Track:
    around = (Cue(1000, 4000, "He waited at the pier."), Cue(30_000, 33_000, "Nobody came."))
    cues = sorted((*around, Cue(start, end, text)), key=lambda cue: cue.start)
    return Track(tuple(cues), "srt", shot_changes=SHOTS)


def found(track: Track, guideline: Guideline = EN, **kinds) -> list[str]:
    report = check_track(track, guideline)
    return [one.rule for one in inspect(track, report, **kinds)]


MENDABLE = [
    ("spaces", "The boat  leaves.", "The boat leaves."),
    ("spaces", "The boat leaves .", "The boat leaves."),
    ("spaces", "<i>The boat </i> leaves.", "<i>The boat</i> leaves."),
    ("glyphs", "The bo\u00adat leaves.", "The boat leaves."),
    ("glyphs", "It´s the boat.", "It's the boat."),
    ("ellipsis", "Well... the boat.", "Well… the boat."),
    ("ellipsis", "<i>Well....</i>", "<i>Well…</i>"),
    ("dashes", "- Is he here?\n– Not yet.", "-Is he here?\n-Not yet."),
    ("dashes", "- <i>Is he?</i>\n-Not yet.", "-<i>Is he?</i>\n-Not yet."),
    ("dashes", "Is he here?\n-Not yet.", "-Is he here?\n-Not yet."),
    ("quotes", "He said “wait”.", 'He said "wait".'),
    ("brackets", "(door slams)", "[door slams]"),
    ("italics", "The boat <i></i>leaves.", "The boat leaves."),
    ("italics", "The <i>Swallow leaves.", "The <i>Swallow leaves.</i>"),
    ("line_breaks", "The boat\nleaves.", "The boat leaves."),
    (
        "line_breaks",
        "I have never seen anything like the\nlighthouse that stands over there.",
        "I have never seen anything like\nthe lighthouse that stands over there.",
    ),
    ("cpl", "I have never seen anything like the lighthouse over there.", None),
    ("lines", "I have never\nseen anything like the\nlighthouse over there.", None),
]


@pytest.mark.parametrize(("rule", "text", "wanted"), MENDABLE)
def test_a_fault_that_can_be_mended_is_found_alone_and_then_gone(rule, text, wanted) -> None:
    track = film(text, end=15_000)
    assert found(track) == [rule]
    mended, done = mend(track, EN)
    assert [one.rule for one in done] == [rule]
    assert not found(mended)
    assert wanted is None or mended.cues[1].text == wanted
    assert [cue for cue in mended.cues if cue != mended.cues[1]] == [
        cue for cue in track.cues if cue != track.cues[1]
    ]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("numbers", "He has 3 boats."),
        ("numbers", "Well. 40 boats came."),
        ("glyphs", "The boat leaves 😀."),
        ("quotes", 'He said "wait.'),
        ("brackets", "He left (or so I think."),
        ("italics", "The <b>boat</b> leaves."),
        ("dashes", "-The boat leaves."),
        ("dashes", "Is he here? -Not yet."),
        ("capitals", "NO ENTRY\nHe went in and never came back."),
        ("profanity", "Blast it, the boat leaves."),
        ("cps", "I have never seen anything like\nthe lighthouse that stands over there."),
    ],
)
def test_a_fault_for_a_person_is_found_alone_and_stays(rule: str, text: str) -> None:
    track = film(text)
    assert found(track, banned=["blast*"]) == [rule]
    assert not mend(track, EN)[1]


@pytest.mark.parametrize(
    ("rule", "start", "end", "wanted"),
    [
        ("gap", 28_000, 29_960, 29_917),
        ("loose_gap", 28_000, 29_750, 29_917),
        ("min_duration", 10_000, 10_600, 10_833),
        ("shot_change", 18_000, 19_750, 19_916),
        ("shot_change", 18_000, 20_100, 19_916),
    ],
)
def test_out_times_move_to_the_nearest_that_keeps_every_rule(rule, start, end, wanted) -> None:
    track = film("The boat.", start, end)
    assert found(track) == [rule]
    mended = mend(track, EN)[0]
    assert not found(mended)
    (cue,) = (cue for cue in mended.cues if cue.start == start)
    assert cue.end == pytest.approx(wanted, abs=1)


def test_a_gap_stays_where_closing_it_would_leave_no_time_to_read() -> None:
    track = film("x" * 38, 28_060, 29_960)  # 20 characters a second
    assert found(track) == ["gap"]
    assert mend(track, EN)[0] == track


@pytest.mark.parametrize(
    ("rule", "start", "end"),
    [
        ("shot_change", 20_100, 22_000),
        ("overlap", 28_000, 31_000),
        ("max_duration", 10_000, 17_500),
    ],
)
def test_in_times_overlaps_and_long_cues_are_for_a_person(rule: str, start: int, end: int) -> None:
    track = film(start=start, end=end)
    assert found(track) == [rule]
    assert mend(track, EN)[0] == track


@pytest.mark.parametrize(
    "text",
    [
        "Room 3 is free.",
        "It is 5% more.",
        "We won 3 to 2.",
        "It begins at 7:30.",
        "Is it 3 km?",
        "…and then he left.",
        "What are you--",
        "♪ The sea, the sea ♪",
        "[DOOR SLAMS]",
        "-What?\n-Nothing.",
        'He said "wait" and "go".',
        "<i>From afar.</i>",
        "R2-D2 is 40 years old.",
        "It's 20 below.\nI'm not going out in that for anybody.",
        "NO ENTRY",
        ":-) he wrote.",
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    track = film(text, end=14_000)
    assert not found(track)
    assert mend(track, EN)[0] == track


def test_a_name_spelt_in_two_ways_is_told_once() -> None:
    texts = ["Ask Katherine.", "So Katherine left.", "And Katherine knew.", "Where is Katharine?"]
    cues = tuple(Cue(5000 * n, 5000 * n + 2000, text) for n, text in enumerate(texts))
    track = Track(cues, "srt")
    report = check_track(track, EN)
    assert [(one.rule, one.cue) for one in inspect(track, report)] == [("names", 3)]


def test_text_on_screen_stays_in_capitals_in_the_translation() -> None:
    source, german = film("NO ENTRY"), film("Zutritt verboten")
    report = check_track(german, Guideline.load("netflix", "de"), source)
    assert [one.rule for one in inspect(german, report)] == ["capitals"]


@pytest.mark.parametrize(
    ("guideline", "language", "text", "rules"),
    [
        ("netflix", "fr", "- Il est là ?\n- Pas encore.", []),
        ("netflix", "fr", "-Il est là ?\n-Pas encore.", ["dashes"]),
        ("netflix", "nl", "Is hij er?\n-Nog niet.", []),
        ("netflix", "ko", "<i>배가 온다</i>", ["italics"]),
        ("ted", "en", "[EXIT]\n(Laughter)", []),
        ("ted", "en", "The boat\nleaves.", ["line_breaks"]),
        ("bbc", "en", "– Is he here?\n– Not yet.", []),
        ("bbc", "en", "- Is he here?\n- Not yet.", ["dashes"]),
        ("amazon", "en", "- Is he here?\n- Not yet…", []),
        ("amazon", "nl", "Is hij er?\n-Nog niet.", []),
        ("arte", "de", "-Ist er da?\n-Noch nicht.", ["dashes"]),
        ("ard-zdf", "de", "Er hat 12 Boote.", ["numbers"]),
        ("ard-zdf-children", "de", "Er hat 12 Boote.", []),
        ("bbc", "en", "Well… the boat.", ["ellipsis"]),
        ("none", "en", "Well...  the\u200b boat 😀", []),
    ],
)
def test_the_guideline_says_which_rules_hold(guideline, language, text, rules) -> None:
    limits = Guideline.load(guideline, language)
    cues = (Cue(1000, 6000, text),)
    assert found(Track(cues, "srt"), limits) == rules


def test_a_rule_can_be_skipped_and_is_then_not_mended() -> None:
    track = film("Well... the  boat.")
    assert found(track, skipped=["ellipsis"]) == ["spaces"]
    assert mend(track, EN, ["ellipsis"])[0].cues[1].text == "Well... the boat."


def test_signs_may_be_on_screen_beside_speech_and_on_two_layers() -> None:
    shut, open_ = "{\\pos(10,10)}CLOSED\nCome back tomorrow", "{\\pos(50,90)}OPEN"
    signs = [Cue(1000, 3000, text, style="Signs") for text in (shut, shut, open_)]
    speech = [Cue(start, start + 2400, FINE, style="Default") for start in (900, 3383)]
    assert found(Track((*signs, *speech), "ass")) == []
    twice = Cue(1000, 3000, FINE), Cue(1000, 3000, FINE)
    assert found(Track(twice, "srt")) == ["overlap"]


TRACK = Track((Cue(0, 900, "a", line=2), Cue(1000, 1900, "b\x07<&", line=6)), "srt")
FOUND = [Finding("spaces", 1, "a space\ntoo many, 5 %\x07")]
FILES = [("films/a,b.srt", TRACK, FOUND)]


def test_sarif_has_rule_file_and_line() -> None:
    log = json.loads(sarif(FILES))
    assert log["version"] == "2.1.0"
    (result,) = log["runs"][0]["results"]
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "spaces"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "films/a,b.srt"
    assert place["region"]["startLine"] == 6


def test_junit_is_xml_whatever_cues_say() -> None:
    root = ElementTree.fromstring(junit(FILES).encode())
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.find("failure") is not None for case in suite] == [False, True]


def test_annotations_of_github_stay_in_one_line_each() -> None:
    told = github(FILES)
    assert told.startswith("::error file=films/a%2Cb.srt,line=6,title=")
    assert told.endswith("a space%0Atoo many, 5 %25\x07") and "\n" not in told


PAGE = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
GUIDELINES = ("netflix", "amazon", "bbc", "ted", "arte", "ard-zdf", "channel4", "subtitle-edit")
OF_TIMES = ("min_gap", "close_gaps", "shot_zone")


def cell(value: object) -> str:
    return "yes" if value is True else f"`{value}`" if value else "·"


def table() -> list[str]:
    limits = [Guideline.load(name, "en") for name in GUIDELINES]
    lines = [f"| `{'` | `'.join(('', *GUIDELINES))}` |".replace("| `` |", "| |", 1)]
    lines.append("|---" * (len(GUIDELINES) + 1) + "|")
    for name in OF_TIMES:
        values = [getattr(one, name) for one in limits]
        lines.append(f"| `{name}`, ms | {' | '.join(f'{v}' if v else '·' for v in values)} |")
    for field in fields(Style):
        values = [cell(getattr(one.style, field.name)) for one in limits]
        if field.name != "dashed":
            lines.append(f"| {field.name} | {' | '.join(values)} |")
    return lines


def test_the_table_of_rules_is_what_guidelines_say() -> None:
    assert "\n".join(table()) in PAGE


def test_every_rule_is_explained() -> None:
    assert [rule for rule in TITLES if f"`{rule}`" not in PAGE] == []
