"""How a model of several languages is told which of them to translate into."""

from __future__ import annotations

from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint
from subfit.text.languages import closest_language


def language_token(checkpoint: Checkpoint, target_language: str | None) -> int | None:
    """Return the source token of a target language, None where the model has but one language.

    Args:
        checkpoint: The model.
        target_language: Tag of the language; a model of several must be told.

    Raises:
        UsageError: The model has several target languages and none is named, or another is named
            than it has. (A plain Marian model does not tell its languages: any may be named.)
    """
    config = checkpoint.model.config
    tokens = getattr(config, "language_tokens", None) or {}
    only = getattr(config, "target_language", None)
    languages = list(tokens) or ([only] if only else [])
    if tokens and target_language is None:
        problem = "; name the target language"
    elif target_language and languages and closest_language(target_language, languages) is None:
        problem = f", not {target_language}"
    else:
        return config.language_token(target_language) if tokens else None
    raise UsageError(f"{checkpoint.name} translates into {', '.join(languages)}{problem}")
