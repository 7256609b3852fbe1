"""``subfit condense``: subtitles in, the same in fewer words out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from subfit.batch.job import Job
from subfit.cli.options import batch, constraints, inference, shared
from subfit.cli.options.binding import takes
from subfit.cli.options.types import NAME_OR_PATH, language_in_name
from subfit.cli.running import exit_code_of, messages_for, run_job
from subfit.errors import UsageError
from subfit.limits.budget import LengthRatio

_DEFAULT_LANGUAGE = "en"


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@shared.target_language_option(
    "Language of the subtitles.  [default: from the file's name, as in movie.en.srt, or en]"
)
@shared.reading_options(shared.SUBTITLE_FORMATS, frames="for gaps in frames")
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE|FOLDER",
    help="File to write, '-' for stdout; its suffix chooses the format. Or a folder, of several "
    "files always: one that is there, or any that ends in '/'.  [default: movie.condensed.en.srt "
    "for movie.en.srt, stdout for '-']",
)
@shared.output_options
@click.option(
    "--output-encoding", metavar="NAME", help="Encoding to write.  [default: the input's]"
)
@shared.overwrite_option("Replace existing files.")
@batch.fail_fast_option
@constraints.limit_options
@click.option(
    "--length-ratio",
    type=LengthRatio.parse,
    metavar=":MAX",
    help="Length of a cue as a multiple of what it has, as :0.8, beside the other limits.",
)
@constraints.line_shape_option
@click.option(
    "--model",
    type=NAME_OR_PATH,
    multiple=True,
    metavar="FOLDER",
    help="A model that writes the language anew, shorter (recipe condense-en), beside the rules; "
    "repeatable: several together, their log-probabilities averaged.",
)
@click.option(
    "--rules/--no-rules",
    "condense",
    default=True,
    help="Shorten by rules: contractions, shorter words, leaving out what can be spared. They are "
    "for English.",
)
@inference.search_options
@click.option(
    "--alternatives",
    type=click.IntRange(0, 30),
    default=0,
    show_default=False,
    metavar="N",
    help="Tell of up to N other texts that fit, of every shortened cue.  [default: 4]",
)
@shared.keep_options
@constraints.timing_options
@click.option(
    "--strict-budget/--no-strict-budget",
    default=False,
    help="Keep to budgets also where that loses something essential: a name, a number, a denial, "
    "half of what is said. Otherwise such a cue stays as it is, over its budget, marked.",
)
@click.option(
    "--sdh",
    type=click.Choice(("keep", "remove")),
    default="keep",
    help="Keep labels such as [DOOR SLAMS] and MAN:, which are not shortened; or remove all, with "
    "cues that are nothing else.",
)
@shared.report_option
@batch.cue_reports_option
@batch.cue_report_format_option
@batch.sort_option
@shared.json_option
@shared.dry_run_option
@shared.quiet_option
@inference.computing_options
@takes(shared.FIELDS, job=Job)
def condense(job: Job, target_language: str | None, json: bool, quiet: bool) -> int:
    """Shorten the cues that are over their budgets, in their own language.

    INPUT is a .srt, .vtt or .txt file, a folder with such files, a pattern such as 'films/*.srt',
    or '-' for standard input. What is within its budget stays as it is, to the last byte. What is
    over is said in fewer words; if that would lose something essential, it stays, over its budget,
    unless the budget is strict. Several files in one folder can be interrupted: the same command
    goes on with them.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues are over their
    budget, or could not be read.
    """
    job = _completed(job, target_language)
    messages = messages_for(job, json=json, quiet=quiet)
    return exit_code_of(run_job(job, messages), json=json)


def _completed(job: Job, language: str | None) -> Job:
    """The job with its language and the names to keep."""
    if not (job.options.condense or job.models):
        raise UsageError("--no-rules leaves nothing to shorten with; name a model with --model")
    language = language or _language_of(job.inputs)
    options = replace(job.options, source_language=language)
    job = replace(job, languages=(language,), options=options, shortens=True)
    entries = job.term_files.read(language, job.languages)
    return replace(job, options=replace(options, terms=tuple(entries.terms)))


def _language_of(inputs: Sequence[str]) -> str:
    """The language that the names of inputs say, if they say one."""
    named = {language_in_name(name) for name in inputs} - {"und"}
    if len(named) > 1:
        languages = ", ".join(sorted(named))
        raise UsageError(f"the names of the inputs say several languages ({languages}); pass -t")
    return named.pop() if named else _DEFAULT_LANGUAGE
