"""One sentence to fit."""

from __future__ import annotations

from subfit.fitting.task import Task, place_in
from subfit.limits.budget import LengthBudget
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.glossary import Occurrence

OVER_TWO = Task(
    Sentence((Part(0, 0, "We save the moon"), Part(1, 0, "with Mrs. Owl."))),
    (LengthBudget(20, floor=6), LengthBudget(14, floor=5)),
    (Occurrence("moon", 12, ("Mond",)), Occurrence("Owl", 27, ("Eule",))),
)


def test_a_task_has_the_room_of_all_its_cues_and_a_space_between() -> None:
    assert (OVER_TWO.ceiling, OVER_TWO.floor, OVER_TWO.least) == (35, 11, 11)
    assert OVER_TWO.reaches("Mond, Eule!")
    assert not OVER_TWO.reaches("Mond, Uhu!")


def test_its_cues_have_the_terms_that_begin_in_them() -> None:
    first, second = OVER_TWO.separated()
    assert [term.source for term in first.terms] == ["moon"]
    assert [(term.source, term.start) for term in second.terms] == [("Owl", 10)]
    assert (first.budgets, second.budgets) == (OVER_TWO.budgets[:1], OVER_TWO.budgets[1:])
    assert place_in(OVER_TWO.sentence, OVER_TWO.terms[1].start) == (1, 10)


def test_a_term_that_a_translation_lacks_is_missing() -> None:
    assert [term.source for term in OVER_TWO.missing("Wir retten den Mond.")] == ["Owl"]
    assert OVER_TWO.missing("Wir retten den Mond mit Frau Eule.") == ()


def test_numbers_are_digits_where_room_is_scarce_or_a_translation_lacks_them():
    text = "We have thirty-one cats and nine dogs."
    terms = (
        Occurrence("thirty-one", 8, ("31", "einunddreißig"), placeable=True, digits="31"),
        Occurrence("nine", 28, ("9", "neun"), placeable=True, digits="9"),
    )
    task = Task(Sentence((Part(0, 0, text),)), (LengthBudget(40),), terms)
    assert task.with_digits(text) == "We have 31 cats and nine dogs."
    lacking = task.with_digits(text, "Wir haben 31 Katzen und Hunde.")
    assert lacking == "We have thirty-one cats and 9 dogs."
