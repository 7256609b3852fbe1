"""Candidates: searched all at once as if one by one, and typeset as their source asks for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from subfit.condensing import Condensation
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.candidates import rate, search, typeset_for
from subfit.fitting.settings import FittingSettings
from subfit.fitting.state import Ask, Setup, State
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.typography import style_of
from tests.scripted import ScriptedTranslator

SCRIPT = {
    "Wait here.": ["Warten Sie hier.", "Warte hier."],
    "Go!": "Geh!",
    "Run, Anna!": ["Lauf, Anna!", "Lauf!", "Anna!"],
}


def task_of(source: str, most: float = 100.0) -> Task:
    return Task(Sentence((Part(0, 0, source),)), (LengthBudget(most, lines=1, cpl=most),))


class Rating(ScriptedTranslator):
    """Knows better than its search how good a translation is."""

    def rate(self, texts, nbest, formalities=()):
        return [[replace(one, score=-7.0) for one in each] for each in nbest]


def test_what_is_found_for_one_sentence_does_not_depend_on_the_others():
    setup = Setup(cast(Any, Rating(SCRIPT)), Guideline.load("none", "de"), FittingSettings())
    states = [State(task_of(text), style_of([]), Request(text)) for text in SCRIPT]
    asks = [
        [Ask(Request(text, ceiling=ceiling)) for ceiling in ceilings]
        for text, ceilings in zip(SCRIPT, [(12.0, 100.0), (), (5.0,)], strict=True)
    ]
    together = search(states, asks, setup)
    alone = [search([state], [own], setup)[0] for state, own in zip(states, asks, strict=True)]
    assert together == alone
    texts = [[one.hypothesis.text for one in state.candidates] for state in together]
    assert texts == [["Warte hier.", "Warten Sie hier.", "Warte hier."], [], ["Lauf!", "Anna!"]]


@pytest.mark.parametrize(
    ("request_", "rated"),
    [
        (Request("Go!"), False),
        (Request("Go!", asked=4), True),
        (Request("Go!", ceiling=9.0), True),
    ],
)
def test_only_what_a_length_was_asked_of_is_rated_anew(request_, rated):
    setup = Setup(cast(Any, Rating(SCRIPT)), Guideline.load("none", "de"), FittingSettings())
    state = State(task_of("Go!"), style_of([]), Request("Go!"))
    ((one,),) = (each.candidates for each in search([state], [[Ask(request_)]], setup))
    assert one.hypothesis.score == (-7.0 if rated else pytest.approx(-0.1))
    assert (one.asked == FREE) is (request_.asked == FREE)


@pytest.mark.parametrize(
    ("source", "language", "found", "most", "set_"),
    [
        ("CLOSE THE STREET!", "de", "Schließt die Straße!", 100, "SCHLIESST DIE STRASSE!"),
        ("Close the street!", "de", "Schließt die Straße!", 100, "Schließt die Straße!"),
        # What a language's rules ask for and would not fit is left out.
        ("No! Go!", "fr", "Non! Pars!", 12, "Non\u00a0! Pars\u00a0!"),
        ("No! Go!", "fr", "Non! Pars!", 11, "Non! Pars!"),
    ],
)
def test_a_translation_is_set_as_its_source_and_its_language_ask_for(
    source, language, found, most, set_
):
    guideline = Guideline.load("netflix", language)
    hypothesis = Hypothesis(found, guideline.count(found), -0.1, -0.1)
    done = typeset_for(hypothesis, task_of(source, most), style_of([source]), guideline)
    assert (done.text, done.characters) == (set_, guideline.count(set_))


class GivingBack(ScriptedTranslator):
    """Has a channel model that knows what sources are worth by their translations."""

    channel_model = "scripted"

    def __init__(self, script: Any, worth: dict[str, float]) -> None:
        super().__init__(script)
        self.worth, self.read = worth, list[str]()
        self.translations: list[list[str]] = []

    def channel_of(self, texts, nbest):
        self.read += texts
        self.translations += [[one.text for one in own] for own in nbest]
        return [[self.worth.get(one.text, -1.0) for one in own] for own in nbest]


def test_a_channel_model_rates_candidates_by_all_of_the_source() -> None:
    translator = GivingBack({"Go!": ["Geh!", "Los!"], "Go": "Geh"}, {"Los!": -0.25})
    settings = FittingSettings(channel_margin=0.15)
    setup = Setup(cast(Any, translator), Guideline.load("none", "de"), settings)
    state = State(task_of("Go!"), style_of([]), Request("Go!"))
    condensed = Ask(Request("Go"), Condensation("Go", 1.0, ((2, 3),)))
    (made,) = search([state], [[Ask(Request("Go!")), condensed]], setup)
    channels = {one.hypothesis.text: one.hypothesis.channel for one in made.candidates}
    assert channels == {"Geh!": -1.0, "Los!": -0.25, "Geh": -1.0}
    assert translator.read == ["Go!", "Go!"]


def test_what_cannot_win_is_not_read_back() -> None:
    answers = ["Lauf, Anna!", "Renn, Anna!", "Anna läuft.", "Anna!", "Lauf!"]  # 0.1 nats apart
    worth = {"Lauf, Anna!": -0.5, "Renn, Anna!": -0.75, "Anna läuft.": -0.25}
    translator = GivingBack({"Run, Anna!": answers}, worth)
    settings = FittingSettings(channel_margin=0.15, shorter_channel_margin=0.25)
    setup = Setup(cast(Any, translator), Guideline.load("none", "de"), settings)
    state = State(task_of("Run, Anna!"), style_of([]), Request("Run, Anna!"))
    (made,) = search([state], [[Ask(Request("Run, Anna!"))]], setup)
    assert translator.translations == [answers[:2]]
    known = [one.hypothesis.channel for one in made.candidates]
    assert known == [-0.5, -0.75, -0.75, -0.75, -0.75]
    (whole,) = rate([made], setup)  # where something has to be shortened
    known = [one.hypothesis.channel for one in whole.candidates]
    assert known == [-0.5, -0.75, -0.25, -0.75, -0.75]
    translator.translations.clear()
    search([state], [[Ask(Request("Run, Anna!", ceiling=20.0))]], setup)
    assert translator.translations == [answers[:3]]
