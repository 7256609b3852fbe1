"""What is mended in texts, and how it is told."""

from __future__ import annotations

import pytest

from subfit.errors import InputFileError
from subfit.subtitles.cues import Cue
from subfit.subtitles.formats import parse_track
from subfit.subtitles.repairs import mend_texts, quoted
from subfit.subtitles.sentences import join_cues, parse_cues


def test_a_quoted_line_is_short_and_printable() -> None:
    assert quoted("  two \t words ") == "“two words”"
    assert quoted("a\x07b") == "“a�b”"
    assert quoted("x" * 50, limit=5) == "“xxxx…”"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The ship\\Nwill dock.", "The ship\nwill dock."),
        ("Open\\hat\\hsix", "Open at six"),
        ("See C:\\New\\here", "See C:\\New\\here"),
        ("at\\N00:01,0 --> 00:02,0", "at\\N00:01,0 --> 00:02,0"),
        ("< i >Far away.< / i >", "<i>Far away.</i>"),
        ("&lt;b&gt;Stop!&lt;/b&gt;", "<b>Stop!</b>"),
        (
            '&lt;font color="red"&gt;&lt;i&gt;No!&lt;/i&gt;&lt;/font&gt;',
            '<font color="red"><i>No!</i></font>',
        ),
        ("The &lt;b&gt; element", "The &lt;b&gt; element"),
        ("a &lt; b and c &gt; d", "a &lt; b and c &gt; d"),
        ("List&lt;String&gt;", "List&lt;String&gt;"),
        ("{i}Far away.{/i}", "<i>Far away.</i>"),
        ("That&amp;#39;s Tom &amp;amp; Ann.", "That&#39;s Tom &amp; Ann."),
        ("Ce sous-\nmarin a quatre-\nvingts ans.", "Ce sous-\nmarin a quatre-\nvingts ans."),
        ("So just-\nwait, just once.", "So just-\nwait, just once."),
        ("A lan-\ntern is a lantern. Lan is here.", "A lantern\nis a lantern. Lan is here."),
        ("We had 5 l of milk.", "We had 5 l of milk."),
        ("The lan-\ntern went out.", "The lantern\nwent out."),
        ("Der Leucht-\nturm!", "Der Leuchtturm!"),
        ("C'est le gar-\ndien du phare.", "C'est le gardien\ndu phare."),
        ("Thirty-\ntwo, a self-\nmade man", "Thirty-\ntwo, a self-\nmade man"),
        ("Dites-\nnous tout.", "Dites-\nnous tout."),
        (
            "two-\nor three-year, Sonn-\nsowie Feiertage",
            "two-\nor three-year, Sonn-\nsowie Feiertage",
        ),
        ("l'm here. ls it late? |'m cold.", "I'm here. Is it late? I'm cold."),
        ("I know lt's late, or lf not.", "I know it's late, or if not."),
        ("J' Far from home J'", "♪ Far from home ♪"),
        ("- No , Ann .- Well , go !", "- No, Ann.- Well, go!"),
        ("It was 2 . 400 metres .", "It was 2.400 metres."),
        ('" Is it far ? "', '"Is it far?"'),
        ("Wait ... I have 3 .", "Wait ... I have 3 ."),
        ("a < b, <3, <i>so</i>", "a < b, <3, <i>so</i>"),
    ],
)
def test_leftovers_of_other_programs_are_read_as_what_they_were(text: str, read: str) -> None:
    (cue,), told = mend_texts([Cue(0, 1000, text, line=2)], "en")
    assert cue.text == read
    assert bool(told) == (text != read)
    assert {repair.line for repair in told} <= {3}


def test_l_for_i_is_mended_in_english_alone() -> None:
    assert mend_texts([Cue(0, 1, "l'amico")], "it")[1] == []


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("{10}{60}Good evening.", "MicroDVD"),
        ("[Script Info]\nTitle: x", "ASS"),
        ("<?xml version='1.0'?>\n<tt xmlns='x'><body/></tt>", "TTML"),
        ("<SAMI>\n<BODY>", "SAMI"),
        ("[ti:Song]\n[00:10.00]la la", "LRC"),
        ('[{"start": 0}]', "JSON"),
        ("PK\x03\x04x", "ZIP"),
        ("<!DOCTYPE html>", "HTML"),
    ],
)
def test_a_file_of_another_kind_is_named_for_what_it_is(content: str, title: str) -> None:
    with pytest.raises(InputFileError, match=title):
        parse_track(content.encode(), name="x.srt", format="srt")


def test_data_for_programs_is_kept_and_told() -> None:
    texts = ["img/tile_04.jpg#xywh=160,0,160,90", '{"cue": "ad"}', "Good evening."]
    cues = "".join(f"00:0{at}.000 --> 00:0{at}.900\n{text}\n\n" for at, text in enumerate(texts))
    track = parse_track(f"WEBVTT\n\n{cues}".encode(), format="vtt")
    sentences = join_cues(track.cues, parse_cues(track.cues, "vtt"))
    assert [sentence.text for sentence in sentences] == ["Good evening."]
    assert [repair.line for repair in track.repairs] == [4, 7]


def test_the_header_of_another_file_is_no_speech() -> None:
    first = "WEBVTT\n\n00:01.000 --> 00:02.000\nGood evening.\n"
    data = first + "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000\n\n00:03.000 --> 00:04.000\nYes.\n"
    track = parse_track(data.encode(), format="vtt")
    assert [cue.text for cue in track.cues] == ["Good evening.", "Yes."]
    assert [repair.line for repair in track.repairs] == [5]


@pytest.mark.parametrize(
    ("line", "times"),
    [
        ("00:00:02,250.7000001 --> 00:00:04,5.25", (2250, 4500)),
        ("-1:-2:-3,-400 --> 00:00:04,000", (0, 4000)),
        ("00:00:02,000 → 00:00:04,000", (2000, 4000)),
        ("00:00:02,000 => 00:00:04,000", (2000, 4000)),
    ],
)
def test_times_of_other_programs_are_read(line: str, times: tuple[int, int]) -> None:
    track = parse_track(f"1\n{line}\nGood evening.\n".encode(), format="srt")
    assert [(cue.start, cue.end) for cue in track.cues] == [times]
    assert track.repairs
