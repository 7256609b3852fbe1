"""Cues to sentences: nothing spoken is lost, and only what visibly runs on is joined."""

from __future__ import annotations

import pytest

from subfit.subtitles.sentences import join_cues, parse_cues
from tests.subtitles.test_joining import cues_of


def test_dots_that_show_a_sentence_running_on_stand_beside_its_text() -> None:
    cues = cues_of("I thought you were...", "... fast asleep.", "And gone...")
    sentence, last = join_cues(cues, parse_cues(cues, "srt"))
    assert sentence.text == "I thought you were fast asleep."
    assert [(each.opening, each.closing) for each in sentence.parts] == [("", "..."), ("... ", "")]
    assert [each.text for each in sentence.separated()] == [
        "I thought you were...",
        "... fast asleep.",
    ]
    assert last.text == "And gone..."


def test_a_sentence_knows_its_text_and_its_cues_apart() -> None:
    cues = cues_of("We are going to close", "the lighthouse.")
    (sentence,) = join_cues(cues, parse_cues(cues, "srt"))
    assert sentence.text == "We are going to close the lighthouse."
    assert [each.text for each in sentence.separated()] == [
        "We are going to close",
        "the lighthouse.",
    ]


def test_sounds_are_no_sentences() -> None:
    cues = cues_of("[DOOR SLAMS]", "- [GASPS]\n- No!")
    texts = parse_cues(cues, "srt")
    assert [each.text for each in join_cues(cues, texts)] == ["No!"]


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("WHERE ARE YOU? I AM HERE.", "Where are you? I am here."),
        ("I'M LATE, AND I KNOW IT!", "I'm late, and I know it!"),
        ("OK", "OK"),
        ("NASA", "NASA"),
        ("Call the FBI now.", "Call the FBI now."),
    ],
)
def test_capitals_are_lowered_for_the_model(text: str, spoken: str) -> None:
    cues = cues_of(text)
    (sentence,) = join_cues(cues, parse_cues(cues, "srt"))
    assert sentence.spoken == spoken
    assert sentence.shouted == (spoken != text)


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("eng", "IS IT I? YES.", "Is it I? Yes."),
        ("it", "FRANCESI I PRIMI, I SECONDI", "Francesi i primi, i secondi"),
        ("cy-GB", "CATH I MI", "Cath i mi"),
        ("tr", "İYİ MİSİN? IŞIK AÇIK.", "İyi misin? Işık açık."),
        ("az-Latn", "QIZ İLƏ. İKİ", "Qız ilə. İki"),
        ("en", "İSTANBUL IS BIG", "Istanbul is big"),
        ("de", "DIE STRAßE IST LANG", "Die Straße ist lang"),
        ("el", "ΠΟΥ ΕΙΝΑΙ Ο ΦΑΡΟΣ;", "Που ειναι ο φαρος;"),
        ("nl", "IJS IS KOUD", "IJs is koud"),
        ("hr", "ǄEP JE TU", "ǅep je tu"),
        ("ka", "ეს ჩემი სახლია", "ეს ჩემი სახლია"),
    ],
)
def test_capitals_are_lowered_as_the_language_has_them(language, text, spoken) -> None:
    cues = cues_of(text)
    for across in (True, False):
        (sentence,) = join_cues(
            cues, parse_cues(cues, "srt"), language=language, across_cues=across
        )
        assert sentence.spoken == spoken
        assert sentence.separated()[0].spoken == spoken
