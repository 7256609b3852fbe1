"""Where a sentence cannot be said whole, what can be spared of it is left out, and told."""

from __future__ import annotations

import math

import pytest

from subfit.condensing import Condensation, condensations
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.choice import by_rank
from subfit.fitting.requests import condensed_asks
from subfit.fitting.settings import FittingSettings
from subfit.fitting.state import Candidate
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget, LengthRatio
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.subtitles.formats import parse_track
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.glossary import Term
from tests.scripted import ScriptedTranslator

SOURCE = "We have to save the moon now, Mrs. Owl."
NATURAL = "Wir müssen den Mond jetzt retten, Frau Eule."
CUT = "Wir müssen den Mond jetzt."
POOR = "Mond her, Eule!"
SHORT = "Wir müssen den Mond retten."
SHORTER = "Wir retten den Mond."


class Owl(ScriptedTranslator):
    """What it finds within a budget breaks off, or is as good as a test says."""

    def __init__(self, within: str = CUT, score: float = -0.3, closing: float = -9.0) -> None:
        super().__init__({})
        self.requests: list[Request] = []
        self.within = Hypothesis(within, len(within), score, score, closing=closing)

    def _answers(self, request: Request) -> list[Hypothesis]:
        self.requests.append(request)
        if request.text == SOURCE:
            natural = Hypothesis(NATURAL, len(NATURAL), -0.2, -0.2, closing=-0.1)
            found = [natural, self.within]
        else:
            text = SHORT if "now" in request.text else SHORTER
            found = [Hypothesis(text, len(text), -0.2, -0.2, closing=-0.1)]
        return [each for each in found if each.characters <= request.ceiling]

    @property
    def condensed(self) -> list[str]:
        return [each.text for each in self.requests if each.text != SOURCE]


def task_of(text: str, characters: float) -> Task:
    return Task(Sentence((Part(0, 0, text),)), (LengthBudget(characters),))


def translated(translator: Owl, share: float = 0.75, **options: object) -> Localization:
    track = parse_track(f"{SOURCE}\n".encode(), name="scene.txt", format="txt")
    ratio = LengthRatio(maximum=share)
    asked = Options(length_ratio=ratio, **{"strict_budget": True, **options})
    return localize(track, translator, Guideline.load("none", "de"), asked)


def test_a_condensation_takes_the_place_of_what_is_cut():
    translator = Owl()
    (cue,) = translated(translator).outcomes
    assert (cue.target, cue.status, cue.doubtful) == (SHORT, "fits", False)
    assert cue.omitted == ("Mrs. Owl",)
    assert cue.natural == NATURAL
    assert "We have to save the moon now." in translator.condensed


def test_what_loses_less_goes_first():
    (cue,) = translated(Owl(), 0.65).outcomes  # 25 characters
    assert (cue.target, cue.omitted) == (SHORTER, ("now", "Mrs. Owl"))


def test_condensing_can_be_left():
    translator = Owl()
    done = translated(translator, condense=False)
    (cue,) = done.outcomes
    assert (cue.target, cue.doubtful, cue.omitted) == (CUT, True, ())
    assert not translator.condensed and done.report.totals["condensed"] == 0


@pytest.mark.parametrize(("score", "taken"), [(-0.4, POOR), (-2.0, SHORT)])
def test_a_whole_translation_stays_unless_it_is_much_worse(score, taken):
    translator = Owl(POOR, score, closing=-0.1)
    (cue,) = translated(translator, fitting=FittingSettings(much_shorter=math.inf)).outcomes
    assert cue.target == taken
    assert bool(translator.condensed) is (taken == SHORT)


def test_what_fits_is_not_condensed():
    translator = Owl()
    (cue,) = translated(translator, 1.2).outcomes
    assert (cue.target, cue.omitted) == (NATURAL, ())
    assert not translator.condensed


def test_a_term_is_not_left_out():
    terms = (Term(("Mrs. Owl",), ("Frau Eule",), "de"),)
    translator = Owl()
    translated(translator, 1.0, terms=terms)
    assert translator.condensed
    assert all("Mrs. Owl" in each for each in translator.condensed)


def test_no_alternative_leaves_words_out_without_telling():
    (cue,) = translated(Owl(), alternatives=3).outcomes
    assert cue.target == SHORT
    assert not {SHORT, SHORTER} & {each.text for each in cue.alternatives}


def test_what_was_found_of_the_whole_source_lacks_nothing():
    def candidate(score: float, condensation: Condensation | None) -> Candidate:
        return Candidate(Hypothesis(SHORT, len(SHORT), score, score), 0, 0, condensation)

    (condensation, *_) = condensations(SOURCE, 0.9, "en")
    both = [candidate(-0.3, None), candidate(-0.2, condensation)]
    ((kept,),) = by_rank(both, task_of(SOURCE, 80))
    assert kept.condensation is None


def test_a_model_that_must_be_asked_for_a_length_is():
    natural = Hypothesis(NATURAL, len(NATURAL), -0.2, -0.2)
    task = task_of(SOURCE, 30)
    asked = condensed_asks(task, natural, "en", 12, freely=False)
    assert asked and all(0 < each.request.asked <= 30 for each in asked)
    none = condensed_asks(task, natural, "en", 12, asks=False)
    assert none and all(each.request.asked == FREE for each in none)


def test_what_is_whole_is_not_over_its_budget():
    (cue,) = translated(Owl(), strict_budget=False).outcomes
    assert (cue.target, cue.status) == (SHORT, "fits")


def test_a_length_is_asked_for_only_of_what_may_be_too_long():
    task = task_of(SOURCE, 30)
    natural = Hypothesis(NATURAL, len(NATURAL), -0.2, -0.2)
    requests = condensed_asks(task, natural, "en", 12)
    expected = {each.request.text: len(each.request.text) / len(SOURCE) * 44 for each in requests}
    assert {each.request.asked for each in requests} == {FREE, 30}
    for each in requests:
        assert each.request.ceiling == 30
        assert (each.request.asked == FREE) is (expected[each.request.text] <= 30)


def test_nothing_is_condensed_without_a_budget():
    natural = Hypothesis(NATURAL, len(NATURAL), -0.2, -0.2)
    assert condensed_asks(task_of(SOURCE, math.inf), natural, "en", 12) == []
    assert condensed_asks(task_of(SOURCE, 30), natural, "en", 0) == []
