"""Searches that must say certain terms, beside the best of all sequences that say them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, Spelling, TokenConstraint, TokenRequest
from subfit.model.checkpoint import Checkpoint
from subfit.text.counting import Counting

from .test_search_exhaustive import (
    END,
    MOST_TOKENS,
    SOURCE,
    Pieces,
    every_hypothesis,
    model_of,
    text_of,
)

ABC, D, EFG = Spelling((1, 2)), Spelling((3,)), Spelling((3, 4))
TERMS = {
    "abc": ((ABC,),),
    "d": ((D,),),
    "abc or defg": ((ABC, EFG),),
    "abc and d": ((ABC,), (D,)),
    "d...": ((replace(D, goes_on=True),),),
    "not first": ((replace(D, opens=False),),),
    "behind c": ((replace(D, opens=False, behind=frozenset({2})),),),
}
SAID = {
    "abc": lambda words: ["abc" in words],
    "d": lambda words: ["d" in words],
    "abc or defg": lambda words: ["abc" in words or "defg" in words],
    "abc and d": lambda words: ["abc" in words, "d" in words],
    "d...": lambda words: [any(word.startswith("d") for word in words)],
    "not first": lambda words: ["d" in words[1:]],
    "behind c": lambda words: [("c", "d") in {(a[-1], b) for a, b in pairwise(words)}],
}


def constraints(terms: tuple[tuple[Spelling, ...], ...]) -> tuple[TokenConstraint, ...]:
    return tuple(map(TokenConstraint, terms))


def search_of(seed: int, *, end_bias: float = 0.0, **changes: object) -> BudgetedBeamSearch:
    model = model_of(seed)
    model.final_logits_bias[0, END] += end_bias
    pieces = piece_table(Checkpoint("x", model, Pieces()), Counting())
    chosen = SearchSettings(**{"max_steps": MOST_TOKENS, **changes})
    return BudgetedBeamSearch(Network([model]), pieces, chosen)


def missed(sequence: tuple[int, ...], terms: str) -> int:
    return SAID[terms](text_of(sequence).split()).count(False)


@pytest.mark.parametrize("terms", ["abc", "abc or defg", "d...", "not first"])
def test_a_wide_beam_finds_all_there_is_and_knows_what_each_lacks(terms):
    search = search_of(0, beams=320, nbest=320)  # all continuations, for each count of terms
    ceilings = [float("inf"), 4.0]
    requests = [
        TokenRequest(tuple(SOURCE), 0, ceiling, constraints(TERMS[terms])) for ceiling in ceilings
    ]
    for ceiling, nbest in zip(ceilings, search.search(requests), strict=True):
        wanted = sorted(
            (missed(sequence, terms), -score, sequence)
            for sequence, score in every_hypothesis([model_of(0)], ceiling, Counting(), 1.0)
        )
        assert {each.token_ids for each in nbest} == {sequence for *_, sequence in wanted}
        assert [each.missed for each in nbest] == [lacking for lacking, *_ in wanted]
        assert [-each.score for each in nbest] == pytest.approx(
            [score for _, score, _ in wanted], abs=1e-4
        )
        assert [each.token_ids for each in nbest[:1]] == [each for *_, each in wanted[:1]]


@pytest.mark.parametrize("beams", [1, 3])
@pytest.mark.parametrize("terms", TERMS)
def test_a_narrow_beam_says_all_terms_that_there_is_room_for(terms, beams):
    """However improbable: the terms are in the result, and nothing is over its ceiling."""
    search = search_of(3, beams=beams, nbest=beams, end_bias=3.0, max_steps=24)
    ceilings = [float("inf"), 12.0, 9.0]
    for nbest, ceiling in zip(
        search.search(
            [TokenRequest(tuple(SOURCE), 0, each, constraints(TERMS[terms])) for each in ceilings]
        ),
        ceilings,
        strict=True,
    ):
        assert nbest[0].missed == 0 == missed(nbest[0].token_ids, terms)
        assert all(each.missed == missed(each.token_ids, terms) for each in nbest)
        assert all(each.characters <= ceiling for each in nbest)


def test_what_has_no_room_for_a_term_says_what_there_is_room_for():
    search = search_of(2, end_bias=3.0, max_steps=24)
    (both,) = search.search([TokenRequest(tuple(SOURCE), 0, 3.0, constraints(TERMS["abc and d"]))])
    assert both[0].missed == 1
    (none,) = search.search([TokenRequest(tuple(SOURCE), 0, 2.0, constraints(TERMS["abc"]))])
    assert none and all(each.missed == 1 for each in none)


def test_queries_without_terms_are_found_as_without_the_others():
    search = search_of(1, end_bias=3.0, max_steps=24)
    plain = [TokenRequest(tuple(SOURCE), 0, ceiling) for ceiling in (float("inf"), 7.0, 4.0)]
    insisting = [
        replace(each, terms=constraints(terms)) for each in plain for terms in TERMS.values()
    ]
    alone = search.search(plain)
    mixed = [query for pair in zip(plain, insisting, strict=False) for query in pair]
    together = search.search([*mixed, *insisting])
    assert together[:6:2] == alone


def test_company_changes_nothing():
    search = search_of(4, end_bias=3.0, max_steps=24, batch_size=6)
    requests = [
        TokenRequest((*SOURCE[: 1 + n % 3], SOURCE[-1]), 0, ceiling, constraints(terms))
        for n, terms in enumerate(TERMS.values())
        for ceiling in (float("inf"), 9.0)
    ]
    assert search.search(requests) == [search.search([each])[0] for each in requests]
