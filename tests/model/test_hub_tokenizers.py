"""Tokenizers of Hugging Face's behind the interface of subfit's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint
from subfit.model.tokenizer import check_vocabulary
from tests.tiny import PAIRS
from tests.tiny_families import CODES, FAMILIES

Folder = Callable[[str, int], Path]


@pytest.mark.parametrize("family", FAMILIES)
def test_tags_mean_the_models_own_codes(family: str, family_folder: Folder) -> None:
    pieces = load_checkpoint(str(family_folder(family, 0))).tokenizer
    vocabulary = pieces._tokenizer.convert_tokens_to_ids
    for tag in ("de", "de-AT", "deu", "DE"):
        assert pieces.language_token(tag) == vocabulary(CODES[family][1])
    assert pieces.language_token("de-Cyrl") is None


@pytest.mark.parametrize("family", FAMILIES)
def test_pieces_print_what_they_were_made_of(family: str, family_folder: Folder) -> None:
    pieces = load_checkpoint(str(family_folder(family, 0))).tokenizer
    for pair in PAIRS:
        ids = pieces.encode(pair.target)
        assert pieces.decode(ids) == pair.target
        assert "".join(pieces.piece_texts[token] for token in ids).strip() == pair.target
        (same,) = pieces.target.encode_all([pair.target])
        assert same == ids
        assert pieces.decode([*pieces.special_ids, *ids, pieces.eos_id]) == pair.target


@pytest.mark.parametrize("family", FAMILIES)
def test_no_translation_is_made_of_what_prints_nothing(family: str, family_folder: Folder) -> None:
    pieces = load_checkpoint(str(family_folder(family, 0))).tokenizer
    assert {*pieces.language_tokens.values(), pieces.pad_id, pieces.eos_id} <= pieces.special_ids
    assert not any(pieces.piece_texts[token] for token in pieces.special_ids)
    assert len(pieces.piece_texts) == len(pieces) == len(pieces.source.piece_characters)
    assert not pieces.special_ids & {token for p in PAIRS for token in pieces.encode(p.source)}


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        (["</s>"], "not an object"),
        ({"</s>": 0, "a": "1"}, "not an object"),
        ({"</s>": 0, "a": -1}, "piece 'a' has the number -1"),
        ({"</s>": 0, "a": 2}, "piece 'a' has the number 2"),
        ({"</s>": 0, "a": 0}, "the same number"),
    ],
)
def test_a_list_that_cannot_be_is_refused_by_its_name(tmp_path, pieces, said):
    (tmp_path / "vocab.json").write_text(json.dumps(pieces), encoding="utf-8")
    with pytest.raises(ModelError, match=said) as caught:
        check_vocabulary(tmp_path, 2)
    assert str(caught.value).startswith(f"{tmp_path / 'vocab.json'}: ")
