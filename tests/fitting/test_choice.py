"""Which candidate is taken, and where one in doubt is none."""

from __future__ import annotations

import math
from typing import Any, cast

import pytest

from subfit.condensing import Condensation
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.choice import choose, least_overlong, whole_instead
from subfit.fitting.passes import passes, run_pass
from subfit.fitting.settings import FittingSettings, Weights
from subfit.fitting.state import Candidate, Setup, State
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.typography import style_of
from tests.scripted import ScriptedTranslator

NETFLIX = Guideline.load("netflix", "de")


def test_the_weights_count_where_nothing_fits():
    task = Task(
        Sentence((Part(0, 0, "A source of some forty characters or so."),)),
        (LengthBudget(10.0, lines=2, cpl=42),),
    )
    whole = Hypothesis("Ein Satz, der viel zu lang ist, ja.", 35.0, -1.0, -1.0)
    short = Hypothesis("Ein kurzer Satz, ja.", 20.0, -1.0, -1.0)
    candidates = [Candidate(whole, FREE), Candidate(short, FREE, 0, Condensation("x", 1.0, ()))]
    for omission, text in ((0.2, short.text), (100.0, whole.text)):
        settings = FittingSettings(weights=Weights(omission=omission), much_shorter=math.inf)
        for take in (whole_instead, least_overlong):
            taken = take(task, candidates, NETFLIX, settings)
            assert taken is not None and taken.candidate.hypothesis.text == text


@pytest.mark.parametrize(("closing", "taken"), [(-0.1, 1), (-9.0, 0)])
def test_a_natural_translation_that_fits_stays_rather_than_one_in_doubt(closing, taken):
    natural = Hypothesis("Er geht jetzt.", 14.0, -0.9, -0.9, closing=-0.1)
    short = Hypothesis("Er geht.", 8.0, -0.2, -0.2, closing=closing)
    task = Task(Sentence((Part(0, 0, "He leaves now."),)), (LengthBudget(30.0),))
    candidates = (Candidate(natural, FREE), Candidate(short, FREE))
    settings = FittingSettings(much_shorter=math.inf)
    chosen = choose(task, candidates, NETFLIX, settings)
    assert chosen is not None and chosen.candidate.hypothesis is candidates[taken].hypothesis
    setup = Setup(cast(Any, ScriptedTranslator({})), NETFLIX, settings)
    states = [State(task, style_of([]), Request("He leaves now."), candidates)]
    for step in passes(settings):
        states = run_pass(step, states, setup)
    (state,) = states
    assert (
        state.chosen is not None
        and state.chosen.candidate.hypothesis is candidates[taken].hypothesis
    )


def test_nothing_longer_takes_the_place_of_what_a_memory_has():
    task = Task(Sentence((Part(0, 0, "I like it."),)), (LengthBudget(5.0, lines=2, cpl=42),))
    kept = Candidate(Hypothesis("Das mag ich.", 12.0, -3.0, -3.0), FREE, recalled=True)
    longer = Candidate(Hypothesis("Das mag ich. Ich mag es.", 24.0, -0.1, -0.1), FREE)
    for take in (whole_instead, least_overlong):
        taken = take(task, [kept, longer], NETFLIX, FittingSettings())
        assert taken is not None and taken.candidate is kept
