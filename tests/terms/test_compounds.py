"""Nouns of several words whose meaning is not that of their words."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, cast

import pytest

from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.localization import localize
from subfit.subtitles.formats import parse_track
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.compounds import find_compounds, without_stutter
from subfit.terms.word_lists import LANGUAGES
from tests.scripted import ScriptedTranslator

ROWS = files("subfit.terms").joinpath("compounds.tsv").read_text(encoding="utf-8").splitlines()
HEADER, *CELLS = (row.split("\t") for row in ROWS)


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("He called the front desk.", "de", {"front desk": "Rezeption"}),
        ("The side effects were mild.", "de", {"side effects": "Nebenwirkungen"}),
        ("He had a heart attack at my house.", "es", {"heart attack": "infarto"}),
        ("Global warming melts the ice.", "fr", {"Global warming": "réchauffement climatique"}),
        ("She is a real estate agent.", "it", {"real estate agent": "agente immobiliare"}),
        ("HER DRIVER’S LICENSE EXPIRED.", "de", {"DRIVER’S LICENSE": "Führerschein"}),
        ("a first-aid kit", "de", {"first-aid": "Erste Hilfe"}),
        ("The fire department never came.", "de", {"fire department": "Feuerwehr"}),
        ("front desk, front desk", "de", {"front desk": "Rezeption"}),
        # A noun follows that they only say more of.
        ("a high school teacher", "de", {}),
        ("Real estate taxes are due.", "es", {}),
        ("a Machine Learning engineer", "fr", {}),
        ("REAL ESTATE TAXES", "es", {}),
        # Parts of other words; no words of the language are known to do better.
        ("the upfront desk", "de", {}),
        ("the front desks of schools", "de", {}),
        ("Use your common sense.", "de", {}),
        ("Use your common sense.", "fr", {"common sense": "bon sens"}),
        # Languages that the list does not have.
        ("He called the front desk.", "pt", {}),
    ],
)
def test_compounds_are_found_as_wholes(text, language, found) -> None:
    assert {one.source: one.targets[0] for one in find_compounds(text, "en", language)} == found


def test_of_other_languages_nothing_is_known() -> None:
    assert not find_compounds("front desk", "nl", "de")


def test_any_word_for_it_says_it_also_as_the_end_of_one() -> None:
    (police,) = find_compounds("Ask a police officer.", "en", "de")
    assert police.is_in("Frag einen Polizisten.") and police.is_in("Frag die Polizistin.")
    assert not police.is_in("Frag einen Offizier.")
    (effect,) = find_compounds("It has a side effect.", "en", "de")
    assert effect.is_in("wegen der Nebenwirkung") and not effect.is_in("ein Seiteneffekt")


def test_one_word_is_put_into_the_source_and_several_are_not() -> None:
    text = "Front desk or waiting room?"
    sentence, room = Sentence((Part(0, 0, text),), "en"), (LengthBudget(99.0, lines=2, cpl=42),)
    task = Task(sentence, room, find_compounds(text, "en", "de"))
    assert task.spoken_instead("Schreibtisch oder Zimmer?") == "Rezeption or Wartezimmer?"
    assert task.spoken_instead("Empfang oder Zimmer?") == "Front desk or Wartezimmer?"
    assert [term.source for term in task.wanted_instead("Empfang?")] == ["waiting room"]
    task = Task(sentence, room, find_compounds(text, "en", "es"))
    assert task.spoken_instead("¿Mesa o cuarto?") == "Recepción or waiting room?"
    assert len(task.wanted_instead("¿Mesa o cuarto?")) == 2


@pytest.mark.parametrize(
    ("source", "language", "said", "once"),
    [
        (
            "Voice: speech recognition.",
            "es",
            "El reconocimiento del reconocimiento de voz falló.",
            "El reconocimiento de voz falló.",
        ),
        (
            "An immune system",
            "it",
            "Il sistema sistema immunitario lo combatte.",
            "Il sistema immunitario lo combatte.",
        ),
        (
            "Greenhouse gases!",
            "fr",
            "Les gaz de la maison de gaz à effet de serre",
            "Les gaz à effet de serre",
        ),
        ("Breast cancer", "es", "El cáncer de la bestia cáncer de mama", "El cáncer de mama"),
        ("life insurance", "it", "un'assicurazione di assicurazione sulla vita", None),
        (
            "machine learning",
            "de",
            "beim Lernen von maschinelles Lernen",
            "beim maschinelles Lernen",
        ),
        # What is no stutter.
        (
            "a greenhouse gas",
            "it",
            "Il gas metano è un gas serra.",
            "Il gas metano è un gas serra.",
        ),
        ("point of view", "fr", "de ce point, mon point de vue", "de ce point, mon point de vue"),
        ("front desk", "de", "Die Rezeption, die Rezeption.", "Die Rezeption, die Rezeption."),
    ],
)
def test_what_is_begun_twice_is_said_once(source, language, said, once) -> None:
    terms = find_compounds(source, "en", language)
    expected = "un'assicurazione sulla vita" if once is None else once
    assert terms and without_stutter(said, terms) == expected


def test_a_translation_word_by_word_is_searched_for_again_with_the_word_in_its_source() -> None:
    class Knowing(ScriptedTranslator):
        word_scores = cast(Any, object())

    source = "He called the front desk."
    script = {
        source: ["Er rief den vorderen Tisch an."],
        "He called the Rezeption.": ["Er rief die Rezeption an."],
    }
    track = parse_track(f"1\n00:00:01,000 --> 00:00:05,000\n{source}\n".encode(), name="a.srt")
    (cue,) = localize(track, cast(Any, Knowing(script)), Guideline.load("netflix", "de")).track.cues
    assert cue.text == "Er rief die Rezeption an."
    plain = ScriptedTranslator(script)  # of a model without a lexical table, which knows more
    (cue,) = localize(track, cast(Any, plain), Guideline.load("netflix", "de")).track.cues
    assert cue.text == "Er rief den vorderen Tisch an."


def test_the_list_is_whole() -> None:
    assert ["compound", *LANGUAGES] == HEADER
    assert len({row[0] for row in CELLS}) == len(CELLS) > 140
    for row in CELLS:
        assert len(row) == len(HEADER) and any(row[1:]), row
        numbers = row[0].split(" ~ ")
        assert all(" " in name for name in numbers), row
        for cell in filter(None, row[1:]):
            assert len(cell.split(" ~ ")) <= len(numbers), row
            for ways in cell.split(" ~ "):
                said = ways.split(" | ")
                assert all(said) and len({*said}) == len(said), row


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_compound_is_found_in_a_sentence(language: str) -> None:
    for row in CELLS:
        if row[HEADER.index(language)]:
            for name in row[0].split(" ~ "):
                (found,) = find_compounds(f"Think of the {name}.", "en", language)
                assert found.source == name and found.is_in(f"– {found.targets[0]}.")
