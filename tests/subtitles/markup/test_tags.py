"""Markup is lifted off text and written so that nothing else is read as markup."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.subtitles.markup import Span
from subfit.subtitles.markup.tags import decoded, encoded, escaped, lift_tags, tag_tokens

PIECES = st.lists(
    st.sampled_from(
        [
            *("<i>", "</i>", "<b>", "</b>", "{\\an8}", "{\\i1}", "{\\i0}", "<font color=red>"),
            *("</font>", "<v Ann>", "<c.yellow>", "</c>", "<00:01.500>", "<ruby>", "<rt>", "</rt>"),
            *("</ruby>", "&amp;", "&lt;", "&quot;", "&nonsense;", "&", "<", ">", "a", "b c", "\n"),
            *("-->", "3 < 4"),
        ]
    ),
    max_size=12,
).map("".join)
FORMATS = pytest.mark.parametrize("format", ["srt", "vtt"])


@FORMATS
@given(payload=PIECES)
def test_tokens_are_the_whole_payload(format, payload) -> None:
    tokens = list(tag_tokens(payload, format))
    assert "".join(one if isinstance(one, str) else one[0] for one in tokens) == payload


@FORMATS
@given(payload=PIECES)
def test_elements_stand_over_the_text_and_inside_one_another(format, payload) -> None:
    text, elements = lift_tags(payload, format)
    for element in elements:
        assert 0 <= element.start <= element.end <= len(text)
        assert (element.start < element.end) == bool(element.name)
    named = [element for element in elements if element.name]
    for one in named:
        for other in named:
            if one.start < other.start < one.end:
                assert other.end <= one.end


@FORMATS
@given(text=st.text(max_size=40) | PIECES)
def test_escaped_text_is_read_back_as_it_was_without_markup(format, text) -> None:
    if format == "vtt" or "{" not in text:
        assert lift_tags(escaped(text, format), format) == (text, ())
    assert decoded(encoded(text, format), format) == text


@given(text=PIECES)
def test_webvtt_has_the_entities_of_html(text) -> None:
    assert decoded(text, "vtt") == html.unescape(text)


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ("Q&A with AT&T;", "Q&A with AT&T;"),
        ("&quot;Yes&quot;", '"Yes"'),
        ("&#233;t&#xE9;", "été"),
        ("Tom &amp Ann", "Tom &amp Ann"),
        ("a < b > c", "a < b > c"),
        ("<3 you", "<3 you"),
        ("<note>", "<note>"),
        ("<<I am here.>>", "<<I am here.>>"),
        ("<I think so>", "<I think so>"),
    ],
)
def test_subrip_takes_for_markup_and_entities_only_what_is_known(payload, text) -> None:
    assert lift_tags(payload, "srt") == (text, ())


@pytest.mark.parametrize(
    ("payload", "format", "text", "elements"),
    [
        ("<i>one", "srt", "one", [Span(0, 3, "<i>", "</i>", "i")]),
        ("He <coughs> left", "vtt", "He left", [Span(3, 3, "<coughs> ", "")]),
        ("one</i>", "srt", "one", []),
        ("<i></i>one", "srt", "one", []),
        ("<i>a<b>b</i>c", "srt", "abc", [(0, 2, "i"), (1, 2, "b")]),
        ("{\\i1}a{\\i0}b", "srt", "ab", [Span(0, 1, "{\\i1}", "{\\i0}", "\\i")]),
        ("{\\an8}a", "srt", "a", [Span(0, 0, "{\\an8}", "")]),
        ("{y:i}a", "srt", "a", [Span(0, 0, "{y:i}", "")]),
        ("a<br>b", "srt", "a\nb", []),
        ("<v Ann>a<v Bob>b", "vtt", "ab", [(0, 1, "v"), (1, 2, "v")]),
        ("a<00:01.000>b", "vtt", "ab", [Span(1, 1, "<00:01.000>", "")]),
        ("<rt>a</rt>", "vtt", "a", []),
        ("<lang\nen>a</lang>", "vtt", "a", [Span(0, 1, "<lang en>", "</lang>", "lang")]),
        ("<i>a</i>", "txt", "<i>a</i>", []),
    ],
)
def test_where_markup_stands(payload, format, text, elements) -> None:
    lifted, found = lift_tags(payload, format)
    assert lifted == text
    shown = [
        one if isinstance(expected, Span) else (one.start, one.end, one.name)
        for one, expected in zip(found, elements, strict=True)
    ]
    assert shown == elements


def test_what_would_begin_a_cue_is_no_tag() -> None:
    assert lift_tags("<i -->a", "srt") == ("<i -->a", ())
    assert lift_tags("<i -->a", "vtt") == ("<i -->a", ())


def test_a_reading_above_a_word_is_one_mark() -> None:
    text, elements = lift_tags("<ruby>明日<rt>あした</rt></ruby>", "vtt")
    assert text == "明日"
    assert [one.open for one in elements] == ["<ruby>", "<rt>あした</rt>"]
