"""Translation pieces: what is taken of a like translation, and what it does to a new one."""

from __future__ import annotations

import pytest

from subfit.decoding.guide import START
from subfit.decoding.hypotheses import Guide, Request
from subfit.decoding.translator import Translator
from subfit.memory.recall import Guiding, Memories
from subfit.memory.store import Entry, Languages, Memory
from subfit.model.checkpoint import Checkpoint

LATE, EARLY = "The lantern keeper is late again.", "The lantern keeper is early again."
GATE, WINDOW = (
    "Charge the flux coil before you open the gate.",
    "Charge the flux coil before you close the window.",
)
TERMS = {
    "de": [(LATE, "Der Laternenwart ist wieder zu spät.", EARLY, "Laternenwart")],
    "it": [(GATE, "Carica il flussore prima di aprire il cancello.", WINDOW, "flussore")],
}


def memory(language: str, source: str, target: str) -> Memories:
    return Memories([Memory.of([Entry(source, target)], Languages("en", language))])


@pytest.mark.parametrize(
    ("language", "source", "target", "text", "term"),
    [(language, *case) for language, cases in TERMS.items() for case in cases],
)
def test_a_term_of_a_like_translation_appears_in_the_new_one(
    en_multi: Checkpoint, language: str, source: str, target: str, text: str, term: str
) -> None:
    translator = Translator(en_multi, target_language=language)
    recall = memory(language, source, target).recall(text)
    alone, guided = translator.translate([Request(text), Request(text, recall=recall)])
    assert term not in alone[0].text
    assert term in guided[0].text and guided[0].text != target


@pytest.fixture(scope="module")
def german(en_multi: Checkpoint) -> Translator:
    return Translator(en_multi, target_language="de")


def guide_of(translator: Translator, source: str, target: str, text: str) -> Guide:
    recall = memory("de", source, target).recall(text, Guiding(least=0.2))
    guide = translator.guides.of(recall)
    assert guide is not None
    return guide


def said(translator: Translator, guide: Guide) -> set[str]:
    """The texts of the n-grams that a guide rewards."""
    printed = translator.checkpoint.tokenizer.piece_texts
    return {
        "".join("^" if piece == START else printed[piece] for piece in ngram)
        for ngram in guide.rewards
    }


def test_words_for_what_differs_are_not_taken(german: Translator) -> None:
    guide = guide_of(
        german, "The red door is open.", "Die rote Tür ist offen.", "The green door is open."
    )
    pieces = said(german, guide)
    assert {" Tür", " Tür ist", " ist offen"} <= pieces
    assert not any("rote" in piece or "." in piece for piece in pieces)


def test_every_mark_of_the_same_words_is_taken_and_worth_more(german: Translator) -> None:
    near = guide_of(german, "the door is open.", "Die Tür ist offen.", "The door is open.")
    far = guide_of(
        german, "The door is open again.", "Die Tür ist wieder offen.", "The door is open."
    )
    assert " offen." in said(german, near)
    assert near.similarity > far.similarity
    assert max(near.rewards.values()) > max(far.rewards.values())


def test_what_stood_within_a_sentence_may_begin_one_with_a_capital(german: Translator) -> None:
    guide = guide_of(german, "Today nobody is here.", "Heute ist niemand hier.", "Nobody is here.")
    assert "^ Niemand" in said(german, guide) or "^ Ist" in said(german, guide)


@pytest.fixture(scope="module")
def tiny(checkpoint) -> Translator:
    return Translator(checkpoint)


MEMORIES = Memories(
    [Memory.of([Entry("The door is open.", "Die Tür steht offen.")], Languages("en", "de"))]
)
STRONG = Guiding(unigram=8.0, longer=8.0)


def test_an_earlier_translation_of_the_same_text_is_found_again(tiny: Translator) -> None:
    recall = MEMORIES.recall("The door is open.", STRONG)
    (alone,), (guided,) = (
        nbest[:1]
        for nbest in tiny.translate(
            [Request("The door is open."), Request("The door is open.", recall=recall)]
        )
    )
    assert "ist" in alone.text and guided.text == "Die Tür steht offen."
    assert guided.guided > 0.5 > alone.guided == 0.0
    (rated,) = tiny.rate(["The door is open."], [[guided]])
    assert rated[0].log_probability == pytest.approx(guided.log_probability, abs=1e-3)


def test_a_guided_sentence_changes_nothing_of_its_neighbours(tiny: Translator) -> None:
    texts = ["Who is there?", "The door is open.", "I hear music."]
    recall = MEMORIES.recall(texts[1], STRONG)
    requests = [Request(text) for text in texts]
    alone = tiny.translate(requests)
    beside = tiny.translate([requests[0], Request(texts[1], recall=recall), requests[2]])
    assert beside[0] == alone[0] and beside[2] == alone[2]


def test_a_guided_sentence_keeps_its_ceiling(tiny: Translator) -> None:
    recall = MEMORIES.recall("The door is open.", STRONG)
    (nbest,) = tiny.translate([Request("The door is open.", 12, 12, recall=recall)])
    assert nbest and all(hypothesis.characters <= 12 for hypothesis in nbest)
