"""Hypotheses pay for words that nobody knows: beside all sequences, and piece by piece."""

from __future__ import annotations

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.decoding.spelling import PENALTY, PieceLetters, WordSpeller
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.text.counting import Counting
from subfit.text.known_words import KnownWords, fingerprint, given_words
from tests.decoding.test_search_exhaustive import (
    MOST_TOKENS,
    PIECES,
    SOURCE,
    Pieces,
    every_hypothesis,
    model_of,
    text_of,
)

KNOWN = ("ab", "abefg", "d")


def speller(pieces: tuple[str, ...] = PIECES, source: str = "") -> WordSpeller:
    known = KnownWords(map(fingerprint, KNOWN), "de")
    return WordSpeller(PieceLetters(pieces), known, given_words(source))


def unknown_words(text: str) -> int:
    return sum(len(word) > 1 and word not in KNOWN for word in text.split())


@pytest.mark.parametrize("penalty", [1.0, 0.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_all_sequences_less_what_their_words_cost(seed, penalty):
    model = model_of(seed)
    table = piece_table(Checkpoint("x", model, Pieces()), Counting())
    settings = SearchSettings(beams=330, nbest=330, length_penalty=penalty, max_steps=MOST_TOKENS)
    search = BudgetedBeamSearch(Network([model]), table, settings)
    for ceiling in (float("inf"), 6.0, 3.0):
        plain = every_hypothesis([model], ceiling, Counting(), penalty)
        wanted = {
            tokens: score - PENALTY * unknown_words(text_of(tokens)) / (len(tokens) + 1) ** penalty
            for tokens, score in plain
        }
        (nbest,) = search.search([TokenRequest(tuple(SOURCE), 0, ceiling, speller=speller())])
        assert {one.token_ids: one.score for one in nbest} == pytest.approx(wanted, abs=1e-4)
        assert nbest[0].score == max(one.score for one in nbest)
        for one in nbest:
            length = (len(one.token_ids) + 1) ** penalty
            assert one.misspelt == PENALTY * unknown_words(text_of(one.token_ids))
            assert one.log_probability == pytest.approx(one.score * length + one.misspelt, abs=1e-4)


def test_company_and_order_change_nothing():
    model = model_of(1)
    table = piece_table(Checkpoint("x", model, Pieces()), Counting())
    settings = SearchSettings(beams=3, nbest=3, max_steps=MOST_TOKENS, batch_size=2)
    search = BudgetedBeamSearch(Network([model]), table, settings)
    requests = [
        TokenRequest(tuple(SOURCE[:n]), 0, ceiling, speller=own)
        for n in (2, 4)
        for ceiling in (float("inf"), 5.0)
        for own in (None, speller())
    ]
    assert search.search(requests) == [search.search([each])[0] for each in requests]


@pytest.mark.parametrize(
    ("piece", "letters", "goes_on"),
    [
        (" Haus", "Haus", False),
        ("häuser", "häuser", True),
        (".", "", False),
        ("-", "", False),
        (" l'", "", False),
        ("l'ami", "ami", False),
        ("2", "", False),
        ("x2", "", False),
        ("你好", "", False),  # where words end is not shown
        (" สวัสดี", "", False),
        ("", "", False),
    ],
)
def test_the_letters_of_pieces(piece, letters, goes_on):
    found = PieceLetters([piece])
    assert (found.at_end, found.goes_on) == ([letters], [goes_on])


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("ab", True),
        ("Ab", True),
        ("abd", False),  # its parts are too short for a compound
        ("Hugging", True),  # stands in the source
        ("Huggings", True),
        ("Huging", False),
        ("x", True),  # single letters name things
    ],
)
def test_words_of_the_source_may_stay(word, known):
    assert speller(source="Hugging Face").knows(word) is known


def test_models_without_a_list_of_words_pay_nothing(tiny_model_folder):
    translator = Translator(load_checkpoint(str(tiny_model_folder)))
    assert translator.known_words is None
    plain, paying = (Request("The boat is small.", known_words=known) for known in (False, True))
    assert translator.translate([paying]) == translator.translate([plain])
