"""The model card of a run, written from what the run left and what its model was measured at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from subfit.evaluation.weaknesses import (
    Line,
    by_source_length,
    least_like_references,
    worst_lengths,
)
from subfit.training.recipe.recipe import Recipe
from subfit.training.release.card_text import (
    TO_FILL_IN,
    architecture,
    effort,
    length_signals,
    machines,
    names,
    spread_text,
    table,
)
from subfit.training.release.results import Results
from subfit.training.run.environment import DATA_FILE, environments, read_json

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
        table(("", ""), _facts(results, folder)),
        "## How good it is\n\n" + _quality(results),
        "## What it is bad at\n\n" + _weaknesses(results),
        "## Where its knowledge comes from\n\n"
        + _data(recipe, read_json(folder / DATA_FILE, dict)),
    )
    return "\n\n".join(sections) + "\n"


def _facts(results: Results, folder: Path) -> Iterable[tuple[str, str]]:
    recipe, config, training = results.recipe, results.config, results.training
    yield "architecture", architecture(config, results.parameters)
    if recipe.model.start:
        yield "started from", f"`{recipe.model.start}`"
    yield "length signals", length_signals(recipe, config)
    yield "mean length ratio", f"{config.mean_length_ratio:.3f} target per source character"
    yield "training", f"{effort(training)}; {recipe.optimizer.name}, seed {recipe.run.seed}"
    yield "machines", "; ".join(machines(environments(folder)))
    yield "licence of the weights", TO_FILL_IN


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
                spread_text(found.source_ratio),
                spread_text(found.reference_ratio),
                "" if found.variance is None else f"{found.variance:.1f}",
            )
        )
    commands = "\n".join(results.command(found) for found in results.evaluations.values())
    quality = results.natural.quality
    dev_files = (name for _, name in results.recipe.data.dev_files)
    losses = ", ".join(f"{name} {value:.3f}" for name, value in results.losses.items())
    return "\n\n".join(
        (
            f"On the dev set {names(dev_files)}, with the weights as exported. It also"
            " served to follow the training, so a test set may come out lower."
            f" Loss per token: {losses}.",
            table(headings, rows),
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
        (each.label, str(each.lines), f"{each.chrf:.1f}", spread_text(each.reference_ratio))
        for each in buckets
    ]
    bad_lengths = worst_lengths(pairs, (results.asked or found).hypotheses)
    wished = "although that was asked for" if results.asked else "which was not asked for"
    return "\n\n".join(
        (
            f"By length of the source; worst at {worst.label} characters:",
            table(("source characters", "lines", "chrF", "LR reference"), rows),
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
    return table(("source", "reference", "output", figure), rows)


def _data(recipe: Recipe, data: dict[str, Any]) -> str:
    """Say what the model was trained on, and what was left out of it."""
    files = names(name for _, name in recipe.data.train_files)
    corpora = data.get("corpora", {})
    listed = list(corpora.items())[:_LISTED_CORPORA]
    parts = [
        f"{data.get('pairs', 0):,} sentence pairs from {files}; {data.get('dev_pairs', 0):,} to"
        " validate on.",
        table(
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
