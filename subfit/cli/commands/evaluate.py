"""``subfit evaluate``: a model and a test set in, figures out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import print_json
from subfit.cli.parameters import FILE, NAME_OR_PATH, takes
from subfit.decoding.prompts import TalkSettings
from subfit.errors import RecipeError, UsageError
from subfit.evaluation.corpus import EvaluationSet, read_evaluation_set, read_lines
from subfit.evaluation.length_control import parse_desired_length
from subfit.evaluation.metrics import digits_of, metrics_of
from subfit.evaluation.rows import Row
from subfit.files import check_writable, write_bytes
from subfit.hub.names import is_translations
from subfit.model.bundled import check_target, find_model
from subfit.model.config import Computing
from subfit.subtitles.formats import is_timed

if TYPE_CHECKING:  # they take seconds to import
    from subfit.evaluation.comparison import Bench, RowResult
    from subfit.evaluation.evaluation import Evaluation


_OWN, _AGAINST = "own", "against"


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("file", type=FILE, metavar="FILE.tsv")
@click.option("--beside", type=NAME_OR_PATH, multiple=True, metavar="OTHER",
    help="A model that translates together with MODEL; repeatable.")  # fmt: skip
@click.option("--ensemble", type=click.Choice(["log-probability", "probability"]),
    help="What is averaged of models that translate together.  [default: "
    "log-probability]")  # fmt: skip
@options.length_ratio_option
@options.isometric_option
@options.strict_budget_option(default=True)
@click.option("--ask", metavar="LENGTH",
    help="The length asked for: 'natural', what the model finds natural; 'free', "
    "none; 'source', 'reference' or 'predicted', as many characters as the source or "
    "reference has or the model predicts, with a factor as in 'source*1.1'; a number "
    "of characters for all lines; or a file with a number for each line.  [default: "
    "natural, or free with --length-class]")  # fmt: skip
@click.option("--length-class", metavar="NAME",
    help="The length token to use, as 'short', whatever length is asked for.")  # fmt: skip
@options.source_language("Language of the sources, for a model that must be told.")
@options.target_language("Language to translate into, for a model of several.")
@options.limit_option
@options.turned_option
@options.beam_option
@options.penalty_options
@click.option("--against", type=NAME_OR_PATH, metavar="OTHER",
    help="Test the difference to another model, or to a file of translations, for "
    "significance.")  # fmt: skip
@options.trials_option
@options.metrics_option
@options.references_option
@options.memory_option
@options.measuring_options
@click.option("-o", "--output", type=FILE, metavar="FILE",
    help="Write the translations here, one a line.")  # fmt: skip
@options.overwrite_option("Replace an existing output file.")
@options.json_option
@options.prompt_option
@options.server_option
@takes(computing=Computing, talk=TalkSettings)
def evaluate(
    model: str,
    file: Path,
    against: str | None,
    computing: Computing,
    talk: TalkSettings,
    limit: int | None,
    turned: bool,
    trials: int,
    metrics: tuple[str, ...] | None,
    references: tuple[Path, ...],
    output: Path | None,
    overwrite: bool,
    json: bool,
    **wished: Any,
) -> None:
    """Measure a model on a test set.

    MODEL is what 'subfit translate --model' takes: a folder, a name, a server; or a file of
    translations, one a line. FILE.tsv has lines of source and reference, or of corpus, source and
    reference, parted by tabs, and may be packed as .xz or .gz; or it is a .yaml of MuST-C, an .xml
    of IWSLT, a .tmx, or two files parted by a colon. Its name may tell the languages, as
    test.en-de.tsv does. Where FILE is a subtitle file, MODEL is another one of the same film, and
    SubER and break F1 are measured as well.
    """
    if is_timed(file):  # there are no sources
        from subfit.evaluation.timed import measure_subtitles

        files = {_AGAINST: against} if against is not None else {}
        files[_OWN] = model
        test, rows = measure_subtitles(file, files, metrics or (), against and _AGAINST, trials)
        _tell(rows, test, model, against, json=json)
        return
    chosen = metrics_of(metrics or ())
    asked = _asked_of(model, wished)
    test = read_evaluation_set(file, limit, turned=turned, references=references)
    asked.desired.of(test)
    _check(model, asked, against, test)
    if output is not None:
        check_writable(output, overwrite=overwrite)
    # This takes seconds to import: wrong arguments are told before.
    from subfit.evaluation.comparison import Bench, measure_rows

    messages = Messages(data_on_stdout=json, quiet=False)
    bench = Bench(
        test,
        computing=computing,
        talk=talk,
        on_row=lambda _: messages.progress(file.name, len(test.pairs)),
    )
    systems = {}
    if against is not None:
        systems = bench.translate({_AGAINST: _as_far_as_it_can(asked, against, bench)})
    systems |= bench.translate({_OWN: Row(model) if is_translations(model) else asked})
    rows = measure_rows(systems, test, chosen, against and _AGAINST, trials)
    if output is not None:
        text = "".join(f"{line}\n" for line in rows[-1].evaluation.hypotheses)
        write_bytes(output, text.encode("utf-8"), overwrite=overwrite)
    _tell(rows, test, model, against, json=json)


def _tell(
    rows: list[RowResult], test: EvaluationSet, model: str, against: str | None, *, json: bool
) -> None:
    """Print the figures of the last row, and how it differs from the first."""
    other, own = rows[0].evaluation, rows[-1].evaluation
    if json:
        document = {"file": str(test.file), "sha256": test.checksum, **rows[-1].to_dict()}
        document["against"] = other.to_dict() if against else None
        print_json({name: value for name, value in document.items() if name != "label"})
        return
    parts = "lines" if any(test.sources) else "parts"
    click.echo(f"{own.setup['model'] if own.setup else model} on {test.file}: {own.lines} {parts}")
    messages = Messages(data_on_stdout=False, quiet=False)
    messages.figures(_figures_of(own))
    if against:
        ask = f", asked for {other.setup['ask']}" if other.setup else ""
        click.echo(f"against {against}{ask}:")
        messages.figures(_differences_of(rows[-1], other))


def _asked_of(model: str, wished: dict[str, Any]) -> Row:
    """What is asked of the models, as a row of a comparison; nothing of files of translations."""
    if is_translations(model) and wished["beside"]:
        raise UsageError(f"{model} is a file of translations; no --beside goes with it")
    if wished["ask"]:
        parse_desired_length(wished["ask"])  # a file that cannot be read is no wrong usage
    try:
        told = {name: value for name, value in wished.items() if value is not None}
        return Row("-" if is_translations(model) else model, **told)
    except RecipeError as error:
        raise UsageError(str(error)) from None


def _check(model: str, row: Row, against: str | None, test: EvaluationSet) -> None:
    """Find out before the work whether all systems are there, and for these languages."""
    source, target = test.languages
    pair = row.source_language or source or "und", row.target_language or target or "und"
    for system in (model, *row.beside, *filter(None, [against])):
        if is_translations(system):
            test.select(read_lines(Path(system)), Path(system))
        else:
            check_target(find_model(system, *pair), row.target_language)


def _as_far_as_it_can(row: Row, model: str, bench: Bench) -> Row:
    """What another model is asked: the same, or nothing where it takes no such length."""
    if is_translations(model):
        return Row(model)
    other = replace(row, model=model, beside=(), memory=())
    try:
        bench.check(other)
    except UsageError:
        other = replace(other, ask=None, length_class=None)
    return other


def _figures_of(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Label the figures, each with its 95 % interval and the settings that made it."""
    for name, figure in evaluation.figures.items():
        digits, between = digits_of(name), ""
        if figure.low is not None and figure.high is not None:
            between = f" [{figure.low:.{digits}f}, {figure.high:.{digits}f}]"
        yield name, f"{figure.value:.{digits}f}{between}  ({figure.signature})"
    if evaluation.asked_lines:
        yield "asked", f"{evaluation.asked_lines} lines were asked a length of"
    if evaluation.untranslated:
        yield "untranslated", f"{evaluation.untranslated} lines, kept as they are"
    if (setup := evaluation.setup) is not None:
        seed = "" if setup["seed"] is None else f", trained with seed {setup['seed']}"
        yield "computed", f"in {setup['precision']} on {setup['device']}{seed}"
    yield "output", f"SHA-256 {evaluation.checksum[:12]}"
    yield "time", f"{evaluation.seconds:.1f} s, {evaluation.sentences_per_second:.1f} sentences/s"


def _differences_of(row: RowResult, other: Evaluation) -> Iterator[tuple[str, str]]:
    """Label the differences to another system, each with its 95 % interval and p-value."""
    for name, found in row.differences.items():
        digits = digits_of(name)
        here, there = (f"{one.value(name):.{digits}f}" for one in (row.evaluation, other))
        between = f"[{found.low:+.{digits}f}, {found.high:+.{digits}f}]"
        yield name, f"{here} and {there}, {found.value:+.{digits}f} {between}, p = {found.p:.4f}"
    yield "test", "paired approximate randomisation, intervals by paired bootstrap"
