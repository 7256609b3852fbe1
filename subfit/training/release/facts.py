"""What is known of a model besides its figures: its training, its data and their licences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from subfit.configuration.checking import check
from subfit.configuration.tree import Problem, RecipeProblemsError, read_tree
from subfit.errors import InputFileError, ModelError, reason_of
from subfit.training.release.card_text import machines
from subfit.training.release.measurements import Measurements
from subfit.training.run.environment import DATA_FILE, environments, read_json_as
from subfit.training.run.log import read_log

_OF_DATA = ("pairs", "corpora", "left_out")
"""What a card tells of ``data.json``."""


def record_facts(
    measurements: Measurements,
    *,
    run: Path | None,
    licences: Path | None,
    challenge: Path | None,
    watts: float | None,
    grid: float | None,
) -> None:
    """Keep what is known of a model with its measurements; None leaves a fact as it is.

    Args:
        measurements: Those of the model.
        run: The folder of the run that made it.
        licences: As `read_licences` reads it.
        challenge: As `read_challenge` reads it.
        watts: What the machine drew in training.
        grid: Grams of CO2 equivalent per kWh.

    Raises:
        SubfitError: A file or folder cannot be used.
    """
    assumed = {"watts": watts, "grams_per_kwh": grid}
    energy = dict(ENERGY) | measurements.facts.get("energy", {})
    energy |= {name: value for name, value in assumed.items() if value is not None}
    measurements.record(
        training=None if run is None else read_training(run),
        licences=None if licences is None else asdict(read_licences(licences)),
        challenge=None if challenge is None else read_challenge(challenge),
        energy=energy,
    )


@dataclass(frozen=True, slots=True)
class DataSource:
    """Corpora of one origin."""

    corpora: tuple[str, ...]
    """Their names in the training files; ``*`` stands for any characters."""
    licence: str
    attribution: str = ""
    """Whom the licence wants named."""

    def has(self, corpus: str) -> bool:
        """Tell whether a corpus is one of these."""
        return any(fnmatchcase(corpus, name) for name in self.corpora)


@dataclass(frozen=True, slots=True)
class Licences:
    """The licences of a model's weights and training data."""

    weights: str
    sources: dict[str, DataSource]
    """The sources by title."""


def read_licences(path: Path) -> Licences:
    """Read a YAML file with the licence of the weights and the mapping ``sources``.

    Args:
        path: ``sources`` maps titles to the keys of `DataSource`.

    Raises:
        RecipeError: All problems of the file, with their lines.
    """
    problems: list[Problem] = []
    licences = check(Licences, read_tree(path, {}, problems), problems)
    if licences is None or problems:
        raise RecipeProblemsError(problems)
    return licences


def training_figures(folder: Path) -> dict[str, Any]:
    """Return how long a run took by its log, and what it saw.

    Returns:
        ``steps``, ``target_tokens``, ``seconds`` and ``tokens_per_second``.
    """
    log = read_log(folder)
    steps, _ = log.series("loss")
    tokens, seconds = log.last("target_tokens") or 0, log.last("seconds") or 0.0
    return {
        "steps": max(steps, default=0),
        "target_tokens": tokens,
        "seconds": round(seconds, 1),
        "tokens_per_second": round(tokens / seconds, 1) if seconds else None,
    }


def read_training(run: Path) -> dict[str, Any]:
    """Return what a run folder tells of a training, as JSON values.

    Raises:
        ModelError: There is no run in the folder.
    """
    figures = training_figures(run)
    if not figures["steps"]:
        raise ModelError(f"{run}: no training run in this folder")
    data = read_json_as(run / DATA_FILE, dict)
    kept = {name: data[name] for name in _OF_DATA if name in data}
    return {**figures, "machines": list(machines(environments(run))), "data": kept}


def read_challenge(path: Path) -> dict[str, dict[str, list[int]]]:
    """Read how many sentences of a challenge set were translated well.

    Args:
        path: JSON, by language and category: the number passed, and of how many.

    Raises:
        InputFileError: It cannot be read, or holds something else.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        counts = {
            str(language): {str(name): _counts(counts) for name, counts in categories.items()}
            for language, categories in document.items()
        }
    except OSError as error:
        raise InputFileError(path, f"cannot be read ({reason_of(error)})") from error
    except (ValueError, TypeError, AttributeError) as error:
        remedy = 'expected {"de": {"category": [passed, total]}}'
        raise InputFileError(path, "is no result of a challenge set", remedy=remedy) from error
    return counts


def _counts(pair: Any) -> list[int]:
    passed, total = (int(count) for count in pair)
    if not 0 <= passed <= total:
        raise ValueError(pair)
    return [passed, total]


WATTS = 100.0
"""What a desktop processor with its memory draws under load, about."""
GRAMS_PER_KWH = 475.0
"""CO2 equivalent of the world's electricity in the years 2023 and 2024, about (Ember, Global
Electricity Review 2024 and 2025: 480 and 473)."""


ENERGY: Mapping[str, float] = {"watts": WATTS, "grams_per_kwh": GRAMS_PER_KWH}
"""What is assumed where nothing is known."""


def energy_text(seconds: float, assumed: Mapping[str, Any]) -> str:
    """Describe the energy of a training, and what it is estimated from.

    Args:
        seconds: The training took.
        assumed: ``watts`` of the machine and ``grams_per_kwh`` of the grid.
    """
    watts, grams = assumed["watts"], assumed["grams_per_kwh"]
    hours = seconds / 3600
    energy = hours * watts / 1000
    return (
        f"about {_short(energy)} kWh and {_short(energy * grams / 1000)} kg of CO2 equivalent:"
        f" an estimate from {hours:.1f} hours × {watts:g} W × {grams:g} g/kWh, not a measurement"
    )


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
