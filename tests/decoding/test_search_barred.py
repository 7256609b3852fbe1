"""Pieces that single sentences may not have."""

from __future__ import annotations

import torch

from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.model.checkpoint import Checkpoint
from subfit.text.counting import EVERYTHING
from tests.decoding.test_search import AnyPieces
from tests.tiny import tiny_marian

SIZE = 40


def search_of(model, barred=()):
    table = piece_table(Checkpoint("x", model, AnyPieces(SIZE)), EVERYTHING)
    settings = SearchSettings(beams=3, nbest=3, max_steps=16, batch_size=4)
    return BudgetedBeamSearch(Network([model]), table, settings, barred)


def requests(seed: int) -> list[TokenRequest]:
    """Sentences of several lengths; every other one does without some pieces."""
    draw = torch.Generator().manual_seed(seed)
    made = []
    for number in range(7):
        source = torch.randint(6, SIZE - 1, (3 + number % 4,), generator=draw).tolist()
        barred = torch.randint(1, SIZE - 1, (12,), generator=draw).tolist()
        made.append(TokenRequest((*source, 0), barred=tuple(barred) if number % 2 else ()))
    return made


def test_each_is_searched_as_if_its_pieces_were_barred_for_all():
    changed = 0
    for seed in range(4):
        model = tiny_marian(SIZE, seed=seed, end_bias=3.0)
        asked = requests(seed)
        for request, found in zip(asked, search_of(model).search(asked), strict=True):
            free = TokenRequest(request.source)
            (alone,) = search_of(model, request.barred).search([free])
            assert [each.token_ids for each in found] == [each.token_ids for each in alone]
            changed += alone != search_of(model).search([free])[0]
    assert changed > 3  # pieces that would have been chosen


def test_no_piece_that_is_barred_is_chosen():
    model = tiny_marian(SIZE, seed=1, end_bias=2.0)
    asked = requests(1)
    for request, found in zip(asked, search_of(model).search(asked), strict=True):
        for each in found:
            assert not set(each.token_ids) & set(request.barred)
