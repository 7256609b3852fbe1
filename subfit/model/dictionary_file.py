"""The file with the dictionaries of a model.

``dictionary.safetensors`` in a model folder has one for each language that the model is told. What
ascends is stored as its steps, a byte of all of them after the other, and each dictionary is packed
by itself, so that a translator unpacks its own alone: that is half as large.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import load, save
from torch import Tensor

from subfit.errors import ModelError
from subfit.files import write_bytes
from subfit.model.checkpoint import Checkpoint, write_checksums
from subfit.model.dictionary import Dictionary
from subfit.model.lexicon import vocabulary_checksum
from subfit.model.source_words import SourceWords
from subfit.model.tokenizer import AnyTokenizer
from subfit.text.languages import closest_language

DICTIONARY_FILE = "dictionary.safetensors"
_LARGEST = 256 << 20
"""Bytes of a dictionary unpacked, at most."""
_VOCABULARY = "vocabulary"
_ENTRIES = ("words", "capitals", "translations", "lengths", "pieces")
_SOURCE_WORDS = ("source_words", "names")
_LEAST = -(1 << 31)
"""Of fingerprints."""


def find_dictionary(checkpoint: Checkpoint, language: str | None) -> Dictionary | None:
    """Return the dictionary that a model has for a language.

    Args:
        checkpoint: The model.
        language: Tag of the target language, or, for a model of several sources, of the source;
            None will do for a model of one pair.

    Returns:
        The dictionary, or None if the model has none for that language.

    Raises:
        ModelError: The file is damaged, or belongs to another vocabulary.
    """
    if checkpoint.folder is None or not (checkpoint.folder / DICTIONARY_FILE).is_file():
        return None
    path = checkpoint.folder / DICTIONARY_FILE
    packed = _read(path, checkpoint.tokenizer)
    if language is None:
        tag = next(iter(packed)) if len(packed) == 1 else None
    else:
        tag = closest_language(language, list(packed))
    if tag is None:
        return None
    try:
        parts: dict[str, Tensor] = load(_unpacked(packed[tag]))
    except Exception as error:  # whatever damaged bytes make the libraries raise
        raise _damaged(path, f"its dictionary for {tag} cannot be unpacked") from error
    dictionary = _dictionary(parts)
    if dictionary is None or not _makes_sense(dictionary, len(checkpoint.tokenizer.target)):
        raise _damaged(path, f"its dictionary for {tag} makes no sense")
    return dictionary


def save_dictionaries(
    folder: Path, tokenizer: AnyTokenizer, dictionaries: Mapping[str, Dictionary]
) -> None:
    """Write dictionaries into a model folder, in place of any there, with new checksums.

    Raises:
        OutputFileError: The file cannot be written.
    """
    checksum = bytes.fromhex(vocabulary_checksum(tokenizer))
    stored = {_VOCABULARY: _bytes(checksum)} | {
        language: _bytes(lzma.compress(save(_parts_of(dictionary))))
        for language, dictionary in dictionaries.items()
    }
    write_bytes(folder / DICTIONARY_FILE, save(stored), overwrite=True)
    write_checksums(folder)


def _read(path: Path, tokenizer: AnyTokenizer) -> dict[str, Tensor]:
    """The packed dictionaries of a file, by language; there is one at least."""
    try:
        packed: dict[str, Tensor] = load(path.read_bytes())
    except Exception as error:  # whatever a damaged file makes the library raise
        raise _damaged(path, "not a file of dictionaries") from error
    vocabulary = packed.pop(_VOCABULARY, torch.empty(0)).tolist()
    if vocabulary != list(bytes.fromhex(vocabulary_checksum(tokenizer))):
        raise _damaged(path, "belongs to another vocabulary")
    if not packed:
        raise _damaged(path, "has no dictionary")
    return packed


def _bytes(content: bytes) -> Tensor:
    """Bytes as (n,) uint8."""
    return torch.frombuffer(bytearray(content), dtype=torch.uint8)


def _unpacked(packed: Tensor) -> bytes:
    """What `save_dictionaries` packed; `_LARGEST` bytes of it, at most."""
    return lzma.LZMADecompressor().decompress(packed.numpy().tobytes(), _LARGEST)


def _parts_of(dictionary: Dictionary) -> dict[str, Tensor]:
    """The tensors of a dictionary as they are stored."""
    parts = {part: getattr(dictionary, part) for part in _ENTRIES}
    parts["words"] = _steps(dictionary.words)
    if dictionary.source_words is not None:
        own = dictionary.source_words
        parts |= dict(zip(_SOURCE_WORDS, (_steps(own.words), own.names), strict=True))
    return parts


def _dictionary(parts: Mapping[str, Tensor]) -> Dictionary | None:
    """The dictionary that tensors hold; None if they cannot hold one."""
    if set(parts) not in ({*_ENTRIES}, {*_ENTRIES, *_SOURCE_WORDS}):
        return None
    if any(tensor.is_floating_point() for tensor in parts.values()):
        return None
    words, source_words = _from_steps(parts["words"]), None
    if "names" in parts:
        listed = _from_steps(parts["source_words"])
        if listed is None:
            return None
        source_words = SourceWords(listed, parts["names"])
    others = {part: parts[part] for part in _ENTRIES[1:]}
    return None if words is None else Dictionary(words, **others, source_words=source_words)


def _steps(ascending: Tensor) -> Tensor:
    """(n,) numbers as (4, n) bytes: how much each is greater than the one before it."""
    steps = ascending.long().diff(prepend=torch.tensor([_LEAST]))
    return torch.stack([steps >> shift & 0xFF for shift in range(0, 32, 8)]).to(torch.uint8)


def _from_steps(steps: Tensor) -> Tensor | None:
    """What `_steps` made bytes of; None of what it did not make."""
    if steps.ndim != 2 or len(steps) != 4 or steps.dtype != torch.uint8:
        return None
    weights = torch.tensor([1 << shift for shift in range(0, 32, 8)]).unsqueeze(1)
    numbers = (steps.long() * weights).sum(0).cumsum(0) + _LEAST
    ascending = bool((numbers.diff() > 0).all()) and not (len(numbers) and numbers[-1] >= -_LEAST)
    return numbers.int() if ascending else None


def _makes_sense(dictionary: Dictionary, vocabulary: int) -> bool:
    """Whether the tensors of a dictionary belong to each other."""
    capitals, translations, lengths, pieces = (getattr(dictionary, part) for part in _ENTRIES[1:])
    if any(tensor.ndim != 1 for tensor in (capitals, translations, lengths, pieces)):
        return False
    if any(len(counted) and int(counted.min()) < 0 for counted in (translations, lengths)):
        return False
    counts_agree = len(dictionary.words) == len(capitals) == len(translations)
    if not counts_agree or int(translations.long().sum()) != len(lengths):
        return False
    own = dictionary.source_words
    if own is not None and own.names.shape != own.words.shape:
        return False
    known = not len(pieces) or 0 <= int(pieces.min()) <= int(pieces.max()) < vocabulary
    return known and int(lengths.long().sum()) == len(pieces)


def _damaged(path: Path, problem: str) -> ModelError:
    return ModelError(f"{path}: {problem}; make it anew with 'subfit lexicon --overwrite'")
