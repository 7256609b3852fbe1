"""``subfit train``: a recipe in, a model folder out."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from subfit.bundled import find_recipe
from subfit.cli.text import one_line
from subfit.errors import UsageError

if TYPE_CHECKING:
    from subfit.training.recipe import Recipe
    from subfit.training.trainer import Progress


@click.command(
    epilog="Example: subfit train recipes/en-de.yaml data.root=corpora run.seed=2 --export my-model"
)
@click.argument("recipe")
@click.argument("overrides", nargs=-1, metavar="[SECTION.KEY=VALUE]...")
@click.option("--variant", metavar="NAME", help="Which variant of the recipe to train.")
@click.option(
    "--run-dir",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where state, log and tokenizer go.  [default: runs/NAME, or "
    "runs/NAME-VARIANT, by the recipe's name]",
)
@click.option("--resume", is_flag=True, help="Go on with the run in that folder.")
@click.option(
    "--export",
    "export_folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write the finished model here.",
)
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="CPU threads to use.")
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
    stops; --resume goes on from there.
    """
    with _processes():
        _run(recipe, overrides, variant, run_dir, resume, export_folder, threads)


def _processes() -> AbstractContextManager[None]:
    """Join the other processes, if torchrun started several."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return nullcontext()
    from subfit.training.distributed import process_group

    return process_group()


def _run(
    recipe: str,
    overrides: tuple[str, ...],
    variant: str | None,
    run_dir: Path | None,
    resume: bool,
    export_folder: Path | None,
    threads: int | None,
) -> None:
    from subfit.training.recipe_file import load_recipe

    loaded = load_recipe(find_recipe(recipe), overrides, variant)
    folder = run_dir or Path("runs") / loaded.name
    if export_folder is not None and export_folder.exists():
        raise UsageError(f"{export_folder} exists already; give --export another folder")
    _check_folder(loaded, folder, resume=resume)
    _train(loaded, folder, threads)
    from subfit.training.distributed import is_first

    if export_folder is not None and is_first():
        from subfit.training.export import export_run

        export_run(folder, export_folder)
        click.echo(f"model written to {export_folder}")


def _check_folder(recipe: Recipe, folder: Path, *, resume: bool) -> None:
    from subfit.training.state import has_state
    from subfit.training.train import check_resumable

    if not has_state(folder):
        return
    if not resume:
        raise UsageError(
            f"{folder} holds a run already; --resume goes on with it, --run-dir names another"
        )
    check_resumable(recipe, folder)


def _train(recipe: Recipe, folder: Path, threads: int | None) -> None:
    import torch

    from subfit.training.distributed import is_first
    from subfit.training.train import train as train_by

    if threads is not None:
        torch.set_num_threads(threads)

    def report(progress: Progress) -> None:
        click.echo(_line(progress, recipe.schedule.steps))

    def announce(text: str) -> None:
        if is_first():
            click.echo(one_line(text))

    announce(f"run folder: {folder}")
    train_by(recipe, folder, report=report, announce=announce)


def _line(progress: Progress, steps: int) -> str:
    left = (steps - progress.step) * progress.seconds / progress.step
    return (
        f"step {progress.step}/{steps}  epoch {progress.epoch + 1}  loss {progress.loss:.3f}"
        f"  {progress.tokens_per_second:.0f} tokens/s  {_clock(progress.seconds)} done"
        f"  {_clock(left)} left"
    )


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
