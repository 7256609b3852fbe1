"""From a request to the tokens that the encoder reads.

Those of language, length class and form of address, then the pieces of its text, and the end. A
character without a piece of its own is spelt in bytes, or unknown altogether. Letters of its
language's script, currencies and the like are met that way now and then in training; emoji, other
scripts and marks of direction hardly ever, and a model makes up words for them: they are left out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from subfit.decoding.hypotheses import FREE, Request
from subfit.errors import UsageError
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import LengthClass, LengthConfig
from subfit.model.tokenizer import AnyTokenizer, HubPieces, MarianPieces, language_and_script


class LanguageTokens(NamedTuple):
    """The tokens that tell a model its languages; None for none."""

    before_source: int | None = None
    first: int | None = None
    """What every translation begins with; it prints nothing."""


def language_tokens(
    checkpoint: Checkpoint, source_language: str | None, target_language: str | None
) -> LanguageTokens:
    """Return the tokens of a pair of languages.

    Args:
        checkpoint: The model.
        source_language: Tag of the language to translate; None where it is not known.
        target_language: Tag of the language to translate into; a model of several must be told,
            unless it was trained by subfit for one pair.

    Raises:
        UsageError: The model has several languages and one is not named, or another is named than
            it has. (A Marian model of one pair does not tell its languages: any may be named.)
    """
    pieces, taught = checkpoint.tokenizer, checkpoint.model.config
    if not isinstance(pieces, HubPieces) or isinstance(pieces, MarianPieces):
        return LanguageTokens(language_token(checkpoint, target_language, source_language))
    target = target_language or getattr(taught, "target_language", None)
    into = _known(checkpoint.name, pieces, target, "-t, the language to translate into")
    if not pieces.marks_both:
        return LanguageTokens(into)
    source = source_language or getattr(taught, "source_language", None)
    before = _known(checkpoint.name, pieces, source, "-s, the language of the input")
    return LanguageTokens(before, into)


def _known(name: str, pieces: HubPieces, language: str | None, option: str) -> int:
    """The token of a language that must be among a model's."""
    if not language or language == "und":
        raise UsageError(f"{name} knows {len(pieces.language_tokens)} languages; name {option}")
    token = pieces.language_token(language)
    if token is None:
        raise UsageError(
            f"{name} does not know {language}; it knows {len(pieces.language_tokens)} languages:"
            f" {', '.join(sorted(pieces.language_tokens))}"
        )
    return token


def language_token(
    checkpoint: Checkpoint, target_language: str | None, source_language: str | None = None
) -> int | None:
    """Return the source token of a pair of languages, None where the model has but one pair.

    Args:
        checkpoint: The model.
        target_language: Tag of the language to translate into; a model of several must be told.
        source_language: Tag of the language to translate; likewise.

    Raises:
        UsageError: The model has several languages and one is not named, or another is named than
            it has. (A Marian model of one pair does not tell its languages: any may be named.)
    """
    pieces, config = checkpoint.tokenizer, checkpoint.model.config
    if isinstance(pieces, MarianPieces) and pieces.language_tokens:
        only = getattr(config, "target_language", None)
        return _of_group(checkpoint, pieces.language_tokens, target_language or only)
    directions = Directions.of_config(config)
    directions.check_target(checkpoint.name, target_language)
    if directions.told_source:
        directions.check_source(checkpoint.name, source_language)
    tokens = getattr(config, "language_tokens", None)
    told = directions.told(source_language, target_language)
    return None if not tokens else config.language_token(told or next(iter(tokens)))


def _of_group(checkpoint: Checkpoint, tokens: Mapping[str, int], language: str | None) -> int:
    """The token of a Marian model for a group of languages, whose codes are those of ISO 639-3."""
    wanted = language and language_and_script(language)[0]
    found = (code for code in sorted(tokens, key=len) if language_and_script(code)[0] == wanted)
    if (code := next(found, None)) is not None:
        return tokens[code]
    problem = f"{language} is not among them" if language else "name the target language"
    raise UsageError(f"{checkpoint.name} translates into {len(tokens)} languages; {problem}")


_UNKNOWN = "<unk>"
_BYTE = "<0x"
_READ_IN_BYTES = frozenset("&+=±×÷−@°©®™")
"""Beside letters, marks of punctuation and currencies: what running text has."""
_KINDS = ("P", "Sc", "N", "Z")


class SourceFilter:
    """Leaves out of texts what a model cannot read.

    Args:
        tokenizer: The model's.
    """

    def __init__(self, tokenizer: AnyTokenizer) -> None:
        self._tokenizer = tokenizer
        self._pieces = tokenizer.source.pieces
        self._reads = lru_cache(maxsize=None)(self._can_read)

    def text(self, text: str) -> str:
        """Return a text, in NFC, without the characters that the model cannot read.

        A space stands for each; not for marks upon letters and the like, which part no word.
        """
        composed = unicodedata.normalize("NFC", text)
        return "".join(char if self._reads(char) else _in_place_of(char) for char in composed)

    def _can_read(self, char: str) -> bool:
        running = char.isspace() or char in _READ_IN_BYTES
        running = running or unicodedata.category(char).startswith(_KINDS)
        if running or (char.isalpha() and unicodedata.name(char, "").startswith("LATIN ")):
            return True
        spelt = [self._pieces[piece] for piece in self._tokenizer.encode(char)]
        return not any(piece == _UNKNOWN or piece.startswith(_BYTE) for piece in spelt)


def _in_place_of(char: str) -> str:
    return "" if unicodedata.category(char).startswith(("M", "Cf")) else " "


class SourceTokens:
    """Turns requests into the source tokens of a model.

    Args:
        checkpoint: The model.
        target_language: Tag of the language to translate into; a model of several must be told.
        source_language: Tag of the language to translate; some models must be told that too.

    Raises:
        UsageError: See `language_tokens`.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        target_language: str | None,
        source_language: str | None = None,
    ) -> None:
        languages = language_tokens(checkpoint, source_language, target_language)
        self.language_token, self.first = languages.before_source, languages.first
        self._tokenizer, self._config = checkpoint.tokenizer, checkpoint.model.config
        self._filter = SourceFilter(checkpoint.tokenizer)
        sink = self._config.sink_token if isinstance(self._config, LengthConfig) else None
        self._sink = () if sink is None else (sink,)

    def of(self, request: Request) -> tuple[int, ...]:
        """Return the pieces of a request's text, behind the tokens that say what is asked for.

        Behind the end stands the sink of models that bound the attention of all other tokens.
        """
        length_class = None if self._classes_begin_targets else self._length_class(request)
        asked = None if length_class is None else length_class.token_id
        form = self._config.formality_token(request.formality) if self.formalities else None
        told = [token for token in (self.language_token, asked, form) if token is not None]
        pieces = self._tokenizer.encode(self._filter.text(request.text))
        return (*told, *pieces, self._tokenizer.eos_id, *self._sink)

    @property
    def _classes_begin_targets(self) -> bool:
        return getattr(self._config, "length_class_side", "source") == "target"

    def start(self, request: Request) -> int | None:
        """Return what the decoder starts from; None for the model's own start."""
        length_class = self._length_class(request) if self._classes_begin_targets else None
        return None if length_class is None else length_class.token_id

    @property
    def formalities(self) -> tuple[str, ...]:
        """The forms of address that translations can be asked for; none for most models."""
        own = isinstance(self._config, LengthConfig)  # a key of that name in others means nothing
        return tuple(self._config.formality_tokens or ()) if own else ()

    def is_legible(self, text: str) -> bool:
        """Whether the model can read anything of a text."""
        return bool(self._filter.text(text).strip())

    def accepts(self, text: str, positions: int) -> bool:
        """Whether a text is short enough for a model with so many positions."""
        # A piece has at least one byte, so most texts need no tokenizing to know.
        beside = (self.language_token is not None) + bool(self.formalities) + len(self._sink)
        limit = positions - 2 - beside
        return len(text.encode()) < limit or len(self._tokenizer.encode(text)) < limit

    def _length_class(self, request: Request) -> LengthClass | None:
        if not isinstance(self._config, LengthConfig):
            return None
        if request.length_class is not None:
            return self._config.class_named(request.length_class)
        if request.asked == FREE:
            return None
        return self._config.class_for(request.asked / max(len(request.text), 1))
