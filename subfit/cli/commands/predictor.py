"""``subfit predictor``: train and measure what predicts the length of a translation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from subfit.cli.failures import print_json
from subfit.cli.options import inference, shared
from subfit.cli.options.models import check_model, model_folder, use_threads
from subfit.cli.options.types import FILE, NAME_OR_PATH
from subfit.cli.views.console import Messages
from subfit.cli.views.text import one_line
from subfit.errors import InputFileError, UsageError
from subfit.reporting.wording import number

if TYPE_CHECKING:
    from subfit.evaluation.corpus import Pair
    from subfit.model.checkpoint import Checkpoint
    from subfit.training.length.predictor import PredictionErrors, PredictorReport


@click.group()
def predictor() -> None:
    """Train or measure a model's length predictor.

    It predicts how many characters the translation of a text naturally has. A model that must be
    asked for some length is then asked for that, or for the budget where that is less.
    """


@predictor.command(
    "train",
    epilog="Example: subfit predictor train my-model --data train.tsv --dev dev.tsv -o my-model-2",
)
@click.argument("model", metavar="MODEL")
@click.option(
    "--data", type=FILE, required=True, metavar="FILE.tsv", help="Sentence pairs to train on."
)
@click.option(
    "--dev", type=FILE, required=True, metavar="FILE.tsv", help="Sentence pairs to measure on."
)
@click.option(
    "--kind",
    type=click.Choice(["encoder", "pretrained"]),
    default="encoder",
    help="On the model's own encoder, or on a pre-trained one.",
)
@click.option(
    "--encoder",
    type=NAME_OR_PATH,
    metavar="FOLDER|NAME",
    help="With --kind pretrained: a folder, or a name on the Hugging Face hub.",
)
@click.option("--freeze", is_flag=True, help="Leave the pre-trained encoder as it is.")
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    default=2000,
    metavar="N",
    help="Training steps of 64 pairs each.",
)
@shared.seed_option
@inference.threads_option
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FOLDER",
    help="Write the model with its predictor here.",
)
@shared.json_option
def train(
    model: str,
    data: Path,
    dev: Path,
    kind: str,
    encoder: str | None,
    freeze: bool,
    steps: int,
    seed: int,
    threads: int | None,
    output: Path,
    json: bool,
) -> None:
    """Train a length predictor for a finished model.

    MODEL is a folder or the name of a model that comes with subfit; its translations stay as they
    are. The files have lines of source and translation, or of corpus, source and translation,
    parted by tabs; they may be packed as .xz or .gz.
    """
    if (kind == "pretrained") != (encoder is not None):
        raise UsageError("--kind pretrained and --encoder go together; give both or neither")
    if freeze and encoder is None:
        raise UsageError("--freeze needs --kind pretrained; the model's own encoder never changes")
    if output.exists():
        raise UsageError(f"{output} exists already; give -o another folder")
    folder = model_folder(model)
    # These take seconds to import: wrong options are told before.
    from subfit.model.length_unit import length_unit
    from subfit.model.pretrained_predictor import PretrainedPredictor
    from subfit.training.length import predictor as training
    from subfit.training.length.predictor_files import write_with_predictor

    pairs, dev_pairs = _read(data), _read(dev)
    ratio = training.mean_ratio(pairs)
    checkpoint = _load(str(folder), threads)
    training.check_one_language(checkpoint)
    made = (
        training.new_encoder_predictor(checkpoint, ratio, seed)
        if encoder is None
        else PretrainedPredictor.start(encoder, ratio, fine_tuned=not freeze)
    )
    unit = length_unit(checkpoint.model.config, checkpoint.tokenizer)
    messages = Messages(data_on_stdout=json, quiet=False)
    with messages.progress(data.name, steps) as advance:
        settings = training.PredictorTraining(steps=steps, seed=seed)
        training.train_predictor(made, pairs, settings, advance, unit)
    write_with_predictor(folder, output, made)
    line = training.fit_line(pairs, unit)
    report = training.measure_predictor(made, dev_pairs, ratio, unit, line)
    _show(report, dev, messages, json=json)
    if not json:
        click.echo(f"model written to {one_line(str(output))}")


@predictor.command("evaluate")
@click.argument("model", metavar="MODEL")
@click.argument("file", type=FILE, metavar="FILE.tsv")
@shared.source_language_of("Language of the sources, for a model of several.")
@shared.target_language_option("Language of the references, for a model of several.")
@inference.threads_option
@shared.json_option
def evaluate(
    model: str,
    file: Path,
    source_language: str | None,
    target_language: str | None,
    threads: int | None,
    json: bool,
) -> None:
    """Measure a model's length predictor against the lengths of references."""
    folder = model_folder(model)
    check_model(str(folder), target_language)
    # These take seconds to import: wrong options are told before.
    from subfit.decoding.predictor import find_predictor
    from subfit.decoding.target_language import language_token
    from subfit.model.length_unit import length_unit
    from subfit.training.length.predictor import measure_predictor

    pairs, checkpoint = _read(file), _load(str(folder), threads)
    told = language_token(checkpoint, target_language, source_language)
    length_predictor = find_predictor(checkpoint, told)
    if length_predictor is None:
        raise UsageError(f"{checkpoint.name} has no length predictor to measure")
    ratio = float(getattr(checkpoint.model.config, "mean_length_ratio", 1.0))
    messages = Messages(data_on_stdout=json, quiet=False)
    unit = length_unit(checkpoint.model.config, checkpoint.tokenizer)
    _show(measure_predictor(length_predictor, pairs, ratio, unit), file, messages, json=json)


def _load(place: str, threads: int | None) -> Checkpoint:
    from subfit.model.checkpoint import load_checkpoint

    use_threads(threads)
    return load_checkpoint(place)


def _read(file: Path) -> list[Pair]:
    from subfit.evaluation.corpus import read_pairs
    from subfit.training.length.predictor import usable

    pairs = usable(list(read_pairs(file)))
    if not pairs:
        raise InputFileError(file, "no sentence pairs in it")
    return pairs


def _show(report: PredictorReport, file: Path, messages: Messages, *, json: bool) -> None:
    if json:
        print_json({"file": str(file), **asdict(report)})
        return
    click.echo(f"length predictor ({report.kind}) on {one_line(str(file))}: {report.lines} lines")
    headings = (report.unit, "mean error", "variance", "correlation")
    messages.table(headings, _rows(report), texts={report.unit})


def _rows(report: PredictorReport) -> Iterator[tuple[str, ...]]:
    yield "predicted", *_cells(report.predictor)
    yield f"source x {report.mean_ratio:.3f}", *_cells(report.source_times_ratio)
    if report.regression is not None:
        yield "line through the source", *_cells(report.regression)
    yield "source", *_cells(report.source)


def _cells(errors: PredictionErrors) -> tuple[str, ...]:
    figures = (errors.mean_absolute, errors.variance)
    return (*(number(figure, 2) for figure in figures), number(errors.correlation, 3))
