"""What translation memories have: taken word for word where it fits, shortened from where not."""

from __future__ import annotations

import pytest

from subfit.fitting.outcomes import MemoryUse
from subfit.fitting.pipeline import fit_all
from subfit.fitting.recalled import memory_use, worst_use
from subfit.fitting.state import Fitted
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.memory.entry import Entry
from subfit.memory.recall import Memories, Recall
from subfit.memory.store import Languages, Memory
from subfit.subtitles.sentences import Part, Sentence
from tests.scripted import ScriptedTranslator

SOURCE = "The mill has burnt down."
OLD, SHORT = "Die Mühle ist bis auf die Mauern abgebrannt.", "Die Mühle ist weg."
FOUND = ["Die Mühle ist abgebrannt.", "Die Mühle brannte ab."]
GUIDELINE = Guideline("none", "de")


def fitted(budget: float, *entries: Entry, text: str = SOURCE) -> tuple[Fitted, list[str]]:
    """The sentence within a budget, with what a memory of entries has; and what was searched."""
    memories = Memories([Memory.of(entries, Languages("en", "de"))])
    sentence = Sentence((Part(0, 0, text),))
    task = Task(sentence, (LengthBudget(budget),), recall=memories.recall(text))
    translator = ScriptedTranslator({text: FOUND})
    ((one,),) = fit_all([[task]], translator, GUIDELINE)
    return one, translator.asked


def test_the_same_text_is_taken_word_for_word_and_nothing_is_searched() -> None:
    one, searched = fitted(60, Entry(SOURCE, OLD, "episode 1"))
    assert one.candidate.hypothesis.text == OLD == one.natural.hypothesis.text
    assert searched == []
    assert memory_use(one) == MemoryUse("100 %", 1.0, "exact", SOURCE, OLD, "episode 1")


def test_of_several_translations_the_last_one_that_fits_is_taken() -> None:
    entries = Entry(SOURCE, "Die Mühle ist hin."), Entry(SOURCE, SHORT), Entry(SOURCE, OLD)
    assert fitted(60, *entries)[0].candidate.hypothesis.text == OLD
    one, searched = fitted(20, *entries)
    assert one.candidate.hypothesis.text == SHORT and searched == []
    use = memory_use(one)
    assert use is not None and (use.used, use.target) == ("exact", SHORT)


def test_what_does_not_fit_is_shortened_from_there() -> None:
    one, searched = fitted(30, Entry(SOURCE, OLD))
    assert one.candidate.hypothesis.text in FOUND and searched
    assert one.natural.hypothesis.text == OLD
    use = memory_use(one)
    assert use is not None and (use.match_class, use.used) == ("100 %", "")


def test_a_like_text_is_not_taken_word_for_word() -> None:
    one, _ = fitted(60, Entry("The mills have burnt down.", OLD))
    use = memory_use(one)
    assert one.candidate.hypothesis.text == FOUND[0]
    assert use is not None and (use.match_class, use.similarity) == (
        "50–74 %",
        pytest.approx(4 / 6),
    )


def test_without_a_memory_there_is_nothing_to_tell_and_without_a_match_no_match() -> None:
    one, _ = fitted(60)
    assert memory_use(one) == MemoryUse("no match")
    ((alone,),) = fit_all(
        [[Task(Sentence((Part(0, 0, SOURCE),)), (LengthBudget(60),))]],
        ScriptedTranslator({SOURCE: FOUND}),
        GUIDELINE,
    )
    assert memory_use(alone) is None and worst_use([alone]) is None


def test_of_several_speakers_the_worst_match_is_told() -> None:
    exact, _ = fitted(60, Entry(SOURCE, OLD))
    none, _ = fitted(60)
    assert worst_use([exact, none]) == MemoryUse("no match")


def test_a_part_of_a_sentence_is_guided_but_never_the_whole_of_it() -> None:
    sentence = Sentence((Part(0, 0, "The mill"), Part(1, 0, "has burnt down.")))
    recall = Recall(SOURCE, (Entry(SOURCE, OLD),))
    task = Task(sentence, (LengthBudget(30), LengthBudget(30)), recall=recall)
    parts = [part.recall for part in task.separated()]
    assert [(each.text, each.exact) for each in parts if each] == [
        ("The mill", ()),
        ("has burnt down.", ()),
    ]
