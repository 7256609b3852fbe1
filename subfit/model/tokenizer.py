"""Tokenizers, with the characters every piece adds: SentencePiece and Hugging Face's."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from sentencepiece import SentencePieceProcessor

from subfit.errors import ModelError, reason_of
from subfit.files import write_bytes
from subfit.hub.names import read_json

TOKENIZER_FILE = "tokenizer.model"
"""The vocabulary of both sides of a model, or that of its source side."""
TARGET_TOKENIZER_FILE = "target.model"
"""The vocabulary of the target side, where it has one of its own."""
SPACE_MARK = "▁"
BYTE_LETTER = "ｘ"
"""Stands for a character spelt in bytes: a letter, and one character in every way of counting."""

MARIAN_FILES = ("source.spm", "target.spm", "vocab.json")
"""What a Marian tokenizer consists of."""
HUB_FILES = (
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "sentencepiece.bpe.model", "sentencepiece.model", "spiece.model", "vocab.json",
)  # fmt: skip
"""What other tokenizers of Hugging Face's families may consist of."""
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_SENTINEL = re.compile(r"<extra_id_\d+>")
_MARIAN_LANGUAGE = re.compile(r">>([a-z]{2,3}(?:_\w+)?)<<")
_ALSO = {"pbt": "ps", "quy": "qu", "no": "nb"}
"""Languages that the Unicode consortium's aliases leave apart, and translation models do not."""


def normalize(text: str) -> str:
    """Return a text as models see it, in training and in use alike.

    Composed to NFC, without soft hyphens and zero-width spaces, with single spaces for all white
    space (and for SentencePiece's own space mark, which cannot be told from a space).
    """
    text = text.replace("\u00ad", "").replace("\u200b", "").replace(SPACE_MARK, " ")
    return " ".join(unicodedata.normalize("NFC", text).split())


def language_and_script(tag: str) -> tuple[str, str]:
    """Return the language that a tag or a model's own code means, and how it is written.

    ``deu_Latn``, ``de_DE`` and ``de-AT`` are ``("de", "Latn")``; ``zh-TW`` is ``("zh", "Hant")``.
    """
    from babel.core import get_global

    language, *others = tag.replace("-", "_").split("_")
    language = str(get_global("language_aliases").get(language.lower(), language.lower()))
    language = _ALSO.get(language.partition("_")[0], language.partition("_")[0])
    likely = get_global("likely_subtags")
    for written in others[:1]:
        if len(written) == 4:
            return language, written.title()
    region = "_".join([language, *(other.upper() for other in others[:1])])
    return language, likely.get(region, likely.get(language, "__")).split("_")[1]


class Vocabulary:
    """The pieces of one side of a model; where both sides share them, it stands for both."""

    shared = True
    """Whether both sides have one vocabulary."""

    @property
    def source(self) -> Self:
        """The vocabulary of sources."""
        return self

    @property
    def target(self) -> Self:
        """The vocabulary of targets."""
        return self

    @property
    def special_ids(self) -> frozenset[int]:
        """Tokens that print nothing, beside those that the configuration names."""
        return frozenset()

    @property
    def piece_texts(self) -> tuple[str, ...]:
        """What each piece prints, spaces as spaces.

        A byte piece stands for one byte of a UTF-8 sequence. The lead byte is given as one
        placeholder letter and continuation bytes as nothing, so that a character spelt in bytes
        counts once.
        """
        raise NotImplementedError

    @cached_property
    def piece_characters(self) -> list[int]:
        """Code points each piece adds to the text, its space included."""
        return [len(text) for text in self.piece_texts]

    @cached_property
    def piece_leads(self) -> list[bool]:
        """Whether each piece opens with a space, which the first piece of a sentence loses."""
        return [text.startswith(" ") for text in self.piece_texts]


class Tokenizer(Vocabulary):
    """A SentencePiece model as the translator uses it.

    Args:
        path: The ``.model`` file.

    Raises:
        ModelError: The file is missing or is no SentencePiece model, one of its pieces is no text,
            or a sentence cannot begin and end.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise ModelError(f"{path}: no tokenizer here; the model folder is incomplete")
        try:
            self._pieces = SentencePieceProcessor(model_file=str(path))
        except (RuntimeError, OSError, ValueError) as error:  # its own messages may be no text
            raise ModelError(f"{path}: not a SentencePiece model") from error
        self.path = path
        try:
            _ = self.piece_texts  # which whoever opens a tokenizer needs
        except ValueError as error:  # bytes that are no UTF-8, or a byte piece of no byte
            raise ModelError(f"{path}: not a SentencePiece model (its pieces)") from error
        for name, token_id in (("end", self.eos_id), ("padding", self.pad_id)):
            if not 0 <= token_id < len(self):
                raise ModelError(f"{path}: it has no token for {name}")

    def __len__(self) -> int:
        return int(self._pieces.get_piece_size())

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

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of a sequence of pieces; special tokens print nothing."""
        return str(self._pieces.decode([int(token_id) for token_id in token_ids]))

    @cached_property
    def piece_texts(self) -> tuple[str, ...]:
        """See `Vocabulary.piece_texts`."""
        return tuple(self._printed(token_id) for token_id in range(len(self)))

    def _printed(self, token_id: int) -> str:
        if self._pieces.is_control(token_id):
            return ""
        if self._pieces.is_unknown(token_id):
            return " ⁇ "
        return _printed(str(self._pieces.id_to_piece(token_id)))


def _printed(piece: str) -> str:
    byte = _BYTE.fullmatch(piece)
    if byte is None:
        return piece.replace(SPACE_MARK, " ")
    return "" if 0x80 <= int(byte[1], 16) < 0xC0 else BYTE_LETTER


class TokenizerPair(Vocabulary):
    """The tokenizers of a model that has a vocabulary for each side, behind the same interface.

    Padding, unknown and end of sentence have the same ids in both.
    """

    shared = False

    def __init__(self, source: Tokenizer, target: Tokenizer) -> None:
        self._sides = source, target
        self.pad_id, self.eos_id = target.pad_id, target.eos_id
        self.encode, self.decode = source.encode, target.decode

    @property
    def source(self) -> Tokenizer:  # type: ignore[override]
        """The tokenizer of sources."""
        return self._sides[0]

    @property
    def target(self) -> Tokenizer:  # type: ignore[override]
        """The tokenizer of targets."""
        return self._sides[1]

    def save(self, folder: Path) -> None:
        """Copy the files of both sides into a folder."""
        self.source.save(folder)
        write_bytes(folder / TARGET_TOKENIZER_FILE, self.target.path.read_bytes(), overwrite=True)

    @property
    def piece_texts(self) -> tuple[str, ...]:
        """What each target piece prints."""
        return self.target.piece_texts


class HubPieces(Vocabulary):
    """Pieces of a tokenizer that has one vocabulary for both sides.

    Args:
        tokenizer: Hugging Face's.
        folder: Where its files are; they are copied when it is saved.
        size: Rows of the model's vocabulary, where that is larger.
        languages: Matches the pieces that stand for languages; one group of it is their code.
            None where there are no such pieces.
        marks_both: Whether such a piece stands before every source, for its language, and begins
            every target; else one before the source says what to translate into.
    """

    def __init__(
        self,
        tokenizer: Any,
        *,
        folder: Path | None = None,
        size: int = 0,
        languages: re.Pattern[str] | None = None,
        marks_both: bool = False,
    ) -> None:
        self._tokenizer, self._languages, self.marks_both = tokenizer, languages, marks_both
        self._folder, self._rows, self._argument = folder, size, "text"

    @classmethod
    def load(cls, place: str, **settings: Any) -> Self:
        """Load from a folder.

        Raises:
            ModelError: Its tokenizer files are missing or damaged.
        """
        from transformers import AutoTokenizer  # long to import; our own models need none of it

        return cls(tokenizer_at(place, AutoTokenizer), folder=Path(place), **settings)

    def __len__(self) -> int:
        return max(self._rows, len(self._tokenizer))

    def save(self, folder: Path) -> None:
        """Write its files into a folder."""
        own = [self._folder / name for name in HUB_FILES] if self._folder else []
        if folder == self._folder:
            return
        for path in filter(Path.is_file, own):
            write_bytes(folder / path.name, path.read_bytes(), overwrite=True)
        if not own:
            self._tokenizer.save_pretrained(folder)

    @property
    def eos_id(self) -> int:
        """The end-of-sentence token."""
        return int(self._tokenizer.eos_token_id)

    @property
    def pad_id(self) -> int:
        """The padding token."""
        return int(self._tokenizer.pad_token_id)

    def encode(self, text: str) -> list[int]:
        """Return the source pieces of a text, without an end token.

        Raises:
            ModelError: The tokenizer is damaged.
        """
        tokens = tokens_of(self._tokenizer, text, add_special_tokens=False)
        unknown = [
            token for token in tokens if type(token) is not int or not 0 <= token < len(self)
        ]
        if unknown:
            place = self._tokenizer.name_or_path
            problem = f"its tokenizer has the token {unknown[0]}, the model {len(self)} pieces"
            raise ModelError(f"{place}: {problem}; they do not belong together")
        return tokens

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the pieces of texts of this side, without end tokens."""
        if not texts:
            return []
        encoded = self._tokenizer(**{self._argument: list(texts)}, add_special_tokens=False)
        return [list(token_ids) for token_ids in encoded["input_ids"]]

    def token_id(self, piece: str) -> int | None:
        """Return the id of a piece; None if there is no such piece."""
        token_id = self._tokenizer.convert_tokens_to_ids(piece)
        return None if token_id == self._tokenizer.unk_token_id else int(token_id)

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of target pieces; special tokens print nothing."""
        printed = [token_id for token_id in token_ids if token_id not in self.special_ids]
        text = self._tokenizer.decode(printed, clean_up_tokenization_spaces=False)
        return str(text).strip()

    @cached_property
    def pieces(self) -> list[str]:
        """Every piece as SentencePiece spells it, in the order of their ids.

        Rows of the model that have no piece are unknown to the tokenizer.
        """
        pieces = self._tokenizer.convert_ids_to_tokens(range(len(self)))
        return [str(self._tokenizer.unk_token) if piece is None else piece for piece in pieces]

    @cached_property
    def language_tokens(self) -> dict[str, int]:
        """The tokens of languages by the codes that the model has for them (``deu_Latn``)."""
        pattern = self._languages
        if pattern is None:
            return {}
        matches = ((pattern.fullmatch(piece), number) for number, piece in enumerate(self.pieces))
        return {match[match.lastindex or 0]: number for match, number in matches if match}

    @property
    def puts_language_first(self) -> bool:
        """Whether the tokenizer itself puts the token of a language before sources."""
        code, token = next(iter(self.language_tokens.items()))
        self._tokenizer.set_src_lang_special_tokens(code)
        return bool(list(self._tokenizer.prefix_tokens) == [token])

    def language_token(self, language: str) -> int | None:
        """Return the token of a language by its BCP 47 tag, or by the model's own code for it; None
        if the model does not know it."""
        if language in self.language_tokens:
            return self.language_tokens[language]
        known = reversed(self.language_tokens.items())
        return {language_and_script(code): token for code, token in known}.get(
            language_and_script(language)
        )

    @cached_property
    def special_ids(self) -> frozenset[int]:
        """All tokens that print nothing: of languages, padding, and those that fill vocabularies.

        Translations are made of none, but for the end.
        """
        unknown = self._tokenizer.unk_token
        empty = (
            token_id
            for token_id, piece in enumerate(self.pieces)
            if piece == unknown or _SENTINEL.fullmatch(piece)
        )
        return frozenset({*self._tokenizer.all_special_ids, *self.language_tokens.values(), *empty})

    @cached_property
    def piece_texts(self) -> tuple[str, ...]:
        """See `Vocabulary.piece_texts`."""
        return tuple(
            "" if token_id in self.special_ids else _printed(piece)
            for token_id, piece in enumerate(self.pieces)
        )


def tokens_of(tokenizer: Any, text: str, **options: Any) -> list[int]:
    """Return the tokens that a tokenizer of Hugging Face's makes of a text.

    Raises:
        ModelError: Its files are damaged in a way that was not found before.
    """
    try:
        return list(tokenizer(text, **options)["input_ids"])
    except Exception as error:  # whatever a damaged file makes the libraries raise
        reason = " ".join(str(error).split())[:120]
        place = tokenizer.name_or_path
        raise ModelError(f"{place}: its tokenizer cannot read a text ({reason})") from error


def tokenizer_at(place: str, kind: Any, **options: Any) -> Any:
    """Load a tokenizer of Hugging Face's from a folder, by its class or `AutoTokenizer`.

    Raises:
        ModelError: Its files are missing or damaged.
    """
    try:
        return kind.from_pretrained(place, **{"local_files_only": True, **options})
    except Exception as error:  # whatever a damaged file makes the libraries raise
        reason = " ".join(str(error).split())[:200]
        raise ModelError(f"{place}: its tokenizer cannot be loaded ({reason})") from error


class MarianPieces(HubPieces):
    """Pieces of a `MarianTokenizer`."""

    def __init__(self, tokenizer: Any) -> None:
        super().__init__(tokenizer, languages=_MARIAN_LANGUAGE)

    @classmethod
    def load(cls, place: str, **_: Any) -> Self:
        """Load from a folder.

        Raises:
            ModelError: Its tokenizer files are missing or damaged.
        """
        from transformers import MarianTokenizer  # long to import; our own models need none of it

        absent = [name for name in MARIAN_FILES if not (Path(place) / name).is_file()]
        if absent:
            raise ModelError(f"{place}: {absent[0]} is missing; the model folder is incomplete")
        with warnings.catch_warnings():
            # The normaliser it recommends is not used when text is tokenized.
            warnings.filterwarnings("ignore", ".*sacremoses")
            return cls(tokenizer_at(place, MarianTokenizer))

    @cached_property
    def target(self) -> Self:
        """The vocabulary of targets, which are cut in pieces in another way."""
        side = copy(self)
        side._argument = "text_target"
        return side


AnyTokenizer = Tokenizer | TokenizerPair | HubPieces
"""The tokenizer of a model that can be trained."""


def check_vocabulary(folder: Path, size: int | None) -> None:
    """Check the list of pieces of a Marian folder, whatever its tokenizer makes of it.

    Args:
        folder: Of the model.
        size: Pieces that the model has; None where its configuration does not say.

    Raises:
        ModelError: It is no object of pieces with their numbers, all different and below the size.
    """
    path = folder / "vocab.json"
    if not path.is_file():
        raise ModelError(f"{folder}: vocab.json is missing; the model folder is incomplete")
    try:
        pieces = read_json(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: not a list of pieces ({reason_of(error)[:80]})") from error
    if not isinstance(pieces, dict) or not all(type(piece) is int for piece in pieces.values()):
        raise ModelError(f"{path}: not an object of pieces with their numbers")
    wrong = next((p for p, n in pieces.items() if not 0 <= n < (size or len(pieces))), None)
    if wrong is not None:
        problem = f"piece {ascii(wrong)[:40]} has the number {str(pieces[wrong])[:20]}"
        raise ModelError(f"{path}: {problem}, which the model has no room for")
    if len(set(pieces.values())) < len(pieces):
        raise ModelError(f"{path}: two pieces have the same number")
