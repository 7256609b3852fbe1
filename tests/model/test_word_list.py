"""The file with the words that a model has seen."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint
from subfit.model.word_list import WORDS_FILE, find_known_words, save_words, words_in
from tests.places import EN_MULTI


@pytest.fixture
def folder(tiny_model_folder: Path, tmp_path: Path) -> Path:
    """The tiny model with lists for two languages."""
    folder = Path(shutil.copytree(tiny_model_folder, tmp_path / "tiny"))
    texts = {"de": ["Der Turm steht.", "Wer ist da?"], "pt-BR": ["A torre é velha."]}
    save_words(folder, {language: words_in(each) for language, each in texts.items()})
    return folder


@pytest.mark.parametrize(
    ("language", "unfamiliar"),
    [
        ("de", ("torre", "velha")),
        ("de-AT", ("torre", "velha")),
        ("pt-BR", ("Der", "Turm")),
        ("fr", None),
        (None, None),
    ],
)
def test_what_is_saved_is_found_by_language(folder, language, unfamiliar):
    words = find_known_words(load_checkpoint(str(folder)), language)
    found = words and words.out_of_vocabulary("Der Turm, torre velha", "")
    assert found == unfamiliar


def test_a_model_without_the_file_has_none(tiny_model_folder):
    assert find_known_words(load_checkpoint(str(tiny_model_folder)), "de") is None


def test_checksums_cover_it(folder):
    found = hashlib.sha256((folder / WORDS_FILE).read_bytes()).hexdigest()
    assert f"{found}  {WORDS_FILE}" in (folder / "SHA256SUMS").read_text().splitlines()


def test_the_file_has_no_words_that_could_be_read(folder):
    content = (folder / WORDS_FILE).read_bytes().lower()
    assert b"turm" not in content
    assert b"torre" not in content


@pytest.mark.parametrize(
    "content", [b"", b"no tensors", save({}), save({"de": torch.zeros(2, 2, dtype=torch.int32)})]
)
def test_damage_is_told_with_what_to_do(folder, content):
    (folder / WORDS_FILE).write_bytes(content)
    with pytest.raises(ModelError, match=r"words\.safetensors: .*subfit lexicon --overwrite"):
        find_known_words(load_checkpoint(str(folder)), "de")


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("it", "Le forze della Regina raggiungeno ogni angolo.", ("raggiungeno",)),
        ("it", "Le forze della Regina raggiungono ogni angolo.", ()),
        ("de", "Du musst konkrächen.", ("konkrächen",)),
        ("de", "Hennos fliegen über die Mauer.", ("Hennos",)),
        ("de", "Die Benutzerkarten liegen im Ofen.", ()),
        ("es", "¡Sádete a distancia!", ("Sádete",)),
        ("fr", "Les poules ne volent pas.", ()),
    ],
)
def test_the_shipped_model_knows_its_words(language, text, words):
    found = find_known_words(load_checkpoint(str(EN_MULTI)), language)
    assert found is not None
    assert found.out_of_vocabulary(text, "") == words
