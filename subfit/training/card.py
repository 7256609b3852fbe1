"""The model card of a run, written from what the run left and what its model was measured at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from subfit.lengths import Spread
from subfit.model.config import SubfitConfig
from subfit.training.environment import DATA_FILE, environments, read_json
from subfit.training.recipe import Recipe
from subfit.training.results import Results
from subfit.training.weaknesses import Line, by_source_length, least_like_references, worst_lengths

TO_FILL_IN = "**to be filled in by the author of this card**"
_LISTED_CORPORA = 30


def model_card(results: Results, folder: Path) -> str:
    """Return the card of a run's model, in Markdown.

    Args:
        results: What the model was measured at.
        folder: The run folder, for the data and the machines.
    """
    recipe = results.recipe
    sections = (
        f"# {recipe.name}: {recipe.source_language} to {', '.join(recipe.target_languages)}",
        "A subtitle translation model with length control, trained from the recipe in"
        " `recipe.yaml` with subfit. Run `subfit translate --model FOLDER` with it.",
        _table(("", ""), _facts(results, folder)),
        "## How good it is\n\n" + _quality(results),
        "## What it is bad at\n\n" + _weaknesses(results),
        "## Where its knowledge comes from\n\n"
        + _data(recipe, read_json(folder / DATA_FILE, dict)),
    )
    return "\n\n".join(sections) + "\n"


def _facts(results: Results, folder: Path) -> Iterable[tuple[str, str]]:
    recipe, config, training = results.recipe, results.config, results.training
    yield (
        "architecture",
        f"Marian encoder-decoder, {config.encoder_layers} + {config.decoder_layers} layers,"
        f" d {config.d_model}, feed-forward {config.encoder_ffn_dim},"
        f" {config.encoder_attention_heads} heads, {config.vocab_size:,} SentencePiece pieces"
        f" ({recipe.vocabulary.type}); {results.parameters:,} parameters",
    )
    if recipe.model.start:
        yield "started from", f"`{recipe.model.start}`"
    yield "length signals", length_signals(recipe, config)
    yield "mean length ratio", f"{config.mean_length_ratio:.3f} target per source character"
    yield (
        "training",
        f"{training['steps']:,} steps, {training['target_tokens']:,} target tokens in"
        f" {timedelta(seconds=round(training['seconds']))}; {recipe.optimizer.name}, seed"
        f" {recipe.run.seed}",
    )
    yield "machines", "; ".join(_machines(environments(folder)))
    yield "licence of the weights", TO_FILL_IN


def length_signals(recipe: Recipe, config: SubfitConfig) -> str:
    """Describe every length signal a model was trained with."""
    signals = []
    if config.classes:
        bounds = (
            f"`{each.name}`" + (f" (≤ {each.upper:g})" if math.isfinite(each.upper) else "")
            for each in config.classes
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
        signals.append(f"noise ±{recipe.length.noise} characters in training")
    if not signals:
        return "none"
    return "; ".join([*signals, f"{recipe.length.free:.0%} of the training texts without any"])


def _machines(entries: Sequence[dict[str, Any]]) -> dict[str, None]:
    """Every machine and software the run was started or resumed with, once each."""
    return dict.fromkeys(
        f"{entry['device']}, {entry['threads']} threads, {entry['platform']}; subfit"
        f" {entry['subfit']}, Python {entry['python']}, PyTorch {entry['packages']['torch']}"
        for entry in entries
    )


def _quality(results: Results) -> str:
    headings = (
        "asked length",
        "lines",
        "BLEU",
        "BLEU*",
        "chrF",
        "LR source",
        "LR reference",
        "VAR",
    )
    rows = []
    for found in results.evaluations.values():
        quality = found.quality
        rows.append(
            (
                "the reference's" if found is results.asked else "natural",
                str(found.lines),
                *(f"{each.value:.1f}" for each in (quality.bleu, quality.bleu_star, quality.chrf)),
                _spread(found.source_ratio),
                _spread(found.reference_ratio),
                "" if found.variance is None else f"{found.variance:.1f}",
            )
        )
    commands = "\n".join(results.command(found) for found in results.evaluations.values())
    quality = results.natural.quality
    dev_files = (name for _, name in results.recipe.data.dev_files)
    losses = ", ".join(f"{name} {value:.3f}" for name, value in results.losses.items())
    return "\n\n".join(
        (
            f"On the dev set {_names(dev_files)}, with the weights as exported. It also"
            " served to follow the training, so a test set may come out lower."
            f" Loss per token: {losses}.",
            _table(headings, rows),
            f"BLEU `{quality.bleu.signature}`, BLEU* `{quality.bleu_star.signature}`, chrF"
            f" `{quality.chrf.signature}`.",
            f"Again, with the folder of this model for `{results.recipe.name}`:",
            f"```\n{commands}\n```",
        )
    )


def _weaknesses(results: Results) -> str:
    """Say where the dev set shows the model to be weak."""
    pairs, found = results.pairs, results.natural
    buckets = by_source_length(pairs, found.hypotheses)
    worst = min(buckets, key=lambda each: each.chrf)
    rows = [
        (each.label, str(each.lines), f"{each.chrf:.1f}", _spread(each.reference_ratio))
        for each in buckets
    ]
    bad_lengths = worst_lengths(pairs, (results.asked or found).hypotheses)
    wished = "although that was asked for" if results.asked else "which was not asked for"
    return "\n\n".join(
        (
            f"By length of the source; worst at {worst.label} characters:",
            _table(("source characters", "lines", "chrF", "LR reference"), rows),
            "The translations least like their references:",
            _lines("chrF of the line", least_like_references(pairs, found.hypotheses)),
            f"The translations furthest from the length of their references, {wished}:",
            _lines("LR reference", bad_lengths),
            f"{found.untranslated} of {found.lines} lines were left untranslated. Bias and"
            " offensive output were not measured.",
        )
    )


def _lines(figure: str, lines: Iterable[Line]) -> str:
    rows = ((each.source, each.reference, each.output, f"{each.value:.2f}") for each in lines)
    return _table(("source", "reference", "output", figure), rows)


def _data(recipe: Recipe, data: dict[str, Any]) -> str:
    """Say what the model was trained on, and what was left out of it."""
    files = _names(name for _, name in recipe.data.train_files)
    corpora = data.get("corpora", {})
    listed = list(corpora.items())[:_LISTED_CORPORA]
    parts = [
        f"{data.get('pairs', 0):,} sentence pairs from {files}; {data.get('dev_pairs', 0):,} to"
        " validate on.",
        _table(
            ("corpus", "pairs", "licence"),
            ((name or "without a name", f"{count:,}", TO_FILL_IN) for name, count in listed),
        ),
    ]
    if len(corpora) > len(listed):
        rest = list(corpora.values())[len(listed) :]
        parts.append(f"{len(rest)} more corpora have {sum(rest):,} pairs.")
    left_out = "; ".join(
        f"{count:,}: {reason}" for reason, count in data.get("left_out", {}).items()
    )
    parts.append(f"Left out — {left_out}." if left_out else "No pair was left out.")
    return "\n\n".join(parts)


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _spread(values: Spread) -> str:
    return f"{values.mean:.2f} ± {values.sd:.2f}" if values.count else "–"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *([_cell(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Return a text as it may stand in a cell, and show as it is."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
