"""``subfit train``: a recipe in, a model folder out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from subfit.cli import options
from subfit.cli.output import one_line
from subfit.cli.parameters import FILE
from subfit.errors import UsageError
from subfit.model.bundled import find_recipe

if TYPE_CHECKING:
    from subfit.training.recipe import Recipe
    from subfit.training.trainer import Progress


@click.command(
    epilog="Example: subfit train recipes/en-de.yaml data.root=corpora run.seed=2 --export my-model"
)
@click.argument("recipe")
@click.argument("overrides", nargs=-1, metavar="[SECTION.KEY=VALUE]...")
@click.option("--variant", metavar="NAME", help="Which variant of the recipe to train.")
@click.option("--run-dir", type=FILE, metavar="FOLDER",
    help="Where state, log and tokenizer go.  [default: runs/NAME, or "
    "runs/NAME-VARIANT, by the recipe's name]")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the run in that folder.")
@click.option("--export", "export_folder", type=FILE, metavar="FOLDER",
    help="Write the finished model here, with its figures.")  # fmt: skip
@options.threads_option
def train(
    recipe: str,
    overrides: tuple[str, ...],
    variant: str | None,
    run_dir: Path | None,
    resume: bool,
    export_folder: Path | None,
    threads: int | None,
) -> None:
    """Train a model from a recipe.

    RECIPE is a YAML file or the name of a recipe that comes with subfit ('subfit recipe ls');
    single values of it are overruled by SECTION.KEY=VALUE. Ctrl-C saves the state of the run and
    stops; --resume goes on from there. A recipe in stages is trained stage by stage. At the end the
    model is measured on the dev set; with --resume and --export a finished run is exported as it
    is.
    """
    with _processes():
        from subfit.training.recipe import load_stages

        stages = load_stages(find_recipe(recipe), overrides, variant)
        folder = run_dir or Path("runs") / stages[-1].name
        if export_folder is not None and export_folder.exists():
            raise UsageError(f"{export_folder} exists already; give --export another folder")
        from subfit.training.distributed import is_first, wait_for_all
        from subfit.training.folder import export_run

        _check_folders(stages, folder, resume=resume)
        wait_for_all()  # none may find what another has begun to write
        _train(stages, folder, threads)
        if export_folder is not None and is_first():
            export_run(folder, export_folder)
            click.echo(f"model written to {export_folder}")


def _processes() -> AbstractContextManager[None]:
    """Join the other processes, if torchrun started several."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return nullcontext()
    from subfit.training.distributed import process_group

    return process_group()


def _check_folders(stages: Sequence[Recipe], folder: Path, *, resume: bool) -> None:
    """Refuse to put a run among files that are none of its own, or over another run."""
    from subfit.training.folder import ENVIRONMENT_FILE, has_state
    from subfit.training.train import check_resumable, stage_runs

    runs = stage_runs(stages, folder)
    for recipe, place in runs:
        if has_state(place):
            if not resume:
                raise UsageError(
                    f"{place} holds a run already; --resume goes on with it, --run-dir names"
                    " another"
                )
            check_resumable(recipe, place)
    begun = any((place / ENVIRONMENT_FILE).exists() for _, place in runs)
    if folder.exists() and not begun and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty, and holds no run; give --run-dir another folder")


def _train(stages: Sequence[Recipe], folder: Path, threads: int | None) -> None:
    """Train and measure the stages of a recipe that are not finished yet."""
    from subfit.training.distributed import is_first
    from subfit.training.folder import is_finished
    from subfit.training.train import finish_run, stage_runs
    from subfit.training.train import train as train_by

    if threads is not None:
        import torch

        torch.set_num_threads(threads)
    for recipe, place in stage_runs(stages, folder):
        finished = is_finished(recipe, place)
        if is_first():
            click.echo(f"run folder: {place}" + ("; the run is finished" if finished else ""))
        if finished:
            continue
        if not is_first():
            train_by(recipe, place)
            finish_run(place, whole=place == folder)
            continue
        report = partial(_tell, recipe.schedule.steps, recipe.schedule.minutes)
        train_by(recipe, place, report=report, announce=lambda text: click.echo(one_line(text)))
        done = finish_run(place, announce=click.echo, whole=place == folder)
        for name, evaluation in done.items():
            bleu, chrf, ratio = map(evaluation.value, ("BLEU", "chrF", "LR source"))
            click.echo(f"{name}: BLEU {bleu:.1f}, chrF {chrf:.1f}, LR {ratio:.2f}")


def _tell(steps: int, minutes: float | None, progress: Progress) -> None:
    """Print how far a run is, of so many steps, or minutes if there is such a limit."""
    left = (steps - progress.step) * progress.seconds / progress.step
    if minutes is not None:
        left = max(0.0, min(left, 60 * minutes - progress.seconds))
    done, rest = (timedelta(seconds=round(seconds)) for seconds in (progress.seconds, left))
    click.echo(
        f"step {progress.step}/{steps}  epoch {progress.epoch + 1}  loss {progress.loss:.3f}"
        f"  {progress.tokens_per_second:.0f} tokens/s  {done} done  {rest} left"
    )
