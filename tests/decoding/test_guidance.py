"""Guided decoding: what is rewarded, by how much, and for how long; equation 17 by hand."""

from __future__ import annotations

import pytest
import torch

from subfit.decoding.guide import START, MemoryGuide, Progress, Rewards
from subfit.decoding.hypotheses import Request
from subfit.decoding.pieces import Choices
from subfit.decoding.search_types import Guide, TokenRequest
from subfit.decoding.translator import Translator
from subfit.memory.entry import Entry
from subfit.memory.recall import Guiding, Memories
from subfit.memory.store import Languages, Memory
from subfit.model.checkpoint import load_checkpoint

THE, OLD, MILL, BURNS = 3, 4, 5, 6
GUIDE = {(OLD,): 1.0, (MILL,): 1.0, (OLD, MILL): 2.0, (THE, OLD, MILL): 4.0, (START, THE): 8.0}


def offered(rewards: Rewards, progress: Progress) -> dict[int, float]:
    """What each column is raised by."""
    found: dict[int, float] = {}
    unigrams = zip(progress.open_columns, progress.open_rewards, strict=True)
    for column, value in (*unigrams, *rewards.offers(progress)):
        found[column] = found.get(column, 0.0) + value
    return found


def said(rewards: Rewards, *columns: int) -> Progress:
    progress = rewards.start
    for column in columns:
        progress = rewards.after(progress, column)
    return progress


def test_the_last_piece_of_an_ngram_is_rewarded_behind_the_others() -> None:
    rewards = Rewards(GUIDE)
    assert offered(rewards, said(rewards, BURNS)) == {OLD: 1.0, MILL: 1.0}
    assert offered(rewards, said(rewards, BURNS, OLD)) == {MILL: 1.0 + 2.0}
    assert offered(rewards, said(rewards, BURNS, THE, OLD)) == {MILL: 1.0 + 2.0 + 4.0}


def test_what_is_said_is_rewarded_no_more() -> None:
    rewards = Rewards(GUIDE)
    once = said(rewards, BURNS, OLD, MILL)
    assert once.earned == 1.0 + 1.0 + 2.0
    assert offered(rewards, rewards.after(once, OLD)) == {}
    assert said(rewards, BURNS, OLD, MILL, OLD, MILL).earned == once.earned


def test_a_translation_begins_with_what_an_earlier_one_began_with() -> None:
    rewards = Rewards(GUIDE)
    assert dict(rewards.offers(rewards.start)) == {THE: 8.0}
    assert said(rewards, OLD).earned == 0.0
    assert said(rewards, THE, THE).earned == 8.0


class Columns:
    """Pieces whose columns are two less than their ids."""

    token_ids, first = torch.arange(2, 10), None
    column_by_piece = Choices.column_by_piece


def test_rewards_are_added_where_they_belong_and_given_up_with_their_rows() -> None:
    guidance = MemoryGuide(Columns(), rows=2, beams=2)  # type: ignore[arg-type]
    log_probs = torch.zeros(2, 2, 8)
    guidance.adjust(log_probs, torch.zeros(2, 2))
    assert not bool(log_probs.any())
    guide = Guide({(7,): 1.5, (7, 8): 2.0, (99, 7): 9.0}, similarity=1.0)
    guidance.admit(1, TokenRequest((), guide=guide))
    columns = torch.tensor([[0, 0], [5, 1]])
    guidance.advance(torch.zeros(2, 2, dtype=torch.int64), columns)
    guidance.adjust(log_probs, torch.tensor([[0.0, 0.0], [0.0, 0.0]]))
    assert log_probs[1].tolist() == [[0.0] * 6 + [2.0, 0.0], [0.0] * 5 + [1.5, 0.0, 0.0]]
    assert not log_probs[0].any()
    guidance.keep([1])
    assert guidance.bonus(0, 0) == guidance.bonus(0, 1) == 0.0
    guidance.admit(0, None)
    again = torch.zeros(1, 2, 8)
    guidance.adjust(again, torch.zeros(1, 2))
    assert not again.any()


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
