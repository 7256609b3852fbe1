"""What model cards have in common: Markdown, and descriptions of models and their training."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from subfit.model.config import LengthConfig
from subfit.model.families import ARCHITECTURES, LENGTHS_FILE, ConfigWithLengths
from subfit.training.recipe.recipe import Recipe

TO_FILL_IN = "**to be filled in by the author of this card**"


def architecture(config: Any, parameters: int) -> str:
    """Describe the shape of a model."""
    kind = "Marian"
    if isinstance(config, ConfigWithLengths) and config.family.model_type in ARCHITECTURES:
        kind = ARCHITECTURES[config.family.model_type].description
    return (
        f"{kind} encoder-decoder, {config.encoder_layers} + {config.decoder_layers} layers,"
        f" d {config.d_model}, feed-forward {config.encoder_ffn_dim},"
        f" {config.encoder_attention_heads} heads, {config.vocab_size:,} SentencePiece pieces;"
        f" {parameters:,} parameters"
    )


def opened_by(config: Any) -> str | None:
    """Say what else opens a model's folder; None where nothing does."""
    if not isinstance(config, ConfigWithLengths):
        return None
    return (
        "transformers, by `AutoModelForSeq2SeqLM` and `AutoTokenizer`, as a model that takes no"
        f" lengths: what makes it take them is in `{LENGTHS_FILE}`, which subfit reads"
    )


def effort(training: Mapping[str, Any]) -> str:
    """Describe how long a training was, from `subfit.training.release.facts.training_figures`."""
    return (
        f"{training['steps']:,} steps, {training['target_tokens']:,} target tokens in"
        f" {timedelta(seconds=round(training['seconds']))}"
    )


def length_signals(recipe: Recipe, config: LengthConfig) -> str:
    """Describe every length signal a model was trained with."""
    signals = []
    if config.classes:
        bounds = (
            f"`{bound.name}`" + (f" (≤ {bound.upper:g})" if math.isfinite(bound.upper) else "")
            for bound in config.classes
        )
        signals.append(f"source tokens by target/source characters: {', '.join(bounds)}")
    if config.length_encodings:
        names = " + ".join(f"`{name}`" for name in config.length_encodings)
        positions = "summed with" if config.decoder_positions else "instead of"
        signals.append(f"encodings {names} {positions} positions in the decoder")
        if "rel" in config.length_encodings:
            signals.append(f"{config.rel_steps} steps of `rel`")
        if recipe.length.gate_steps:
            signals.append(f"brought in over the first {recipe.length.gate_steps} steps")
        signals.append(f"noise ±{recipe.length.noise} {recipe.length.unit} in training")
    if not signals:
        return "none"
    return "; ".join([*signals, f"{recipe.length.free:.0%} of the training texts without any"])


def machines(entries: Sequence[dict[str, Any]]) -> dict[str, None]:
    """Describe every machine and software a run was started or resumed with, once each.

    Args:
        entries: From `subfit.training.run.environment.environments`.
    """
    return dict.fromkeys(
        f"{entry['device']}, {entry['threads']} threads; subfit {entry['subfit']},"
        f" Python {entry['python']}, PyTorch {entry['packages']['torch']}"
        for entry in entries
    )


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, without a line break after it.

    Args:
        headings: Of its columns.
        rows: Their cells, which show as they are but for emphasis and code.
    """
    lines = [headings, ["---"] * len(headings), *([_cell(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
