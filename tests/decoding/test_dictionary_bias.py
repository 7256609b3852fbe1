"""Rewards for what translates rare words: beside all sequences, and piece by piece."""

from __future__ import annotations

import pytest

from subfit.decoding.dictionary_bias import FIRST, NEXT
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import RareWord, SearchSettings, TokenRequest
from subfit.model.checkpoint import Checkpoint
from subfit.text.counting import Counting
from tests.decoding.test_search_exhaustive import (
    MOST_TOKENS,
    SOURCE,
    Pieces,
    every_hypothesis,
    model_of,
)

AB, C, D, EFG = 1, 2, 3, 4
RARE = (
    RareWord(within=((AB, EFG),), opening=((AB,),)),
    RareWord(within=((D, C), (D, EFG)), opening=()),
)


def reward_of(path: tuple[int, ...]) -> float:
    return FIRST + NEXT * (len(path) - 1)


def earned(sequence: tuple[int, ...]) -> float:
    """What a whole sequence earns: each word once, for the first of its translations there."""
    total = 0.0
    for word in RARE:
        said = [
            (start, path)
            for start in range(len(sequence))
            for path in (word.within if start else word.opening)
            if sequence[start : start + len(path)] == path
        ]
        total += reward_of(min(said)[1]) if said else 0.0
    return total


@pytest.mark.parametrize("penalty", [1.0, 0.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_all_sequences_with_what_they_earn(seed, penalty):
    model = model_of(seed)
    table = piece_table(Checkpoint("x", model, Pieces()), Counting())
    settings = SearchSettings(beams=330, nbest=330, length_penalty=penalty, max_steps=MOST_TOKENS)
    search = BudgetedBeamSearch(Network([model]), table, settings)
    paid_by: set[tuple[int, ...]] = set()
    for ceiling in (float("inf"), 6.0, 3.0):
        wanted = {
            tokens: score + earned(tokens) / (len(tokens) + 1) ** penalty
            for tokens, score in every_hypothesis([model], ceiling, Counting(), penalty)
        }
        (nbest,) = search.search([TokenRequest(tuple(SOURCE), 0, ceiling, rare_words=RARE)])
        paid_by |= {tokens for tokens in wanted if earned(tokens)}
        assert {one.token_ids: one.score for one in nbest} == pytest.approx(wanted, abs=1e-4)
        assert nbest[0].score == max(one.score for one in nbest)
        for one in nbest:
            length = (len(one.token_ids) + 1) ** penalty
            assert one.credit == earned(one.token_ids)
            assert one.log_probability == pytest.approx(one.score * length - one.credit, abs=1e-4)
    assert len(paid_by) > 10


def test_company_and_order_change_nothing():
    model = model_of(1)
    table = piece_table(Checkpoint("x", model, Pieces()), Counting())
    settings = SearchSettings(beams=3, nbest=3, max_steps=MOST_TOKENS, batch_size=2)
    search = BudgetedBeamSearch(Network([model]), table, settings)
    requests = [
        TokenRequest(tuple(SOURCE[:n]), 0, ceiling, rare_words=words)
        for n in (2, 4)
        for ceiling in (float("inf"), 5.0)
        for words in ((), RARE, RARE[1:])
    ]
    assert search.search(requests) == [search.search([each])[0] for each in requests]


def test_a_translation_with_a_piece_that_is_not_used_is_left_out():
    model = model_of(0)
    table = piece_table(Checkpoint("x", model, Pieces()), Counting())
    search = BudgetedBeamSearch(Network([model]), table, SearchSettings(max_steps=MOST_TOKENS))
    unknown = RareWord(within=((AB, 99),), opening=())
    plain, with_unknown = (
        search.search([TokenRequest(tuple(SOURCE), rare_words=words)])[0]
        for words in ((), (unknown,))
    )
    assert plain == with_unknown
