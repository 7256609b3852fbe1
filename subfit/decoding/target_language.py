"""How a model of several languages is told which of them to translate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint
from subfit.model.directions import Directions
from subfit.model.hub_pieces import HubPieces
from subfit.model.marian_pieces import MarianPieces
from subfit.text.languages import primary_language


@dataclass(frozen=True, slots=True)
class LanguageTokens:
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
    pieces = checkpoint.tokenizer
    if not isinstance(pieces, HubPieces) or isinstance(pieces, MarianPieces):
        return LanguageTokens(language_token(checkpoint, target_language, source_language))
    taught = checkpoint.model.config
    target = target_language or getattr(taught, "target_language", None)
    before = _known(checkpoint.name, pieces, target, "-t, the language to translate into")
    if not pieces.marks_both:
        return LanguageTokens(before)
    source = source_language or getattr(taught, "source_language", None)
    return LanguageTokens(
        _known(checkpoint.name, pieces, source, "-s, the language of the input"), before
    )


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
    if language is None:
        problem = "name the target language"
    else:
        wanted = _codes(language)
        for code in sorted(tokens, key=len):
            if code in wanted or code.partition("_")[0] in wanted:
                return tokens[code]
        problem = f"{language} is not among them"
    raise UsageError(f"{checkpoint.name} translates into {len(tokens)} languages; {problem}")


def _codes(language: str) -> set[str]:
    """The codes that a language may have in a Marian vocabulary: ``de`` and ``deu``."""
    from langcodes import Language  # a tenth of a second, which only such models need

    primary = primary_language(language) or language
    try:
        return {primary, Language.get(primary).to_alpha3()}
    except LookupError:
        return {primary}
