"""What the model of a run is worth on its dev set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from subfit.decoding.translator import DEFAULT_SEARCH
from subfit.evaluation.corpus import Pair
from subfit.evaluation.evaluation import NATURAL_LENGTH, Evaluation, EvaluationSetup, measure
from subfit.evaluation.length_control import LengthControl, make_length_control
from subfit.evaluation.outputs import translate_languages
from subfit.model.checkpoint import Checkpoint
from subfit.model.transformer import SubfitConfig, TrainableModel
from subfit.training.data.selection import load_dev
from subfit.training.recipe.recipe import Recipe
from subfit.training.release.facts import training_figures
from subfit.training.release.measurements import ShowProgress, no_progress
from subfit.training.run.environment import device_name
from subfit.training.run.folder import load_run
from subfit.training.run.trainer import Announce, Trainer
from subfit.training.train import dataset_of


@dataclass(frozen=True, slots=True)
class Results:
    """Figures of the weights as they are exported, all on the whole dev set."""

    recipe: Recipe
    config: SubfitConfig
    parameters: int
    training: dict[str, Any]
    """``steps``, ``target_tokens``, ``seconds``, ``tokens_per_second``, ``device``."""
    losses: dict[str, float]
    """``dev_loss`` and, without length signal, ``dev_loss_free``, per token."""
    pairs: tuple[Pair, ...]
    natural: Evaluation
    """Measured with the lengths that the model finds natural."""
    asked: Evaluation | None
    """Measured with the references' lengths; None where the model has no length control."""

    @property
    def evaluations(self) -> dict[str, Evaluation]:
        """The evaluations by their names in ``metrics.json``."""
        return {"dev": self.natural} | ({"dev-ref": self.asked} if self.asked else {})

    def command(self, evaluation: Evaluation) -> str:
        """Return the command that makes an evaluation again, for each of the dev files."""
        asked = "" if evaluation is self.natural else " --ask reference"
        option = "-s" if isinstance(self.recipe.source_language, tuple) else "-t"
        turned = " --turned" if self.recipe.data.turned else ""
        files = [
            (f"{name} {option} {language}" if language else name) + turned
            for language, name in self.recipe.data.dev_files
        ]
        return "; ".join(f"subfit evaluate {self.recipe.name} {file}{asked}" for file in files)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        evaluations = {
            name: {"command": self.command(evaluation), **evaluation.to_dict()}
            for name, evaluation in self.evaluations.items()
        }
        return {"training": self.training, **self.losses, **evaluations}


def measure_run(
    folder: Path, announce: Announce = lambda _: None, show: ShowProgress = no_progress
) -> Results:
    """Translate the whole dev set with the weights of a run, as they are exported.

    Args:
        folder: The run folder.
        announce: Called with a line of text on what is measured.
        show: Shows the progress of each pass over the dev set.

    Raises:
        ModelError: There is no run, or nothing is saved in it.
        InputFileError: The dev set cannot be read.
    """
    recipe, model, tokenizer = load_run(folder)
    round_weights(model)
    pairs = load_dev(recipe.data)
    announce(f"measuring the model on {len(pairs)} lines of the dev set")
    dev = dataset_of(pairs, tokenizer, model.config, recipe)
    losses = Trainer(recipe, model, dev, dev, folder).validate()
    checkpoint = Checkpoint(recipe.name, model.eval(), tokenizer)
    takes_lengths = bool(model.config.length_encodings or model.config.length_classes)
    return Results(
        recipe=recipe,
        config=model.config,
        parameters=sum(weight.numel() for weight in model.parameters()),
        training={**training_figures(folder), "device": device_name()},
        losses=losses,
        pairs=tuple(pairs),
        natural=_measured(checkpoint, pairs, NATURAL_LENGTH, show),
        asked=_measured(checkpoint, pairs, make_length_control("reference"), show)
        if takes_lengths
        else None,
    )


def _measured(
    checkpoint: Checkpoint, pairs: list[Pair], control: LengthControl, show: ShowProgress
) -> Evaluation:
    setup = EvaluationSetup.by(checkpoint.name, control, DEFAULT_SEARCH)
    with show(f"dev, {control.length.text}", len(pairs)) as on_progress:
        outputs = translate_languages(checkpoint, pairs, control, on_progress)
    return measure(outputs, pairs, setup)


@torch.no_grad()
def round_weights(model: TrainableModel) -> None:
    """Round weights to the precision in which they are exported."""
    for weight in model.parameters():
        weight.copy_(weight.half())
