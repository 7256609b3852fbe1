"""What pages are given, and how it stands in them; a file taken apart for edits."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from subfit.reporting.page import (
    Frame,
    character_ranges,
    frame_of,
    page_data,
    to_html,
    written_file,
)
from subfit.reporting.report import Report
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.pairing import bilingual_track
from tests.reporting.conftest import NETFLIX, OUTCOMES

FILE = "\n".join(
    f"{number}\n00:00:{number:02},000 --> 00:00:{number:02},900\n{each.payload}\n"
    for number, each in enumerate(OUTCOMES, 1)
)


def data_of(report: Report, **names: str | None) -> dict[str, Any]:
    track = parse_track(FILE.encode(), format="srt")
    languages = {"source_language": "en", "target_language": "de"}
    document = {"input": "a.en.srt", "output": "a.de.srt", **report.to_dict(), **names}
    document["settings"] = {**document["settings"], **languages}
    return page_data(document, written_file(track, "srt"), NETFLIX)


@pytest.mark.parametrize(
    ("source", "target", "name"),
    [
        ("a.en.srt", "out/b.de.srt", "b.de.srt"),
        ("films/a.en.srt", "-", "a.de.srt"),
        ("-", "-", "translation.srt"),
        ("a.en.srt", "b", "b.srt"),
    ],
)
def test_the_download_is_named_like_the_output(source, target, name, report):
    assert data_of(report, input=source, output=target)["file"]["name"] == name


def test_what_was_left_untranslated_has_limits_for_who_translates_it(report: Report) -> None:
    cue = data_of(report)["cues"][4]
    assert (cue["status"], cue["budget"], cue["binding"]) == ("untranslated", 17, "cps")
    assert report.cues[4].most_characters is None


def test_the_data_is_json_that_no_tag_can_end(report: Report) -> None:
    data = {**data_of(report), "odd": "</script><!-- \u2028 & {{style}} \\u003c"}
    page = to_html(data, "</title>")
    block = re.search('id="data">(.*?)</script>', page)
    assert block and json.loads(block[1]) == json.loads(json.dumps(data))
    assert not set("<>&\u2028") & set(block[1])
    assert "<title>&lt;/title&gt;</title>" in page


@pytest.mark.parametrize(
    ("char", "kind"),
    [("a", ""), ("é", ""), ("\u0301", "baseless"), ("字", "wide"), ("Ａ", "wide"), ("𠀋", "wide")],
)
def test_characters_are_in_the_ranges_of_their_kind(char: str, kind: str) -> None:
    kinds = [
        name
        for name, points in character_ranges().items()
        for first, last in zip(points[::2], points[1::2], strict=True)
        if first <= ord(char) <= last
    ]
    assert kinds == ([kind] if kind else [])


FILM = """\
1
00:00:01,000 --> 00:00:03,000
<i>Where is it?</i>

2
00:00:04,000 --> 00:00:05,000
{\\an8}Here.
There.
"""
SOURCE = parse_track(FILM.encode(), name="film.srt", format="srt")
TARGET = SOURCE.with_texts(["<i>Wo ist er?</i>", "{\\an8}Hier.\nDort."])


@pytest.mark.parametrize("output_format", ["srt", "vtt", "txt"])
def test_put_together_again_it_is_the_file(output_format) -> None:
    written = written_file(TARGET, output_format)
    assert written.spliced is not None
    assert written.spliced.text.encode() == render_track(TARGET, output_format=output_format)


@pytest.mark.parametrize(
    ("payload", "format", "frame"),
    [
        ("Hi", "srt", Frame("", "", "", "", "Hi")),
        ("{\\an8}<i>Hi <b>x</b></i>", "srt", Frame("{\\an8}<i>", "</i>", "", "", "Hi <b>x</b>")),
        ("<i>a</i>\n<i>b</i>", "srt", Frame("", "", "<i>", "</i>", "a\nb")),
        ("- <i>a</i>\n- b", "srt", Frame("", "", "", "", "- <i>a</i>\n- b")),
        ("<v Ann>Hi", "vtt", Frame("<v Ann>", "", "", "", "Hi")),
        ("<i></i>", "srt", Frame("", "", "", "", "<i></i>")),
        ("<i>Hi", "srt", Frame("", "", "", "", "<i>Hi")),
        ("{\\an8}Hello.", "srt", Frame("{\\an8}", "", "", "", "Hello.")),
        ("So <b>loud</b>.", "srt", Frame("", "", "", "", "So <b>loud</b>.")),
        ("", "srt", Frame("", "", "", "", "")),
    ],
)
def test_markup_around_a_cue_is_told_from_its_words(payload, format, frame):
    assert frame_of(payload, format) == frame


@pytest.mark.parametrize("payload", [cue.text for cue in TARGET.cues])
def test_a_frame_and_its_body_are_the_payload(payload: str) -> None:
    frame = frame_of(payload, "srt")
    lines = [f"{frame.line_open}{line}{frame.line_close}" for line in frame.body.split("\n")]
    assert frame.prefix + "\n".join(lines) + frame.suffix == payload


@pytest.mark.parametrize("order", ["source-first", "target-first"])
def test_with_both_languages_the_source_is_part_of_the_frame(order) -> None:
    both = bilingual_track(SOURCE, TARGET, order)
    frames = written_file(both, "srt", TARGET).frames()
    assert [frame.body.replace("\n", " ") for frame in frames] == ["Wo ist er?", "Hier. Dort."]
    source_side = frames[0].prefix if order == "source-first" else frames[0].suffix
    assert "Where is it?" in source_side
