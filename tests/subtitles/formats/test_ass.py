"""Advanced SubStation: what is translated, what stays, and what pysubs2 sees of the result."""

from dataclasses import replace

import pysubs2
import pytest

from subfit.errors import InputFileError
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.formats.layout import with_parts
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.subtitles.markup.restore import render_cue_text
from subfit.subtitles.scripts.columns import ScriptReading
from subfit.subtitles.sentences import join_cues, parse_cues

HEAD = """\
[Script Info]
; a comment
Title: Lamp
ScriptType: v4.00+
WrapStyle: 0

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, \
Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, \
Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,72,&H00FFFFFF,&H000000FF,&H0,&H0,0,0,0,0,100,100,0,0,1,3,1,2,90,90,60,1
Style: Top,Arial,72,&H00FFFFFF,&H000000FF,&H0,&H0,0,0,0,0,100,100,0,0,1,3,1,8,90,90,60,1
Style: Sign,Arial,72,&H00FFFFFF,&H000000FF,&H0,&H0,0,0,0,0,100,100,0,0,1,3,1,5,90,90,60,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""
PAYLOADS = [
    ("Hello there.", "Hello there."),
    (r"One\Ntwo", "One two"),
    (r"soft\nbreak", "soft break"),
    (r"hard\hspace", "hard\xa0space"),
    (r"{\an8}At the top", "At the top"),
    (r"{\i1}All of it{\i0}", "All of it"),
    (r"not {\i1}all{\i0} of it", "not all of it"),
    (r"{\an8\i1\fad(200,300)}Several at once", "Several at once"),
    (r"a {\c&H0000FF&}red{\c} lamp", "a red lamp"),
    (r"a {\1c&H0000FF&\b1}red{\r} lamp", "a red lamp"),
    (r"{\pos(320,50)\frz30}TO LET", "TO LET"),
    (r"{\move(1,2,3,4)\t(0,500,\fscx200)}Moving", "Moving"),
    (r"said{to Ann} twice", "said twice"),
    (r"{TL: a pun}A pun", "A pun"),
    (r"{\k20}La{\kf30}la{\ko25}la", "Lalala"),
    (r"{\p1}m 0 0 l 10 0 10 10{\p0}Behind a box", "Behind a box"),
    (r"<i>no tag</i> & no &amp; entity", "<i>no tag</i> & no &amp; entity"),
    (r"an open { brace", "an open { brace"),
    (r"- Who is it?\N- Me.", "Who is it? Me."),
    (r"commas, and more, commas", "commas, and more, commas"),
    (r"{\q2}no wrap\nhere", "no wrap here"),
    (r"{\fnArial\fs40}Face", "Face"),
]


def event(text: str, start: int = 1, end: int = 3, kind: str = "Dialogue", **fields: str) -> str:
    """A line of the events."""
    style, name, effect = (fields.get(key, other) for key, other in OTHERWISE)
    times = f"0:00:{start:02}.00,0:00:{end:02}.00"
    return f"{kind}: 0,{times},{style},{name},0,0,0,{effect},{text}\n"


OTHERWISE = (("style", "Default"), ("name", ""), ("effect", ""))


def parsed(*events: str, styles: tuple[str, ...] = ()) -> Track:
    """A track of these events, with what it is read from beside it."""
    data = (HEAD + "".join(events)).encode()
    track = parse_track(data, format="ass", script=ScriptReading(kept_styles=styles))
    assert render_track(track) == data
    return track


def shouted(track: Track) -> Track:
    """The track with all words in capitals, as a translation would be put back."""
    texts = []
    for cue in track.cues:
        text = parse_cue_text(cue.text, "ass")
        lines = [(turn.text.upper(),) for turn in text.turns]
        texts.append(cue.target or render_cue_text(text, lines, "ass").text)
    return track.with_texts(texts)


@pytest.mark.parametrize(("text", "words"), PAYLOADS)
def test_words_are_found_and_put_back_between_what_stays(text: str, words: str) -> None:
    track = parsed(
        event(text), event("Not shown", kind="Comment"), event(r"{\p1}m 0 0 l 10 0 10 10{\p0}")
    )
    (cue,) = track.cues
    assert " ".join(turn.text for turn in parse_cue_text(cue.text, "ass").turns) == words
    before, after = (
        pysubs2.SSAFile.from_string(render_track(each).decode(), "ass")
        for each in (track, shouted(track))
    )
    assert before.styles == after.styles and before.info == after.info
    for old, new in zip(before.events, after.events, strict=True):
        same = ["start", "end", "layer", "style", "name", "effect", "marginv", "type"]
        assert [getattr(old, key) for key in same] == [getattr(new, key) for key in same]
    assert [each.text for each in after.events[1:]] == [each.text for each in before.events[1:]]
    if not cue.target:
        spoken = after.events[0].plaintext.replace("\xa0", " ")
        assert words.upper().replace("\xa0", " ").split()[0] in spoken


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        (r"not {\i1}all{\i0} of it", "nicht alles davon", r"nicht {\i1}alles{\i0} davon"),
        (r"{\an8\fad(200,300)}Hello", "Hallo", r"{\an8\fad(200,300)}Hallo"),
        (r"a {\c&H0000FF&}red{\c} lamp", "die rote Lampe", r"die {\c&H0000FF&}rote{\c} Lampe"),
        (r"One", "Eins\nzwei", r"Eins\Nzwei"),
        (r"One", "Cher ami\xa0!", r"Cher ami\h!"),
        (r"One", "{so}", r"\{so\}"),
    ],
)
def test_overrides_go_where_their_words_are(source: str, words: str, expected: str) -> None:
    track = parsed(event(source))
    text = parse_cue_text(track.cues[0].text, "ass")
    payload = render_cue_text(text, [tuple(words.split("\n"))], "ass").text
    written = render_track(track.with_texts([payload])).decode()
    assert written == HEAD + event(expected)
    assert parse_track(written.encode(), format="ass").cues[0].text == payload


def test_speakers_styles_and_what_stays_are_told() -> None:
    track = parsed(
        event("Later.", 8, 9, style="Top"),
        event("TO LET", 1, 3, style="Sign", name="sign"),
        event("First.", 1, 3, name="Ann"),
        event(r"{\k20}La {\k20}la", 4, 5),
        event("fx", 4, 5, effect="fx"),
        event("Sung", 6, 7, style="OP-English"),
        styles=("OP*",),
    )
    assert [(cue.text, cue.speaker, cue.style) for cue in track.cues[:2]] == [
        ("TO LET", "sign", "Sign"),
        ("First.", "Ann", "Default"),
    ]
    assert [bool(cue.target) for cue in track.cues] == [False, False, True, True, False]
    converted = render_track(track, output_format="srt").decode()
    assert "{\\an8}Later." in converted and "fx" not in converted


def test_the_italics_of_a_style_are_in_other_formats() -> None:
    slanted = HEAD.replace("H0,&H0,0,0,0,0", "H0,&H0,0,-1,0,0")
    track = parse_track((slanted + event("I am tired.", 1, 3, style="Sign")).encode(), format="ass")
    assert "<i>I am tired.</i>" in render_track(track, output_format="srt").decode()
    assert render_track(track).decode() == slanted + event("I am tired.", 1, 3, style="Sign")


def test_events_at_one_time_and_other_styles_are_no_one_sentence() -> None:
    track = parsed(
        event("I have seen the", 1, 3),
        event("and nobody", 1, 3),
        event("lamp, which", 3, 4, name="Ann"),
        event("burns in the", 4, 5, name="Bob"),
        event("open from eight", 4, 5, style="Sign"),
        event("dark of", 10, 11),
        event("until late", 11, 12, style="Sign"),
        event("night.", 11, 12),
    )
    sentences = join_cues(track.cues, parse_cues(track.cues, "ass"), language="en")
    joined = {sentence.text for sentence in sentences}
    assert "dark of night." in joined
    assert {"I have seen the", "open from eight", "until late"} <= joined
    assert not any("the and nobody" in text or "which burns" in text for text in joined)


def test_out_times_and_cues_that_go_are_written() -> None:
    track = parsed(event("One.", 1, 3), event("[sighs]", 3, 4), event("Two.", 5, 6))
    later = track.with_ends([2990, 4000, 7650])
    assert "0:00:05.00,0:00:07.65" in render_track(later).decode()
    without = with_parts(track, [track.cues[:1], (), track.cues[2:]])
    assert render_track(without).decode() == HEAD + event("One.") + event("Two.", 5, 6)


@pytest.mark.parametrize(
    "text",
    [
        HEAD.replace("ScriptType", "!: Script generated by hand\nScriptType") + event("Hi."),
        HEAD + event("Hi.") + "\n[Fonts]\nfontname: a_0.ttf\n!!AB,Dialogue: 0,x\n",
        HEAD.replace("Layer, ", "").replace("[V4+ Styles]", "[V4 Styles]")
        + "Dialogue: 0:00:01.00,0:00:02.00,*Default,Ann,0000,0000,0000,,Hi, there\n",
        HEAD + event("Hi.").replace("Dialogue: ", "Dialogue:") + event("").rstrip("\n"),
        HEAD + event("Hi.").replace("0:00:01.00", "0:00:01.005"),
        "\ufeff" + (HEAD + event("Hi.")).replace("\n", "\r\n"),
        HEAD + event("Hi.") + event("No end.").replace("0:00:03.00", "never"),
        HEAD.replace("Start, End, Style", "Style, Start, End")
        + "Dialogue: 0,Default,0:00:01.00,0:00:02.00,,0,0,0,,Hi.\n",
        HEAD.split("[V4+")[0] + "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,X,,0,0,0,,Hi.\n",
    ],
)
def test_files_as_they_are_stay_so(text: str) -> None:
    track = parse_track(text.encode(), format="ass")
    assert track.cues[0].text.startswith("Hi") and track.cues[0].duration > 0
    assert render_track(track) == text.encode()
    assert len(track.repairs) == text.count("never")


def test_a_file_without_words_is_refused() -> None:
    for text in ("[Script Info]\n", HEAD, HEAD + event(r"{\p1}m 0 0{\p0}")):
        with pytest.raises(InputFileError, match="no event with words"):
            parse_track(text.encode(), format="ass")


def test_what_is_written_of_other_formats_opens_elsewhere() -> None:
    srt = b"1\n00:00:01,500 --> 00:00:02,000\n{\\an8}<i>Hi, {you}</i>\nthere\n"
    written = render_track(parse_track(srt), output_format="ass").decode()
    (made,) = pysubs2.SSAFile.from_string(written, "ass").events
    assert (made.start, made.end, made.text) == (1500, 2000, r"{\an8}{\i1}Hi, \{you\}{\i0}\Nthere")
    again = replace(parse_track(written.encode()), layout=None)
    assert [cue.text for cue in again.cues] == ["{\\an8}{\\i1}Hi, \\{you\\}{\\i0}\nthere"]
