"""``subfit evaluate``: a model and a test set in, figures out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli.failures import print_json
from subfit.cli.options import constraints, inference, shared
from subfit.cli.options.binding import takes
from subfit.cli.options.models import check_model
from subfit.cli.options.types import FILE, NAME_OR_PATH
from subfit.cli.views.console import Messages
from subfit.decoding.talk import TalkSettings
from subfit.files import check_writable, write_bytes
from subfit.hub.kinds import is_gguf
from subfit.model.computing import Computing
from subfit.reporting.lengths import plain_data
from subfit.reporting.wording import number, percent, spread_of

if TYPE_CHECKING:
    from subfit.evaluation.adequacy import Adequacy
    from subfit.evaluation.evaluation import Evaluation
    from subfit.evaluation.evaluation_set import EvaluationSet
    from subfit.evaluation.length_control import LengthControl
    from subfit.evaluation.rouge import Rouge
    from subfit.evaluation.significance import Significance


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
@constraints.length_ratio_option
@constraints.isometric_option
@click.option(
    "--natural-ratio",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="X",
    help="Ceiling of a translation as a multiple of the characters of the model's own natural "
    "translation: 0.85 asks for 15 % less.",
)
@constraints.condense_option
@constraints.strict_budget_option(default=True)
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
@shared.source_language_of("Language of the sources, for a model that must be told.")
@shared.target_language_option("Language to translate into, for a model of several.")
@shared.limit_option
@shared.turned_option
@inference.search_options
@click.option(
    "--against",
    type=NAME_OR_PATH,
    metavar="OTHER",
    help="Test the difference to another model, or to a file of translations, for significance.",
)
@shared.trials_option
@shared.adequacy_option
@shared.rouge_option
@inference.measuring_options
@click.option(
    "-o", "--output", type=FILE, metavar="FILE", help="Write the translations here, one a line."
)
@shared.overwrite_option("Replace an existing output file.")
@shared.json_option
@inference.prompt_option
@inference.server_options
@takes(computing=Computing, talk=TalkSettings)
def evaluate(
    model: str,
    file: Path,
    beside: tuple[str, ...],
    source_language: str | None,
    target_language: str | None,
    limit: int | None,
    turned: bool,
    beam: int | None,
    length_penalty: float | None,
    coverage_penalty: float | None,
    against: str | None,
    trials: int,
    computing: Computing,
    talk: TalkSettings,
    output: Path | None,
    overwrite: bool,
    json: bool,
    adequacy: bool,
    rouge: int | None,
    **wished: Any,
) -> None:
    """Measure a model on a test set.

    MODEL is what 'subfit translate --model' takes: a folder, a name, a server. FILE.tsv has lines
    of source and reference, or of corpus, source and reference, parted by tabs; it may be packed as
    .xz or .gz. Its name may tell the languages, as test.en-de.tsv does.
    """
    test, control = _read(file, limit, turned=turned, **wished)
    pair = _pair(test, source_language, target_language)
    for path in (model, *beside):
        check_model(path, target_language, pair)
    if against is not None:
        _check_other(against, test, target_language, pair)
    if output is not None:
        check_writable(output, overwrite=overwrite)
    # These take seconds to import: wrong arguments are told before.
    from subfit.decoding.loading import Wanted
    from subfit.evaluation.evaluation import evaluate as measure
    from subfit.evaluation.rouge import rouge as rouge_of
    from subfit.evaluation.systems import evaluate_other, load_system, settings_of

    settings = settings_of(beam, length_penalty, coverage_penalty)
    wanted = Wanted(source_language, target_language, settings=settings)
    translator = load_system(model, test, wanted, computing, talk, beside)
    messages = Messages(data_on_stdout=json, quiet=False)
    other = None
    if against is not None:
        other = evaluate_other(against, test, control, wanted, computing, talk)
    with messages.progress(file.name, len(test.pairs)) as advance:
        evaluation = measure(translator, test.pairs, control, on_progress=advance)
    if output is not None:
        text = "".join(f"{line}\n" for line in evaluation.hypotheses)
        write_bytes(output, text.encode("utf-8"), overwrite=overwrite)
    difference = None if other is None else _test(test, other, evaluation, trials)
    measured = _adequacy(test, evaluation) if adequacy else None
    recall = (
        None if rouge is None else rouge_of(evaluation.hypotheses, test.references, rouge or None)
    )
    if json:
        document = {"file": str(file), **evaluation.to_dict()}
        if recall:
            document["rouge"] = recall.to_dict()
        if measured:
            document["adequacy"] = asdict(measured)
        if other and difference:
            document["against"] = {"system": against, **other.to_dict()}
            document["significance"] = difference.to_dict()
        print_json(document)
        return
    click.echo(f"{translator.name} on {file}: {evaluation.lines} lines")
    messages.figures([*_figures(evaluation), *_adequacy_figures(measured), *_rouge_figures(recall)])
    if other and difference:
        click.echo(f"against {against}{_asked(other)}:")
        messages.figures(_differences(evaluation, other, difference))


def _read(
    file: Path, limit: int | None, *, turned: bool, **wished: Any
) -> tuple[EvaluationSet, LengthControl]:
    """Read the test set, and what is asked of the model on its lines."""
    from subfit.evaluation.evaluation_set import read_evaluation_set
    from subfit.evaluation.length_control import make_length_control

    control = make_length_control(**wished)
    test = read_evaluation_set(file, limit, turned=turned)
    return test, replace(control, length=control.length.of(test))


def _pair(test: EvaluationSet, source: str | None, target: str | None) -> tuple[str, str]:
    """The languages to find a model for."""
    languages = test.languages
    return source or languages[0] or "und", target or languages[1] or "und"


def _check_other(
    against: str, test: EvaluationSet, target_language: str | None, pair: tuple[str, str]
) -> None:
    """Find out before the work whether there is anything to test the difference to."""
    from subfit.evaluation.evaluation_set import read_lines

    if Path(against).is_file() and not is_gguf(against):
        test.select(read_lines(Path(against)), Path(against))
    else:
        check_model(against, target_language, pair)


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


def _rouge_figures(recall: Rouge | None) -> Iterator[tuple[str, str]]:
    if recall is not None:
        cut = f", cut at {recall.bytes} bytes" if recall.bytes else ""
        values = f"{recall.rouge_1:.2f} / {recall.rouge_2:.2f} / {recall.rouge_l:.2f}"
        yield "ROUGE", f"{values} (recall of words, pairs, longest subsequence{cut})"


def _adequacy_figures(measured: Adequacy | None) -> Iterator[tuple[str, str]]:
    if measured:
        yield "REP", f"{measured.rep:.2f}  ({measured.signature})"
        yield "DROP", f"{measured.drop:.2f}  ({measured.signature})"


def _asked(other: Evaluation) -> str:
    return f", asked for {other.setup.ask}" if other.setup else ""


def _differences(
    own: Evaluation, other: Evaluation, difference: Significance
) -> Iterator[tuple[str, str]]:
    """Label the differences to another system, each with its p-value."""
    rows = (
        ("BLEU", own.quality.bleu.value, other.quality.bleu.value, difference.bleu),
        ("chrF", own.quality.chrf.value, other.quality.chrf.value, difference.chrf),
        ("LR source", own.source_ratio.mean, other.source_ratio.mean, difference.length_ratio),
    )
    for label, here, there, p in rows:
        digits = 3 if label == "LR source" else 2
        yield (
            label,
            f"{here:.{digits}f} and {there:.{digits}f}, {here - there:+.{digits}f}, p = {p:.4f}",
        )
    yield "test", f"paired approximate randomisation ({difference.signature})"


def _figures(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Label the figures; every score with the settings that made it."""
    quality, compliance = evaluation.quality, evaluation.compliance
    yield "BLEU", f"{quality.bleu.value:.2f}  ({quality.bleu.signature})"
    yield "BLEU*", f"{quality.bleu_star.value:.2f}  ({quality.bleu_star.signature})"
    yield "chrF", f"{quality.chrf.value:.2f}  ({quality.chrf.signature})"
    yield "LR source", spread_of(plain_data(evaluation.source_ratio), 3)
    yield "LR reference", spread_of(plain_data(evaluation.reference_ratio), 3)
    yield (
        "LC",
        f"{percent(compliance.iwslt)} (IWSLT rule), {percent(compliance.strict)} (strict rule)",
    )
    if evaluation.variance is not None:
        unit = (
            f" in {evaluation.setup.unit}"
            if evaluation.setup and evaluation.setup.unit != "characters"
            else ""
        )
        lines = f"{evaluation.asked_lines} lines asked a length of{unit}"
        yield "VAR", f"{number(evaluation.variance, 2)} over {lines}"
    yield (
        "VAR reference",
        f"{number(evaluation.reference_variance, 2)} against the references' lengths",
    )
    if evaluation.tokens is not None and evaluation.setup and evaluation.setup.unit == "tokens":
        yield (
            "VAR tokens",
            f"{number(evaluation.tokens.reference_variance, 2)} against the references'",
        )
        yield "LR tokens", spread_of(plain_data(evaluation.tokens.reference_ratio), 3)
    if evaluation.overflow is not None:
        over = evaluation.overflow
        yield (
            "over budget",
            f"{percent(over.share)} of lines, {number(over.characters)} characters in all",
        )
    if evaluation.doubtful:
        yield "in doubt", f"{evaluation.doubtful} lines may end too early"
    if evaluation.condensed:
        yield "condensed", f"{evaluation.condensed} lines lack words of their source"
    if evaluation.untranslated:
        yield "untranslated", f"{evaluation.untranslated} lines, kept as they are"
    if evaluation.setup is not None:
        setup = evaluation.setup
        seed = "" if setup.seed is None else f", trained with seed {setup.seed}"
        yield "computed", f"in {setup.precision} on {setup.device}{seed}"
    yield "output", f"SHA-256 {evaluation.checksum[:12]}"
    yield "time", f"{evaluation.seconds:.1f} s, {evaluation.sentences_per_second:.1f} sentences/s"
