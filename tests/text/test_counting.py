"""What counts as a character, in texts and in the pieces of models."""

from __future__ import annotations

import itertools
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.subtitles.markup.payload import plain_text
from subfit.text.counting import Counting, count_characters
from subfit.text.doubts import Doubt, doubts_of
from tests.places import DATA

VECTORS = json.loads((DATA / "counting.json").read_text(encoding="utf-8"))
"""Also those of the counter in the page of a report."""


@pytest.mark.parametrize("case", VECTORS["counts"], ids=lambda case: ascii(case["text"]))
def test_characters_are_counted_as_a_viewer_sees_them(case):
    assert count_characters(case["text"], Counting(**case["counting"])) == case["count"]


@pytest.mark.parametrize("case", VECTORS["plain_texts"], ids=lambda case: ascii(case["payload"]))
def test_markup_is_not_counted(case):
    assert plain_text(case["payload"], case["format"]) == case["text"]


countings = st.builds(Counting, *[st.booleans()] * 4)
# Code points that join, hide or combine, in far higher shares than plain random text has them.
tricky = st.sampled_from(
    "a é \n\t\u0301\u064b\u200d\u200b\ufe0f\u00ad🇩🇪👩🔬🏽"
    "\u1100\u1161\u11a8각कष\u094dาำ\u0600क\u0e33漢ｱﾞ,。"
)
odd_text = st.lists(st.one_of(tricky, st.characters()), max_size=30).map("".join)


def cut(text: str, points: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(point % (len(text) + 1) for point in points)})
    return [text[a:b] for a, b in itertools.pairwise(edges)]


@given(odd_text, st.lists(st.integers(0, 100), max_size=8), countings)
def test_pieces_never_count_less_than_their_text(text, points, counting):
    pieces = cut(text, points)
    assert sum(count_characters(p, counting) for p in pieces) >= count_characters(text, counting)


european = st.text(
    st.characters(categories=["L", "N", "P", "S", "Z"], max_codepoint=0x52F)
    | st.sampled_from("…—–„“”’♪€ẞệἀ \n"),
    max_size=40,
).map(lambda text: unicodedata.normalize("NFC", text))


@given(european, st.lists(st.integers(0, 100), max_size=8), countings)
def test_pieces_of_european_text_count_exactly_what_the_text_does(text, points, counting):
    pieces = cut(text, points)
    assert sum(count_characters(p, counting) for p in pieces) == count_characters(text, counting)


@given(odd_text | european)
def test_the_short_cut_for_simple_text_agrees_with_segmentation(text):
    zero_width_space = "\u200b"  # counts nothing and is not simple text
    assert count_characters(text) == count_characters(text + zero_width_space)


SOURCE = "I am the owner of this mansion, and you will leave it now."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ich bin der Herr dieses Hauses, und Sie gehen jetzt.", ()),
        ("Soy el dueño de esta mansión y ahora te vas.", ()),
        (SOURCE, (Doubt.UNTRANSLATED,)),
        ("I own this house and you must go from here now.", (Doubt.UNTRANSLATED,)),
        (f"{SOURCE} / Ich bin der Herr dieses Hauses.", (Doubt.UNTRANSLATED,)),
        ("Translate this subtitle into German, on one line.", (Doubt.PROMPT,)),
        ("Wir gehen jetzt nach Hause.", (Doubt.ANOTHER,)),
        ("Ja.", (Doubt.LENGTH,)),
        ("3 = 3. Mein Haus, und Sie gehen jetzt.", (Doubt.SIGNS,)),
        ("Das Haus. " * 20, (Doubt.LENGTH, Doubt.ROUNDS)),
    ],
)
def test_what_is_no_translation_is_told_without_a_table_of_words(text, found):
    told = ["Translate this subtitle into German, on one line, without quotation marks."]
    others = [("We go home now.", "Wir gehen jetzt nach Hause.")]
    doubts = doubts_of(text, SOURCE, ("en", "de"), told=told, others=others)
    assert set(found) <= {*doubts} and bool(found) == bool(doubts)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Anna Brown, Tom Hill!", "Anna Brown, Tom Hill!"),
        ("OK, Sam.", "OK, Sam."),
        ("No, no, no, no!", "Nein, nein, nein, nein!"),
        ("Help!", "Zu Hilfe!"),
        ("So I said to him that he must not.", "Also sagte ich ihm, dass er nicht darf."),
    ],
)
def test_names_cries_and_short_answers_are_none_of_these(source: str, text: str) -> None:
    assert doubts_of(text, source, ("en", "de")) == ()


def test_a_text_that_is_made_shorter_stays_in_its_language() -> None:
    assert doubts_of("I own this mansion; leave it now.", SOURCE, ("en", "en")) == ()
