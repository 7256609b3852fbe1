"""SentencePiece, with the characters every piece adds to the detokenised text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Protocol

import sentencepiece
from sentencepiece import SentencePieceProcessor

from subfit.errors import ModelError
from subfit.files import write_bytes

TOKENIZER_FILE = "tokenizer.model"
"""The vocabulary of both sides of a model, or that of its source side."""
TARGET_TOKENIZER_FILE = "target.model"
"""The vocabulary of the target side, where it has one of its own."""
SPACE_MARK = "▁"
BYTE_LETTER = "ｘ"
"""Stands for a character spelt in bytes: a letter, and one character in every way of counting."""

_SAMPLING = Lock()
"""SentencePiece's random generator is one for the whole process."""


def normalize(text: str) -> str:
    """Return a text as models see it, in training and in use alike.

    Composed to NFC, without soft hyphens and zero-width spaces, with single spaces for all white
    space (and for SentencePiece's own space mark, which cannot be told from a space).
    """
    text = text.replace("\u00ad", "").replace("\u200b", "").replace(SPACE_MARK, " ")
    return " ".join(unicodedata.normalize("NFC", text).split())


class Side(Protocol):
    """What training needs of one side's vocabulary."""

    def __len__(self) -> int: ...

    @property
    def pieces(self) -> list[str]:
        """Every piece as SentencePiece spells it, in the order of their ids."""

    def token_id(self, piece: str) -> int | None:
        """Return the id of a piece such as ``<short>``; None if there is no such piece."""

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the pieces of texts, without end tokens."""

    def sample_all(self, texts: Sequence[str], alpha: float, seed: int) -> list[list[int]]:
        """Cut texts into pieces at random."""

    @property
    def piece_characters(self) -> list[int]:
        """Code points each piece adds to the text, its space included."""

    @property
    def piece_leads(self) -> list[bool]:
        """Whether each piece opens with a space."""


class AnyTokenizer(Protocol):
    """The tokenizer of a model that can be trained.

    `Tokenizer` (one vocabulary for both sides), `TokenizerPair` (one for each) and `HubPieces`
    have it.
    """

    @property
    def source(self) -> Side:
        """The source side."""

    @property
    def target(self) -> Side:
        """The target side."""

    @property
    def shared(self) -> bool:
        """Whether both sides have one vocabulary."""

    @property
    def pad_id(self) -> int:
        """The padding token, which also starts the decoder."""

    @property
    def eos_id(self) -> int:
        """The end-of-sentence token."""

    @property
    def special_ids(self) -> frozenset[int]:
        """Tokens that no translation may be made of, beside those that the model's config names."""

    @property
    def piece_texts(self) -> tuple[str, ...]:
        """What each target piece prints, spaces as spaces."""

    def encode(self, text: str) -> list[int]:
        """Return the source pieces of a text, without an end token."""

    def decode(self, token_ids: list[int]) -> str:
        """Return the text of a sequence of target pieces."""

    def save(self, folder: Path) -> None:
        """Write its files into a folder."""


class Tokenizer:
    """A SentencePiece model as the translator uses it.

    Args:
        path: The ``.model`` file.

    Raises:
        ModelError: The file is missing or is no SentencePiece model.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise ModelError(f"{path}: no tokenizer here; the model folder is incomplete")
        try:
            self._pieces = SentencePieceProcessor(model_file=str(path))
        except (RuntimeError, OSError, ValueError) as error:  # its own messages may be no text
            raise ModelError(f"{path}: not a SentencePiece model") from error
        self.path = path
        self.check()

    def check(self) -> None:
        """Check that every piece is text, and that a sentence can begin and end.

        Raises:
            ModelError: One is not, or the model has no such tokens.
        """
        try:
            _ = self.piece_texts  # which whoever opens a tokenizer needs
        except ValueError as error:  # bytes that are no UTF-8, or a byte piece of no byte
            raise ModelError(f"{self.path}: not a SentencePiece model (its pieces)") from error
        for name, token_id in (("end", self.eos_id), ("padding", self.pad_id)):
            if not 0 <= token_id < len(self):
                raise ModelError(f"{self.path}: it has no token for {name}")

    def __len__(self) -> int:
        return int(self._pieces.get_piece_size())

    @property
    def shared(self) -> bool:
        """Whether both sides have one vocabulary: yes."""
        return True

    @property
    def source(self) -> Tokenizer:
        """The tokenizer of sources: this one."""
        return self

    @property
    def target(self) -> Tokenizer:
        """The tokenizer of targets: this one."""
        return self

    def save(self, folder: Path) -> None:
        """Copy its file into a folder."""
        write_bytes(folder / TOKENIZER_FILE, self.path.read_bytes(), overwrite=True)

    @property
    def pad_id(self) -> int:
        """The padding token, which also starts the decoder (as Marian has it)."""
        return int(self._pieces.pad_id())

    @property
    def eos_id(self) -> int:
        """The end-of-sentence token."""
        return int(self._pieces.eos_id())

    @property
    def pieces(self) -> list[str]:
        """Every piece as SentencePiece spells it, in the order of their ids."""
        return [str(self._pieces.id_to_piece(token_id)) for token_id in range(len(self))]

    def token_id(self, piece: str) -> int | None:
        """Return the id of a piece such as ``<short>``; None if there is no such piece."""
        token_id = int(self._pieces.piece_to_id(piece))
        return None if self._pieces.is_unknown(token_id) else token_id

    def encode(self, text: str) -> list[int]:
        """Return the pieces of a normalised text, without an end token."""
        return list(self._pieces.encode(normalize(text)))

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """`encode` for many texts at once, on all cores; for one, that takes longer to set up."""
        if len(texts) == 1:
            return [self.encode(texts[0])]
        return list(self._pieces.encode([normalize(text) for text in texts]))

    def sample_all(self, texts: Sequence[str], alpha: float, seed: int) -> list[list[int]]:
        """Cut texts into pieces at random; each prints the same text as its best pieces do.

        Args:
            texts: Normalised texts.
            alpha: For unigram models the smoothing of the sampling over all segmentations (Kudo
                2018, §3.3: P(x)^alpha); for BPE models the share of merges that are left out
                (Provilkov et al. 2020).
            seed: Determines everything.
        """
        with _SAMPLING:
            # A batch on one thread of its own takes up the seed, whatever was sampled before.
            sentencepiece.set_random_generator_seed(seed % 2**32)
            pieces = self._pieces.encode(
                list(texts), enable_sampling=True, alpha=alpha, nbest_size=-1, num_threads=1
            )
        return [list(token_ids) for token_ids in pieces]

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of a sequence of pieces; special tokens print nothing."""
        return str(self._pieces.decode([int(token_id) for token_id in token_ids]))

    @property
    def special_ids(self) -> frozenset[int]:
        """None: the configuration names them all."""
        return frozenset()

    @cached_property
    def piece_texts(self) -> tuple[str, ...]:
        """What each piece prints, spaces as spaces; byte pieces print ``""`` but the lead byte.

        A byte piece stands for one byte of a UTF-8 sequence. The lead byte is given as one
        placeholder letter and continuation bytes as nothing, so that a character spelt in bytes
        counts once.
        """
        return tuple(self._printed(token_id) for token_id in range(len(self)))

    def _printed(self, token_id: int) -> str:
        if self._pieces.is_byte(token_id):
            byte = int(self._pieces.id_to_piece(token_id)[1:-1], 16)
            return "" if 0x80 <= byte < 0xC0 else BYTE_LETTER
        if self._pieces.is_control(token_id):
            return ""
        if self._pieces.is_unknown(token_id):
            return " ⁇ "
        return str(self._pieces.id_to_piece(token_id)).replace(SPACE_MARK, " ")

    @cached_property
    def piece_characters(self) -> list[int]:
        """Code points each piece adds to the text, its space included."""
        return [len(text) for text in self.piece_texts]

    @cached_property
    def piece_leads(self) -> list[bool]:
        """Whether each piece opens with a space, which the first piece of a sentence loses."""
        return [text.startswith(" ") for text in self.piece_texts]


@dataclass(frozen=True)
class TokenizerPair:
    """The tokenizers of a model that has a vocabulary for each side, behind the same interface.

    Padding, unknown and end of sentence have the same ids in both.
    """

    source: Tokenizer
    target: Tokenizer

    @property
    def shared(self) -> bool:
        """Whether both sides have one vocabulary: no."""
        return False

    def save(self, folder: Path) -> None:
        """Copy the files of both sides into a folder."""
        self.source.save(folder)
        write_bytes(folder / TARGET_TOKENIZER_FILE, self.target.path.read_bytes(), overwrite=True)

    @property
    def pad_id(self) -> int:
        """The padding token."""
        return self.target.pad_id

    @property
    def eos_id(self) -> int:
        """The end-of-sentence token."""
        return self.target.eos_id

    @property
    def special_ids(self) -> frozenset[int]:
        """None: the configuration names them all."""
        return frozenset()

    @property
    def piece_texts(self) -> tuple[str, ...]:
        """What each target piece prints; see `Tokenizer.piece_texts`."""
        return self.target.piece_texts

    def encode(self, text: str) -> list[int]:
        """Return the source pieces of a text, without an end token."""
        return self.source.encode(text)

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of a sequence of target pieces."""
        return self.target.decode(token_ids)
