"""TTML and its profiles: what is translated, what stays, and what ttconv sees of the result."""

import io
import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from lxml import etree
from ttconv import model
from ttconv.imsc import reader

from subfit.errors import InputFileError
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.formats.layout import with_parts
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.subtitles.markup.restore import render_cue_text

ROOT = """\
<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" \
xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" \
xml:lang="en"%s>
<head>
  <styling>
    <style xml:id="slant" tts:fontStyle="italic"/>
    <style xml:id="more" style="slant"/>
  </styling>
  <layout>
    <region xml:id="low" tts:origin="10%% 10%%" tts:extent="80%% 80%%" tts:displayAlign="after"/>
    <region xml:id="high"><style tts:origin="10%% 5%%"/><style tts:extent="80%% 20%%"/></region>
  </layout>
</head>
<body>
<div>%s</div>
</body>
</tt>
"""
FRAMES = ' ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001"'
TICKS = ' ttp:tickRate="10000000"'
SMPTE = (
    ' ttp:timeBase="smpte" ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:dropMode="%s"'
)
ONE_TWO = 'begin="00:00:01.000" end="00:00:02.000"'


def p(inner: str, times: str = ONE_TWO, **attributes: str) -> str:
    """A paragraph."""
    rest = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<p {times}{rest}>{inner}</p>"


DROPPED = (60060, 3599996, "One")
PARAGRAPHS = [
    ("", p("Hello there."), (1000, 2000, "Hello there.")),
    ("", p("One<br/>two"), (1000, 2000, "One\ntwo")),
    ("", p("\n    One\n    <br></br>\n  two  words "), (1000, 2000, "One\ntwo words")),
    ("", p("<span tts:fontStyle='italic'>All</span> of it"), (1000, 2000, "<i.s0>All</i> of it")),
    ("", p('a <span tts:color="red">red</span> lamp'), (1000, 2000, "a <c.s0>red</c> lamp")),
    ("", p("a <span\n  tts:color='red'\n>red</span> lamp"), (1000, 2000, "a <c.s0>red</c> lamp")),
    ("", p('a <span style="more">red</span> lamp'), (1000, 2000, "a <i.s0>red</i> lamp")),
    ("", p("All of it", style="slant"), (1000, 2000, "<i.p>All of it</i>")),
    ("", p("Q&amp;A &lt; &#x2669; &quot;x&quot;"), (1000, 2000, 'Q&amp;A &lt; ♩ "x"')),
    ("", p("<![CDATA[A < B]]> c"), (1000, 2000, "A &lt; B c")),
    ("", p("<!-- to Ann -->One<?x y?>"), (1000, 2000, "One")),
    ("", p("<metadata><ttm:desc>no</ttm:desc></metadata>One"), (1000, 2000, "One")),
    ("", p("<set begin='0.5s' tts:color='red'/>One"), (1000, 2000, "One")),
    (
        "",
        p(
            '<span tts:ruby="container"><span tts:ruby="base">漢字</span>'
            '<span tts:ruby="text">かんじ</span></span>です'
        ),
        (1000, 2000, "<ruby.s0><c.s1>漢字</c><rt.s2>かんじ</rt></ruby>です"),
    ),
    (FRAMES, p("One", 'begin="00:00:01:12" end="48f"'), (1500, 2002, "One")),
    (TICKS, p("One", 'begin="15000000t" end="25000000t"'), (1500, 2500, "One")),
    ("", p("One", 'begin="1.5s" dur="250ms"'), (1500, 1750, "One")),
    ("", p("One", 'begin="0.5m" end="0.01h"'), (30000, 36000, "One")),
    (SMPTE % "nonDrop", p("One", 'begin="00:01:00:00" end="00:01:01:00"'), (60060, 61061, "One")),
    (SMPTE % "dropNTSC", p("One", 'begin="00:01:00:02" end="01:00:00:00"'), DROPPED),
    ("", f'<p {ONE_TWO}/><p {ONE_TWO}> <br/> </p>' + p("One"), (1000, 2000, "One")),
    (' xml:space="preserve"', p("One  two\nthree"), (1000, 2000, "One  two\nthree")),
    ("", p("One", "begin='1s' end='2s'", region="high"), (1000, 2000, "One")),
]  # fmt: skip


def parsed(document: str) -> Track:
    """A track of a document, with what it is read from beside it."""
    track = parse_track(document.encode(), format="ttml")
    assert render_track(track) == document.encode()
    return track


def shouted(track: Track) -> Track:
    """The track with all words in capitals, as a translation would be put back."""
    texts = []
    for cue in track.cues:
        text = parse_cue_text(cue.text, "ttml")
        words = [tuple(turn.text.upper().split("\n")) for turn in text.turns]
        texts.append(render_cue_text(text, words, "ttml").text)
    return replace(track.with_texts(texts), language="de")


def seen(data: bytes) -> list[tuple[int, int | None, str | None, str]]:
    """In-time, out-time, region and text of the paragraphs of a document, as ttconv has them."""
    document = reader.to_model(ElementTree.parse(io.BytesIO(data)))
    found = []
    for one in document.get_body().dfs_iterator():
        if isinstance(one, model.P):
            texts = (part.get_text() for part in one.dfs_iterator() if isinstance(part, model.Text))
            begin, end = (
                math.floor(time * 1000) if time else 0 for time in (one.get_begin(), one.get_end())
            )
            region = one.get_region()
            name = None if region is None else region.get_id()
            found.append((begin, end, name, "".join(texts)))
    return found


@pytest.mark.parametrize(("root", "body", "expected"), PARAGRAPHS)
def test_paragraphs_are_read_and_put_back_into_what_stays(root, body, expected) -> None:
    track = parsed(ROOT % (root, body))
    (cue,) = track.cues
    assert (cue.start, cue.end, cue.text) == expected
    assert cue.settings == ("line:0" if "high" in body else "")
    translated = render_track(shouted(track))
    assert b'xml:lang="de"' in translated and b'xml:lang="en"' not in translated
    before, after = seen((ROOT % (root, body)).encode()), seen(translated)
    assert [one[:3] for one in before] == [one[:3] for one in after]
    if "smpte" not in root:  # ttconv takes its times for media times
        assert (cue.start, cue.end) in [one[:2] for one in before]
    if "ruby" not in body:
        words = "".join(before[-1][3].split()).upper()
        assert "".join(after[-1][3].split()) == words


def test_times_add_up_over_what_paragraphs_stand_in() -> None:
    body = (
        '<div begin="10s"><p begin="1s" end="2s">A</p><p begin="5s">B</p></div>'
        '<div timeContainer="seq" begin="15s" end="60s">'
        '<div timeContainer="seq"><p dur="5s"/></div>'
        '<div timeContainer="seq"><p dur="1s">C</p><p begin="1s" dur="1s">D</p></div></div>'
        '<p><span begin="30s" end="31s">E</span> <span begin="31s" end="32s">F</span></p>'
        '<p begin="late">lost</p>'
        '<p end="40s"><span begin="33s">One</span> <span begin="34s">by</span></p>'
    )
    track = parsed(ROOT % ("", body))
    assert [(cue.start, cue.end, cue.text) for cue in track.cues] == [
        (0, 40000, "<c.s0>One</c> <c.s1>by</c>"),
        (11000, 12000, "A"),
        (15000, 20000, "B"),
        (20000, 21000, "C"),
        (22000, 23000, "D"),
        (30000, 31000, "E"),
        (31000, 32000, "F"),
    ]
    told = sorted(repair.problem for repair in track.repairs)
    assert len(told) == 2 and "no out-time" in told[0] and "begin=late" in told[1]


@pytest.mark.parametrize(
    ("root", "times", "expected"),
    [
        ("", ONE_TWO, 'begin="00:00:01.000" end="00:00:02.480"'),
        (FRAMES, 'begin="00:00:01:00" end="00:00:02:00"', 'begin="00:00:01:00" end="00:00:02:12"'),
        (TICKS, "begin='10000000t' end='20000000t'", "begin='10000000t' end='24800000t'"),
        ("", 'begin="1s" dur="1s"', 'begin="1s" dur="1.480s"'),
        ("", 'begin="1s"', 'begin="1s" end="00:00:02.480"'),
    ],
)
def test_out_times_are_written_as_they_stood(root: str, times: str, expected: str) -> None:
    track = parsed(ROOT % (root, p("One", times)))
    assert render_track(track.with_ends([2480])).decode() == ROOT % (root, p("One", expected))


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        ('a <span style="more">red</span>', "so <rot>", 'so <span style="more">&lt;rot&gt;</span>'),
        ("One", "Eins\nzwei < drei", "Eins<br/>zwei &lt; drei"),
        (p("All").removeprefix("<p").removesuffix("</p>").partition(">")[2], "Alles", "Alles"),
    ],
)  # fmt: skip
def test_spans_go_where_their_words_are(source: str, words: str, expected: str) -> None:
    track = parsed(ROOT % ("", p(source, style="slant")))
    text = parse_cue_text(track.cues[0].text, "ttml")
    payload = render_cue_text(text, [tuple(words.split("\n"))], "ttml").text
    written = render_track(track.with_texts([payload])).decode()
    assert written == ROOT % ("", p(expected, style="slant"))


def test_what_is_no_text_within_a_span_stays() -> None:
    text = "<span><metadata><desc>Ann</desc></metadata>Where <br/>is it?</span>"
    track = parse_track((ROOT % ("", p(text))).encode(), format="ttml")
    payload = track.cues[0].text.replace("Where", "Wo").replace("is it?", "ist es?")
    written = render_track(track.with_texts([payload])).decode()
    assert written == ROOT % ("", p(text.replace("Where <br/>is it?", "Wo<br/>ist es?")))


def test_prefixes_other_languages_and_encodings_are_kept() -> None:
    text = (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
        '<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xml:lang="en-GB"><tt:body><tt:div>'
        '<tt:p begin="00:00:01.000" end="00:00:02.000">Café<tt:br/>bar</tt:p>'
        '<tt:p begin="00:00:03.000" end="00:00:04.000" xml:lang="la">Ave</tt:p>'
        "</tt:div></tt:body></tt:tt>"
    )
    track = parse_track(text.encode("latin-1"), format="ttml")
    assert [cue.text for cue in track.cues] == ["Café\nbar", "Ave"]
    translated = replace(track.with_texts(["Kaffee\nBar", "Ave"]), language="de")
    expected = text.replace("Café<tt:br/>bar", "Kaffee<tt:br/>Bar").replace("en-GB", "de")
    assert render_track(translated).decode() == expected.replace("ISO-8859-1", "UTF-8")
    assert render_track(track, output_encoding="latin-1") == text.encode("latin-1")
    bare = parse_track(text.partition("\n")[2].encode(), format="ttml")
    assert render_track(bare, output_encoding="latin-1").startswith(
        b'<?xml version="1.0" encoding="ISO8859-1"?>\n<tt:tt'
    )
    without = with_parts(track, [track.cues[:1], (), *zip(track.cues[2:])])
    assert "Ave" not in render_track(without).decode()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('<!DOCTYPE tt [<!ENTITY a "b">]><tt><body/></tt>', "entities"),
        ("<tt><body>", "well-formed"),
        ("<html><body/></html>", "no TTML"),
        ("<tt xmlns='http://www.w3.org/ns/ttml'><body/></tt>", "no paragraph"),
        ("<tt>" + "<div>" * 400 + "</div>" * 400 + "</tt>", "well-formed"),
    ],
)
def test_what_is_no_ttml_or_would_grow_is_refused_in_one_line(text: str, problem: str) -> None:
    with pytest.raises(InputFileError, match=problem) as caught:
        parse_track(text.encode(), format="ttml")
    assert "\n" not in str(caught.value)


def test_nothing_outside_the_file_is_fetched(tmp_path) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY a "secret">')
    text = f'<!DOCTYPE tt SYSTEM "{secret.as_uri()}">' + ROOT.partition("?>\n")[2] % ("", p("One"))
    assert parsed(text).cues[0].text == "One"


def test_what_is_written_of_other_formats_is_imsc_text() -> None:
    srt = (
        "1\n00:00:01,500 --> 00:00:02,000\n{\\an8}<i>Hi</i>, A & B\n\n"
        "2\n00:00:03,000 --> 00:00:04,000\n- <b>Who</b>?\n- Me.\n"
    )
    track = replace(parse_track(srt.encode()), language="de")
    written = render_track(track, output_format="ttml")
    assert seen(written) == [
        (1500, 2000, "top", "Hi, A & B"),
        (3000, 4000, "bottom", "- Who?- Me."),
    ]
    root = etree.fromstring(written)
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
    profile = "{http://www.w3.org/ns/ttml#parameter}contentProfiles"
    assert root.get(profile) == "http://www.w3.org/ns/ttml/profile/imsc1.1/text"
    again = parse_track(written)
    assert again.format == "ttml" and render_track(again, output_format="srt").decode() == srt
