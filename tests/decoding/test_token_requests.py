"""From requests to requests of a search: terms and lengths in pieces."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.decoding.hypotheses import FREE, Request, TermConstraint
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.length import CHARACTERS, LengthUnit

TEXT = "The ship comes back tomorrow."


@pytest.fixture(scope="module")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


def made(
    checkpoint: Checkpoint, usable: frozenset[int] | None = None, unit: LengthUnit = CHARACTERS
) -> Translator:
    translator = Translator(checkpoint, target_language="de")
    translator._network.usable, translator.length_unit = usable, unit
    return translator


def test_limits_are_handed_on_and_a_plain_request_has_nothing_more(checkpoint):
    found = made(checkpoint)._token_request(Request(TEXT, ceiling=30.0, asked=25, dense=26.0))
    assert (found.ceiling, found.asked, found.dense) == (30.0, 25, 26.0)
    assert (found.terms, found.guide) == ((), None)


def test_a_term_that_cannot_be_written_is_not_searched_for(checkpoint):
    terms = TermConstraint("ship", ("Schiff",)), TermConstraint("tomorrow", ("morgen",))
    request, tokenizer = Request(TEXT, terms=terms), checkpoint.tokenizer
    assert len(made(checkpoint)._token_request(request).terms) == 2
    usable = frozenset(tokenizer.encode("Das kommt morgen. Morgen"))
    (only,) = made(checkpoint, usable)._token_request(request).terms
    assert {tokenizer.decode(list(one.token_ids)).strip().lower() for one in only.spellings} == {
        "morgen"
    }


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        (Request(TEXT), FREE),
        (Request(TEXT, asked=30), 10),
        (Request(TEXT, asked=30, asked_tokens=7), 7),
        (Request(TEXT, asked=1), 1),
    ],
)
def test_a_length_is_told_in_the_unit_of_the_model(checkpoint, request_, asked):
    tokens = replace(CHARACTERS, name="tokens", characters=3.0)
    assert made(checkpoint, unit=tokens)._token_request(request_).asked == asked
    assert made(checkpoint)._token_request(request_).asked == request_.asked
