"""Numbers in words are found, kept in translations, and told when lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.fitting.requests import fitting_rounds
from subfit.fitting.task import Task, place_in
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.glossary import Occurrence
from subfit.terms.placeables import find_placeables
from subfit.text.number_words import english_numbers, in_digits, number_forms
from tests.scripted import ScriptedTranslator


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She is ninety-two, he is twenty.", {"ninety-two": 92, "twenty": 20}),
        ("Five thousand people in two hundred and fifty cars", {"Five thousand": 5000} | {
            "two hundred and fifty": 250
        }),
        ("From nine to five.\n- Seven.\n- Eight?", {"nine": 9, "five": 5, "Seven": 7, "Eight": 8}),
        ("TEN DOLLARS FOR THREE", {"TEN": 10, "THREE": 3}),
        ("He said: “Eight!” ... fifty years", {"Eight": 8, "fifty": 50}),
        ("three times, two million euros", {"three": 3, "two million": 2_000_000}),
        ("one thousand two hundred or ten thousand and three",
         {"one thousand two hundred": 1200, "ten thousand and three": 10_003}),
    ],
)  # fmt: skip
def test_numbers_in_words_are_found(text, expected):
    found = list(english_numbers(text))
    assert {each.text: each.value for each in found} == expected
    assert all(text[each.start :].startswith(each.text) for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "one or two, a hundred times, a thousand thanks, a dozen",
        "nineteen eighty-four, nine one one, sixteen hundred, three hundred thousand four million",
        "a six-figure income, a five-year-old, Twenty-first Street, twenty-first",
        "half past three, ten-thirty, eight o'clock, five p.m.",
        "three quarters, two thirds, three and a half hours, three point five, four dozen",
        "the Top Ten, Edinburgh Seven, the seven's, freight, attention, sixtyish",
        "",
    ],
)
def test_what_may_be_no_number_is_left_to_the_model(text):
    assert list(english_numbers(text)) == []


@given(st.integers(3, 999_999))
def test_every_number_is_read_as_it_is_said(number):
    words = num2words(number).replace(",", "")
    (found,) = english_numbers(f"We counted {words} of them.")
    assert found.value == number


@pytest.mark.parametrize(
    ("value", "language", "translation", "there"),
    [
        (3, "de", "Drei Kühe.", True),
        (3, "de", "Er war dreimal da.", True),
        (3, "de", "Dreißig Kühe.", False),
        (30, "de-CH", "Dreissig Kühe", True),
        (29, "de", "Zwanzig Burgen", False),
        (5000, "de", "5.000 Stück", True),
        (2_000_000, "de", "2 Millionen", True),
        (9, "fr", "Il a quatre-vingt-neuf ans.", False),
        (92, "fr", "Il a quatre-vingt-douze ans.", True),
        (92, "fr-BE", "Il a nonante-deux ans.", True),
        (80, "fr", "Quatre-vingt pages", True),
        (30, "fr", "la trentaine", True),
        (21, "es", "Veintiún años", True),
        (31, "es", "treinta y una veces", True),
        (200, "es-MX", "doscientas casas", True),
        (30, "it", "Trent'anni fa.", True),
        (33, "it", "trentatré", True),
        (90, "it", "Ha nove anni.", False),
        (40, "it", "Ha 40 anni.", True),
        (40, "it", "Ha 400 anni.", False),
    ],
)
def test_a_translation_may_have_it_in_words_or_digits(value, language, translation, there):
    forms = number_forms(value, language)
    assert Occurrence("", 0, forms, placeable=True, digits="1").is_in(translation) is there


@pytest.mark.parametrize(
    ("value", "digits"),
    [(92, "92"), (1200, "1200"), (12_500, "12,500"), (2_000_000, "2 million")],
)
def test_numbers_in_digits_are_as_english_has_them(value, digits):
    assert in_digits(value) == digits


def test_only_languages_whose_words_are_known_have_any():
    assert [each.source for each in find_placeables("seven of 17", "en", "de")] == ["seven", "17"]
    assert [each.source for each in find_placeables("seven of 17", "en", "pl")] == ["17"]
    assert [each.source for each in find_placeables("seven of 17", "nl", "de")] == ["17"]


def test_a_number_belongs_to_the_part_that_it_begins_in():
    sentence = Sentence((Part(0, 0, "It took her"), Part(1, 0, "ten minutes, not")), "en")
    (number,) = find_placeables(sentence.text, "en", "de")
    assert place_in(sentence, number) == (1, 0)
    task = Task(sentence, (), (number,))
    assert task.missing("Es dauerte.") == (number,)
    assert task.missing("Es dauerte.", [(), ((0, 11),)]) == ()
    assert task.missing("Es dauerte.", [((0, 11),), ()]) == (number,)
    assert task.missing("Zehn Minuten.", [(), ((0, 11),)]) == ()


def test_only_numbers_that_are_lacking_are_put_in_digits():
    text = "Seven men, SEVENTY-TWO ships and seven dogs."
    sentence = Sentence((Part(0, 0, text),), "en")
    task = Task(sentence, (), find_placeables(text, "en", "de"))
    assert task.spoken_instead("Sieben Mann, 72 Schiffe.") == text
    assert task.spoken_instead("Sieben Mann.") == "Seven men, 72 ships and seven dogs."
    assert task.spoken_instead("Schiffe.") == "7 men, 72 ships and seven dogs."


def test_in_little_room_numbers_above_twelve_are_in_digits():
    text = "WE SAW SEVEN MEN AND SEVENTY-TWO SHIPS."
    task = Task(
        Sentence((Part(0, 0, text),), "en"),
        (LengthBudget(30.0),),
        find_placeables(text, "en", "de"),
    )
    brief = "We saw seven men and 72 ships."
    assert task.with_digits(task.sentence.spoken) == brief
    asked = [each.text for requests in fitting_rounds(task, None) for each in requests]
    assert {*asked} == {brief}
    unlimited = replace(task, budgets=(LengthBudget(floor=60.0),))
    natural = Hypothesis("Wir sahen 72.", 13.0, -0.2, -0.2)
    longer = fitting_rounds(unlimited, natural)
    assert {each.text for requests in longer for each in requests} == {task.sentence.spoken}


class Counting(ScriptedTranslator):
    """Knows translations of a text with its number in words, and with digits, with their scores."""

    def __init__(self, in_words: dict[str, float], in_digits: dict[str, float]) -> None:
        super().__init__({})
        self.in_words, self.in_digits = in_words, in_digits

    def _answers(self, request: Request) -> list[Hypothesis]:
        found = self.in_digits if "90" in request.text else self.in_words
        return [
            Hypothesis(text, float(len(text)), score, score)
            for text, score in found.items()
            if len(text) <= request.ceiling
        ]


def localized(translator: ScriptedTranslator, text: str, most: int = 80) -> Localization:
    track = Track((Cue(0, 4000, text),), "srt")
    guideline = Guideline(language="it", max_characters=most)
    return localize(track, translator, guideline, Options(strict_budget=True))


def test_a_wrong_number_is_put_right_with_its_digits():
    translator = Counting({"Vivono nove anni.": -0.2}, {"Vivono 90 anni.": -0.6})
    (cue,) = localized(translator, "They live ninety years.").report.cues
    assert (cue.outcome.target, cue.lost) == ("Vivono 90 anni.", ())
    assert translator.asked == ["They live ninety years.", "They live 90 years."]


def test_a_sentence_is_not_spoilt_for_a_number_but_the_loss_is_told():
    translator = Counting({"Vivono nove anni.": -0.2}, {"90 di anni di.": -0.8})
    (cue,) = localized(translator, "They live ninety years.").report.cues
    assert cue.outcome.target == "Vivono nove anni."
    assert [each.source for each in cue.lost] == ["ninety"]


def test_a_number_that_shortening_lost_is_asked_for_in_digits():
    natural = "Le persone qui vivono novanta anni."
    words = {natural: -0.2, "Qui vivono a lungo.": -0.3}
    translator = Counting(words, {"Qui vivono 90 anni.": -0.5})
    (cue,) = localized(translator, "People live ninety years here.", most=20).report.cues
    assert (cue.outcome.target, cue.outcome.natural, cue.lost) == (
        "Qui vivono 90 anni.",
        natural,
        (),
    )


class Boat(ScriptedTranslator):
    """Says all of the source at length only, and in less room a piece of it."""

    def __init__(self) -> None:
        super().__init__({})

    def _answers(self, request: Request) -> list[Hypothesis]:
        text = "La barca parte tra dieci minuti."
        if "ten" not in request.text:
            text = "La barca parte."
        elif request.ceiling < len(text):
            text = "La barca."
        return [Hypothesis(text, float(len(text)), -0.2, -0.2)]


def test_a_number_may_be_left_out_with_what_it_counts():
    (cue,) = localized(Boat(), "The boat leaves in ten minutes.", most=20).report.cues
    assert (cue.outcome.target, cue.outcome.omitted, cue.lost) == (
        "La barca parte.",
        ("in ten minutes",),
        (),
    )


@pytest.mark.parametrize("words", ["five hundred ", "five billion ", "nine hundred thousand "])
def test_what_goes_on_for_ever_is_no_number(words):
    assert not list(english_numbers(f"It is {words * 5000}or so."))
