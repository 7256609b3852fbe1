"""The model card of a released model, written from its measurements alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from subfit.files import write_bytes
from subfit.model.checkpoint import Checkpoint, write_checksums
from subfit.model.config import LengthConfig
from subfit.training.recipe.file import load_recipe
from subfit.training.release.card_tables import commands, definitions, language_section
from subfit.training.release.card_text import (
    TO_FILL_IN,
    architecture,
    effort,
    length_signals,
    table,
)
from subfit.training.release.facts import Source, energy_text
from subfit.training.release.measurements import Measurements
from subfit.training.run.folder import CARD_FILE, RECIPE_FILE

MARK = "<!-- Written by `subfit card`: what is changed here is lost when it runs again. -->"
"""The first line of a card, by which it is known that it may be replaced."""
LIMITS_FILE = "limits.md"
"""Text beside the card, kept by hand, that becomes a section of it."""


def is_ours(path: Path) -> bool:
    """Tell whether a file is a card that `write_card` wrote."""
    return path.is_file() and path.read_bytes().startswith(MARK.encode("utf-8"))


def write_card(checkpoint: Checkpoint, measurements: Measurements, folder: Path) -> None:
    """Write the card of a model into its folder, and the checksums anew.

    Arguments are those of `release_card`.

    Raises:
        OutputFileError: A file cannot be written.
    """
    card = release_card(checkpoint, measurements, folder)
    write_bytes(folder / CARD_FILE, card.encode("utf-8"), overwrite=True)
    write_checksums(folder)


def release_card(checkpoint: Checkpoint, measurements: Measurements, folder: Path) -> str:
    """Return the card of a model, in Markdown.

    Args:
        checkpoint: The model.
        measurements: What was measured, and what is known besides.
        folder: The model's, for its recipe and its limits.
    """
    facts, config = measurements.facts, checkpoint.model.config
    languages = config.language_tokens or {config.target_language: None}
    sections = [
        MARK,
        f"# {checkpoint.name}: {config.source_language} to {', '.join(languages)}",
        "A model that translates subtitles and keeps to a length that is asked for. Use it with"
        f" `subfit translate --model {checkpoint.name}`.",
        table(("", ""), _facts(checkpoint, facts, folder)),
        *_how_good(measurements, languages),
        f"## What it is bad at\n\n{_limits(folder)}",
        f"## Where its knowledge comes from\n\n{_knowledge(facts)}",
        f"## How this was measured\n\n{definitions(measurements.rows)}",
        commands(measurements.rows),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _how_good(measurements: Measurements, languages: Iterable[str]) -> Iterable[str]:
    challenge = measurements.facts.get("challenge", {})
    parts = [
        language_section(language, measurements.rows, challenge.get(language, {}))
        for language in languages
    ]
    if any(parts):
        yield "## How good it is"
        yield from filter(None, parts)


def _facts(
    checkpoint: Checkpoint, facts: Mapping[str, Any], folder: Path
) -> Iterable[tuple[str, str]]:
    config, model = checkpoint.model.config, checkpoint.model
    yield "architecture", architecture(config, sum(each.numel() for each in model.parameters()))
    recipe = load_recipe(folder / RECIPE_FILE) if (folder / RECIPE_FILE).is_file() else None
    if recipe is not None and isinstance(config, LengthConfig):
        yield "length signals", length_signals(recipe, config)
        yield "mean length ratio", f"{config.mean_length_ratio:.3f} target per source character"
    if recipe is not None:
        start = f"; starts from `{recipe.model.start}`" if recipe.model.start else ""
        yield "recipe", f"`{recipe.name}`, every value in `{RECIPE_FILE}`{start}"
    training = facts.get("training")
    if training:
        yield "training", effort(training)
        if training["machines"]:
            yield "machines", "; ".join(training["machines"])
        yield "energy of the training", energy_text(training["seconds"], facts["energy"])
    licences = facts.get("licences")
    yield "licence of the weights", licences["weights"] if licences else TO_FILL_IN


def _limits(folder: Path) -> str:
    path = folder / LIMITS_FILE
    if not path.is_file():
        return f"{TO_FILL_IN}, in `{LIMITS_FILE}` beside it"
    return path.read_text(encoding="utf-8").strip()


def _knowledge(facts: Mapping[str, Any]) -> str:
    """Say what the model was trained on: the corpora, by origin, with licence and attribution."""
    data = facts.get("training", {}).get("data", {})
    corpora: dict[str, int] = data.get("corpora", {})
    sources: dict[str, dict[str, Any]] = facts.get("licences", {}).get("sources", {})
    parts = []
    if data:
        parts.append(f"{data['pairs']:,} sentence pairs; none of their text is in this folder.")
    if corpora or sources:
        parts.append(table(("corpora", "pairs", "licence", "attribution"), _rows(corpora, sources)))
    left_out = "; ".join(f"{n:,}: {reason}" for reason, n in data.get("left_out", {}).items())
    if left_out:
        parts.append(f"Left out — {left_out}.")
    return "\n\n".join(parts) or TO_FILL_IN


def _rows(
    corpora: Mapping[str, int], sources: Mapping[str, Mapping[str, Any]]
) -> Iterable[tuple[str, str, str, str]]:
    """Yield the sources that the model has corpora of, and the corpora that no source names.

    Where the corpora are not known, yield all sources.
    """
    told: set[str] = set()
    for title, source in sources.items():
        own = [name for name in corpora if Source(**source).has(name) and name not in told]
        told.update(own)
        if own or not corpora:
            count = f"{sum(corpora[name] for name in own):,}" if own else "–"
            yield title, count, source["licence"], source["attribution"]
    yield from ((name, f"{n:,}", TO_FILL_IN, "") for name, n in corpora.items() if name not in told)
