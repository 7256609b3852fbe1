"""Model cards, of runs and of released models, written from what was measured and is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subfit.files import write_bytes
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint, write_checksums
from subfit.model.config import LengthConfig
from subfit.training.recipe.file import load_recipe
from subfit.training.recipe.recipe import Recipe
from subfit.training.release.card_tables import commands, definitions, dev_section, language_section
from subfit.training.release.card_text import (
    TO_FILL_IN,
    architecture,
    effort,
    length_signals,
    opened_by,
    table,
)
from subfit.training.release.facts import DataSource, energy_text
from subfit.training.release.measurements import MeasuredRow, Measurements
from subfit.training.run.folder import CARD_FILE, RECIPE_FILE

MARK = "<!-- Written by `subfit card`: what is changed here is lost when it runs again. -->"
"""The first line of a card, by which it is known that it may be replaced."""
LIMITS_FILE = "limits.md"
"""Text beside the card, kept by hand, that becomes a section of it."""


def is_ours(path: Path) -> bool:
    """Tell whether a file is a card that `write_card` wrote."""
    return path.is_file() and path.read_bytes().startswith(MARK.encode("utf-8"))


@dataclass(frozen=True, slots=True)
class DescribedModel:
    """What a card says of a model before anything is measured."""

    name: str
    config: Any
    """Its configuration."""
    parameters: int
    recipe: Recipe | None
    """What it was trained from, if that is known."""
    limits: str
    """What it is bad at, in Markdown."""

    @classmethod
    def of(cls, checkpoint: Checkpoint, folder: Path) -> DescribedModel:
        """Describe a model by its folder's recipe and the text on its limits."""
        model, recipe, limits = checkpoint.model, folder / RECIPE_FILE, folder / LIMITS_FILE
        return cls(
            checkpoint.name,
            model.config,
            sum(weight.numel() for weight in model.parameters()),
            load_recipe(recipe) if recipe.is_file() else None,
            limits.read_text(encoding="utf-8").strip()
            if limits.is_file()
            else f"{TO_FILL_IN}, in `{LIMITS_FILE}` beside it",
        )


def write_card(checkpoint: Checkpoint, measurements: Measurements, folder: Path) -> None:
    """Write the card of a model into its folder, and the checksums anew.

    Raises:
        OutputFileError: A file cannot be written.
    """
    described = DescribedModel.of(checkpoint, folder)
    card = model_card(described, measurements.rows, measurements.facts)
    write_bytes(folder / CARD_FILE, card.encode("utf-8"), overwrite=True)
    write_checksums(folder)


def model_card(model: DescribedModel, rows: Sequence[MeasuredRow], facts: Mapping[str, Any]) -> str:
    """Return the card of a model, in Markdown: after its training, or measured on test sets.

    Args:
        model: Whose card it is.
        rows: What was measured.
        facts: What is known besides, see `subfit.training.release.facts`; and ``losses`` on the dev
            set.
    """
    config = model.config
    directions = Directions.of_config(config)
    languages = directions.sources if directions.told_source else directions.targets
    sections = [
        MARK,
        f"# {model.name}: {directions.name}",
        "A model that translates subtitles and keeps to a length that is asked for. Use it with"
        f" `subfit translate --model {model.name}`.",
        table(("", ""), _facts(model, facts)),
        *_how_good(rows, facts, languages),
        f"## What it is bad at\n\n{model.limits}",
        f"## Where its knowledge comes from\n\n{_knowledge(facts)}",
        f"## How this was measured\n\n{definitions(rows)}",
        commands(rows),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _how_good(
    rows: Sequence[MeasuredRow], facts: Mapping[str, Any], languages: Iterable[str]
) -> Iterable[str]:
    challenge = facts.get("challenge", {})
    parts = [
        *(language_section(language, rows, challenge.get(language, {})) for language in languages),
        dev_section(rows, facts.get("losses", {})),
    ]
    if any(parts):
        yield "## How good it is"
        yield from filter(None, parts)


def _facts(model: DescribedModel, facts: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    config, recipe = model.config, model.recipe
    yield "architecture", architecture(config, model.parameters)
    if opened := opened_by(config):
        yield "also opened by", opened
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
    described: set[str] = set()
    for title, source in sources.items():
        own = [name for name in corpora if DataSource(**source).has(name) and name not in described]
        described.update(own)
        if own or not corpora:
            count = f"{sum(corpora[name] for name in own):,}" if own else "–"
            yield title, count, source["licence"], source["attribution"]
    yield from (
        (name, f"{n:,}", TO_FILL_IN, "") for name, n in corpora.items() if name not in described
    )
