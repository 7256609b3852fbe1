"""What models must have in common to translate together."""

from __future__ import annotations

from collections.abc import Sequence

from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint


def check_ensemble(checkpoints: Sequence[Checkpoint]) -> None:
    """Check that models may vote on every piece of one translation.

    Args:
        checkpoints: The models, one or more.

    Raises:
        UsageError: Two of them differ in what they read, write or are asked for.
    """
    first, *others = checkpoints
    for other in others:
        own = _common(other)
        for what, value in _common(first).items():
            if own[what] != value:
                raise UsageError(
                    f"{first.name} and {other.name} cannot translate together:"
                    f" their {what} differ; take models of one recipe"
                )


def _common(checkpoint: Checkpoint) -> dict[str, object]:
    """What all models of an ensemble must have alike, in words of their users."""
    config, tokenizer = checkpoint.model.config, checkpoint.tokenizer
    special = ("eos_token_id", "pad_token_id", "decoder_start_token_id", "lowercase_token")
    languages = ("source_language", "target_language", "language_tokens")
    return {
        "kinds (one takes lengths, one does not)": checkpoint.length_aware,
        "vocabularies": (tokenizer.source.pieces, tokenizer.target.pieces),
        "numbers of target pieces": config.decoder_vocab_size,
        "languages": [getattr(config, name, None) or None for name in languages],
        "units of length": getattr(config, "length_unit", "characters"),
        "length classes": getattr(config, "classes", ()),
        "sinks of attention": getattr(config, "sink_token", None),
        "forms of address": getattr(config, "formality_tokens", None),
        "special tokens": [getattr(config, name, None) for name in special],
    }
