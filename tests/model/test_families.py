"""Families of Hugging Face whose tokenizers are damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.loading import Wanted, load_model
from subfit.errors import ModelError
from tests.tiny_families import save_tiny_family


def change(folder: Path, **values: object) -> None:
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}), encoding="utf-8")


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load_model(str(folder)).translator(Wanted("en", "de")).translate([Request("Ωmega")])
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("family", ["nllb", "mbart50"])
def test_a_tokenizer_that_knows_nothing_of_languages_is_refused(
    family: str, tmp_path: Path
) -> None:
    folder = save_tiny_family(family, tmp_path / family)
    change(folder, tokenizer_class="PreTrainedTokenizerFast")
    told = refusal(folder)
    assert told.startswith(f"{folder / 'tokenizer_config.json'}: ")
    assert "tokenizer_class is not the family's" in told


def test_a_tokenizer_that_cannot_read_is_refused(tmp_path: Path) -> None:
    folder = save_tiny_family("m2m100", tmp_path / "m2m100")
    change(folder, unk_token="relu")  # which is no piece
    assert refusal(folder).startswith(f"{folder}: its tokenizer cannot read a text (")


@pytest.mark.parametrize("token", ["1035", "Infinity", "-1"])
def test_pieces_that_are_no_tokens_of_the_model_are_refused(token: str, tmp_path: Path) -> None:
    folder = save_tiny_family("m2m100", tmp_path / "m2m100")
    path = folder / "vocab.json"
    vocabulary = json.loads(path.read_text(encoding="utf-8"))
    changed = {
        piece: number + 9000 if number > 3 else number for piece, number in vocabulary.items()
    }
    text = json.dumps(changed)
    for number in vocabulary.values():
        text = text.replace(f": {number + 9000}", f": {token}") if number > 3 else text
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        load_model(str(folder)).translator(Wanted("en", "de")).translate([Request("How are you?")])
    assert str(folder) in str(caught.value) and "\n" not in str(caught.value)
