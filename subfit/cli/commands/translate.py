"""``subfit translate``: subtitles in, subtitles that fit out."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import click

from subfit.batch.job import Cluster, Job
from subfit.batch.pivot import with_bundled_pivot
from subfit.batch.source_language import guess_source
from subfit.cli.options import batch, constraints, inference, shared
from subfit.cli.options.binding import takes
from subfit.cli.options.types import FILE, NAME_OR_PATH
from subfit.cli.running import exit_code_of, messages_for, run_job
from subfit.errors import UsageError
from subfit.model.startup import defer_shape_rules
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
@batch.fail_fast_option
@constraints.limit_options
@constraints.length_ratio_option
@constraints.isometric_option
@constraints.line_shape_option
@click.option(
    "--model",
    type=NAME_OR_PATH,
    multiple=True,
    metavar="NAME|FOLDER|URL#NAME",
    help="Model to use: a name, a folder, or a server's address and its name for the model; "
    "repeatable: several translate together, their log-probabilities averaged.  "
    "[default: the one for the languages]",
)
@click.option(
    "--pivot-model",
    type=NAME_OR_PATH,
    metavar="NAME|FOLDER|URL#NAME",
    help="Translate through English, where no model translates between the languages: this model "
    "into English, --model (or the one for English) from there.",
)
@inference.channel_option
@inference.search_options
@click.option(
    "--alternatives",
    type=click.IntRange(0, 30),
    default=0,
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
@constraints.timing_options
@constraints.condense_option
@constraints.strict_budget_option(default=False)
@click.option(
    "--formality",
    type=click.Choice(get_args(FormalityWish)),
    help="How people are addressed (du or Sie, tu or vous); auto: in one form through each file, "
    "which the report names; any: as it comes. By default auto, but any with models that are told "
    "in words what to do.",
)
@click.option(
    "--translate-sounds/--no-translate-sounds", default=False, help="Also translate [DOOR SLAMS]."
)
@click.option(
    "--sdh",
    type=click.Choice(get_args(SdhWish)),
    default="keep",
    help="What becomes of labels in subtitles, [DOOR SLAMS] and MAN: keep them, translate the "
    "usual ones from English, or remove all (for a hearing audience), with cues that are nothing "
    "else.",
)
@click.option(
    "--join/--no-join",
    default=True,
    help="Translate a sentence that runs over several cues as one; or every cue by itself.",
)
@shared.report_option
@batch.cue_reports_option
@batch.cue_report_format_option
@batch.sort_option
@shared.json_option
@shared.dry_run_option
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
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
@constraints.dubbing_options
@click.option(
    "--voice",
    type=click.Choice(get_args(VoiceName)),
    help="Let this program, if it is installed, say the lines of dubbing scripts and measure "
    "them; it decides where the estimate leaves open whether they fit.",
)
@inference.computing_options
@inference.talk_options
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
    defer_shape_rules()
    if engine == "ray":
        job = replace(job, cluster=cluster)
    elif cluster != Cluster():
        raise UsageError("--ray-address and --workers are for --engine ray")
    guess = None if job.source_language else guess_source(job.inputs, job.languages)
    if guess is not None:
        job = job.translating_from(guess.language)
    job = with_bundled_pivot(job)
    entries = job.term_files.read(job.source_language, job.languages)
    job = replace(job, options=replace(job.options, terms=tuple(entries.terms)))
    messages = messages_for(job, json=json, quiet=quiet)
    if guess is not None and guess.why:
        messages.note(f"source language: {guess.language}, by {guess.why}; -s names another")
    for note in entries.notes:
        messages.note(note)
    if job.pivot_model is not None:
        messages.note(f"through English: {job.pivot_model} translates into it first")
    try:
        outcome = run_job(job, messages)
    except UsageError as error:
        told = guess.explaining(str(error)) if guess is not None else str(error)
        if told == str(error):
            raise
        raise UsageError(told) from error
    return exit_code_of(outcome, json=json)
