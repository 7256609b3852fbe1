"""What the encoder reads of a request."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.source_tokens import SourceTokens
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from tests.tiny import PAIRS, tiny_model

TEXT = "Where is the old lighthouse?"


@pytest.fixture(scope="module")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


@pytest.fixture(scope="module")
def tokens(checkpoint: Checkpoint) -> SourceTokens:
    return SourceTokens(checkpoint, "de")


def test_what_is_too_long_for_the_model_is_told(tokens: SourceTokens) -> None:
    assert tokens.accepts(TEXT, 128)
    assert not tokens.accepts(TEXT * 20, 128)
    pieces = len(tokens.of(Request(TEXT))) - 1
    assert [tokens.accepts(TEXT, limit) for limit in (pieces + 2, pieces + 3)] == [False, True]


def test_what_is_accepted_has_positions_for_all_its_tokens(tokens: SourceTokens) -> None:
    for positions in range(3, 40):
        for pair in PAIRS:
            if tokens.accepts(pair.source, positions):
                assert len(tokens.of(Request(pair.source, asked=30))) <= positions


def test_the_form_of_address_is_told_behind_the_length_to_models_that_know_it(
    checkpoint: Checkpoint, tokens: SourceTokens
) -> None:
    forms, tokenizer = {"formal": 17, "informal": 18}, checkpoint.tokenizer
    taught = Checkpoint("x", tiny_model(tokenizer, formality_tokens=forms), tokenizer)
    knowing = SourceTokens(taught, "de")
    assert (tokens.formalities, set(knowing.formalities)) == ((), set(forms))
    for form, token in forms.items():
        request = Request(TEXT, asked=60, formality=form)
        length, *text = tokens.of(request)
        assert knowing.of(request) == (length, token, *text)
