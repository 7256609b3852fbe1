"""What the encoder reads of a request."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.source_tokens import SourceTokens
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from tests.places import EN_MULTI
from tests.tiny import PAIRS, tiny_model

TEXT = "Where is the old lighthouse?"


@pytest.fixture(scope="module")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


@pytest.fixture(scope="module")
def tokens(checkpoint: Checkpoint) -> SourceTokens:
    return SourceTokens(checkpoint, "de")


def test_the_text_s_pieces_and_the_end(checkpoint: Checkpoint, tokens: SourceTokens) -> None:
    pieces = checkpoint.tokenizer.encode(TEXT)
    assert tokens.of(Request(TEXT)) == (*pieces, checkpoint.tokenizer.eos_id)


@pytest.mark.parametrize(
    ("share", "name"), [(0.5, "short"), (0.95, "short"), (1.0, "normal"), (1.15, "normal"),
                        (1.2, "long"), (9.0, "long")],
)  # fmt: skip
def test_the_class_of_the_length_that_is_asked_for_goes_first(
    checkpoint: Checkpoint, tokens: SourceTokens, share: float, name: str
) -> None:
    """Lakew 2019, §3.1: one token before the source, by the ratio of characters."""
    asked = int(share * len(TEXT))
    expected = checkpoint.model.config.class_named(name).token_id
    first, *rest = tokens.of(Request(TEXT, asked=asked))
    assert first == expected and tuple(rest) == tokens.of(Request(TEXT))
    assert tokens.of(Request(TEXT, asked=1, length_class=name))[0] == expected


def test_what_is_too_long_for_the_model_is_told(tokens: SourceTokens) -> None:
    assert tokens.accepts(TEXT, 128)
    assert not tokens.accepts(TEXT * 20, 128)
    pieces = len(tokens.of(Request(TEXT))) - 1
    assert [tokens.accepts(TEXT, limit) for limit in (pieces + 2, pieces + 3)] == [False, True]


def test_text_of_which_nothing_can_be_read_is_told(tokens: SourceTokens) -> None:
    assert tokens.is_legible(TEXT)
    assert not tokens.is_legible("🎉 🎉") and not tokens.is_legible(" ")


def test_what_is_accepted_has_positions_for_all_its_tokens(tokens: SourceTokens) -> None:
    for positions in range(3, 40):
        for pair in PAIRS:
            if tokens.accepts(pair.source, positions):
                assert len(tokens.of(Request(pair.source, asked=30))) <= positions


def test_the_language_is_told_before_the_text() -> None:
    bundled = load_checkpoint(str(EN_MULTI))
    german, italian = (SourceTokens(bundled, tag) for tag in ("de", "it"))
    request = Request(TEXT)
    assert german.language_token != italian.language_token
    assert german.of(request)[0] == german.language_token
    assert german.of(request)[1:] == italian.of(request)[1:]
    assert bundled.tokenizer.decode(list(german.of(request)[1:-1])) == TEXT


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
