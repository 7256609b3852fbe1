"""WebVTT as SubRip and the other way: what stays, and what is told to be left out."""

import pytest

from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.formats.convert import conversion_losses, convert_text, convert_track

TIMES = "00:00:01.000 --> 00:00:02.000"


def vtt(*cues: str, lead: str = "WEBVTT\n\n"):
    return parse_track((lead + "\n\n".join(cues) + "\n").encode(), name="a.vtt")


def srt(*payloads: str):
    times = TIMES.replace(".", ",")
    text = "\n".join(f"{at}\n{times}\n{each}\n" for at, each in enumerate(payloads, 1))
    return parse_track(text.encode(), name="a.srt")


def told(track, format: str) -> list[str]:
    return [each.problem for each in conversion_losses(track, format)]


@pytest.mark.parametrize(
    ("settings", "payload", "loses"),
    [
        ("", "Hi.", False),
        ("line:0", "{\\an8}Hi.", False),
        ("line:4", "{\\an8}Hi.", False),
        ("line:-15", "{\\an8}Hi.", False),
        ("line:5%", "{\\an8}Hi.", False),
        ("line:10%,start align:center position:50%", "{\\an8}Hi.", False),
        ("line:0 align:left", "{\\an8}Hi.", True),
        ("line:7", "Hi.", True),
        ("line:50%", "Hi.", True),
        ("line:-1", "Hi.", False),
        ("line:84% size:100%", "Hi.", False),
        ("line:14", "Hi.", False),
        ("line:auto", "Hi.", False),
        ("position:20%", "Hi.", True),
        ("line:0 vertical:rl", "Hi.", True),
        ("line:nonsense", "Hi.", False),
    ],
)
def test_a_cue_at_the_top_of_webvtt_is_there_in_subrip(settings, payload, loses):
    track = vtt(f"{TIMES} {settings}\nHi.")
    assert convert_track(track, "srt").cues[0].text == payload
    lost = ["not written to SubRip: the position of 1 cue"] if loses else []
    assert told(track, "srt") == lost


def test_a_cue_at_the_top_of_subrip_is_there_in_webvtt_and_comes_back():
    track = srt("{\\an8}<i>Hi.</i>", "Ho.")
    there = render_track(track, output_format="vtt").decode()
    assert f"{TIMES} line:0\n<i>Hi.</i>\n" in there and f"{TIMES}\nHo.\n" in there
    assert told(track, "vtt") == []
    back = render_track(parse_track(there.encode(), name="a.vtt"), output_format="srt")
    assert back == render_track(track)


def test_an_empty_cue_at_the_top_stays_empty():
    assert convert_track(vtt(f"{TIMES} line:0\n"), "srt").cues[0].text == ""


def test_all_that_subrip_has_no_place_for_is_told_in_one_line():
    track = vtt(
        f"{TIMES} region:r position:10%\n<v Ann>Hi!",
        f"intro\n{TIMES}\n<v Bob>Ho, <c.loud>you</c>! <lang fr>Oui.</lang>",
        f"3\n{TIMES}\n<ruby>漢<rt>kan</rt></ruby> <00:00:01.500>now",
        "NOTE a word",
        "NOTE\nand another",
        lead="WEBVTT - film\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:r\n\n",
    )
    (loss,) = conversion_losses(track, "srt")
    assert loss.problem == (
        "not written to SubRip: the position of 1 cue, the region of 1 cue, the voice of 2 cues, "
        "the class of 1 cue, the language of 1 cue, the ruby of 1 cue, the inner times of 1 cue, "
        "the identifier of 1 cue, 2 notes, 1 style, 1 region, 1 header"
    )
    assert loss.line == track.cues[0].line


def test_what_webvtt_has_no_place_for_is_told():
    red, high = '<font color="red">Hi.</font>', "{\\pos(1,2)}Ho."
    track = srt(red, high, "{\\an1\\fs20}<s>Oh.</s>", "{\\i1}I{\\i0}")
    assert told(track, "vtt") == [
        "not written to WebVTT: the position of 2 cues, the font of 1 cue, the overrides of 1 cue, "
        "the other markup of 1 cue"
    ]


def test_nothing_is_told_where_nothing_is_converted_or_left_but_words():
    track = vtt(f"{TIMES} line:50%\n<v Ann>Hi!")
    assert told(track, "vtt") == told(track, "txt") == []
    assert told(vtt(f"1\n{TIMES}\n<i>Hi</i> <b>you</b>!"), "srt") == []


def test_entities_become_what_the_other_format_has_for_them():
    assert convert_text("Q&A &quot;&lt;i&gt;&quot; &amp; AT&T;", "srt", "vtt") == (
        'Q&amp;A "&lt;i&gt;" &amp; AT&amp;T;'
    )
    assert convert_text('Q&amp;A "&lt;i&gt;" &amp;lt; 3', "vtt", "srt") == (
        'Q&A "&lt;i>" &amp;lt; 3'
    )
    assert convert_text("&quot;Q&amp;A&quot;", "srt", "txt") == '"Q&A"'
