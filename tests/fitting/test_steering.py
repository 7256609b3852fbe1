"""Translations in the form of address that was asked for, of models that know of none."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.fitting.losses import Loss
from subfit.fitting.pipeline import fit_all
from subfit.fitting.steering import unmet_in
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.reporting.wording import address_of
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.formality_steering import wanted_words
from tests.scripted import ScriptedTranslator

SCRIPT = {
    "Do you see it?": ["Siehst du es?", "Sehen Sie es?", "Sieht man es?"],
    "Are you there?": ["Bist du da?", "Ist jemand da?", "Sind Sie da?"],
    "Your car is here.": ["Das ist Ihr Auto.", "Der Wagen ist da.", "Das ist dein Auto."],
    "It is late.": ["Es ist spät.", "Spät ist es."],
    "They know him.": ["Sie kennen ihn.", "Die kennen ihn."],
    "Open the door.": ["Bitte öffnen Sie die Tür.", "Du machst die Tür auf.", "Mach die Tür auf."],
    "Come in.": ["Komm herein.", "Nur herein.", "Kommen Sie herein."],
    "Take its key.": ["Bitte nehmen Sie den Schlüssel.", "Nimm den Schlüssel."],
}


class Barring(ScriptedTranslator):
    """Answers without the words that are barred, and with a form of every term."""

    language = "de"
    bars_words = True

    def __init__(self, script=SCRIPT) -> None:
        super().__init__(script)
        self.requests: list[Request] = []

    def translate(self, requests, on_done=None):
        self.requests += requests
        return super().translate(requests, on_done)

    def _answers(self, request: Request) -> list[Hypothesis]:
        return [
            each
            for each in super()._answers(request)
            if not words(each.text) & set(request.barred)
            and all(words(each.text) & set(term.forms) for term in request.terms)
        ]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def fitted(source, form, ceiling=100.0, translator=None):
    task = Task(Sentence((Part(0, 0, source),)), (LengthBudget(ceiling),), formality=form)
    ((one,),) = fit_all([[task]], translator or Barring(), Guideline(language="de"))
    return one


@pytest.mark.parametrize(
    ("source", "form", "target"),
    [
        ("Do you see it?", "formal", "Sehen Sie es?"),
        ("Do you see it?", "informal", "Siehst du es?"),
        ("Do you see it?", None, "Siehst du es?"),
        ("Are you there?", "formal", "Sind Sie da?"),  # not what addresses nobody
        ("Your car is here.", "informal", "Das ist dein Auto."),
        ("It is late.", "informal", "Es ist spät."),
        ("They know him.", "informal", "Sie kennen ihn."),  # speaks of others
        ("Come in.", "formal", "Kommen Sie herein."),  # where orders have the word
        ("Take its key.", "informal", "Nimm den Schlüssel."),
    ],
)
def test_the_best_translation_of_the_form_is_taken(source, form, target):
    assert fitted(source, form).lines == ((target,),)


def test_no_word_is_put_into_an_order_that_does_without():
    translator = Barring()
    one = fitted("Open the door.", "informal", translator=translator)
    assert one.lines == (("Du machst die Tür auf.",),)  # the likelier of both
    assert not any(request.terms for request in translator.requests)
    assert any("Sie" in request.barred for request in translator.requests)


def test_a_word_of_the_form_is_asked_for_only_where_nothing_found_has_it():
    found, lacking = Barring(), Barring({"Are you there?": ["Bist du da?", "Ist jemand da?"]})
    for translator in (found, lacking):
        fitted("Are you there?", "formal", translator=translator)
    assert not any(request.terms for request in found.requests)
    assert [request.terms[0].forms for request in lacking.requests if request.terms] == [
        wanted_words("formal", "de")
    ]


def test_what_addresses_nobody_stays_first_where_the_source_has_no_you():
    script = {"Off we go!": ["Auf geht's!", "Gehen Sie los!", "Geh du los!"]}
    translator = Barring(script)
    assert fitted("Off we go!", "informal", translator=translator).lines == (("Auf geht's!",),)
    assert len(translator.requests) == 1


def test_what_has_the_form_is_searched_once():
    translator = Barring()
    fitted("Do you see it?", "informal", translator=translator)
    assert len(translator.requests) == 1


def test_later_searches_keep_to_the_form():
    script = {"Do you see it there?": ["Sehen Sie es dort?", "Siehst du es?", "Sehen Sie es?"]}
    translator = Barring(script)
    one = fitted("Do you see it there?", "formal", 14, translator)
    assert one.lines == (("Sehen Sie es?",),)
    assert all("du" in each.barred for each in translator.requests[1:])


def test_a_shorter_translation_that_loses_the_form_is_not_taken():
    class Stubborn(Barring):
        """Bars nothing once there is a ceiling."""

        def _answers(self, request):
            return ScriptedTranslator._answers(self, request)

    found = ["Sehen Sie es dort?", "Siehst du es?"]
    script = {"Do you see it there?": found, "Do you see it?": found}
    one = fitted("Do you see it there?", "formal", 14, Stubborn(script))
    assert one.lines == (("Sehen Sie es dort?",),)
    assert Loss.ADDRESS in one.withheld


def test_a_far_less_likely_one_is_not_taken():
    class Sure(Barring):
        def _answers(self, request):
            return [
                replace(one, score=-3.0) if " Sie " in one.text else one
                for one in super()._answers(request)
            ]

    one = fitted("Do you see it?", "formal", translator=Sure())
    assert one.lines == (("Sieht man es?",),)  # at least nobody is addressed in the wrong form


def test_sentences_that_keep_the_other_form_are_counted():
    script = {"Do you see it?": ["Siehst du es?"], "Your car is here.": ["Das ist Ihr Auto."]}
    found = [fitted(source, "formal", translator=Barring(script)) for source in script]
    assert unmet_in(found, "de") == 1


def test_the_report_tells_how_many():
    script = {"Do you see it?": ["Siehst du es?"], "Your car is here.": ["Das ist Ihr Auto."]}
    cues = tuple(Cue(9000 * n, 9000 * n + 4000, text) for n, text in enumerate(script))
    guideline = Guideline.load("netflix", "de")
    found = localize(Track(cues, "srt"), Barring(script), guideline, Options(formality="formal"))
    address = found.report.to_dict()["totals"]["address"]
    assert address["unmet"] == 1
    assert address_of(address) == "formal, as asked for; 1 sentence not found so"
