"""One sentence to fit."""

from __future__ import annotations

from subfit.condensing import Condensation, condensations
from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.task import Task, omitted_of, place_in
from subfit.limits.budget import LengthBudget
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.glossary import Occurrence

SOURCE = "We have to save the moon now, Mrs. Owl."
OVER_TWO = Task(
    Sentence((Part(0, 0, "We save the moon"), Part(1, 0, "with Mrs. Owl."))),
    (LengthBudget(20, floor=6), LengthBudget(14, floor=5)),
    (Occurrence("moon", 12, ("Mond",)), Occurrence("Owl", 27, ("Eule",))),
)


def test_a_task_has_the_room_of_all_its_cues_and_a_space_between() -> None:
    assert (OVER_TWO.ceiling, OVER_TWO.floor, OVER_TWO.least) == (35, 11, 11)
    assert OVER_TWO.reaches(Hypothesis("Mond, Eule!", 11, -1, -1))
    assert not OVER_TWO.reaches(Hypothesis("Mond, Uhu!", 10, -1, -1))


def test_its_cues_have_the_terms_that_begin_in_them() -> None:
    first, second = OVER_TWO.separated()
    assert [term.source for term in first.terms] == ["moon"]
    assert [(term.source, term.start) for term in second.terms] == [("Owl", 10)]
    assert (first.budgets, second.budgets) == (OVER_TWO.budgets[:1], OVER_TWO.budgets[1:])
    assert place_in(OVER_TWO.sentence, OVER_TWO.terms[1]) == (1, 10)


def test_a_term_that_a_translation_lacks_is_missing() -> None:
    assert [term.source for term in OVER_TWO.missing("Wir retten den Mond.")] == ["Owl"]
    assert OVER_TWO.missing("Wir retten den Mond mit Frau Eule.") == ()


def left_out(sentence: Sentence, condensation: Condensation) -> tuple[tuple[str, ...], ...]:
    """Return the words that are left out of each part of a sentence."""
    places = omitted_of(sentence, condensation)
    return tuple(
        tuple(part.text[start:end] for start, end in ranges)
        for part, ranges in zip(sentence.parts, places, strict=True)
    )


def test_sources_in_capitals_are_condensed_and_told_as_they_are():
    sentence = Sentence((Part(0, 0, SOURCE.upper()),))
    (found, *_) = condensations(sentence.spoken, 0.9, "en", kept=["now"])
    assert left_out(sentence, found) == (("MRS. OWL",),)


def test_what_is_left_out_is_told_of_the_cue_where_it_stood():
    parts = (
        Part(0, 0, "After the long meeting in May,"),
        Part(1, 0, "we went home, you know."),
    )
    sentence = Sentence(parts)
    both = [
        left_out(sentence, each)
        for each in condensations(sentence.spoken, 0.4, "en", most=100)
        if len(each.omitted) > 1
    ]
    assert (("After the long meeting in May",), ("you know",)) in both
    assert omitted_of(sentence, None) == ()
