"""What a model is asked for in each round, and in which order."""

from __future__ import annotations

import math

import pytest

from subfit.decoding.hypotheses import FREE, Request
from subfit.fitting.requests import fitting_rounds, natural_requests, roomy_requests
from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings
from subfit.fitting.state import Setup, State
from subfit.limits.budget import LengthRatio
from subfit.limits.guideline import Guideline
from subfit.text.typography import style_of
from tests.fitting.test_choice_by_hand import NETFLIX, SOURCE, candidates_of, task_of
from tests.scripted import ScriptedTranslator


class Asked:
    """A model that must be asked for some length."""

    can_translate_freely = False
    channel_model = None
    mean_length_ratio = 1.5

    def __init__(self, length: int | None = None) -> None:
        self.length = length
        self.can_predict_lengths = length is not None

    def predict_lengths(self, texts: list[str]) -> list[int | None]:
        return [self.length for _ in texts]


class Free:
    """A model that need not be."""

    can_translate_freely = True


@pytest.mark.parametrize(("length", "asked"), [(20, 20), (34, 34), (50, 34), (1, 1)])
def test_a_predicted_length_is_asked_for_unless_the_budget_is_less(length: int, asked: int) -> None:
    (request,) = natural_requests([task_of()], Asked(length))
    assert (request.text, request.asked) == (SOURCE, asked)
    assert math.isinf(request.ceiling)


def test_without_a_budget_the_predicted_length_is_asked_for() -> None:
    (request,) = natural_requests([task_of(guideline=Guideline.load("none", "de"))], Asked(50))
    assert request.asked == 50


def test_the_natural_length_is_asked_first_then_the_budget_then_less() -> None:
    task = task_of()
    (free,) = natural_requests([task], Free())
    assert free.asked == FREE and math.isinf(free.ceiling)
    (mean,) = natural_requests([task], Asked())
    assert mean.asked == round(1.5 * len(SOURCE))
    rounds = fitting_rounds(task, None)
    requests = [each for one in rounds for each in one]
    assert {each.ceiling for each in requests} == {34.0}
    assert requests[0].asked == 34
    asked = [each.asked for each in requests]
    assert asked == sorted(asked, reverse=True)
    assert len(set(asked)) == len(asked)


def test_a_model_that_takes_no_wish_only_gets_the_ceiling() -> None:
    ((request,),) = fitting_rounds(task_of(), None, asks=False)
    assert (request.asked, request.ceiling) == (FREE, 34.0)


def test_the_policy_says_which_lengths_are_asked_for() -> None:
    rounds = fitting_rounds(task_of(), None, FittingSettings(rounds=((0.9,), (0.5, 0.25))))
    assert [[each.asked for each in one] for one in rounds] == [[30], [17, 8]]


def test_too_short_a_natural_translation_is_asked_for_more() -> None:
    task = task_of(guideline=Guideline.load("none", "de"), ratio=LengthRatio(0.9, 1.1))
    (requests,) = fitting_rounds(task, candidates_of(("Briefe.", -0.1))[0].hypothesis)
    assert all(task.floor - 1 <= each.asked <= task.ceiling for each in requests)


@pytest.mark.parametrize("duration", [0, -500])
def test_a_cue_without_time_has_nothing_to_ask_for(duration: int) -> None:
    assert fitting_rounds(task_of(duration=duration), None) == []


@pytest.mark.parametrize(("natural", "asked"), [(36, []), (38, []), (40, [38]), (50, [38, 42])])
def test_more_room_than_the_natural_translation_takes_is_not_asked_for(
    natural: int, asked: list[int]
) -> None:
    candidates = tuple(candidates_of(("x" * natural, -0.2)))
    state = State(task_of(), style_of([SOURCE]), Request(SOURCE), candidates)
    asks = roomy_requests(state, Setup(ScriptedTranslator({}), NETFLIX, DEFAULT_SETTINGS))
    assert [ask.request.asked for ask in asks] == asked
