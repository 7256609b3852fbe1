"""Options about dubbing scripts, handed to the command as one value."""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from pathlib import Path
from typing import Any, get_args

import click

from subfit.batch.settings import Settings
from subfit.cli.options.shared import Command
from subfit.errors import UsageError
from subfit.limits.dubbing_budgets import DEFAULT_DUBBING, Dubbing, DubBudget
from subfit.speech.script_syllables import guessed_scripts
from subfit.speech.voice import VoiceName
from subfit.subtitles.cues import FORMATS
from subfit.subtitles.formats import FORMAT_OF_SUFFIX


def guess_note(texts: Iterable[str]) -> str | None:
    """Return what to tell of texts whose speaking time is but a guess; None if all have a rule."""
    scripts = " and ".join(guessed_scripts(texts))
    if not scripts:
        return None
    return f"there is no rule for the syllables of {scripts}: how long it takes to say is a guess"


def dubbing_options(command: Command) -> Command:
    """Add ``--dub-budget`` and ``--speed-factor``; the command gets ``dubbing``."""

    @click.option(
        "--dub-budget",
        type=click.Choice(get_args(DubBudget)),
        default=DEFAULT_DUBBING.budget,
        show_default=True,
        help="What lines of dubbing scripts must keep: the time they take to say, 0.9 to 1.1 times "
        "the characters of their source, or both. Lines without times keep the characters.",
    )
    @click.option(
        "--speed-factor",
        type=float,
        default=DEFAULT_DUBBING.speed_factor,
        show_default=True,
        metavar="X",
        help="How much faster than usual a line of a dubbing script may be spoken to fit its time, "
        "and how much slower.",
    )
    @wraps(command)
    def collected(*args: Any, dub_budget: DubBudget, speed_factor: float, **options: Any) -> Any:
        return command(*args, dubbing=Dubbing(dub_budget, speed_factor), **options)

    return collected  # type: ignore[return-value]


def voice_option(command: Command) -> Command:
    """Add ``--voice``."""
    return click.option(
        "--voice",
        type=click.Choice(get_args(VoiceName)),
        help="Let this program, if it is installed, say the lines of dubbing scripts and measure "
        "them; it decides where the estimate leaves open whether they fit.",
    )(command)


def refuse_dubbing_options(settings: Settings, source: str) -> None:
    """Make sure that options about dubbing scripts are not given for another file.

    Args:
        settings: What was asked for.
        source: The only input.

    Raises:
        UsageError: One is given, and the input's format is known to be another.
    """
    script, dubbing = settings.reading.script, settings.dubbing
    given = {
        "--columns": bool(script.columns),
        "--sheet": script.sheet is not None,
        "--dub-budget": dubbing.budget != DEFAULT_DUBBING.budget,
        "--speed-factor": dubbing.speed_factor != DEFAULT_DUBBING.speed_factor,
        "--voice": dubbing.voice is not None,
    }
    suffix = Path(source).suffix.lower()
    format_name = settings.reading.input_format or FORMAT_OF_SUFFIX.get(suffix)
    option = next((name for name, is_given in given.items() if is_given), None)
    if option and format_name and not FORMATS[format_name].spoken:
        raise UsageError(
            f"{source}: {option} is for dubbing scripts, .csv, .tsv or .xlsx; leave it out"
        )
