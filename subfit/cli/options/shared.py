"""Options that several commands share, each group handed to the command as one value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from subfit.batch.settings import Limits, Reading
from subfit.limits.budget import LengthRatio
from subfit.model.computing import DEVICES, PRECISIONS, Computing
from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.scripts.columns import Role, ScriptReading, parse_columns
from subfit.subtitles.timecodes import parse_fps
from subfit.text.languages import primary_language

UNTIMED = "plain text is on no screen: only --length-ratio limits it"
UNSEEN = "a dubbing script is on no screen: guideline, --cps, --cpl and --lines do not limit it"
"""Told to users who ask for other limits."""

Command = TypeVar("Command", bound=Callable[..., Any])


def language_tag(value: str) -> str:
    """Check an option's value that becomes part of a file's name."""
    if not re.fullmatch(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*", value):
        raise click.BadParameter(f"{value!r} is no language tag such as de or pt-BR")
    return value


def model_folder(model: str) -> Path:
    """Find the folder of a model; one of the hub is fetched if it is not here yet.

    Args:
        model: A folder, or the name of a model.

    Raises:
        ModelError: There is none.
    """
    from subfit.model.bundled import find_model

    return Path(find_model(model, "und", "und"))


def check_model(model: str, target_language: str | None) -> None:
    """Find out whether a model is there, and is for a language, without importing what loads it.

    Args:
        model: A folder, the name of a model that comes with subfit, or one on the hub.
        target_language: To translate into; None where the user named none.

    Raises:
        ModelError: There is none.
        UsageError: It is for other languages.
    """
    from subfit.model.bundled import check_target, find_model

    check_target(find_model(model, "und", "und"), target_language)


def language_of(name: str) -> str:
    """Return the language in a file's name (``movie.de.sdh.srt``), or ``und``."""
    parts = Path(name).stem.split(".")[1:]
    return next((part for part in reversed(parts) if primary_language(part)), "und")


def language_tags(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Take an option's values apart at their commas, each language once."""
    tags = [tag.strip() for value in values for tag in value.split(",")]
    return tuple(dict.fromkeys(map(language_tag, tags)))


def target_language_option(help: str, default: str | None = None) -> Callable[[Command], Command]:
    """Return ``-t``, one language; the command gets ``target_language``.

    Args:
        help: What the language is of.
        default: The tag where none is given.
    """
    return click.option(
        "-t",
        "--target-lang",
        "target_language",
        type=language_tag,
        default=default,
        metavar="TAG",
        help=help,
    )


def limit_options(command: Command) -> Command:
    """Add ``--guideline`` and what overrules it; the command gets ``limits``."""

    @click.option(
        "--guideline",
        metavar="NAME|FILE",
        help="A preset ('subfit guidelines' lists them) or a YAML file.  [default: netflix for "
        "subtitles, none for plain text]",
    )
    @click.option("--cps", type=float, metavar="N", help="Most characters per second.")
    @click.option("--cpl", type=float, metavar="N", help="Most characters per line.")
    @click.option("--lines", type=int, metavar="N", help="Most lines per cue.")
    @click.option(
        "--length-ratio",
        type=LengthRatio.parse,
        metavar="MIN:MAX",
        help="Length of a translation as a multiple of its source's; 0.9:1.1 is the isometric "
        "rule. MAX is kept, MIN is reached if possible; either may be left out.",
    )
    @wraps(command)
    def collected(
        *args: Any,
        guideline: str | None,
        cps: float | None,
        cpl: float | None,
        lines: int | None,
        length_ratio: LengthRatio | None,
        **options: Any,
    ) -> Any:
        limits = Limits(guideline, cps, cpl, lines, length_ratio)
        return command(*args, limits=limits, **options)

    return collected  # type: ignore[return-value]


def line_shape_option(command: Command) -> Command:
    """Add ``--bottom-heavy`` and its contrary; the command gets ``bottom_heavy``."""
    return click.option(
        "--bottom-heavy/--no-bottom-heavy",
        default=None,
        help="Of two lines, like the lower one longer, or both alike.  [default: the guideline's]",
    )(command)


def reading_options(command: Command) -> Command:
    """Add how input is read; the command gets ``reading``."""
    script = (
        click.option(
            "--columns",
            type=parse_columns,
            default="",
            metavar="ROLE=COLUMN,...",
            help="Of dubbing scripts (.csv, .tsv, .xlsx): start, end (or duration), speaker, "
            "source, target and notes, by heading, letter or number.  [default: by the usual "
            "headings]",
        ),
        click.option(
            "--sheet", metavar="NAME", help="Sheet of a workbook.  [default: the first fit]"
        ),
    )
    counts = "of time codes with frames and for gaps in frames"
    return _reading_options(command, tuple(FORMATS), script, counts)


def subtitle_reading_options(command: Command) -> Command:
    """Add how input is read that is no dubbing script; the command gets ``reading``."""
    formats = [each.name for each in FORMATS.values() if not each.spoken]
    return _reading_options(command, formats, (), "for gaps in frames")


def _reading_options(
    command: Command,
    formats: Sequence[str],
    script: Sequence[Callable[[Command], Command]],
    counts: str,
) -> Command:
    """Add how input of some formats is read.

    Args:
        command: What the options are added to.
        formats: That the input may be in.
        script: Options about dubbing scripts, ``--columns`` and ``--sheet``, or none.
        counts: What frames are counted for.
    """

    @wraps(command)
    def collected(
        *args: Any,
        source_lang: str,
        encoding: str | None,
        input_format: FormatName | None,
        fps: float | None,
        columns: Mapping[Role, str] | None = None,
        sheet: str | None = None,
        **options: Any,
    ) -> Any:
        reading = ScriptReading(dict(columns or {}), fps, sheet)
        return command(
            *args, reading=Reading(source_lang, encoding, input_format, reading), **options
        )

    options: tuple[Callable[[Any], Any], ...] = (
        click.option(
            "-s",
            "--source-lang",
            type=language_tag,
            metavar="TAG",
            default="en",
            show_default=True,
            help="Language of the input.",
        ),
        click.option(
            "--encoding", metavar="NAME", help="Encoding of the input.  [default: detected]"
        ),
        click.option(
            "--input-format",
            type=click.Choice(formats),
            help="Format of the input.  [default: by the file's name, or its text on '-']",
        ),
        *script,
        click.option(
            "--fps",
            type=parse_fps,
            metavar="N",
            help=f"Frames per second, {counts}: 25, 23.976, 30000/1001.",
        ),
    )
    for option in reversed(options):
        collected = option(collected)
    return collected  # type: ignore[return-value]


def json_option(command: Command) -> Command:
    """Add ``--json``."""
    return click.option(
        "--json", is_flag=True, help="Print one JSON document on stdout, for failures too."
    )(command)


def limit_option(command: Command) -> Command:
    """Add ``--limit``, of a test set."""
    return click.option(
        "--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N lines."
    )(command)


def length_penalty_option(command: Command) -> Command:
    """Add ``--length-penalty``."""
    return click.option(
        "--length-penalty",
        type=click.FloatRange(0, 10),
        metavar="X",
        help="Divide scores by tokens to the power of X: below 1, shorter translations win.  "
        "[default: 1]",
    )(command)


def threads_option(command: Command) -> Command:
    """Add ``--threads``; see `use_threads`."""
    return click.option(
        "--threads", type=click.IntRange(min=1), metavar="N", help="CPU threads to use."
    )(command)


def trials_option(command: Command) -> Command:
    """Add ``--trials``, of paired approximate randomisation."""
    return click.option(
        "--trials",
        type=click.IntRange(min=1),
        default=15_000,
        show_default=True,
        metavar="N",
        help="Random trials of the test for significance.",
    )(command)


def report_options(command: Command) -> Command:
    """Add ``--report`` and ``--overwrite`` for commands that write nothing else."""
    report = click.option(
        "--report",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write the result on every cue: .html (a page to edit in), .xlsx, .csv or .json.",
    )
    return report(click.option("--overwrite", is_flag=True, help="Replace it.")(command))


def computing_options(command: Command) -> Command:
    """Add ``--device``, ``--precision`` and ``--threads``; the command gets ``computing``."""

    @click.option(
        "--device",
        type=click.Choice(DEVICES),
        default="auto",
        show_default=True,
        help="What to compute on; auto is a GPU where there is one.",
    )
    @click.option(
        "--precision",
        type=click.Choice(PRECISIONS),
        default="auto",
        show_default=True,
        help="Arithmetic of the model; auto is int8 on processors made for it, bf16 on GPUs.",
    )
    @threads_option
    @wraps(command)
    def collected(
        *args: Any, device: str, precision: str, threads: int | None, **options: Any
    ) -> Any:
        return command(*args, computing=Computing(device, precision, threads), **options)

    return collected  # type: ignore[return-value]


def use_threads(threads: int | None) -> None:
    """Set how many CPU threads models may use, if the user said so."""
    import torch

    if threads is not None:
        torch.set_num_threads(threads)
