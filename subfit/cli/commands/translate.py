"""``subfit translate``: subtitles in, subtitles that fit out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import click

from subfit.batch.failures import FAILED
from subfit.batch.items import STREAM
from subfit.batch.plan import Writing
from subfit.batch.ray_engine import Cluster
from subfit.batch.settings import Limits, Reading, Settings, Timing
from subfit.cli.failures import OVER_LIMITS, print_json
from subfit.cli.options.dubbing import dubbing_options, voice_option
from subfit.cli.options.shared import (
    computing_options,
    json_option,
    language_tags,
    length_penalty_option,
    limit_options,
    line_shape_option,
    reading_options,
)
from subfit.cli.options.terms import Wishes, term_options
from subfit.cli.options.timing import timing_options
from subfit.cli.options.translation import Request, translate_files
from subfit.cli.views.console import Messages
from subfit.errors import UsageError
from subfit.limits.dubbing_budgets import Dubbing
from subfit.model.computing import Computing
from subfit.reporting.files.rendering import REPORT_SUFFIXES
from subfit.subtitles.bilingual import Bilingual


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-t",
    "--target-lang",
    multiple=True,
    callback=language_tags,
    required=True,
    metavar="TAG,...",
    help="Languages to translate into; 'subfit models' lists those of the models that are here.",
)
@reading_options
@click.option(
    "-o",
    "--output",
    metavar="FILE|FOLDER",
    help="File to write, '-' for stdout; its suffix chooses the format. Or a folder, of several "
    "translations always: one that is there, or any that ends in '/'.  [default: movie.de.srt for "
    "movie.srt, stdout for '-']",
)
@click.option(
    "--output-dir",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Folder for the translations; made if absent.",
)
@click.option(
    "--include",
    multiple=True,
    metavar="GLOB",
    help="Files to take of folders, as '*.txt'; repeatable.  [default: *.srt, *.vtt]",
)
@click.option("--output-encoding", metavar="NAME", help="Encoding to write.  [default: utf-8]")
@click.option("--overwrite", is_flag=True, help="Replace existing files.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first file that fails.")
@limit_options
@line_shape_option
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME|FOLDER",
    help="Model to use; repeatable: several translate together, their log-probabilities averaged.  "
    "[default: the one for the languages]",
)
@click.option(
    "--beam", type=click.IntRange(1, 64), metavar="N", help="Hypotheses kept while searching."
)
@length_penalty_option
@click.option(
    "--alternatives",
    type=click.IntRange(0, 30),
    default=0,
    metavar="N",
    help="Search for N other translations of every sentence, at several lengths; the report and "
    "--json list them.",
)
@term_options
@click.option(
    "--bilingual",
    type=click.Choice(get_args(Bilingual)),
    help="Put the source into every cue as well, above or below the translation. Budget and report "
    "are of the translation alone.",
)
@timing_options
@click.option(
    "--no-condense",
    is_flag=True,
    help="Never leave out words of a source that can be spared; see docs/condensing.md.",
)
@click.option(
    "--whole-sentences",
    is_flag=True,
    help="Rather go over a budget than keep to it with a sentence that may end too early.",
)
@click.option("--translate-sounds", is_flag=True, help="Also translate [DOOR SLAMS].")
@click.option("--no-join", is_flag=True, help="Translate every cue by itself.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a report on every cue: .html (a page to edit in), .xlsx, .csv or .json.",
)
@click.option(
    "--cue-reports",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Of several translations in one folder: write a report on every cue of each.",
)
@click.option(
    "--cue-report-format",
    type=click.Choice([suffix[1:] for suffix in REPORT_SUFFIXES]),
    help="What --cue-reports writes.  [default: json]",
)
@json_option
@click.option(
    "--dry-run", is_flag=True, help="Check everything and say what would be written; write nothing."
)
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
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@dubbing_options
@voice_option
@computing_options
def translate(
    inputs: tuple[str, ...],
    reading: Reading,
    limits: Limits,
    dubbing: Dubbing,
    computing: Computing,
    wishes: Wishes,
    timing: Timing,
    json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Translate subtitles so that every cue keeps its character budget.

    INPUT is a .srt, .vtt or .txt file (one sentence a line), a dubbing script (.csv, .tsv, .xlsx),
    a folder with such files, a pattern such as 'films/*.srt', or '-' for standard input. A file
    that fails does not stop the others. Several translations in one folder can be interrupted: the
    same command goes on with them.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues are over their
    budget, or could not be translated or read.
    """
    limits = replace(limits, bottom_heavy=options["bottom_heavy"])
    entries = wishes.read(reading.source_language, options["target_lang"])
    source, voice = reading.source_language, options["voice"]
    dubbing = replace(dubbing, voice=voice, source_language=source)
    terms = tuple(entries.terms)
    settings = Settings(reading, limits, terms=terms, dubbing=dubbing, timing=timing)
    request = _request(inputs, settings, computing, options)
    writing = request.writing
    to_stdout = STREAM in (writing.output, *inputs) and writing.output in (None, STREAM)
    if json and to_stdout and not request.dry_run:
        raise UsageError("--json and the translation both go to stdout; name a file with -o")
    messages = Messages(data_on_stdout=json or to_stdout, quiet=quiet)
    for each in entries.notes:
        messages.note(each)
    outcome = translate_files(request, messages)
    exit_code = FAILED if outcome.failed else OVER_LIMITS if outcome.over else 0
    if json:
        print_json({"exit_code": exit_code, **outcome.to_dict()})
    return exit_code


def _request(
    inputs: tuple[str, ...], settings: Settings, computing: Computing, options: dict[str, Any]
) -> Request:
    return Request(
        inputs=inputs,
        languages=options["target_lang"],
        settings=replace(
            settings,
            output_encoding=options["output_encoding"],
            beam=options["beam"],
            length_penalty=options["length_penalty"],
            translate_sounds=options["translate_sounds"],
            join=not options["no_join"],
            alternatives=options["alternatives"],
            condense=not options["no_condense"],
            whole_sentences=options["whole_sentences"],
            bilingual=options["bilingual"],
        ),
        writing=Writing(
            output=options["output"],
            output_dir=options["output_dir"],
            overwrite=options["overwrite"],
            report=options["report"],
            cue_reports=options["cue_reports"],
            cue_report_format=options["cue_report_format"],
            include=options["include"],
        ),
        shot_changes=options["shot_changes"],
        models=options["models"],
        computing=computing,
        dry_run=options["dry_run"],
        fail_fast=options["fail_fast"],
        cluster=_cluster(options),
    )


def _cluster(options: dict[str, Any]) -> Cluster | None:
    """Where to translate, None for this process."""
    address, workers = options["ray_address"], options["workers"]
    if options["engine"] == "ray":
        return Cluster(address, workers)
    if address is not None or workers is not None:
        raise UsageError("--ray-address and --workers are for --engine ray")
    return None
