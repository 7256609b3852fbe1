"""A file taken apart, so that a page can put other words in and write it again."""

from __future__ import annotations

import pytest

from subfit.reporting.files.written import Frame, frame_of, written_file
from subfit.subtitles.cues import FormatName
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.pairing import bilingual_track

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
def test_markup_around_a_cue_is_told_from_its_words(
    payload: str, format: FormatName, frame: Frame
) -> None:
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


def test_payloads_of_alternatives_are_written_in_the_output_s_format() -> None:
    written = written_file(TARGET, "vtt")
    assert (
        written.converted("{\\an8}A & B")
        == written_file(SOURCE.with_texts(["{\\an8}A & B", "x"]), "vtt").payloads[0]
    )
