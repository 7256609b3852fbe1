"""The tokenizer of a Hugging Face model behind our tokenizer's interface."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from subfit.errors import ModelError, RecipeError
from subfit.files import write_bytes
from subfit.model.tokenizer import BYTE_LETTER, SPACE_MARK

FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "sentencepiece.bpe.model",
    "sentencepiece.model",
    "spiece.model",
    "vocab.json",
)
"""What tokenizers of these families may consist of."""
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_SENTINEL = re.compile(r"<extra_id_\d+>")
_NEAR = 4
"""Largest distance, as langcodes counts it, of two tags that may stand for each other: no script
and no regional standard is as near."""
_ALSO = {"ps": "pbt", "qu": "quy"}
"""Languages whose usual member langcodes does not know."""


class HubPieces:
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
        self._folder, self._rows = folder, size

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

    @property
    def shared(self) -> bool:
        """Whether both sides have one vocabulary: yes."""
        return True

    @property
    def source(self) -> HubSide:
        """The source side."""
        return HubSide(self, self._tokenizer)

    @property
    def target(self) -> HubSide:
        """The target side."""
        return HubSide(self, self._tokenizer)

    def save(self, folder: Path) -> None:
        """Write its files into a folder."""
        own = [self._folder / name for name in FILES] if self._folder else []
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
        """Return the token of a language by its BCP 47 tag; None if the model does not know it."""
        code = self.language_code(language)
        return None if code is None else self.language_tokens[code]

    def language_code(self, language: str) -> str | None:
        """Return the model's own code for a language; None if it does not know it."""
        if language in self.language_tokens:
            return language
        from langcodes import Language, closest_match  # a tenth of a second

        known = self._codes
        try:
            wanted = Language.get(_ALSO.get(language, language))
            closest, _ = closest_match(wanted, list(known), max_distance=_NEAR)
            if closest not in known:  # a region more or less, but never another script
                bare = Language.make(language=wanted.language, script=wanted.script)
                closest, _ = closest_match(bare, list(known), max_distance=_NEAR)
                same = Language.get(closest).maximize().script == wanted.maximize().script
                closest = closest if same else "und"
        except (ValueError, LookupError):
            return None
        return known.get(closest)

    @cached_property
    def _codes(self) -> dict[str, str]:
        """The model's codes by their BCP 47 tags, without regions."""
        from langcodes import Language

        tags = {}
        for code in self.language_tokens:
            try:
                known = Language.get(code)
            except (ValueError, LookupError):
                continue
            tags[Language.make(language=known.language, script=known.script).to_tag()] = code
        return tags

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
        """What each piece prints, spaces as spaces; bytes as `Tokenizer.piece_texts` has them."""
        return tuple(
            "" if token_id in self.special_ids else _printed(piece)
            for token_id, piece in enumerate(self.pieces)
        )


def _printed(piece: str) -> str:
    byte = _BYTE.fullmatch(piece)
    if byte is None:
        return piece.replace(SPACE_MARK, " ")
    return "" if 0x80 <= int(byte[1], 16) < 0xC0 else BYTE_LETTER


class HubSide:
    """One side of a `HubPieces`, as training uses it."""

    def __init__(self, pieces: HubPieces, tokenizer: Any, argument: str = "text") -> None:
        self._pieces, self._tokenizer, self._argument = pieces, tokenizer, argument

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def pieces(self) -> list[str]:
        """Every piece of both sides, in the order of their ids."""
        return self._pieces.pieces

    def token_id(self, piece: str) -> int | None:
        """Return the id of a piece; None if there is no such piece."""
        token_id = self._tokenizer.convert_tokens_to_ids(piece)
        return None if token_id == self._tokenizer.unk_token_id else int(token_id)

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the pieces of texts, without end tokens."""
        if not texts:
            return []
        encoded = self._tokenizer(**{self._argument: list(texts)}, add_special_tokens=False)
        return [list(token_ids) for token_ids in encoded["input_ids"]]

    def sample_all(self, texts: Sequence[str], alpha: float, seed: int) -> list[list[int]]:
        """Refuse: such models are trained with their best pieces.

        Raises:
            RecipeError: Always.
        """
        raise RecipeError("vocabulary.sampling cannot be had with a Hugging Face tokenizer")

    @cached_property
    def piece_characters(self) -> list[int]:
        """Code points each piece adds to the text, its space included."""
        return [len(text) for text in self._pieces.piece_texts]

    @cached_property
    def piece_leads(self) -> list[bool]:
        """Whether each piece opens with a space."""
        return [text.startswith(" ") for text in self._pieces.piece_texts]


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


def tokenizer_at(place: str, kind: Any) -> Any:
    """Load a tokenizer of Hugging Face's from a folder, by its class or `AutoTokenizer`.

    Raises:
        ModelError: Its files are missing or damaged.
    """
    try:
        return kind.from_pretrained(place, local_files_only=True)
    except Exception as error:  # whatever a damaged file makes the libraries raise
        reason = " ".join(str(error).split())[:200]
        raise ModelError(f"{place}: its tokenizer cannot be loaded ({reason})") from error
