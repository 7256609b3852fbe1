"""``subfit evaluate``: a model and a test set in, figures out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.measured import (
    adequacy_figures,
    asked_of,
    differences,
    figures_of,
    rouge_figures,
    round_trip_figures,
)
from subfit.cli.output import print_json
from subfit.cli.parameters import FILE, NAME_OR_PATH, takes
from subfit.decoding.prompts.template import TalkSettings
from subfit.errors import UsageError
from subfit.files import check_writable, write_bytes
from subfit.hub.contents import is_translations
from subfit.model.config import Computing

if TYPE_CHECKING:
    from subfit.decoding.any_translator import AnyTranslator
    from subfit.evaluation.adequacy import Adequacy
    from subfit.evaluation.evaluation import Evaluation
    from subfit.evaluation.evaluation_set import EvaluationSet
    from subfit.evaluation.length_control import LengthControl
    from subfit.evaluation.rouge import Rouge
    from subfit.evaluation.round_trip import RoundTrip
    from subfit.evaluation.significance import Significance


@dataclass(frozen=True, slots=True)
class _Asked:
    """The systems that are measured, on what, and how they search."""

    file: Path
    model: str
    beside: tuple[str, ...]
    against: str | None
    back_model: str | None
    channel_model: str
    source_language: str | None
    target_language: str | None
    beam: int | None
    length_penalty: float | None
    coverage_penalty: float | None
    computing: Computing
    talk: TalkSettings

    def check(self, test: EvaluationSet) -> None:
        """Find out before the work whether all systems are there, and for these languages."""
        pair = self.pair(test)
        _check_systems(self.model, self.beside, test, self.target_language, pair)
        if self.against is not None:
            _check_other(self.against, test, self.target_language, pair)
        if self.back_model is not None:
            _check_back(self.back_model, pair)

    def pair(self, test: EvaluationSet) -> tuple[str, str]:
        """The languages to find a model for."""
        source, target = test.languages
        return self.source_language or source or "und", self.target_language or target or "und"

    def measure(self, test: EvaluationSet, control: LengthControl, messages: Messages) -> _Outcome:
        """Load the systems, and translate with them."""
        # These take seconds to import: wrong arguments are told before.
        from subfit.decoding.loading import Wanted
        from subfit.evaluation.evaluation import evaluate as measure
        from subfit.evaluation.systems import (
            evaluate_other,
            load_back_model,
            load_system,
            settings_of,
        )

        settings = settings_of(self.beam, self.length_penalty, self.coverage_penalty)
        wanted = Wanted(self.source_language, self.target_language, settings=settings)
        computing, talk = self.computing, self.talk
        translator = back = other = trip = None
        if not is_translations(self.model):
            translator = load_system(
                self.model, test, wanted, computing, talk, self.beside, self.channel_model
            )
        if self.back_model is not None:
            back = load_back_model(self.back_model, translator, self.pair(test), computing, talk)
        if self.against is not None:
            other = evaluate_other(self.against, test, control, wanted, computing, talk)
        with messages.progress(self.file.name, len(test.pairs)) as advance:
            if translator is None:
                own = evaluate_other(self.model, test, control, wanted)
            else:
                own = measure(translator, test.pairs, control, on_progress=advance)
        if back is not None:
            trip = _round_trip(back, test, own, messages)
        return _Outcome(self.model if translator is None else translator.name, own, other, trip)


class _Outcome(NamedTuple):
    """What systems made of a test set."""

    name: str
    own: Evaluation
    other: Evaluation | None
    trip: RoundTrip | None


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("file", type=FILE, metavar="FILE.tsv")
@click.option(
    "--beside",
    type=NAME_OR_PATH,
    multiple=True,
    metavar="OTHER",
    help="A model that translates together with MODEL, their log-probabilities averaged; "
    "repeatable.",
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
@options.adequacy_option
@options.rouge_option
@click.option(
    "--back-model",
    type=NAME_OR_PATH,
    metavar="OTHER",
    help="Also rate the translations by how well this model, which translates the other way, gives "
    "their sources back.",
)
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
    output: Path | None,
    overwrite: bool,
    json: bool,
    adequacy: bool,
    rouge: int | None,
    **wished: Any,
) -> None:
    """Measure a model on a test set.

    MODEL is what 'subfit translate --model' takes: a folder, a name, a server; or a file of
    translations, one a line. FILE.tsv has lines of source and reference, or of corpus, source and
    reference, parted by tabs; it may be packed as .xz or .gz. Its name may tell the languages, as
    test.en-de.tsv does.
    """
    test, control = _read(asked.file, limit, turned=turned, **wished)
    asked.check(test)
    if output is not None:
        check_writable(output, overwrite=overwrite)
    messages = Messages(data_on_stdout=json, quiet=False)
    name, own, other, trip = asked.measure(test, control, messages)
    if output is not None:
        text = "".join(f"{line}\n" for line in own.hypotheses)
        write_bytes(output, text.encode("utf-8"), overwrite=overwrite)
    measured = _Measured(
        own,
        adequacy=_adequacy(test, own) if adequacy else None,
        recall=None if rouge is None else _rouge(test, own, rouge),
        trip=trip,
        against=asked.against,
        other=other,
        difference=None if other is None else _test(test, other, own, trials),
    )
    if json:
        print_json(measured.document(asked.file))
        return
    click.echo(f"{name} on {asked.file}: {own.lines} lines")
    messages.figures(list(measured.figures()))
    if other and measured.difference:
        click.echo(f"against {asked.against}{asked_of(other)}:")
        messages.figures(differences(own, other, measured.difference))


@dataclass(frozen=True, slots=True)
class _Measured:
    """All that was measured; None for what was not asked for."""

    evaluation: Evaluation
    adequacy: Adequacy | None
    recall: Rouge | None
    trip: RoundTrip | None
    against: str | None
    other: Evaluation | None
    difference: Significance | None

    def document(self, file: Path) -> dict[str, Any]:
        """Return it as JSON values."""
        document = {"file": str(file), **self.evaluation.to_dict()}
        if self.recall:
            document["rouge"] = self.recall.to_dict()
        if self.adequacy:
            document["adequacy"] = asdict(self.adequacy)
        if self.trip:
            document["round_trip"] = self.trip.to_dict()
        if self.other and self.difference:
            document["against"] = {"system": self.against, **self.other.to_dict()}
            document["significance"] = self.difference.to_dict()
        return document

    def figures(self) -> Iterator[tuple[str, str]]:
        """Label the figures."""
        yield from figures_of(self.evaluation)
        yield from adequacy_figures(self.adequacy)
        yield from rouge_figures(self.recall)
        yield from round_trip_figures(self.trip)


def _read(
    file: Path, limit: int | None, *, turned: bool, **wished: Any
) -> tuple[EvaluationSet, LengthControl]:
    """Read the test set, and what is asked of the model on its lines."""
    from subfit.evaluation.evaluation_set import read_evaluation_set
    from subfit.evaluation.length_control import make_length_control

    control = make_length_control(**wished)
    test = read_evaluation_set(file, limit, turned=turned)
    return test, replace(control, length=control.length.of(test))


def _check_systems(
    model: str,
    beside: tuple[str, ...],
    test: EvaluationSet,
    target_language: str | None,
    pair: tuple[str, str],
) -> None:
    """Find out before the work whether there is anything to measure."""
    if not is_translations(model):
        for path in (model, *beside):
            _check_model(path, target_language, pair)
    elif beside:
        raise UsageError(f"{model} is a file of translations; no --beside translates with it")
    else:
        _check_other(model, test, target_language, pair)


def _check_model(model: str, target_language: str | None, pair: tuple[str, str]) -> None:
    """Find out whether a model is there, and is for a language, as far as the user named one."""
    from subfit.model.bundled import check_target, find_model

    check_target(find_model(model, *pair), target_language)


def _check_back(back_model: str, pair: tuple[str, str]) -> None:
    """Find out before the work whether a model translates back, as far as that is known."""
    from subfit.model.bundled import check_direction, find_model

    source, target = pair
    place = find_model(back_model, target, source)
    if "und" not in pair:
        check_direction(place, target, source)


def _round_trip(
    back: AnyTranslator, test: EvaluationSet, evaluation: Evaluation, messages: Messages
) -> RoundTrip:
    from subfit.evaluation.round_trip import round_trip

    with messages.progress("back", len(test.pairs)) as advance:
        return round_trip(back, test.sources, evaluation.hypotheses, advance)


def _check_other(
    against: str, test: EvaluationSet, target_language: str | None, pair: tuple[str, str]
) -> None:
    """Find out before the work whether there is anything to test the difference to."""
    from subfit.evaluation.evaluation_set import read_lines

    if is_translations(against):
        test.select(read_lines(Path(against)), Path(against))
    else:
        _check_model(against, target_language, pair)


def _test(test: EvaluationSet, other: Evaluation, own: Evaluation, trials: int) -> Significance:
    from subfit.evaluation.significance import paired_test

    return paired_test(
        other.hypotheses,
        own.hypotheses,
        sources=test.sources,
        references=test.references,
        trials=trials,
    )


def _adequacy(test: EvaluationSet, evaluation: Evaluation) -> Adequacy:
    from subfit.evaluation.adequacy import adequacy_of
    from subfit.evaluation.word_alignment import learn_alignment

    systems = {"": evaluation.hypotheses}
    return adequacy_of(systems, test.sources, test.references, learn_alignment)[""]


def _rouge(test: EvaluationSet, evaluation: Evaluation, most: int) -> Rouge:
    from subfit.evaluation.rouge import rouge

    return rouge(evaluation.hypotheses, test.references, most or None)
