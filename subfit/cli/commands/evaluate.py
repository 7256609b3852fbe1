"""``subfit evaluate``: a model and a test set in, figures out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import print_json
from subfit.cli.parameters import FILE, NAME_OR_PATH, takes
from subfit.decoding.prompts.template import TalkSettings
from subfit.decoding.search_types import Ensemble, Normalization
from subfit.errors import UsageError
from subfit.files import check_writable, write_bytes
from subfit.hub.contents import is_translations
from subfit.model.config import Computing

if TYPE_CHECKING:
    from subfit.evaluation.comparison import RowResult
    from subfit.evaluation.corpus import EvaluationSet
    from subfit.evaluation.evaluation import Evaluation
    from subfit.evaluation.length_control import LengthControl
    from subfit.evaluation.outputs import EvaluationSetup, Outputs


@dataclass(frozen=True, slots=True)
class _Asked:
    """The systems that are measured, on what, and how they search."""

    file: Path
    model: str
    beside: tuple[str, ...]
    against: str | None
    memory: tuple[str, ...]
    channel_model: str
    source_language: str | None
    target_language: str | None
    beam: int | None
    length_penalty: float | None
    coverage_penalty: float | None
    length_normalization: Normalization | None
    ensemble: Ensemble | None
    computing: Computing
    talk: TalkSettings

    def check(self, test: EvaluationSet) -> None:
        """Find out before the work whether all systems are there, and for these languages."""
        from subfit.evaluation.corpus import read_lines
        from subfit.model.bundled import check_target, find_model

        if is_translations(self.model) and self.beside:
            raise UsageError(f"{self.model} is a file of translations; no --beside goes with it")
        source, target = test.languages
        pair = self.source_language or source or "und", self.target_language or target or "und"
        for system in (self.model, *self.beside, *filter(None, [self.against])):
            if is_translations(system):
                test.select(read_lines(Path(system)), Path(system))
            else:
                check_target(find_model(system, *pair), self.target_language)

    def translate(
        self, test: EvaluationSet, control: LengthControl, messages: Messages
    ) -> dict[str, tuple[EvaluationSetup | None, Outputs]]:
        """Return what the systems make of the test set, by their labels: the model's last."""
        done = {}
        if self.against is not None:
            done[_AGAINST] = self._outputs(self.against, test, control, messages)
        done[_OWN] = self._outputs(self.model, test, control, messages, own=True)
        return done

    def _outputs(
        self,
        system: str,
        test: EvaluationSet,
        control: LengthControl,
        messages: Messages,
        *,
        own: bool = False,
    ) -> tuple[EvaluationSetup | None, Outputs]:
        # These take seconds to import: wrong arguments are told before.
        from subfit.decoding.loading import Wanted
        from subfit.evaluation.length_control import check_length_control
        from subfit.evaluation.outputs import NATURAL_LENGTH, EvaluationSetup, translate_pairs
        from subfit.evaluation.systems import load_system, read_translations, settings_of

        if is_translations(system):
            return None, read_translations(system, test)
        settings = settings_of(
            self.beam,
            self.length_penalty,
            self.coverage_penalty,
            self.length_normalization,
            self.ensemble,
        )
        wanted = Wanted(self.source_language, self.target_language, settings=settings)
        more: dict[str, Any] = {"computing": self.computing, "talk": self.talk}
        if own:
            more |= {"beside": self.beside, "channel_model": self.channel_model}
        translator = load_system(system, test, wanted, **more)
        beside, memory = (self.beside, self.memory) if own else ((), ())
        if not own:
            try:
                check_length_control(translator, control)
            except UsageError:  # what cannot be asked for that is asked for what it finds natural
                control = NATURAL_LENGTH
        with messages.progress(self.file.name, len(test.pairs)) as advance:
            outputs = translate_pairs(
                translator, test.pairs, control, on_progress=advance, memory=memory
            )
        return EvaluationSetup.of(translator, control, beside=beside, memory=memory), outputs


_OWN, _AGAINST = "own", "against"


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("file", type=FILE, metavar="FILE.tsv")
@click.option(
    "--beside",
    type=NAME_OR_PATH,
    multiple=True,
    metavar="OTHER",
    help="A model that translates together with MODEL; repeatable.",
)
@click.option(
    "--ensemble",
    type=click.Choice(["log-probability", "probability"]),
    help="What is averaged of models that translate together.  [default: log-probability]",
)
@options.length_ratio_option
@options.isometric_option
@click.option(
    "--natural-ratio",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="X",
    help="Ceiling of a translation as a multiple of the characters of the model's own natural "
    "translation: 0.85 asks for 15 % less.",
)
@options.condense_option
@options.strict_budget_option(default=True)
@click.option(
    "--ask",
    metavar="LENGTH",
    help="The length asked for: 'natural', what the model finds natural; 'free', none; 'source', "
    "'reference' or 'predicted', as many characters as the source or reference has or the model "
    "predicts, with a factor as in 'source*1.1'; a number of characters for all lines; or a file "
    "with a number for each line.  [default: natural, or free with --length-class]",
)
@click.option(
    "--length-class",
    metavar="NAME",
    help="The length token to use, as 'short', whatever length is asked for.",
)
@options.source_language("Language of the sources, for a model that must be told.")
@options.target_language("Language to translate into, for a model of several.")
@options.limit_option
@options.turned_option
@options.channel_option
@options.beam_option
@options.penalty_options
@click.option(
    "--against",
    type=NAME_OR_PATH,
    metavar="OTHER",
    help="Test the difference to another model, or to a file of translations, for significance.",
)
@options.trials_option
@options.metrics_option
@options.references_option
@options.memory_option
@options.measuring_options
@click.option(
    "-o", "--output", type=FILE, metavar="FILE", help="Write the translations here, one a line."
)
@options.overwrite_option("Replace an existing output file.")
@options.json_option
@options.prompt_option
@options.server_options
@takes(asked=_Asked)
def evaluate(
    asked: _Asked,
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
    test.en-de.tsv does.
    """
    from subfit.evaluation.metrics import metrics_of

    chosen = metrics_of(metrics or ())
    test, control = _read(asked.file, limit, references, turned=turned, **wished)
    asked.check(test)
    if output is not None:
        check_writable(output, overwrite=overwrite)
    messages = Messages(data_on_stdout=json, quiet=False)
    systems = asked.translate(test, control, messages)
    from subfit.evaluation.comparison import measure_rows

    rows = measure_rows(systems, test, chosen, asked.against and _AGAINST, trials)
    row, own = rows[-1], rows[-1].evaluation
    if output is not None:
        text = "".join(f"{line}\n" for line in own.hypotheses)
        write_bytes(output, text.encode("utf-8"), overwrite=overwrite)
    if json:
        document = {"file": str(asked.file), "sha256": test.checksum, **row.to_dict()}
        document["against"] = rows[0].evaluation.to_dict() if asked.against else None
        print_json({name: value for name, value in document.items() if name != "label"})
        return
    name = own.setup.model if own.setup else asked.model
    click.echo(f"{name} on {asked.file}: {own.lines} lines")
    messages.figures(_figures_of(own))
    if asked.against:
        other = rows[0].evaluation.setup
        click.echo(f"against {asked.against}{f', asked for {other.ask}' if other else ''}:")
        messages.figures(_differences_of(row, rows[0].evaluation))


def _read(
    file: Path, limit: int | None, references: tuple[Path, ...], *, turned: bool, **wished: Any
) -> tuple[EvaluationSet, LengthControl]:
    """Read the test set, and what is asked of the model on its lines."""
    from subfit.evaluation.corpus import read_evaluation_set
    from subfit.evaluation.length_control import make_length_control

    control = make_length_control(**wished)
    test = read_evaluation_set(file, limit, turned=turned, references=references)
    return test, replace(control, length=control.length.of(test))


def _figures_of(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Label the figures, each with its 95 % interval and the settings that made it."""
    from subfit.evaluation.tables import digits_of

    for name, figure in evaluation.figures.items():
        digits, between = digits_of(name), ""
        if figure.low is not None and figure.high is not None:
            between = f" [{figure.low:.{digits}f}, {figure.high:.{digits}f}]"
        yield name, f"{figure.value:.{digits}f}{between}  ({figure.signature})"
    for label, lines, what in (
        ("asked", evaluation.asked_lines, " were asked a length of"),
        ("condensed", evaluation.condensed, " lack words of their source"),
        ("untranslated", evaluation.untranslated, ", kept as they are"),
    ):
        if lines:
            yield label, f"{lines} lines{what}"
    if (setup := evaluation.setup) is not None:
        seed = "" if setup.seed is None else f", trained with seed {setup.seed}"
        if setup.channel_model is not None:
            yield "ranked by", f"{setup.channel_model}, as it gives the sources back"
        yield "computed", f"in {setup.precision} on {setup.device}{seed}"
    yield "output", f"SHA-256 {evaluation.checksum[:12]}"
    yield "time", f"{evaluation.seconds:.1f} s, {evaluation.sentences_per_second:.1f} sentences/s"


def _differences_of(row: RowResult, other: Evaluation) -> Iterator[tuple[str, str]]:
    """Label the differences to another system, each with its 95 % interval and p-value."""
    from subfit.evaluation.tables import digits_of

    for name, found in row.differences.items():
        digits = digits_of(name)
        here, there = (f"{one.value(name):.{digits}f}" for one in (row.evaluation, other))
        between = f"[{found.low:+.{digits}f}, {found.high:+.{digits}f}]"
        yield name, f"{here} and {there}, {found.value:+.{digits}f} {between}, p = {found.p:.4f}"
    yield "test", "paired approximate randomisation, intervals by paired bootstrap"
