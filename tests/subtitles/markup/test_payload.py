"""Markup is lifted off a payload and put back around other words."""

import pytest

from subfit.subtitles.markup import Span
from subfit.subtitles.markup.payload import kind_of, parse_cue_text, plain_text


def test_spans_stand_in_the_plain_text():
    (turn,) = parse_cue_text("Oh,\n<b>my</b> <i>dear</i>", "srt").turns
    assert turn.text == "Oh, my dear"
    assert turn.spans == (Span(4, 6, "<b>", "</b>"), Span(7, 11, "<i>", "</i>"))


KINDS = [
    ("Hello.", "speech"),
    ("[laughs] Hello", "speech"),
    ("Hey! ♪ La la ♪", "speech"),
    ("Take #5 to the #6 bus", "speech"),
    ("♪", "music"),
    ("♪♪ ♪", "music"),
    ("#", "music"),
    ("♪ La la\nla la ♪", "music"),
    ("♪ La la", "music"),
    ("la la ♪", "music"),
    ("♪ La ♪\n♪ la ♪", "music"),
    ("# La la la #", "music"),
    ("[DOOR SLAMS]", "sound"),
    ("(sighs)", "sound"),
    ("- [LAUGHS]\n- (coughs)", "sound"),
    ("♪ [MUSIC PLAYS] ♪", "music"),
    ("", "empty"),
    (" \n ", "empty"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_kind_of_a_cue(text, kind):
    assert kind_of(text) == kind
    assert parse_cue_text(f"<i>{text}</i>", "srt").kind == kind


PLAIN = [
    ("srt", "{\\an8}<i>A</i>\nB & <3", "A\nB & <3"),
    ("srt", "&quot;I&#39;m&quot; &amp; &lt;3&nbsp;&#xE9;", '"I\'m" & <3\xa0é'),
    ("srt", "AT&T; done, Q&A, R&D; &x; &copy 1", "AT&T; done, Q&A, R&D; &x; &copy 1"),
    ("srt", "&lt;i&gt;no tag&lt;/i&gt; &amp;quot;", "<i>no tag</i> &quot;"),
    ("vtt", "<v Ann>A &amp; <c.x>B</c>\nC&nbsp;D", "A & B\nC\xa0D"),
    ("vtt", "<ruby>左<rt>ひだり</rt></ruby>に", "左に"),
    ("txt", "<i>A</i>", "<i>A</i>"),
]


@pytest.mark.parametrize(("format", "text", "expected"), PLAIN)
def test_plain_text_is_what_a_viewer_sees(format, text, expected):
    assert plain_text(text, format) == expected
