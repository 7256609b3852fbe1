"""What the encoder reads of a request."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.source_tokens import SourceTokens
from subfit.model.checkpoint import Checkpoint, load_checkpoint

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
