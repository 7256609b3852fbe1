"""``subfit translate``: subtitles in, subtitles that fit out."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import get_args

import click

from subfit.batch.job import Job
from subfit.batch.plan import guess_source
from subfit.batch.setup import with_bundled_pivot
from subfit.cli import options
from subfit.cli.parameters import takes
from subfit.cli.running import exit_code_of, messages_for, run_job
from subfit.model.startup import defer_shape_rules
from subfit.subtitles.pairing import Bilingual
from subfit.subtitles.sdh import SdhWish
from subfit.text.formality import FormalityWish


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@options.target_languages_option
@options.guessed_source_option
@options.reading_options(frames="of time codes with frames and for gaps in frames")
@options.output_options(
    "  [default: movie.de.srt for movie.srt, stdout for '-']", "Replace existing files."
)
@click.option("--output-encoding", metavar="NAME", help="Encoding to write.  [default: utf-8]")
@options.fail_fast_option
@options.limit_options
@options.length_ratio_option
@options.isometric_option
@options.line_shape_option
@options.model_option(
    "--model",
    "Model to use: a name, a folder, or a server's address and its name for the model; "
    "repeatable: several translate together, their log-probabilities averaged.  "
    "[default: the one for the languages]",
    multiple=True,
)
@options.model_option(
    "--pivot-model",
    "Translate through English, where no model translates between the languages: this model into "
    "English, --model (or the one for English) from there.",
)
@options.beam_option
@click.option("--alternatives", type=click.IntRange(0, 30), default=0, metavar="N",
    help="Search for N other translations of every sentence, at several lengths; the "
    "report and --json list them.")  # fmt: skip
@options.term_options
@options.memory_option
@click.option("--bilingual", type=click.Choice(get_args(Bilingual)),
    help="Put the source into every cue as well, above or below the translation. "
    "Budget and report are of the translation alone.")  # fmt: skip
@options.timing_options
@options.strict_budget_option(default=False)
@click.option("--formality", type=click.Choice(get_args(FormalityWish)),
    help="How people are addressed (du or Sie, tu or vous), by models that are "
    "trained for it: auto, their default, in one form through each file, which the "
    "report names; any: as it comes, the default of language models.")  # fmt: skip
@click.option("--sdh", type=click.Choice(get_args(SdhWish)), default="keep",
    help="What becomes of labels in subtitles, [DOOR SLAMS] and MAN: keep them, "
    "translate the usual ones from English, or remove all (for a hearing audience), "
    "with cues that are nothing else.")  # fmt: skip
@click.option("--join/--no-join", default=True,
    help="Translate a sentence that runs over several cues as one; or every cue by "
    "itself.")  # fmt: skip
@options.report_option
@options.cue_reports_option
@options.json_option
@options.dry_run_option
@options.quiet_option
@options.dubbing_options
@options.computing_options
@options.prompt_option
@options.scene_options
@options.server_option
@options.cost_options
@takes(options.FIELDS, job=Job)
def translate(
    job: Job,
    source_language: str | None,
    json: bool,
    quiet: bool,
    max_requests: int | None,
    max_tokens: int | None,
) -> int:
    """Translate subtitles so that every cue keeps its character budget.

    INPUT is a subtitle file ('subfit formats' lists the kinds), a .txt file (one sentence a line),
    a dubbing script (.csv, .tsv, .xlsx), a folder with such files, a pattern such as 'films/*.srt',
    or '-' for standard input. A file that fails does not stop the others. Several translations in
    one folder can be interrupted: the same command goes on with them.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues are over their
    budget, or could not be translated or read.
    """
    if not job.dry_run:
        defer_shape_rules()
    messages = messages_for(job.inputs, job.writing, dry_run=job.dry_run, json=json, quiet=quiet)
    if source_language is None:
        source_language, why = guess_source(job.inputs, job.languages)
        if why:
            messages.note(f"source language: {source_language}, by {why}; -s names another")
    job = job.translating_from(source_language)
    job = with_bundled_pivot(job)
    entries, persons = job.term_files.read(job.source_language, job.languages)
    for note in entries.notes:
        messages.note(note)
    if job.pivot_model is not None:
        messages.note(f"through English: {job.pivot_model} translates into it first")
    known = replace(job.options, terms=tuple(entries.terms), people=persons)
    server = replace(
        job.talk.server, most_requests=max_requests or inf, most_tokens=max_tokens or inf
    )
    job = replace(job, options=known, talk=replace(job.talk, server=server))
    return exit_code_of(run_job(job, messages), json=json)
