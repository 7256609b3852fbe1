"""Which source cues a translated cue stands for, and both languages in a cue."""

from __future__ import annotations

import pytest

from subfit.errors import UsageError
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats.convert import convert_track
from subfit.subtitles.pairing import bilingual_track, can_pair, pair_tracks


def track(*times: tuple[int, int], format: str = "srt") -> Track:
    """A track of cues without a text that matters."""
    return Track(tuple(Cue(start, end, "x") for start, end in times), format)


def test_files_with_as_many_cues_are_paired_by_position() -> None:
    pairing = pair_tracks(track((0, 1), (1, 2)), track((50, 60), (70, 80)))
    assert (pairing.method, pairing.sources, pairing.left_over) == ("position", ((0,), (1,)), 0)


def test_others_by_the_time_that_they_share() -> None:
    source = track((0, 1000), (1100, 2000), (5000, 6000), (9000, 9500))
    pairing = pair_tracks(track((0, 2000), (4000, 5500), (6500, 7000)), source)
    assert (pairing.method, pairing.sources) == ("time", ((0, 1), (2,), ()))
    assert pairing.left_over == 1


def test_without_times_as_many_lines_are_needed() -> None:
    plain = track((0, 0), format="txt")
    assert not can_pair(plain, track((0, 1), (1, 2)))
    with pytest.raises(UsageError, match="2 lines and its translation 1"):
        pair_tracks(plain, track((0, 1), (1, 2)))


def both(old: str, new: str, order="target-first", format="srt") -> str:
    source = Track((Cue(0, 1000, old),), format)
    return bilingual_track(source, source.with_texts([new]), order).cues[0].text


@pytest.mark.parametrize(
    ("order", "text"),
    [("target-first", "Wer da?\nWho is there?"), ("source-first", "Who is there?\nWer da?")],
)
def test_either_order(order, text):
    assert both("Who is there?", "Wer da?", order) == text


@pytest.mark.parametrize(
    ("format", "old", "new", "text"),
    [
        ("srt", "♪ ♪", "♪ ♪", "♪ ♪"),
        ("srt", "Anna\nPeter", "Anna Peter", "Anna Peter"),
        ("srt", "<i>Yes.</i>", "<i>Ja.</i>", "<i>Ja.</i>\n<i>Yes.</i>"),
        ("srt", "{\\an8}Yes.", "{\\an8}Ja.", "{\\an8}Ja.\nYes."),
        ("srt", "{\\i1}Yes.{\\i0}", "{\\i1}Ja.{\\i0}", "{\\i1}Ja.{\\i0}\n{\\i1}Yes.{\\i0}"),
        ("srt", "{\\an8}{\\i1}Yes.{\\i0}", "{\\an8}Ja.", "{\\an8}Ja.\n{\\i1}Yes.{\\i0}"),
        ("srt", "{\\an8\\i1}Yes.{\\i0}", "{\\an8}Ja.", "{\\an8}Ja.\n{\\i1}Yes.{\\i0}"),
        ("srt", "{\\pos(9,9)\\b1\\i1}Yes.", "Ja.", "Ja.\n{\\b1}{\\i1}Yes."),
        ("srt", "{\\i1}Yes.", "{\\i1}Ja.", "{\\i1}Ja.\nYes."),
        ("srt", "- Yes.\n- No.", "- Ja.\n- Nein.", "- Ja.\n- Nein.\n- Yes.\n- No."),
        ("vtt", "<v Ann>Yes.", "<v Ann>Ja.", "<v Ann>Ja.\nYes."),
        ("vtt", "<v Ann>Yes.</v>", "<v Ann>Ja.</v>", "<v Ann>Ja.</v>\n<v Ann>Yes.</v>"),
        (
            "vtt",
            "Yes, <00:00:00.500>of course.",
            "Ja, <00:00:00.500>sicher.",
            "Ja, <00:00:00.500>sicher.\nYes, of course.",
        ),
        ("vtt", "A &amp; B", "A &amp; B", "A &amp; B"),
    ],
)
def test_what_stands_once(format, old, new, text):
    assert both(old, new, format=format) == text


def test_no_blank_line_gets_into_a_cue():
    assert both("Yes.\n \n", "Ja.") == "Ja.\nYes."


@pytest.mark.parametrize("order", ["source-first", "target-first"])
def test_italics_of_both_languages_are_converted(order):
    source = Track((Cue(0, 1000, "{\\an8}{\\i1}Yes.{\\i0}"),), "srt")
    target = source.with_texts(["{\\an8}{\\i1}Ja.{\\i0}"])
    (cue,) = convert_track(bilingual_track(source, target, order), "vtt").cues
    assert sorted(cue.text.split("\n")) == ["<i>Ja.</i>", "<i>Yes.</i>"]
