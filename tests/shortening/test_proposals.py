"""What may stand in place of a speaker's words, and what it loses."""

from __future__ import annotations

import pytest

from subfit.fitting.losses import Loss
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.shortening.proposals import Proposal, SpokenTurn, turns_of
from subfit.subtitles.sentences import Part, Sentence

TEXTS = ("In order to win the race,", "you really do not have to run.")


def turns() -> tuple[SpokenTurn, ...]:
    parts = tuple(Part(number, 0, text) for number, text in enumerate(TEXTS))
    task = Task(Sentence(parts), (LengthBudget(40), LengthBudget(40)))
    return turns_of(task, {(number, 0): text for number, text in enumerate(TEXTS)})


def test_each_part_stands_by_itself_in_its_place_of_the_sentence() -> None:
    first, second = turns()
    assert (first.key, second.key) == ((0, 0), (1, 0))
    whole = first.passage.text
    assert [whole[turn.start : turn.end] for turn in (first, second)] == list(TEXTS)
    assert [turn.source for turn in (first, second)] == [Proposal(text, "source") for text in TEXTS]


@pytest.mark.parametrize("most", [26.0, 24.0, 20.0])
def test_rules_keep_to_what_there_is_room_for_and_say_what_was_left_out(most: float) -> None:
    for turn in turns():
        for proposal, _ in turn.by_rules(most, ()):
            assert len(proposal.text) <= most and proposal.origin == "rules"
            for start, end in proposal.omitted:
                assert turn.part.text[start:end].strip(" ,;:") == turn.part.text[start:end] != ""


def test_what_loses_least_goes_first() -> None:
    costs = [proposal.cost for proposal, _ in turns()[1].by_rules(26.0, ())]
    assert costs and costs == sorted(costs)


def test_a_telegram_is_the_last_resort_and_counts_as_one() -> None:
    proposal = turns()[1].by_words(12.0)
    assert proposal is not None and len(proposal.text) <= 12
    assert proposal.origin == "telegraphic" and Loss.WORDS in proposal.losses
    assert proposal.badness > turns()[1].source.badness == 0


def test_losing_a_negation_is_worse_than_losing_words() -> None:
    plain = Proposal("x", "rules", cost=1.0)
    worse = Proposal("x", "rules", cost=1.0, losses=frozenset([Loss.WORDS]))
    worst = Proposal("x", "rules", cost=1.0, losses=frozenset([Loss.NEGATION]))
    assert plain.badness < worse.badness < worst.badness
