"""``subfit translate``: subtitles in, subtitles that fit out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from subfit.cli.console import Messages
from subfit.cli.failures import FAILED, OVER_LIMITS, print_json
from subfit.cli.jobs import STREAM, Writing
from subfit.cli.options import (
    Limits,
    Reading,
    json_option,
    language_tag,
    limit_options,
    reading_options,
    threads_option,
)
from subfit.cli.translation import Request, translate_files
from subfit.errors import UsageError


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-t",
    "--target-lang",
    type=language_tag,
    required=True,
    metavar="TAG",
    help="Language to translate into; 'subfit models' lists those of the models that are here.",
)
@reading_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="File to write, '-' for stdout; its suffix chooses the format.  [default: movie.de.srt "
    "for movie.srt, stdout for '-']",
)
@click.option(
    "--output-dir",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Folder for the translations; made if absent.",
)
@click.option("--output-encoding", metavar="NAME", help="Encoding to write.  [default: utf-8]")
@click.option("--overwrite", is_flag=True, help="Replace existing files.")
@limit_options
@click.option(
    "--model", metavar="NAME|FOLDER", help="Model to use.  [default: the one for the languages]"
)
@click.option(
    "--beam", type=click.IntRange(1, 64), metavar="N", help="Hypotheses kept while searching."
)
@click.option("--translate-sounds", is_flag=True, help="Also translate [DOOR SLAMS].")
@click.option("--no-join", is_flag=True, help="Translate every cue by itself.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a report on every cue: .json or .csv.",
)
@json_option
@click.option(
    "--dry-run", is_flag=True, help="Check everything and say what would be written; write nothing."
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@threads_option
def translate(
    inputs: tuple[str, ...],
    reading: Reading,
    limits: Limits,
    json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Translate subtitles so that every cue keeps its character budget.

    INPUT is a .srt, .vtt or .txt file (one sentence a line), or '-' for standard input. Several
    are translated one after the other; one that fails does not stop the others.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues are over their
    budget or could not be translated.
    """
    request = _request(inputs, reading, limits, options)
    to_stdout = STREAM in (request.writing.output, *inputs) and request.writing.output in (
        None,
        STREAM,
    )
    if json and to_stdout and not request.dry_run:
        raise UsageError("--json and the translation both go to stdout; name a file with -o")
    results = translate_files(request, Messages(data_on_stdout=json or to_stdout, quiet=quiet))
    exit_code = 0
    if any(result.failure for result in results):
        exit_code = FAILED
    elif not all(result.clean for result in results):
        exit_code = OVER_LIMITS
    if json:
        files = [result.to_dict() for result in results]
        print_json({"exit_code": exit_code, "files": files})
    return exit_code


def _request(
    inputs: tuple[str, ...], reading: Reading, limits: Limits, options: dict[str, Any]
) -> Request:
    writing = Writing(
        output=options["output"],
        output_dir=options["output_dir"],
        overwrite=options["overwrite"],
        output_encoding=options["output_encoding"],
        report=options["report"],
    )
    return Request(
        inputs=inputs,
        target_language=options["target_lang"],
        reading=reading,
        limits=limits,
        writing=writing,
        model=options["model"],
        beam=options["beam"],
        threads=options["threads"],
        translate_sounds=options["translate_sounds"],
        across_cues=not options["no_join"],
        dry_run=options["dry_run"],
    )
