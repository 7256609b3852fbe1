"""Markup put back, around its own words, around others, and into lines that are broken anew."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.subtitles.markup.payload import parse_cue_text, plain_text, unwrap_lines
from subfit.subtitles.markup.restore import render_cue_text, rewrap
from tests.properties import examples


def rendered(text, format="srt", **_):
    """Render a payload around its own words, broken where it breaks them."""
    parsed = parse_cue_text(text, format)
    lines = plain_text(text, format).split("\n")
    texts = []
    for turn in parsed.turns:
        mine, length = [], 0
        while lines and length < len("".join(turn.text.split())) + len(turn.dash.strip()):
            line = lines.pop(0).strip()
            length += len("".join(line.split()))
            mine.append(line.removeprefix(turn.dash.strip()).strip() if not mine else line)
        texts.append(tuple(mine))
    result = render_cue_text(parsed, texts, format)
    assert not result.unplaced
    return result.text


def translated(text, *lines, format="srt"):
    """Render a payload around other words: for each turn a tuple of lines."""
    result = render_cue_text(parse_cue_text(text, format), lines, format)
    return result.text, result.unplaced


SAME = [
    ("srt", "Hello,\nyou."),
    ("srt", "<i>Hello,\nyou.</i>"),
    ("srt", "<i>Hello,</i>\n<i>you.</i>"),
    ("srt", "{\\an8}<i>Hello,</i>\n<i>you.</i>"),
    ("srt", '{\\an8}<b><i><font color="#fff">Hello.</font></i></b>'),
    ("srt", "Hello, <i>you</i> <b>there</b>."),
    ("srt", "Hel<i>lo</i>, <b>you <u>there</u></b>."),
    ("srt", "{\\i1}Hello{\\i0} there"),
    ("srt", "- Hi.\n- Hello."),
    ("srt", "– Hi,\nyou.\n– Hello."),
    ("srt", "<i>- Hi.\n- Hello.</i>"),
    ("srt", "<i>- Hi.</i>\n<i>- Hello.</i>"),
    ("srt", "- <i>Hi.</i>\n- Hello."),
    ("srt", "{\\an8}- Hi.\n- Hello."),
    ("srt", "- And so on."),
    ("srt", "A < B & C > D"),
    ("srt", "<laughs> Hello"),
    ("srt", "♪ La la ♪"),
    ("srt", "[DOOR SLAMS]"),
    ("vtt", "<v.loud Ann Lee>Hello.</v>"),
    ("vtt", "<v Ann>Hi.</v>\n<v Bob>Hello.</v>"),
    ("vtt", "<v Ann>Hi.\n<v Bob>Hello."),
    ("vtt", "<v Ann>- Hi.</v>\n<v Bob>- Hello.</v>"),
    ("vtt", "<c.yellow.bg_blue>Hello.</c>"),
    ("vtt", "<c.yellow>Hi.</c>\n<c.cyan>Ho.</c>"),
    ("srt", '{\\an8}<font color="#ffff00">Hi.</font>\n<font color="#00ffff">Ho.</font>'),
    ("srt", "{\\i1}Hi.{\\i0}\nHo."),
    ("vtt", "Tom &amp; Ann &lt;3"),
    ("vtt", "<00:00:01.000>one <00:00:02.000>two"),
    ("vtt", "this<00:01.199><c> will</c><c.x><00:01.379><c> happen</c></c>"),
    ("vtt", "<00:00.000><b>Text</b><00:00.001>"),
    ("vtt", "<lang en>Yes</lang>, oui"),
    ("vtt", "<ruby>左<rt>ひだり</rt></ruby>に"),
    ("vtt", "<b><ruby>左<rt>ひだり</rt></ruby></b>"),
    ("vtt", "<ruby>左<00:01.000><rt>ひだり</rt></ruby>に"),
    ("vtt", "<i><b><ruby>左<rt>ひだり</rt>に<rt>に</rt></ruby></b></i>"),
    ("vtt", "&lrm;Hello&rlm;"),
    ("txt", "How are <i>you</i>?"),
]


@pytest.mark.parametrize(("format", "text"), SAME)
def test_unchanged_words_get_their_markup_back_exactly(format, text):
    assert rendered(text, format) == text


TRANSLATED = [
    ("srt", "<i>Hello,\nyou.</i>", [("Hallo, du.",)], "<i>Hallo, du.</i>"),
    ("srt", "<i>Hi,</i>\n<i>you.</i>", [("Na,", "du", "da.")], "<i>Na,</i>\n<i>du</i>\n<i>da.</i>"),
    ("srt", "{\\an8}- Hi.\n- Ho.", [("Na?",), ("Ja,", "ja.")], "{\\an8}- Na?\n- Ja,\nja."),
    ("srt", "I said <i>never</i> again.", [("Ich sagte niemals mehr.",)],
     "Ich sagte <i>niemals</i> mehr."),
    ("srt", "<b>Stop</b> right there.", [("Halt, stehen", "bleiben.")],
     "<b>Halt</b>, stehen\nbleiben."),
    ("srt", "a <i>b</i> <b>c</b>", [("Wort",)], None),
    ("vtt", "<c.yellow>Hi there.</c>\n<c.cyan>Yes, <i>no</i>.</c>", [("Na", "du."), ("Ja, nein.",)],
     "<c.yellow>Na\ndu.</c>\n<c.cyan>Ja, <i>nein</i>.</c>"),
    ("vtt", "<v Ann>Yes, <i>no</i>.", [("Ja, nein.",)], "<v Ann>Ja, <i>nein</i>."),
    ("srt", "<i>open only", [("offen",)], "<i>offen</i>"),
    ("srt", "closed only</i>", [("zu",)], "zu"),
    ("srt", "<b><i>crossed</b></i>", [("quer",)], "<b><i>quer</i></b>"),
    ("srt", "Go there", [("Geh --> da",)], "Geh → da"),
    ("srt", "&quot;Q&amp;A&quot;", [('"F & A"',)], '"F & A"'),
    ("srt", "In AT&T; &amp; Q&A", [("Bei AT&T; & Q&A",)], "Bei AT&T; & Q&A"),
    ("srt", "Write &lt;b&gt;", [("Schreib <b> mit &lt; <3",)], "Schreib &lt;b> mit &amp;lt; <3"),
    ("srt", "Go there", [("Geh\n\nda", " ", "hin")], "Geh\nda\nhin"),
    ("vtt", "Go there", [("Geh --> da & <dort>",)], "Geh --&gt; da &amp; &lt;dort&gt;"),
    ("vtt", "<v Ann>Hi.\n<v Bob>Ho.", [("Na?",), ("Ja.",)], "<v Ann>Na?\n<v Bob>Ja."),
    ("vtt", "It says <ruby>左<rt>ひだり</rt></ruby>, <i>so</i> left.",
     [("Da steht 左, also links.",)],
     "Da steht <ruby>左<rt>ひだり</rt></ruby>, <i>also</i> links."),
    ("vtt", "<00:01.000>one <00:02.000>two", [("eins", "zwei")],
     "<00:01.000>eins\n<00:02.000>zwei"),
]  # fmt: skip


@pytest.mark.parametrize(("format", "text", "lines", "expected"), TRANSLATED)
def test_other_words_get_the_markup(format, text, lines, expected):
    result, unplaced = translated(text, *lines, format=format)
    if expected is None:
        assert unplaced
    else:
        assert (result, unplaced) == (expected, ())


def test_what_cannot_be_placed_is_listed():
    text = "a<i>b</i> <ruby>左<rt>ひだり</rt></ruby>に"
    result, unplaced = translated(text, ("Nur Wörter hier",), format="vtt")
    assert "ruby" not in result
    assert unplaced == ("<ruby>", "<rt>ひだり</rt>")
    assert translated("<b>x</b> y", ()) == ("", ("<b>",))


PIECES = st.sampled_from(
    "Hello you. - – \n \n ♪ < & > &amp; &lt; <i> </i> <b> </b> <v_Ann> <v_Bob> </v> <c.x> </c> "
    '<ruby> <rt> </rt> </ruby> <00:01.000> {\\an8} {\\i1} {\\i0} [x] --> 左 <font_color="#fff"> '
    "</font> <c.y> No. A \u2028 &#10; 5 &quot; &gt; /i lt;".replace("_", "\x00").split(" ")
).map(lambda piece: piece.replace("\x00", " ") or " ")
PAYLOADS = st.lists(PIECES, max_size=14).map("".join)
FORMATS = st.sampled_from(["srt", "vtt", "txt"])
WORDS = st.lists(st.sampled_from(["Wort", "zwei drei", "&", "<", "-->", "語"]), max_size=3)


@given(PAYLOADS, FORMATS)
@examples(400)
def test_rendering_its_own_words_is_stable(payload, format):
    """Whatever the markup: no text is lost, and doing it twice changes nothing more."""
    parsed = parse_cue_text(payload, format)
    own = [(turn.text,) if turn.text else () for turn in parsed.turns]
    once = render_cue_text(parsed, own, format)
    assert "".join(plain_text(once.text, format).split()) == "".join(
        plain_text(payload, format).replace("-->", "→" if format == "srt" else "-->").split()
    )
    if parsed.turns and "-->" not in payload:
        again = parse_cue_text(once.text, format)
        own = [(turn.text,) if turn.text else () for turn in again.turns]
        twice = render_cue_text(again, own, format)
        assert plain_text(twice.text, format) == plain_text(once.text, format)


@given(PAYLOADS, FORMATS, st.data())
@examples(400)
def test_new_words_arrive_whole_and_tags_stay_balanced(payload, format, data):
    parsed = parse_cue_text(payload, format)
    texts = [tuple(data.draw(WORDS)) for _ in parsed.turns]
    result = render_cue_text(parsed, texts, format)
    if parsed.turns:
        assert "\n\n" not in result.text
    if format == "vtt":
        plain = plain_text(result.text, format)
        dashes = [turn.dash for turn in parsed.turns]
        expected = "".join(
            dash + "".join(lines) for dash, lines in zip(dashes, texts, strict=True) if lines
        )
        if parsed.turns:
            assert "".join(plain.split()) == "".join(expected.split())
            assert "-->" not in result.text
            for name in ("i", "b", "c", "font", "ruby"):
                opened = result.text.count(f"<{name}>") + result.text.count(f"<{name}.")
                opened += result.text.count(f"<{name} ")
                assert opened == result.text.count(f"</{name}>")


@pytest.mark.parametrize(
    ("payload", "lines", "expected"),
    [
        ("one two\nthree", ["one", "two three"], "one\ntwo three"),
        ("one two\nthree", ["one two three"], "one two three"),
        ("{\\an8}<i>one two\nthree</i>", ["one", "two three"], "{\\an8}<i>one\ntwo three</i>"),
        ("one <i>two</i> three", ["one", "two three"], "one\n<i>two</i> three"),
        ("<i>one</i> two three", ["one", "two three"], "<i>one</i>\ntwo three"),
        ("{\\an8}\none two", ["one", "two"], "{\\an8}\none\ntwo"),
        # A tag around every single line stands around every new one.
        ("<i>one two</i>\n<i>three</i>", ["one", "two three"], "<i>one</i>\n<i>two three</i>"),
        ("{\\an8}<i>one</i>\n<i>two</i>", ["one two"], "{\\an8}<i>one two</i>"),
        # What is no line break stays, tidy or not.
        ("one  two\nthree four ", ["one two three", "four"], "one  two three\nfour "),
        ("one \ntwo three", ["one", "two three"], "one \ntwo three"),
        ("one<br>two three", ["one two", "three"], "one two\nthree"),
        ("<i>not closed, one\ntwo", ["not closed,", "one two"], "<i>not closed,\none two"),
        ("5 < 6 &amp; so\non", ["5 < 6", "& so on"], "5 < 6\n&amp; so on"),
        ("Q&A AT&T; &#39;so&nbsp;on", ["Q&A", "AT&T; 'so\xa0on"], "Q&A\nAT&T; &#39;so&nbsp;on"),
        ("Quoi\u00a0? Moi\n?", ["Quoi\u00a0?", "Moi ?"], "Quoi\u00a0?\nMoi ?"),
        ("猫が。\n犬", ["猫", "が。犬"], "猫\nが。犬"),
    ],
)
def test_only_line_breaks_change_in_subrip(payload, lines, expected):
    assert rewrap(payload, lines, "srt") == expected


@pytest.mark.parametrize(
    ("payload", "lines", "expected"),
    [
        ("one &amp;\ntwo &lt;3", ["one", "& two <3"], "one\n&amp; two &lt;3"),
        ("one<00:00:01.000> two\nthree", ["one", "two three"], "one<00:00:01.000>\ntwo three"),
        ("<v Ann>one two\nthree</v>", ["one", "two three"], "<v Ann>one\ntwo three</v>"),
        ("one <c.red>two\nthree</c>", ["one two", "three"], "one <c.red>two\nthree</c>"),
        (
            "<ruby>東<rt>とう</rt></ruby>京\nです",
            ["東", "京です"],
            "<ruby>東<rt>とう</rt></ruby>\n京です",
        ),
    ],
)
def test_only_line_breaks_change_in_webvtt(payload, lines, expected):
    assert rewrap(payload, lines, "vtt") == expected


def test_other_words_are_refused():
    assert rewrap("one two", ["one", "too"], "srt") is None


TAGS = "<i> </i> <b> </b> <br> {\\an8} <c.x> </c> <ruby> <rt> </rt> </ruby> <00:01.000>"
TOKENS = st.sampled_from(
    ["one", "two,", "é", "猫", " ", " ", "\n", "\u00a0", "&amp;", "&lt;", "&", "<", *TAGS.split()]
)


@given(st.lists(TOKENS, max_size=12).map("".join), st.data(), st.sampled_from(["srt", "vtt"]))
def test_nothing_but_white_space_changes_however_broken_the_markup(payload, data, format):
    words = plain_text(payload, format).split()
    cuts = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    text = "".join(word + ("\n" if cut else " ") for word, cut in zip(words, cuts, strict=True))
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found = rewrap(payload, lines, format)
    if found is None:
        return
    ignored = r"\s+|<br>" if not unwrap_lines(payload, format)[1] else r"\s+|<[^<>]*>"
    assert re.sub(ignored, "", found) == re.sub(ignored, "", payload)
