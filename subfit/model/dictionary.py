"""Bilingual dictionaries of rare words: what may translate a word that training hardly shows.

A model folder holds them in ``dictionary.safetensors.gz``, one for each language that the model is
told; packed, since they are half as large then. Source words stand there as fingerprints
(`subfit.text.known_words`), their translations as pieces of the model's vocabulary: no text.
`subfit.training.data.word_translations` learns them.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import regex
import torch
from safetensors.torch import load, save
from torch import Tensor

from subfit.errors import ModelError
from subfit.files import write_bytes
from subfit.model.checkpoint import Checkpoint, write_checksums
from subfit.model.lexicon import vocabulary_checksum
from subfit.model.tokenizer import AnyTokenizer
from subfit.text.known_words import fingerprint
from subfit.text.languages import closest_language

DICTIONARY_FILE = "dictionary.safetensors.gz"
_LARGEST = 256 << 20
"""Bytes of the file unpacked, at most."""
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:[-‐‑][\p{L}\p{M}]+)*")
_VOCABULARY = "vocabulary"
_PARTS = ("words", "capitals", "translations", "lengths", "pieces")


@dataclass(frozen=True, slots=True)
class Entry:
    """A source word and what may translate it."""

    word: str
    """Lower-cased; or two words with a space between."""
    translations: tuple[str, ...]
    """As they are written within a sentence, the most probable first."""
    capital: bool
    """Whether the source word is written with a capital within a sentence."""


def words_of(text: str) -> Iterator[regex.Match[str]]:
    """Yield the words of a text as dictionaries have them: letters, and hyphens between them."""
    yield from _WORD.finditer(text)


@dataclass(frozen=True)
class Dictionary:
    """The translations of the rare words of one language, in pieces."""

    words: Tensor
    """(n,) int32 fingerprints of the source words, ascending."""
    capitals: Tensor
    """(n,) uint8, 1 for words that have a capital within a sentence."""
    translations: Tensor
    """(n,) uint8, how many translations each word has; they follow each other."""
    lengths: Tensor
    """(m,) uint8, the pieces of each translation."""
    pieces: Tensor
    """(p,) the pieces of all translations, within a sentence, as token ids."""

    @classmethod
    def of(cls, entries: Iterable[Entry], tokenizer: AnyTokenizer) -> Dictionary:
        """Spell entries with the pieces of a vocabulary.

        Args:
            entries: Of different words.
            tokenizer: The model's.
        """
        by_print = {fingerprint(entry.word): entry for entry in entries}
        ordered = [by_print[number] for number in sorted(by_print)]
        spelt = tokenizer.target.encode_all([text for own in ordered for text in own.translations])
        small = len(tokenizer.target) <= torch.iinfo(torch.int16).max
        return cls(
            torch.tensor(sorted(by_print), dtype=torch.int32),
            torch.tensor([own.capital for own in ordered], dtype=torch.uint8),
            torch.tensor([len(own.translations) for own in ordered], dtype=torch.uint8),
            torch.tensor([len(pieces) for pieces in spelt], dtype=torch.uint8),
            torch.tensor(
                [piece for pieces in spelt for piece in pieces],
                dtype=torch.int16 if small else torch.int32,
            ),
        )

    @cached_property
    def _index(self) -> tuple[list[int], list[int], list[int]]:
        """The fingerprints, the first translation of each, and the first piece of each of these."""
        return (
            self.words.tolist(),
            [0, *self.translations.long().cumsum(0).tolist()],
            [0, *self.lengths.long().cumsum(0).tolist()],
        )

    def look_up(self, word: str, *, opening: bool) -> list[tuple[int, ...]]:
        """Return the translations of a word, in pieces, the most probable first.

        Args:
            word: As it stands in the source, or two with a space between. One that has a capital
                there, though nothing calls for it, is a name and not in the dictionary.
            opening: Whether it opens a sentence, where every word has a capital.
        """
        words, first_translations, first_pieces = self._index
        number = fingerprint(word.lower())
        place = bisect_left(words, number)
        if place == len(words) or words[place] != number:
            return []
        if word != word.lower() and not opening and not self.capitals[place]:
            return []
        own = range(first_translations[place], first_translations[place + 1] + 1)
        bounds = pairwise(first_pieces[each] for each in own)
        return [tuple(self.pieces[start:end].tolist()) for start, end in bounds]


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
    found = load_dictionaries(checkpoint.folder, checkpoint.tokenizer)
    if language is None:
        return next(iter(found.values())) if len(found) == 1 else None
    closest = closest_language(language, list(found))
    return None if closest is None else found[closest]


def load_dictionaries(folder: Path, tokenizer: AnyTokenizer) -> dict[str, Dictionary]:
    """Load the dictionaries of a model folder.

    Raises:
        ModelError: The file is missing, damaged, or belongs to another vocabulary.
    """
    path = folder / DICTIONARY_FILE
    try:
        with gzip.open(path) as file:
            tensors: dict[str, Tensor] = load(file.read(_LARGEST))
    except Exception as error:  # whatever a damaged file makes the library raise
        raise _damaged(path, "not a file of dictionaries") from error
    vocabulary = tensors.pop(_VOCABULARY, torch.empty(0)).tolist()
    if vocabulary != list(bytes.fromhex(vocabulary_checksum(tokenizer))):
        raise _damaged(path, "belongs to another vocabulary")
    languages = list(dict.fromkeys(name.rpartition(".")[0] for name in tensors))
    if not languages or set(tensors) != {f"{tag}.{part}" for tag in languages for part in _PARTS}:
        raise _damaged(path, "incomplete")
    found: dict[str, Dictionary] = {}
    for language in languages:
        parts = [tensors[f"{language}.{part}"] for part in _PARTS]
        if not _make_sense(parts, len(tokenizer.target)):
            raise _damaged(path, f"its dictionary for {language} makes no sense")
        found[language] = Dictionary(*parts)
    return found


def save_dictionaries(
    folder: Path, tokenizer: AnyTokenizer, dictionaries: Mapping[str, Dictionary]
) -> None:
    """Write dictionaries into a model folder, in place of any there, with new checksums.

    Raises:
        OutputFileError: The file cannot be written.
    """
    stored = {
        f"{language}.{part}": getattr(dictionary, part)
        for language, dictionary in dictionaries.items()
        for part in _PARTS
    }
    checksum = bytes.fromhex(vocabulary_checksum(tokenizer))
    stored[_VOCABULARY] = torch.tensor(list(checksum), dtype=torch.uint8)
    packed = gzip.compress(save(stored), mtime=0)
    write_bytes(folder / DICTIONARY_FILE, packed, overwrite=True)
    write_checksums(folder)


def _make_sense(parts: Sequence[Tensor], vocabulary: int) -> bool:
    """Whether tensors can be a dictionary."""
    words, capitals, translations, lengths, pieces = parts
    if any(tensor.ndim != 1 or tensor.is_floating_point() for tensor in parts):
        return False
    if any(len(counted) and int(counted.min()) < 0 for counted in (translations, lengths)):
        return False
    counts_agree = len(words) == len(capitals) == len(translations)
    if not counts_agree or int(translations.long().sum()) != len(lengths):
        return False
    in_order = bool((words[1:] > words[:-1]).all())
    known = not len(pieces) or 0 <= int(pieces.min()) <= int(pieces.max()) < vocabulary
    return in_order and known and int(lengths.long().sum()) == len(pieces)


def _damaged(path: Path, problem: str) -> ModelError:
    return ModelError(f"{path}: {problem}; make it anew with 'subfit lexicon --overwrite'")
