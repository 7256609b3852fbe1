"""The words that a model is taken to know, one list for each target language.

A model folder holds them in ``words.safetensors``, as fingerprints (`subfit.text.known_words`) and
not as text. `subfit lexicon` makes it from the pairs of the model's recipe.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import torch
from safetensors.torch import load, save

from subfit.errors import ModelError
from subfit.files import write_bytes
from subfit.model.checkpoint import Checkpoint, write_checksums
from subfit.text.known_words import KnownWords, fingerprint, lowered_words
from subfit.text.languages import closest_language

WORDS_FILE = "words.safetensors"


def find_known_words(checkpoint: Checkpoint, language: str | None) -> KnownWords | None:
    """Return the words that a model has seen in a target language.

    Args:
        checkpoint: The model.
        language: Tag of the language; None will do for a model of one.

    Returns:
        The words, or None if the model has no list for that language.

    Raises:
        ModelError: The file with the lists is damaged.
    """
    if checkpoint.folder is None or not (checkpoint.folder / WORDS_FILE).is_file():
        return None
    lists = _load(checkpoint.folder / WORDS_FILE)
    if language is None:
        tag = next(iter(lists)) if len(lists) == 1 else None
    else:
        tag = closest_language(language, list(lists))
    return None if tag is None else KnownWords(lists[tag].tolist(), tag)


def words_in(texts: Iterable[str]) -> set[str]:
    """Return the words of texts."""
    return {word for text in texts for word in lowered_words(text)}


def save_words(folder: Path, words: Mapping[str, Iterable[str]]) -> None:
    """Write lists into a model folder, in place of any that are there, with new checksums.

    Raises:
        OutputFileError: The file cannot be written.
    """
    lists = {
        language: torch.tensor(sorted(set(map(fingerprint, listed))), dtype=torch.int32)
        for language, listed in words.items()
    }
    write_bytes(folder / WORDS_FILE, save(lists), overwrite=True)
    write_checksums(folder)


def _load(path: Path) -> dict[str, torch.Tensor]:
    try:
        lists: dict[str, torch.Tensor] = load(path.read_bytes())
    except Exception as error:  # whatever a damaged file makes the library raise
        raise _damaged(path) from error
    if not lists or any(
        tensor.ndim != 1 or tensor.dtype != torch.int32 for tensor in lists.values()
    ):
        raise _damaged(path)
    return lists


def _damaged(path: Path) -> ModelError:
    problem = "not a file of word lists; make it anew with 'subfit lexicon --overwrite'"
    return ModelError(f"{path}: {problem}")
