"""The file with a model's lexical tables."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load, save

from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint
from subfit.model.lexicon import (
    LEXICON_FILE,
    LexicalTable,
    find_table,
    load_lexicon,
    save_lexicon,
)
from subfit.model.tokenizer import Tokenizer
from subfit.training.sections import Vocabulary
from subfit.training.start import train_tokenizer
from tests.tiny import PAIRS, RECIPE


@pytest.fixture
def folder(tiny_model_folder: Path, tmp_path: Path) -> Path:
    """The tiny model with tables for two languages; those for German translate 7 and 8."""
    folder = Path(shutil.copytree(tiny_model_folder, tmp_path / "tiny"))
    tokenizer = Tokenizer(folder / "tokenizer.model")
    lexicon = {"de": table_of(len(tokenizer)), "pt-BR": table_of(len(tokenizer), shift=1)}
    save_lexicon(folder, tokenizer, lexicon)
    return folder


def table_of(size: int, shift: int = 0) -> LexicalTable:
    offsets = torch.zeros(size + 1, dtype=torch.int64)
    offsets[8:], offsets[9:] = 2, 3
    targets = torch.tensor([20, 30, 40]) + shift
    return LexicalTable(offsets, targets, torch.tensor([0.5, 0.25, 0.75]), torch.arange(size))


def test_what_is_saved_is_loaded(folder: Path) -> None:
    table = load_lexicon(folder, Tokenizer(folder / "tokenizer.model"))["de"]
    assert table.translations(7) == [(20, 0.5), (30, 0.25)]
    assert table.translations(8) == [(40, 0.75)]
    assert table.translations(9) == []
    assert table.counts.tolist() == list(range(len(table.counts)))


@pytest.mark.parametrize(
    ("language", "first"), [("de", 20), ("de-AT", 20), ("pt-BR", 21), ("fr", None), (None, None)]
)
def test_a_language_gets_its_table(folder: Path, language: str | None, first: int | None) -> None:
    table = find_table(load_checkpoint(str(folder)), language)
    assert (None if table is None else table.translations(7)[0][0]) == first


def changed(tensors: dict[str, torch.Tensor], name: str) -> dict[str, torch.Tensor]:
    """Do some damage."""
    if name == "missing":
        del tensors["de.targets"]
    elif name == "too long":
        tensors["de.lengths"][0] = 5
    elif name == "negative":
        tensors["de.lengths"][0] = -1
    elif name == "no piece":
        tensors["de.targets"][0] = 2000
    elif name == "no probability":
        tensors["de.probabilities"][0] = float("nan")
    elif name == "two-dimensional":
        tensors["de.counts"] = tensors["de.counts"].unsqueeze(0)
    return tensors


@pytest.mark.parametrize(
    "damage",
    ["missing", "too long", "negative", "no piece", "no probability", "two-dimensional"],
)
def test_damaged_tables_are_told_in_one_line(folder: Path, damage: str) -> None:
    path = folder / LEXICON_FILE
    tokenizer = Tokenizer(folder / "tokenizer.model")
    _, metadata = header(path)
    path.write_bytes(save(changed(load(path.read_bytes()), damage), metadata=metadata))
    with pytest.raises(ModelError) as caught:
        load_lexicon(folder, tokenizer)
    assert str(path) in str(caught.value)
    assert "fetch it again" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tables_of_another_vocabulary_are_refused(folder: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, vocabulary=Vocabulary(pieces=370, character_coverage=1.0))
    with pytest.raises(ModelError, match="another vocabulary"):
        load_lexicon(folder, train_tokenizer(recipe, PAIRS, tmp_path / "other.model"))


def header(path: Path) -> tuple[list[str], dict[str, str]]:
    from safetensors import safe_open

    with safe_open(str(path), framework="pt") as file:
        return list(file.keys()), file.metadata()
