"""The policy of fitting, with hypotheses made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.hypotheses import FREE, Hypothesis
from subfit.fitting.choice import choose, least_overlong
from subfit.fitting.cue_lines import place
from subfit.fitting.settings import FittingSettings, Weights
from subfit.fitting.state import Candidate
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget, LengthRatio, budget_for
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence
from tests.fitting.test_cue_lines import two_cues

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
            value = score - settings.weights.demerit * placed.demerits
            values[TEXTS[number]] = (-stops, value)
    chosen = choose(task, found, NETFLIX, settings)
    if not values:
        assert chosen is None
        return
    assert chosen is not None
    assert values[chosen.candidate.hypothesis.text] == pytest.approx(max(values.values()))
