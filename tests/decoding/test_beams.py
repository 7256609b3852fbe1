"""The rows of a running search, moved by hand: who is let in, who goes on, what is found."""

from __future__ import annotations

import torch

from subfit.decoding.beams import Beams
from subfit.decoding.network import Network
from subfit.decoding.pieces import table_of
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenHypothesis, TokenRequest
from subfit.text.counting import EVERYTHING
from tests.tiny import tiny_marian

SIZE, END = 40, 0
SETTINGS = SearchSettings(beams=3, nbest=3, max_steps=20)
REQUESTS = [
    TokenRequest((5, 9, 3, END)),
    TokenRequest((7, END), 0, 6.0),
    TokenRequest((*range(1, 20), END), 0, 9.0),
    TokenRequest((8, 30, END)),
    TokenRequest((8, 30, 4, 11, END), 0, 3.0),
]


def search() -> BudgetedBeamSearch:
    texts = ["", *[" a", "b"] * (SIZE // 2 - 1), ""]
    return BudgetedBeamSearch(Network([tiny_marian(SIZE)]), table_of(texts, EVERYTHING), SETTINGS)


def opened(rows: int) -> tuple[Network, Beams]:
    made = search()
    return made.network, Beams(made.network, made.choices, SETTINGS, rows, made.longest)


def alone(request: TokenRequest) -> list[TokenHypothesis]:
    return search().search([request])[0]


@torch.inference_mode()
def test_a_sentence_let_into_a_running_search_is_found_as_alone():
    network, beams = opened(2)
    waiting, found = list(enumerate(REQUESTS)), {}
    assert beams.free == [0, 1] and beams.running == 0
    while waiting or beams.running:
        if waiting and beams.free:
            number, request = waiting.pop(0)
            beams.admit([number], [request], network.encode([request.source]))
        found.update(beams.advance())
        assert beams.running + len(beams.free) == 2
    assert [found[number] for number in range(len(REQUESTS))] == list(map(alone, REQUESTS))
    assert sum(map(bool, found.values())) >= 4


@torch.inference_mode()
def test_rows_that_are_given_up_take_nothing_with_them():
    network, beams = opened(8)
    numbers = [3, 2]
    requests = [REQUESTS[number] for number in numbers]
    beams.admit(numbers, requests, network.encode([request.source for request in requests]))
    found = dict(beams.advance())
    beams.compact()
    assert beams.running + len(beams.free) == 4
    beams.compact()
    assert beams.running + len(beams.free) == 2
    while beams.running:
        found.update(beams.advance())
        beams.compact()
    assert found == {number: alone(REQUESTS[number]) for number in numbers}


@torch.inference_mode()
def test_what_is_kept_is_the_best_first_and_within_its_ceiling():
    network, beams = opened(len(REQUESTS))
    memories = network.encode([request.source for request in REQUESTS])
    beams.admit(range(len(REQUESTS)), REQUESTS, memories)
    found = {}
    while beams.running:
        found.update(beams.advance())
    for number, pool in found.items():
        assert [one.score for one in pool] == sorted((one.score for one in pool), reverse=True)
        assert len({one.token_ids for one in pool}) == len(pool) <= SETTINGS.beams
        for one in pool:
            printed = "".join("" if n == END else " a" if n % 2 else "b" for n in one.token_ids)
            assert len(printed.lstrip()) == one.characters <= REQUESTS[number].ceiling
