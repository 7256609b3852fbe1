"""Which source token tells a model its target language."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from subfit.decoding.source_tokens import language_token
from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint
from subfit.model.tokenizer import MarianPieces


def group(*pieces: str) -> Checkpoint:
    """A Marian model with some pieces of its vocabulary."""
    tokenizer = SimpleNamespace(
        convert_ids_to_tokens=lambda ids: [pieces[number] for number in ids],
        all_special_ids=[],
        __len__=lambda: len(pieces),
    )

    class Pieces(MarianPieces):
        def __len__(self) -> int:
            return len(pieces)

    return Checkpoint("group", SimpleNamespace(config=SimpleNamespace()), Pieces(tokenizer))


ROMANCE = group("a", ">>fra<<", ">>spa<<", ">>por_BR<<", ">>por<<", ">>no tag<<")


@pytest.mark.parametrize(
    ("language", "token"), [("fr", 1), ("es-419", 2), ("pt", 4), ("pt-BR", 4), ("fra", 1)]
)
def test_a_group_is_told_its_language_by_its_three_letter_code(language: str, token: int) -> None:
    assert language_token(ROMANCE, language) == token


def test_codes_with_a_region_serve_where_there_is_no_plain_one() -> None:
    assert language_token(group(">>zho_Hans<<"), "zh") == 0


def test_tokens_of_languages_print_nothing() -> None:
    assert ROMANCE.tokenizer.piece_texts == ("a", "", "", "", "", ">>no tag<<")


def test_a_language_that_is_not_in_the_group_is_refused() -> None:
    with pytest.raises(UsageError, match="4 languages; de is not among them"):
        language_token(ROMANCE, "de")
    with pytest.raises(UsageError, match="name the target language"):
        language_token(ROMANCE, None)


def test_a_model_of_one_pair_needs_no_token() -> None:
    assert language_token(group("a", "b"), "de") is None
