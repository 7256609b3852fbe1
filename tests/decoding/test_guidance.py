"""Guided decoding: what is rewarded, by how much, and for how long; equation 17 by hand."""

from __future__ import annotations

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.memory.recall import Guiding, Memories
from subfit.memory.store import Entry, Languages, Memory
from subfit.model.checkpoint import load_checkpoint


@pytest.fixture(scope="module")
def translator(tiny_model_folder) -> Translator:
    return Translator(load_checkpoint(str(tiny_model_folder)))


MEMORIES = Memories(
    [Memory.of([Entry("The door is open.", "Die Tür steht offen.")], Languages("en", "de"))]
)
STRONG = Guiding(unigram=8.0, longer=8.0)


def test_an_earlier_translation_of_the_same_text_is_found_again(translator: Translator) -> None:
    recall = MEMORIES.recall("The door is open.", STRONG)
    (alone,), (guided,) = (
        nbest[:1]
        for nbest in translator.translate(
            [Request("The door is open."), Request("The door is open.", recall=recall)]
        )
    )
    assert "ist" in alone.text and guided.text == "Die Tür steht offen."
    assert guided.guided > 0.5 > alone.guided == 0.0
    (rated,) = translator.rate(["The door is open."], [[guided]])
    assert rated[0].log_probability == pytest.approx(guided.log_probability, abs=1e-3)


def test_a_guided_sentence_changes_nothing_of_its_neighbours(translator: Translator) -> None:
    texts = ["Who is there?", "The door is open.", "I hear music."]
    recall = MEMORIES.recall(texts[1], STRONG)
    requests = [Request(text) for text in texts]
    alone = translator.translate(requests)
    beside = translator.translate([requests[0], Request(texts[1], recall=recall), requests[2]])
    assert beside[0] == alone[0] and beside[2] == alone[2]


def test_a_guided_sentence_keeps_its_ceiling(translator: Translator) -> None:
    recall = MEMORIES.recall("The door is open.", STRONG)
    (nbest,) = translator.translate([Request("The door is open.", 12, 12, recall=recall)])
    assert nbest and all(hypothesis.characters <= 12 for hypothesis in nbest)
