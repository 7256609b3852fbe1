"""A translation over its cues, and in lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.fitting.cue_splits import place
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence

NETFLIX = Guideline.load("netflix", "de")


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
