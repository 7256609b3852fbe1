"""Where turns meet: how one ends, how the next starts, and what a file's habits make of it."""

from __future__ import annotations

import pytest

from subfit.subtitles.seams import (
    LONGEST_PAUSE,
    SHORT_PAUSE,
    Habits,
    Seam,
    Utterance,
    habits_of,
    seams_of,
    utterances_of,
)
from subfit.subtitles.sentences import parse_cues
from tests.subtitles.test_joining import cues_of

SPEECH = frozenset({"speech"})


def turns_of(*texts: str, gap: int = 100, kinds: frozenset[str] = SPEECH) -> list[Utterance]:
    cues = cues_of(*texts, gap=gap)
    return list(utterances_of(cues, parse_cues(cues, "srt"), kinds))


def seam_of(before: str, after: str, language: str = "en", gap: int = 100) -> Seam:
    (seam,) = seams_of(turns_of(before, after, gap=gap), language)
    return seam


def test_turns_are_told_apart_and_what_is_not_said_is_none() -> None:
    texts = "- Who is it?\n- Only\nthe wind.", "♪ la la ♪", "[THUNDER]", "", "Come\nin."
    spoken = turns_of(*texts)
    assert [(turn.part.cue, turn.part.turn, turn.part.text) for turn in spoken] == [
        (0, 0, "Who is it?"),
        (0, 1, "Only the wind."),
        (4, 0, "Come in."),
    ]
    assert [turn.part.lines for turn in spoken] == [1, 1, 2]
    assert [(turn.first, turn.last, turn.dashed) for turn in spoken] == [
        (True, False, True),
        (False, True, True),
        (True, True, False),
    ]
    with_sounds = turns_of(*texts, kinds=SPEECH | {"sound"})
    assert [turn.part.text for turn in with_sounds][2] == "[THUNDER]"


def test_a_seam_has_the_end_of_one_and_the_start_of_the_next() -> None:
    seam = seam_of("We waited for her, ", "but nobody came.", gap=250)
    assert (seam.end, seam.start, seam.pause) == ("clause", "small", 250)
    seam = seam_of("It is late.", "Good night!")
    assert (seam.end, seam.start) == ("closed", "capital")
    assert seams_of(turns_of("Alone."), "en") == seams_of([], "en") == []


@pytest.mark.parametrize(
    ("before", "after", "language", "runs_on"),
    [
        ("My sister is called", "Marianne and sings.", "en", False),  # nobody knows her yet
        ("You will find it with", "Marianne at the harbour.", "en", True),  # "with" is not the end
        ("Wir fahren morgen", "Kohlen in die Stadt.", "de", True),  # any noun
        ("Wir fahren morgen", "Das wird schön.", "de", False),  # no noun
        ("Nous partons demain", "Marseille nous attend.", "fr", False),
        ("Nous partons pour", "Marseille demain.", "fr", True),
        ("We leave at dawn", "We come back at night.", "en", False),
    ],
)
def test_a_capital_goes_on_where_it_may_be_a_name_s(
    before: str, after: str, language: str, runs_on: bool
) -> None:
    assert seam_of(before, after, language).runs_on(Habits()) == runs_on


def test_a_name_of_the_file_goes_on() -> None:
    seam = seam_of("My sister is called", "Marianne and sings.")
    assert seam.runs_on(Habits(names=frozenset({"Marianne"})))
    assert seam_of("That was all", "Marianne's idea.").runs_on(
        Habits(names=frozenset({"Marianne"}))
    )


def test_pauses_part_what_only_might_go_on() -> None:
    def runs_on(before: str, gap: int) -> bool:
        return seam_of(before, "by the light of the moon.", gap=gap).runs_on(Habits())

    assert runs_on("We dug", SHORT_PAUSE)
    assert runs_on("We dug", LONGEST_PAUSE)  # a small letter tells it
    assert not runs_on("We dug", LONGEST_PAUSE + 1)
    assert runs_on("We dug...", SHORT_PAUSE)
    assert not runs_on("We dug...", SHORT_PAUSE + 1)


def test_two_who_speak_at_once_are_two() -> None:
    assert seam_of("we dug", "all night", gap=-100).runs_on(Habits())
    assert not seam_of("we dug", "all night", gap=-101).runs_on(Habits())


def habits(*texts: str, language: str = "en") -> Habits:
    turns = turns_of(*texts)
    return habits_of(turns, seams_of(turns, language), language)


@pytest.mark.parametrize(
    ("texts", "cased", "stopped"),
    [
        (("We dug.", "All night.", "It rained.", "Then it stopped.", "We left.", "Alone."), 1, 1),
        (("We dug", "All night long", "It rained", "Then it stopped", "We left", "Alone"), 1, 0),
        (("we dug", "all night", "it rained", "then it stopped", "we left", "alone"), 0, 0),
        (("WE DUG.", "ALL NIGHT.", "IT RAINED.", "IT STOPPED.", "WE LEFT.", "ALONE."), 0, 1),
        (("we dug", "all night"), 1, 1),  # too few to tell
    ],
)
def test_habits_are_read_off_the_file(texts: tuple[str, ...], cased: int, stopped: int) -> None:
    found = habits(*texts)
    assert (found.cased, found.stopped) == (bool(cased), bool(stopped))


def test_names_of_a_file_stand_within_its_sentences() -> None:
    texts = "We met Marianne's brother.", "Then we went home.", "Nothing there."
    assert habits(*texts).names == {"Marianne"}


def test_small_sentences_with_german_nouns_are_not_cased() -> None:
    texts = ("wir graben", "im Garten", "die ganze Nacht", "bei Regen", "dann ist Ruhe")
    assert not habits(*texts, language="de").cased
    assert habits("Wir graben", *texts[1:], language="de").cased
