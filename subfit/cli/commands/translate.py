"""``subfit translate``: subtitles in, subtitles that fit out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import click

from subfit.batch.failures import FAILED
from subfit.batch.items import STREAM, Result
from subfit.batch.job import Cluster, Job
from subfit.batch.outcome import Outcome
from subfit.batch.plan import Plan, is_script, plan_items, says_target
from subfit.batch.run import Run, opened
from subfit.batch.setup import make_setup
from subfit.batch.source_language import guess_source
from subfit.cli.failures import OVER_LIMITS, print_json
from subfit.cli.options import shared
from subfit.cli.options.binding import takes
from subfit.cli.options.types import FILE, NAME_OR_PATH
from subfit.cli.views.batch import ManyFiles, OneFile, rehearsed
from subfit.cli.views.console import Messages
from subfit.errors import UsageError
from subfit.reporting.files.rendering import REPORT_SUFFIXES
from subfit.reporting.report import CueOrder
from subfit.reporting.wording import count_of
from subfit.speech.voice import VoiceName
from subfit.subtitles.bilingual import Bilingual
from subfit.subtitles.sdh import SdhWish
from subfit.text.formality import FormalityWish


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@shared.target_languages_option
@shared.guessed_source_option
@shared.reading_options(frames="of time codes with frames and for gaps in frames")
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE|FOLDER",
    help="File to write, '-' for stdout; its suffix chooses the format. Or a folder, of several "
    "translations always: one that is there, or any that ends in '/'.  [default: movie.de.srt for "
    "movie.srt, stdout for '-']",
)
@shared.output_options
@click.option("--output-encoding", metavar="NAME", help="Encoding to write.  [default: utf-8]")
@shared.overwrite_option("Replace existing files.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first file that fails.")
@shared.limit_options
@shared.length_ratio_option
@shared.isometric_option
@shared.line_shape_option
@click.option(
    "--model",
    type=NAME_OR_PATH,
    multiple=True,
    metavar="NAME|FOLDER|URL#NAME",
    help="Model to use: a name, a folder, or a server's address and its name for the model; "
    "repeatable: several translate together, their log-probabilities averaged.  "
    "[default: the one for the languages]",
)
@shared.search_options
@click.option(
    "--alternatives",
    type=click.IntRange(0, 30),
    default=0,
    show_default=True,
    metavar="N",
    help="Search for N other translations of every sentence, at several lengths; the report and "
    "--json list them.",
)
@shared.term_options
@shared.memory_option
@click.option(
    "--memory-out",
    type=FILE,
    metavar="FILE",
    help="Keep the sentences with their translations: .tmx, .tsv or .memory.",
)
@click.option(
    "--bilingual",
    type=click.Choice(get_args(Bilingual)),
    help="Put the source into every cue as well, above or below the translation. Budget and report "
    "are of the translation alone.",
)
@shared.timing_options
@shared.condense_option
@shared.strict_budget_option(default=False)
@click.option(
    "--formality",
    type=click.Choice(get_args(FormalityWish)),
    help="How people are addressed (du or Sie, tu or vous); auto: in one form through each file, "
    "which the report names. Needs a model that was trained for it.",
)
@click.option(
    "--translate-sounds/--no-translate-sounds",
    default=False,
    show_default=True,
    help="Also translate [DOOR SLAMS].",
)
@click.option(
    "--sdh",
    type=click.Choice(get_args(SdhWish)),
    default="keep",
    show_default=True,
    help="What becomes of labels in subtitles, [DOOR SLAMS] and MAN: keep them, translate the "
    "usual ones from English, or remove all (for a hearing audience), with cues that are nothing "
    "else.",
)
@click.option(
    "--join/--no-join",
    default=True,
    show_default=True,
    help="Translate a sentence that runs over several cues as one; or every cue by itself.",
)
@shared.report_option
@click.option(
    "--cue-reports",
    type=FILE,
    metavar="FOLDER",
    help="Of several translations in one folder: write a report on every cue of each.",
)
@click.option(
    "--cue-report-format",
    type=click.Choice([suffix[1:] for suffix in REPORT_SUFFIXES]),
    help="What --cue-reports writes.  [default: json]",
)
@click.option(
    "--sort",
    type=click.Choice(get_args(CueOrder)),
    default="cue",
    show_default=True,
    help="How reports and --json list cues: as the file has them, or the riskiest first.",
)
@shared.json_option
@shared.dry_run_option
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Translate in this process, or on the workers of a Ray cluster.",
)
@click.option(
    "--ray-address",
    metavar="ADDRESS",
    help="A Ray cluster that runs already; 'auto' is this machine's.  [default: start one here]",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Ray workers, each with its model."
)
@shared.quiet_option
@shared.dubbing_options
@click.option(
    "--voice",
    type=click.Choice(get_args(VoiceName)),
    help="Let this program, if it is installed, say the lines of dubbing scripts and measure "
    "them; it decides where the estimate leaves open whether they fit.",
)
@shared.computing_options
@shared.talk_options
@takes(shared.FIELDS, job=Job, cluster=Cluster)
def translate(job: Job, cluster: Cluster, engine: str, json: bool, quiet: bool) -> int:
    """Translate subtitles so that every cue keeps its character budget.

    INPUT is a .srt, .vtt or .txt file (one sentence a line), a dubbing script (.csv, .tsv, .xlsx),
    a folder with such files, a pattern such as 'films/*.srt', or '-' for standard input. A file
    that fails does not stop the others. Several translations in one folder can be interrupted: the
    same command goes on with them.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues are over their
    budget, or could not be translated or read.
    """
    if engine == "ray":
        job = replace(job, cluster=cluster)
    elif cluster != Cluster():
        raise UsageError("--ray-address and --workers are for --engine ray")
    guess = None if job.source_language else guess_source(job.inputs, job.languages)
    if guess is not None:
        job = job.translating_from(guess.language)
    entries = job.term_files.read(job.source_language, job.languages)
    job = replace(job, options=replace(job.options, terms=tuple(entries.terms)))
    output = job.writing.output
    to_stdout = STREAM in (output, *job.inputs) and output in (None, STREAM)
    if json and to_stdout and not job.dry_run:
        raise UsageError("--json and the translation both go to stdout; name a file with -o")
    messages = Messages(data_on_stdout=json or to_stdout, quiet=quiet)
    if guess is not None and guess.why:
        messages.note(f"source language: {guess.language}, by {guess.why}; -s names another")
    for note in entries.notes:
        messages.note(note)
    try:
        outcome = _run(job, messages)
    except UsageError as error:
        if guess is None or not guess.why:
            raise
        raise UsageError(
            f"{error} ({guess.why} says {guess.language}; -s names another)"
        ) from error
    exit_code = FAILED if outcome.failed else OVER_LIMITS if outcome.over else 0
    if json:
        print_json({"exit_code": exit_code, **outcome.to_dict()})
    return exit_code


def _run(job: Job, messages: Messages) -> Outcome:
    """Translate every input into every language, telling the user of it."""
    setup = make_setup(job)  # a wrong argument is told before what may be in the way of results
    plan = plan_items(job)
    for warning in _named_as_translations(plan, job.source_language):
        messages.warning(warning)
    with opened(job, plan, setup) as run:
        if job.dry_run:
            return rehearsed(run, messages)
        outcome = Outcome(run, tuple(_translated(run, messages)))
        if job.writing.report is not None:
            outcome.write_report(job.writing.report)
        if job.writing.memory_out is not None:
            outcome.write_memory(job.writing.memory_out)
    return outcome


def _named_as_translations(plan: Plan, source_language: str) -> Iterator[str]:
    """Warn of inputs whose names say that they are translations; of a script that is the use."""
    for language in dict.fromkeys(item.language for item in plan.items):
        named = [
            item.source
            for item in plan.items
            if item.language == language
            and says_target(Path(item.source), language, source_language)
            and not is_script(Path(item.source))
        ]
        if named:
            more = f" (and {count_of(len(named) - 1, 'more file')})" if len(named) > 1 else ""
            yield (
                f"{named[0]}{more}: named as in {language} already, translated all the same as "
                f"{source_language}; -s names another language"
            )


def _translated(run: Run, messages: Messages) -> list[Result]:
    """Translate what is to do, and tell of it: of one file in detail, of many in a line each."""
    if run.plan.several:
        many = ManyFiles(messages)
        with many.watching(run.plan, run.triage):
            results = run.complete(many)
        many.end(results)
        return results
    one = OneFile(messages, for_screens=run.job.limits.for_screens)
    with one.watching(run.plan):
        return run.complete(one)
