"""Cues to sentences: only what visibly runs on is joined."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.subtitles.cues import Cue
from subfit.subtitles.sentences import MOST_CUES, join_cues, parse_cues
from tests.properties import examples

SECOND = 1000


def cues_of(*texts: str, gap: int = 100) -> list[Cue]:
    """Cues of two seconds, one after the other."""
    return [
        Cue(start=n * (2 * SECOND + gap), end=n * (2 * SECOND + gap) + 2 * SECOND, text=text)
        for n, text in enumerate(texts)
    ]


def joined(*texts: str, language: str = "en", **options: int) -> list[tuple[int, ...]]:
    cues = cues_of(*texts, **options)
    sentences = join_cues(cues, parse_cues(cues, "srt"), language=language)
    return [tuple(part.cue for part in sentence.parts) for sentence in sentences]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("We are going to close", "the lighthouse this month."), [(0, 1)]),
        (("We are going to close the lighthouse.", "it is old"), [(0,), (1,)]),
        (("Yes, but first", "I have to sleep."), [(0, 1)]),
        (("My name is", "Walter Finch."), [(0, 1)]),
        (("one", "two", "three", "four"), [(0, 1, 2, 3)]),
        (("<i>she said", "that it rains</i>"), [(0, 1)]),
        (("<i>she said</i>", "<i>that it rains</i>"), [(0, 1)]),
        (("- Who are you?\n- nobody", "at all"), [(0,), (0, 1)]),
        (("wait for", "[DOOR SLAMS]", "me"), [(0,), (2,)]),
        (("wait for", "♪ la la la ♪"), [(0,)]),
        (("", "hello"), [(1,)]),
        (("[DOOR SLAMS]", "- [GASPS]\n- No!"), [(1,)]),
        # signs, numbers, labels and other languages are no part of a sentence
        (("What is it worth?", "40", "I offer more."), [(0,), (2,)]),
        (("She said that", r"{\an8}The next morning", "nobody had come."), [(0, 2), (1,)]),
        (("She said that", r"{\an8}nobody had come.", "Well."), [(0, 1), (2,)]),
        (("We", "have", "not", "seen", "the", "old", "keeper", "anywhere."), [tuple(range(8))]),
        (("This is Dr.", "Keller of the coastguard."), [(0, 1)]),
        (("*soft music*", "we walked home"), [(1,)]),
        (("灯台はどこ？\nWhere is it?", "ここです。\nIt is here."), [(0,), (1,)]),
    ],
)
def test_only_what_runs_on_is_joined(texts, expected):
    assert joined(*texts) == expected


def test_voices_and_positions_of_webvtt_tell_speakers_apart() -> None:
    def chains(*payloads: str, settings: tuple[str, str] = ("", "")) -> int:
        cues = [
            replace(cue, settings=each)
            for cue, each in zip(cues_of(*payloads), settings, strict=True)
        ]
        return len(join_cues(cues, parse_cues(cues, "vtt")))

    assert chains("<v Ann>we are", "<v Ann>going home") == 1
    assert chains("<v Ann>we are", "<v Bob>going home") == 2
    assert chains("we are", "going home", settings=("line:10%", "line:80%")) == 1
    assert chains("we are", "going home", settings=("position:10%", "position:80%")) == 2


FILLER = ("We sailed on.", "Nobody spoke.", "It was cold.", "The sea was calm.", "Then it rained.")


def test_a_capital_goes_on_only_where_the_file_shows_it_to_be_a_name() -> None:
    assert joined(*FILLER, "We met old", "Finch there.")[-1] == (6,)
    assert joined(*FILLER, "We like Finch.", "We met old", "Finch there.")[-1] == (6, 7)


@pytest.mark.parametrize(
    ("known", "name", "one"),
    [
        ("We like Finch.", "Finch's", True),
        ("We like Finch’s boat.", "Finch", True),
        ("We like James.", "James'", True),
        ("We like Finchley.", "Finch's", False),
    ],
)
def test_a_possessive_name_is_that_name(known: str, name: str, one: bool) -> None:
    last = joined(*FILLER, known, "We met old", f"{name} sister there.")[-1]
    assert last == ((6, 7) if one else (7,))


def test_a_sentence_without_end_is_cut_where_it_is_best() -> None:
    lines = [f"and then we went on to place {number}" for number in range(20)]
    lines[9] += ","
    found = joined(*FILLER, *lines)
    longest = max(len(each) for each in found)
    assert 1 < longest <= MOST_CUES
    assert sorted(cue for each in found for cue in each) == list(range(25))
    assert any(each[-1] == 14 for each in found)  # at the comma


def test_a_chain_of_sentences_that_end_within_cues_stays_whole() -> None:
    lines = [f"on place {number}. Then we went" for number in range(20)]
    assert joined(*FILLER, "We were", *lines, "home.")[-1] == tuple(range(5, 27))


def test_a_long_pause_ends_a_sentence() -> None:
    assert joined("and then we", "came home.", gap=3 * SECOND) == [(0,), (1,)]


def test_georgian_which_has_no_capitals_does_not_run_on_for_want_of_one() -> None:
    texts = ["ეს ჩემი სახლია", "FBI CIA", *["სად არის ნავი", "აქ არის"] * 4]
    cues = cues_of(*texts)
    joined = join_cues(cues, parse_cues(cues, "srt"), language="ka")
    assert [len(each.parts) for each in joined] == [1] * len(texts)


LINES = st.sampled_from(
    ["and so", "I went home.", "Why?", "- Yes.\n- No.", "♪ la ♪", "[BANG]", "", "<i>well</i>", "it"]
)


@examples(200)
@given(st.lists(LINES, max_size=12), st.booleans())
def test_every_spoken_turn_is_in_exactly_one_sentence(texts: list[str], across: bool) -> None:
    cues = cues_of(*texts)
    parsed = parse_cues(cues, "srt")
    sentences = join_cues(cues, parsed, across_cues=across)
    found = sorted((part.cue, part.turn) for each in sentences for part in each.parts)
    spoken = [
        (cue, turn)
        for cue, text in enumerate(parsed)
        if text.kind == "speech"
        for turn in range(len(text.turns))
    ]
    assert found == spoken


def test_cues_that_stand_there_twice_are_read_alike() -> None:
    cues = [cue for cue in cues_of("And then we", "will go home.") for _ in range(2)]
    sentences = join_cues(cues, parse_cues(cues, "srt"))
    assert [[part.cue for part in sentence.parts] for sentence in sentences] == [[0, 2], [1, 3]]


@pytest.mark.parametrize(
    "texts",
    [
        ("No no no no no", "Aaaaargh"),
        ("Heeeeeey", "where are you"),
        ("Go go go go", "and I left"),
        ("\N{CJK UNIFIED IDEOGRAPH-6211}\N{CJK UNIFIED IDEOGRAPH-4EEC}", "and I left"),
    ],
)
def test_cries_and_what_is_in_another_script_stand_alone(texts: tuple[str, str]) -> None:
    cues = [Cue(0, 1900, texts[0]), Cue(2000, 3900, texts[1])]
    joined = join_cues(cues, parse_cues(cues, "srt"))
    assert [sentence.text for sentence in joined] == list(texts)


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


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("en", "WHERE ARE YOU? I AM HERE.", "Where are you? I am here."),
        ("en", "I'M LATE, AND I KNOW IT!", "I'm late, and I know it!"),
        *(("en", text, text) for text in ("OK", "NASA", "Call the FBI now.")),
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
        assert sentence.spoken == sentence.separated()[0].spoken == spoken
        assert sentence.shouted == (spoken != text)
