import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.subtitles.markup.payload import plain_text, unwrap_lines
from subfit.subtitles.markup.restore import rewrap


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
