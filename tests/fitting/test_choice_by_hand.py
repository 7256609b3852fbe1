"""The policy of fitting, with hypotheses made by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.hypotheses import FREE, Hypothesis
from subfit.fitting.choice import choose, least_overlong
from subfit.fitting.cue_lines import place
from subfit.fitting.requests import fitting_rounds, natural_requests
from subfit.fitting.settings import FittingSettings, Weights
from subfit.fitting.state import Candidate
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget, LengthRatio, budget_for
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence

NETFLIX = Guideline.load("netflix", "de")
SOURCE = "I wrote you three letters."


def task_of(
    source: str = SOURCE,
    duration: int = 2000,
    guideline: Guideline = NETFLIX,
    ratio: LengthRatio | None = None,
) -> Task:
    budget = budget_for(source, duration, guideline, ratio)
    return Task(Sentence((Part(0, 0, source),)), (budget,))


def candidates_of(*texts_and_scores: tuple[str, float]) -> list[Candidate]:
    return [
        Candidate(Hypothesis(text, float(len(text)), score, score * 5), asked=FREE)
        for text, score in texts_and_scores
    ]


def weighing(**weights: float) -> FittingSettings:
    return FittingSettings(weights=Weights(**weights))


LONG = "Ich habe dir insgesamt drei Briefe geschrieben."
SHORT = "Ich schrieb dir drei Briefe."
CLUMSY = "Ich schrieb drei Briefe dir."
TEXTS = (
    "Wir werden den Leuchtturm diesen Monat schließen.",
    "Wir schließen den Leuchtturm, und zwar diesen Monat.",
    "Diesen Monat werden wir den Turm schließen.",
    "Wir schließen diesen alten Turm",
    "Wir werden nun noch diesen Monat schließen, und den Leuchtturm auch.",
    "Zu.",
)


def test_the_best_scoring_hypothesis_that_fits_is_chosen() -> None:
    found = choose(task_of(), candidates_of((LONG, -0.1), (CLUMSY, -0.9), (SHORT, -0.3)), NETFLIX)
    assert found is not None
    assert found.candidate.hypothesis.text == SHORT
    assert found.natural.hypothesis.text == LONG


def test_a_hypothesis_within_the_characters_that_cannot_be_broken_does_not_fit() -> None:
    source = "That is a very long word indeed, my dear old friend, believe me."
    unbreakable = "Donaudampfschifffahrtsgesellschaftskapitänsmütze ist lang."
    task = task_of(source, duration=6000)
    assert task.budgets[0].allows(unbreakable, NETFLIX)
    assert choose(task, candidates_of((unbreakable, -0.1)), NETFLIX) is None


def test_nothing_fits_gives_none_and_the_least_bad_is_marked() -> None:
    task = task_of(duration=900)
    candidates = candidates_of((LONG, -0.1), (SHORT, -0.3))
    assert choose(task, candidates, NETFLIX) is None
    fitted = least_overlong(task, candidates, NETFLIX)
    assert fitted is not None
    assert not fitted.fits
    assert " ".join(fitted.lines[0]) == SHORT  # whole, never cut


@pytest.mark.parametrize("empty", ["", "...", "?!"])
def test_a_translation_without_words_never_stands_for_a_source_with_words(empty: str) -> None:
    assert choose(task_of(), candidates_of((empty, -0.01)), NETFLIX) is None
    assert least_overlong(task_of(), candidates_of((empty, -0.01)), NETFLIX) is None


def test_candidates_that_reach_the_floor_go_first() -> None:
    none = Guideline.load("none", "de")
    task = task_of(guideline=none, ratio=LengthRatio(0.9, 1.9))
    short, long = candidates_of(("Drei Briefe.", -0.1), (SHORT, -0.8))
    found = choose(task, [short, long], none)
    assert found is not None
    assert found.candidate.hypothesis.text == SHORT


class Asked:
    """A model that must be asked for some length."""

    can_translate_freely = False
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


def test_a_translation_that_just_stops_goes_behind_one_that_closes() -> None:
    stops, closes = candidates_of(("Ich schrieb drei Briefe dir", -0.1), (SHORT, -0.8))
    found = choose(task_of(), [stops, closes], NETFLIX)
    assert found is not None
    assert found.candidate.hypothesis.text == SHORT


def test_a_likely_end_is_worth_some_score() -> None:
    cut, whole = (
        Candidate(replace(each.hypothesis, closing=closing), each.asked)
        for each, closing in zip(
            candidates_of(("Du hast meine Briefe?", -0.4), ("Meine Briefe verbrannt?", -0.6)),
            (-4.0, -0.2),
            strict=True,
        )
    )
    for weight, best in ((0.0, cut), (0.05, cut), (0.1, whole)):
        settings = weighing(closing=weight)
        found = choose(task_of("You burned my letters?"), [cut, whole], NETFLIX, settings)
        assert found is not None
        assert found.candidate.hypothesis == best.hypothesis


def test_saying_all_of_the_source_is_worth_some_score() -> None:
    lacking, whole = (
        Candidate(replace(each.hypothesis, coverage=coverage), each.asked)
        for each, coverage in zip(
            candidates_of(("Ich schrieb dir drei.", -0.4), (SHORT, -0.6)), (0.5, 1.0), strict=True
        )
    )
    for weight, best in ((0.0, lacking), (0.3, lacking), (0.5, whole)):
        found = choose(task_of(), [lacking, whole], NETFLIX, weighing(coverage=weight))
        assert found is not None
        assert found.candidate.hypothesis == best.hypothesis


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


def two_cues(first: LengthBudget, second: LengthBudget) -> Task:
    parts = (Part(0, 0, "We are going to close"), Part(1, 0, "the lighthouse this month."))
    return Task(Sentence(parts), (first, second))


def test_a_joined_sentence_is_split_so_that_each_part_keeps_its_budget() -> None:
    text = "Wir werden den Leuchtturm in diesem Monat schließen."
    roomy = LengthBudget(characters=84, lines=2, cpl=42)
    tight = LengthBudget(characters=17, lines=2, cpl=42)
    placed = place(text, two_cues(tight, roomy), NETFLIX)
    assert placed is not None
    first, second = (" ".join(each) for each in placed.lines)
    assert f"{first} {second}" == text
    assert len(first) <= 17
    assert place(text, two_cues(tight, tight), NETFLIX) is None


@pytest.mark.parametrize(
    ("language", "cues"),
    [
        ("de", ("Wir besuchen", "den Onkel in Kiel.")),
        ("es", ("Mañana veremos", "la casa de tu madre.")),
        ("fr", ("Nous verrons", "les gens du port.")),
        ("fr", ("Mais nous restons\u00a0!", "Partez\u00a0!")),
        ("fr", ("Mais nous restons !", "Partez !")),
        ("it", ("Domani vedremo", "la casa del nonno.")),
    ],
)
def test_cues_part_where_lines_would(language: str, cues: tuple[str, str]) -> None:
    budget = LengthBudget(characters=40, lines=1, cpl=40)
    # In proportion, the first cue would end a few characters later: after the article.
    lengths = (len(cues[0]) + 3, len(cues[1]))
    parts = [Part(cue, 0, "x" * length) for cue, length in enumerate(lengths)]
    task = Task(Sentence(tuple(parts)), (budget, budget))
    placed = place(" ".join(cues), task, replace(NETFLIX, language=language))
    assert placed is not None
    assert placed.lines == tuple((each,) for each in cues)


def test_without_a_width_the_source_s_own_number_of_lines_is_kept() -> None:
    none = Guideline.load("none", "de")
    sentence = Sentence((Part(0, 0, "one two three four, five six seven", lines=2),))
    task = Task(sentence, (LengthBudget(),))
    placed = place("eins zwei drei vier, fünf sechs sieben", task, none)
    assert placed is not None
    assert placed.lines == (("eins zwei drei vier,", "fünf sechs sieben"),)


def test_of_two_about_as_good_the_one_that_can_be_cut_better_is_taken() -> None:
    roomy = LengthBudget(characters=42, lines=1, cpl=42)
    task = two_cues(roomy, roomy)
    best = "Wir werden diesen alten Turm des Hafens im Mai zumachen."
    other = "Wir schließen den Leuchtturm, und zwar in diesem Monat."
    demerits = {}
    for text in (best, other):
        placed = place(text, task, NETFLIX)
        assert placed is not None
        demerits[text] = placed.demerits
    assert demerits[other] < demerits[best]
    found = candidates_of((best, -0.30), (other, -0.31))
    for weight, text in ((0.0, best), (0.01, other)):
        chosen = choose(task, found, NETFLIX, weighing(demerit=weight))
        assert chosen is not None and chosen.candidate.hypothesis.text == text
    # With the weight that users get 16 demerits are worth 0.016.
    for score, text in ((-0.31, other), (-0.32, best)):
        chosen = choose(task, candidates_of((best, -0.3), (other, score)), NETFLIX)
        assert chosen is not None and chosen.candidate.hypothesis.text == text


def test_of_two_about_as_good_the_one_whose_lines_break_better_is_taken() -> None:
    task = Task(
        Sentence((Part(0, 0, "We are going to see the lighthouse."),)),
        (LengthBudget(characters=42, lines=2, cpl=21),),
    )
    best = "Wir gehen ja in den Leuchtturm am Meer."
    other = "Wir besuchen heute den Leuchtturm."
    found = candidates_of((best, -0.3), (other, -0.4))
    for weight, lines in (
        (0.0, ("Wir gehen ja in den", "Leuchtturm am Meer.")),
        (0.001, ("Wir besuchen heute", "den Leuchtturm.")),
    ):
        chosen = choose(task, found, NETFLIX, weighing(demerit=weight))
        assert chosen is not None and chosen.lines == (lines,)


@given(st.lists(st.tuples(st.sampled_from(range(len(TEXTS))), st.floats(-3, 0)), min_size=1))
def test_no_candidate_that_fits_is_better_than_the_one_chosen(drawn: list[tuple[int, float]]):
    roomy = LengthBudget(characters=30, lines=1, cpl=30)
    task = two_cues(roomy, roomy)
    best_scores = {number: max(s for n, s in drawn if n == number) for number, _ in drawn}
    found = candidates_of(*((TEXTS[number], score) for number, score in drawn))
    settings = weighing(demerit=0.003)
    values = {}
    for number, score in best_scores.items():
        placed = place(TEXTS[number], task, NETFLIX)
        if placed is not None:
            stops = not TEXTS[number].endswith(".")
            value = score + settings.weights.coverage - settings.weights.demerit * placed.demerits
            values[TEXTS[number]] = (-stops, value)
    chosen = choose(task, found, NETFLIX, settings)
    if not values:
        assert chosen is None
        return
    assert chosen is not None
    assert values[chosen.candidate.hypothesis.text] == pytest.approx(max(values.values()))
