"""``subfit card``: a finished model measured on everything, and its card."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli.options import inference, shared
from subfit.cli.options.binding import takes
from subfit.cli.options.models import model_folder
from subfit.cli.options.types import FOLDER
from subfit.cli.views.console import Messages
from subfit.files import check_writable, write_bytes
from subfit.model.computing import Computing

if TYPE_CHECKING:
    from subfit.localization import OnProgress
    from subfit.training.release.inputs import Inputs
    from subfit.training.release.model_under_test import ModelUnderTest

CARD_FILE = "README.md"
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    epilog="Example: subfit card my-model --data corpora --timed films --examples scenes --run "
    "runs/my-model --licences licences.yaml"
)
@click.argument("model", metavar="MODEL")
@click.option(
    "--data",
    type=FOLDER,
    metavar="FOLDER",
    help="Its files test/NAME.SOURCE-TARGET.tsv are test sets: of source and reference, or corpus, "
    "source and reference, parted by tabs.",
)
@click.option(
    "--timed",
    type=FOLDER,
    metavar="FOLDER",
    help="Subtitle files in the source language (film.en.srt), to be translated.",
)
@click.option(
    "--examples",
    type=FOLDER,
    metavar="FOLDER",
    help="The same, with texts that may be shown in the card.",
)
@click.option(
    "--challenge",
    type=_FILE,
    metavar="FILE.json",
    help="What passed of a challenge set: by language and category, [passed, total].",
)
@click.option("--run", type=FOLDER, metavar="FOLDER", help="The run that made the model.")
@click.option(
    "--licences",
    type=_FILE,
    metavar="FILE.yaml",
    help="The licences of the weights and of the training data.",
)
@click.option(
    "--watts", type=click.FloatRange(min=0), metavar="W", help="Of the training.  [default: 100]"
)
@click.option(
    "--grid",
    type=click.FloatRange(min=0),
    metavar="G",
    help="Grams of CO2 equivalent per kWh.  [default: 475, about the world's mean]",
)
@shared.limit_option
@click.option(
    "--extremes",
    type=_FILE,
    metavar="FILE.md",
    help="Write the ten best and ten worst lines of each test set here, to read.",
)
@inference.computing_options
@shared.overwrite_option("Replace a card that another hand or command wrote.")
@takes(computing=Computing)
def card(
    model: str,
    examples: Path | None,
    timed: Path | None,
    extremes: Path | None,
    computing: Computing,
    data: Path | None,
    limit: int | None,
    overwrite: bool,
    **facts: Any,
) -> None:
    """Measure a finished model, and write its model card.

    MODEL is a model folder or the name of a model that comes with subfit. The card becomes its
    README.md; what was measured stays in its measurements.json, so that nothing is measured twice,
    a run that was stopped goes on, and without any option the card is written anew. Text that is
    kept by hand, on the limits of the model, belongs into its limits.md.
    """
    folder = model_folder(model)
    # These take seconds to import: a wrong model is told before.
    from subfit.training.release.card import write_card
    from subfit.training.release.facts import record_facts
    from subfit.training.release.inputs import read_inputs, steps_for
    from subfit.training.release.measurements import Measurements, take
    from subfit.training.release.model_under_test import ModelUnderTest

    _check(folder / CARD_FILE, extremes, overwrite=overwrite)
    tested, measurements = ModelUnderTest(folder, computing), Measurements(folder)
    record_facts(measurements, **facts)
    inputs = read_inputs(tested, data=data, timed=timed, examples=examples, limit=limit)
    take(steps_for(tested, inputs), measurements, _progress)
    if extremes is not None:
        _write_extremes(extremes, tested, inputs)
    write_card(tested.checkpoint, measurements, folder)
    click.echo(f"model card: {folder / CARD_FILE}")


def _check(card: Path, extremes: Path | None, *, overwrite: bool) -> None:
    """Find out before the work whether the files may be written after it."""
    from subfit.training.release.card import is_ours

    if extremes is not None:
        check_writable(extremes, overwrite=True)
    check_writable(card, overwrite=overwrite or is_ours(card))


@contextmanager
def _progress(name: str, size: int) -> Iterator[OnProgress]:
    """Tell which row is measured, and how far it is."""
    messages = Messages(data_on_stdout=True, quiet=False)
    click.echo(f"measuring: {name}", err=True)
    with messages.progress(name, size) as advance:
        yield advance


def _write_extremes(path: Path, tested: ModelUnderTest, inputs: Inputs) -> None:
    from subfit.training.release.test_sets import best_and_worst

    parts = []
    for language, test in inputs.test_sets:
        with _progress(f"{language}, {test.name}, best and worst", len(test.pairs)) as advance:
            parts.append(best_and_worst(tested, language, test, advance))
    write_bytes(path, "\n".join(parts).encode("utf-8"), overwrite=True)
    click.echo(f"best and worst lines: {path}")
