"""The file with a model's dictionaries, and what is looked up in it."""

from __future__ import annotations

import hashlib
import lzma
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load, save

from subfit.errors import ModelError
from subfit.evaluation.systems import model_checksum
from subfit.model.checkpoint import load_checkpoint
from subfit.model.dictionary import Dictionary, Entry
from subfit.model.dictionary_file import (
    DICTIONARY_FILE,
    find_dictionary,
    save_dictionaries,
)
from subfit.model.source_words import SourceWord, SourceWords
from subfit.model.tokenizer import Tokenizer
from subfit.training.data.vocabulary import train_tokenizer
from subfit.training.recipe.data import Vocabulary
from tests.tiny import PAIRS, RECIPE

ENTRIES = [
    Entry("lighthouse", ("Leuchtturm", "Turm"), capital=False),
    Entry("monday", ("Montag",), capital=True),
    Entry("storm", ("Sturm",), capital=False),
]
SOURCE_WORDS = [
    SourceWord("storm", name_within=False),
    SourceWord("rose", name_within=True),
    SourceWord("germany", name_within=False),
]


@pytest.fixture
def folder(tiny_model_folder: Path, tmp_path: Path) -> Path:
    """The tiny model with dictionaries for two languages."""
    folder = Path(shutil.copytree(tiny_model_folder, tmp_path / "tiny"))
    tokenizer = Tokenizer(folder / "tokenizer.model")
    found = {
        "de": Dictionary.of(ENTRIES, tokenizer, SourceWords.of(SOURCE_WORDS)),
        "pt-BR": Dictionary.of([], tokenizer),
    }
    save_dictionaries(folder, tokenizer, found)
    return folder


def german(folder: Path) -> Dictionary:
    dictionary = find_dictionary(load_checkpoint(str(folder)), "de")
    assert dictionary is not None
    return dictionary


def looked_up(folder: Path, word: str, *, opening: bool = False) -> list[str]:
    tokenizer = Tokenizer(folder / "tokenizer.model")
    found = german(folder).look_up(word, opening=opening)
    return [tokenizer.decode(list(pieces)) for pieces in found]


@pytest.mark.parametrize(
    ("word", "opening", "translations"),
    [
        ("lighthouse", False, ["Leuchtturm", "Turm"]),
        ("Lighthouse", True, ["Leuchtturm", "Turm"]),
        ("Lighthouse", False, []),  # a name
        ("Monday", False, ["Montag"]),
        ("storm", False, ["Sturm"]),
        ("storms", False, []),
        ("", False, []),
    ],
)
def test_words_are_looked_up_as_they_stand(folder, word, opening, translations):
    assert looked_up(folder, word, opening=opening) == translations


def test_a_dictionary_may_be_empty(folder):
    dictionary = find_dictionary(load_checkpoint(str(folder)), "pt-BR")
    assert dictionary is not None
    assert dictionary.look_up("storm", opening=False) == []
    assert dictionary.source_words is None


@pytest.mark.parametrize(
    ("word", "opening", "name"),
    [
        ("Halloran", False, True),
        ("Halloran", True, True),
        ("halloran", False, False),
        ("Rose", False, True),
        ("Rose", True, False),
        ("rose", False, False),
        ("Storm", False, False),
        ("Germany", False, False),
        ("Bo", False, False),
        ("NATO", False, True),
        ("", False, False),
    ],
)
def test_names_are_what_has_a_capital_and_is_no_word(folder, word, opening, name):
    own = german(folder).source_words
    assert own is not None
    assert own.is_name(word, opening=opening) is name


def test_of_words_with_one_fingerprint_none_is_a_name(monkeypatch):
    monkeypatch.setattr("subfit.model.source_words.fingerprint", lambda _: -1)
    own = SourceWords.of([SourceWord("rose", True), SourceWord("storm", False)])
    assert not own.is_name("Rose", opening=False)


@pytest.mark.parametrize(
    ("language", "there"), [("de", True), ("de-AT", True), ("fr", False), (None, False)]
)
def test_a_language_gets_its_dictionary(folder, language, there):
    assert (find_dictionary(load_checkpoint(str(folder)), language) is not None) is there


def test_a_model_without_the_file_has_none(tiny_model_folder):
    assert find_dictionary(load_checkpoint(str(tiny_model_folder)), "de") is None


def test_checksums_cover_it(folder):
    found = hashlib.sha256((folder / DICTIONARY_FILE).read_bytes()).hexdigest()
    assert f"{found}  {DICTIONARY_FILE}" in (folder / "SHA256SUMS").read_text().splitlines()


def stored(folder: Path, language: str = "de") -> dict[str, torch.Tensor]:
    """The tensors of a dictionary as the file has them."""
    packed = load((folder / DICTIONARY_FILE).read_bytes())[language]
    return load(lzma.decompress(packed.numpy().tobytes()))


def store(folder: Path, language: str, content: bytes) -> None:
    """Put other bytes in the place of a dictionary."""
    path = folder / DICTIONARY_FILE
    packed = torch.frombuffer(bytearray(content), dtype=torch.uint8)
    path.write_bytes(save(load(path.read_bytes()) | {language: packed}))


def test_the_file_has_no_words_that_could_be_read(folder):
    content = save(stored(folder)).lower()
    assert b"lighthouse" not in content
    assert b"leuchtturm" not in content


def test_other_languages_are_not_unpacked(folder):
    store(folder, "pt-BR", b"no dictionary")
    assert looked_up(folder, "storm") == ["Sturm"]
    with pytest.raises(ModelError, match="its dictionary for pt-BR cannot be unpacked"):
        find_dictionary(load_checkpoint(str(folder)), "pt-BR")


def damaged(tensors: dict[str, torch.Tensor], how: str) -> dict[str, torch.Tensor]:
    if how == "missing":
        del tensors["pieces"]
    elif how == "negative":
        tensors["lengths"] = torch.tensor([-1, 9], dtype=torch.int8)
        tensors["translations"] = torch.tensor([1, 1, 0], dtype=torch.int8)
    elif how == "too many":
        tensors["translations"][0] = 9
    elif how == "too long":
        tensors["lengths"][0] = 200
    elif how == "no piece":
        tensors["pieces"][0] = -1
    elif how == "out of order":
        tensors["words"][:, 1] = 0
    elif how == "too great":
        tensors["words"][3] = 255
    elif how == "half of the names":
        del tensors["names"]
    elif how == "too few names":
        tensors["names"] = tensors["names"][1:].clone()
    elif how == "no steps":
        tensors["source_words"] = torch.tensor([1, 2, 3], dtype=torch.int32)
    elif how == "no numbers":
        tensors["words"] = tensors["words"].float()
    elif how == "two-dimensional":
        tensors["capitals"] = tensors["capitals"].unsqueeze(0)
    return tensors


@pytest.mark.parametrize(
    "how",
    [
        "missing",
        "negative",
        "too many",
        "too long",
        "no piece",
        "out of order",
        "too great",
        "half of the names",
        "too few names",
        "no steps",
        "no numbers",
        "two-dimensional",
    ],
)
def test_damage_is_told_in_one_line(folder, how):
    path = folder / DICTIONARY_FILE
    store(folder, "de", lzma.compress(save(damaged(stored(folder), how))))
    with pytest.raises(ModelError) as caught:
        find_dictionary(load_checkpoint(str(folder)), "de")
    assert str(path) in str(caught.value)
    assert "subfit lexicon --overwrite" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"no tensors", save({"vocabulary": torch.zeros(32)})[:20]],
    ids=["empty", "text", "cut"],
)
def test_a_file_of_something_else_is_told(folder, content):
    (folder / DICTIONARY_FILE).write_bytes(content)
    with pytest.raises(ModelError, match="not a file of dictionaries"):
        find_dictionary(load_checkpoint(str(folder)), "de")


@pytest.mark.parametrize(
    "content", [lzma.compress(b"no tensors"), lzma.compress(save({}))[:20]], ids=["other", "cut"]
)
def test_a_dictionary_of_something_else_is_told(folder, content):
    store(folder, "de", content)
    with pytest.raises(ModelError, match="its dictionary for de cannot be unpacked"):
        find_dictionary(load_checkpoint(str(folder)), "de")


def test_a_file_without_dictionaries_is_told(folder):
    path = folder / DICTIONARY_FILE
    path.write_bytes(save({"vocabulary": load(path.read_bytes())["vocabulary"]}))
    with pytest.raises(ModelError, match="has no dictionary"):
        find_dictionary(load_checkpoint(str(folder)), "de")


@pytest.mark.parametrize("vocabulary", [None, torch.full((32,), 300)], ids=["none", "no checksum"])
def test_one_that_names_no_vocabulary_is_refused(folder, vocabulary):
    path = folder / DICTIONARY_FILE
    tensors = load(path.read_bytes())
    del tensors["vocabulary"]
    path.write_bytes(save(tensors if vocabulary is None else tensors | {"vocabulary": vocabulary}))
    with pytest.raises(ModelError, match="another vocabulary"):
        find_dictionary(load_checkpoint(str(folder)), "de")


def test_one_of_another_vocabulary_is_refused(folder, tmp_path):
    recipe = replace(RECIPE, vocabulary=Vocabulary(pieces=370, character_coverage=1.0))
    other = train_tokenizer(recipe, PAIRS, tmp_path / "other.model")
    with pytest.raises(ModelError, match="another vocabulary"):
        find_dictionary(replace(load_checkpoint(str(folder)), tokenizer=other), "de")


def test_translations_depend_on_it(folder):
    before = model_checksum(str(folder))
    tokenizer = Tokenizer(folder / "tokenizer.model")
    save_dictionaries(folder, tokenizer, {"de": Dictionary.of(ENTRIES[:1], tokenizer)})
    assert model_checksum(str(folder)) != before
