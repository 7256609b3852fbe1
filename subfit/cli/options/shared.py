"""Options that several commands share: each has one name, type and help everywhere.

Those for limits are in `constraints`, those for models in `inference`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from subfit.cli.options.types import FILE, REPORT, language_tag, language_tags
from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.scripts.columns import parse_columns
from subfit.subtitles.timecodes import parse_fps

Command = TypeVar("Command", bound=Callable[..., Any])


def all_of(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return what adds several options to a command, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def target_language_option(help: str, default: str | None = None) -> Callable[[Command], Command]:
    """Return ``-t``, one language.

    Args:
        help: What the language is of.
        default: The tag where none is given.
    """
    return click.option(
        "-t",
        "--target-language",
        type=language_tag,
        default=default,
        show_default=False,
        metavar="TAG",
        help=help,
    )


def source_language_of(help: str) -> Callable[[Command], Command]:
    """Return ``-s`` for commands that can do without; the argument is that of the option above."""
    return click.option("-s", "--source-language", type=language_tag, metavar="TAG", help=help)


target_languages_option = click.option(
    "-t",
    "--target-language",
    multiple=True,
    callback=language_tags,
    required=True,
    metavar="TAG,...",
    help="Languages to translate into; 'subfit model ls' lists those of the models that are here.",
)
source_language_option = click.option(
    "-s",
    "--source-language",
    type=language_tag,
    metavar="TAG",
    default="en",
    help="Language of the input.",
)

guessed_source_option = click.option(
    "-s",
    "--source-language",
    type=language_tag,
    metavar="TAG",
    help="Language of the input.  [default: as the files' names or their text say, else en]",
)


def reading_options(
    formats: Sequence[FormatName] = tuple(FORMATS), *, frames: str | None = None
) -> Callable[[Command], Command]:
    """Return how input is read: the fields of `subfit.batch.job.ReadingOptions`.

    Args:
        formats: That the input may be in; those of dubbing scripts come with options about them.
        frames: What frames are counted for; None where they are not counted.
    """
    options: list[Callable[[Any], Any]] = [
        click.option(
            "--encoding", metavar="NAME", help="Encoding of the input.  [default: detected]"
        ),
        click.option(
            "--input-format",
            type=click.Choice(formats),
            help="Format of the input.  [default: by the file's name, or its text on '-']",
        ),
    ]
    if any(FORMATS[name].spoken for name in formats):
        options += [_columns, _sheet]
    if frames is not None:
        text = f"Frames per second, {frames}: 25, 23.976, 30000/1001."
        options.append(click.option("--fps", type=parse_fps, metavar="N", help=text))
    return all_of(*options)


SUBTITLE_FORMATS = tuple(name for name, format in FORMATS.items() if not format.spoken)
TIMED_FORMATS = tuple(name for name, format in FORMATS.items() if format.timed)
_columns = click.option(
    "--columns",
    type=parse_columns,
    default="",
    show_default=False,
    metavar="ROLE=COLUMN,...",
    help="Of dubbing scripts (.csv, .tsv, .xlsx): start, end (or duration), speaker, source, "
    "target and notes, by heading, letter or number.  [default: by the usual headings]",
)
_sheet = click.option(
    "--sheet", metavar="NAME", help="Sheet of a workbook.  [default: the first fit]"
)

FIELDS = {"budget": "dub_budget", "languages": "target_language", "models": "model"}
"""Options by the fields of dataclasses that are called otherwise."""

keep_options = all_of(
    click.option(
        "--keep", multiple=True, metavar="NAME", help="A name that is kept as it is; repeatable."
    ),
    click.option(
        "--keep-list",
        type=click.Path(),
        multiple=True,
        metavar="FILE",
        help="Names that are kept as they are, one a line; repeatable.",
    ),
)
term_options = all_of(
    click.option(
        "--glossary",
        type=click.Path(),
        multiple=True,
        metavar="FILE",
        help="Terms and how they are translated: CSV or TSV with source, target and, optionally, "
        "case, pos and notes; repeatable. A target may have several forms: Schiff|Schiffe.",
    ),
    keep_options,
)
memory_option = click.option(
    "--memory",
    type=click.Path(),
    multiple=True,
    metavar="FILE",
    help="What was translated before: a memory ('subfit memory build'), TMX, XLIFF, PO, TSV, or "
    "two subtitle files as film.en.srt:film.de.srt; repeatable. The same text is taken word for "
    "word where it fits, like ones are followed.",
)
output_options = all_of(
    click.option(
        "--output-dir", type=FILE, metavar="FOLDER", help="Folder for the results; made if absent."
    ),
    click.option(
        "--include",
        multiple=True,
        metavar="GLOB",
        help="Files to take of folders, as '*.txt'; repeatable.  [default: *.srt, *.vtt]",
    ),
)
report_option = click.option(
    "--report",
    type=REPORT,
    metavar="FILE",
    help="Write a report on every cue: .html (a page to edit in), .xlsx, .csv or .json.",
)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Check everything and say what would be done; write nothing."
)
json_option = click.option(
    "--json", is_flag=True, help="Print one JSON document on stdout, for failures too."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
limit_option = click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N lines."
)


turned_option = click.option(
    "--turned",
    is_flag=True,
    help="FILE.tsv has the references before the sources: measure the other way round.",
)
trials_option = click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=15_000,
    metavar="N",
    help="Random trials of the test for significance.",
)


adequacy_option = click.option(
    "--adequacy",
    is_flag=True,
    help="Also REP and DROP: what is said more often than in the references, and what they say "
    "of the source that is not said (needs subfit[adequacy]).",
)

rouge_option = click.option(
    "--rouge",
    type=click.IntRange(min=0),
    metavar="BYTES",
    help="Also ROUGE-1, -2 and -L recall, of outputs cut at so many bytes: 75 as in DUC 2004, 0 "
    "for all of them.",
)


def overwrite_option(help: str) -> Callable[[Command], Command]:
    """Return ``--overwrite``, with what it replaces."""
    return click.option("--overwrite", is_flag=True, help=help)
