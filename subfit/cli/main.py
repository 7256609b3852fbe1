"""The command ``subfit``: finds the command asked for, and turns failures into one line each.

Nothing heavy is imported before a command is known, so that ``--help`` answers at once.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

from subfit.cli.output import INTERRUPTED, USAGE, debugging, failure_of, print_failure
from subfit.cli.parameters import GIVEN, PREFIX, default_map, read_defaults
from subfit.errors import Failure
from subfit.version import __version__

COMMANDS = {
    "translate": "Translate subtitles so that every cue fits.",
    "fit": "Make a translation fit that is there already.",
    "budget": "Show how long the translation of every cue may be.",
    "check": "Hold subtitle files to a guideline, and mend them.",
    "reflow": "Break the lines of subtitles anew.",
    "segment": "Make cues of automatic captions.",
    "tracks": "List, take out and add subtitles of a video.",
    "formats": "List the formats that are read and written.",
    "guidelines": "List the guidelines, or show one.",
    "serve": "Translate for other programs, over HTTP.",
    "watch": "Translate what comes into a folder.",
    "memory": "Keep and search what was translated before.",
    "model": "List, fetch, show and remove models.",
    "recipe": "List, show, copy and check recipes for training.",
    "train": "Train a model from a recipe.",
    "evaluate": "Measure a model on a test set.",
    "compare": "Measure several systems, in one table.",
    "doctor": "Tell what is installed, and what is missing.",
}
"""Lines of ``subfit --help``. A command is imported when it is used: it is the function of its name
in the module of its name."""


OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""New objects before Python looks for cycles among them: with its 700, a tenth of the time before
the first translation goes into looking through modules that stay anyway."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, the main one first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"subfit.cli.commands.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; of a name that is misspelt, tell the nearest one."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            name, known = error.command_name, self.list_commands(ctx)
            raise click.exceptions.NoSuchCommand(name, possibilities=known, ctx=ctx) from None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what was given, for documents that tell how they were made."""
        ctx.meta[GIVEN] = ["subfit", *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "auto_envvar_prefix": PREFIX,
        "show_default": True,
    },
    epilog="Exit codes: 0 done; 1 failed; 2 wrong usage; 3 done, but not everything keeps its "
    "limits. 'subfit COMMAND --help' explains a command.",
)
@click.version_option(__version__, prog_name="subfit", allow_from_autoenv=False)
@click.option(
    "--debug",
    is_flag=True,
    allow_from_autoenv=False,
    help="Show tracebacks, as does SUBFIT_DEBUG=1.",
)
@click.pass_context
def subfit(context: click.Context, debug: bool) -> None:
    """Subtitles that fit: translate SRT and WebVTT within every cue's character budget."""
    assert isinstance(context.command, click.Group)
    context.obj = read_defaults()
    context.default_map = default_map(
        context.command, context.obj, context.invoked_subcommand or ""
    )


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run ``subfit`` and exit.

    Args:
        arguments: Those of the command line, by default.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # Python would look through all that PyTorch has, to free it
    given = list(sys.argv[1:] if arguments is None else arguments)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed, as some schedulers start their jobs
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A file name or cue that the terminal's encoding lacks is printed with "?", not fatal.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(run(given))


def run(arguments: Sequence[str]) -> int:
    """Run one command, and return the exit code."""
    debug = debugging() or "--debug" in arguments
    try:
        with warnings.catch_warnings():
            if not debug and not sys.warnoptions:
                warnings.simplefilter("ignore")  # those of libraries; ours are repairs
            result = subfit.main(list(arguments), prog_name="subfit", standalone_mode=False)
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except BrokenPipeError:
        _drop_output()  # the reader of our output has gone, as in ``| head``: not a word
        return 1
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        failure = Failure("Interrupted", "interrupted", INTERRUPTED)
    except Exception as error:
        if debug:
            traceback.print_exc()
        failure = failure_of(error)
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    code = print_failure(failure, json="--json" in options)
    try:
        sys.stdout.flush()
    except OSError:  # there is no room for what is left, which has been told
        _drop_output()
    return code


def _drop_output() -> None:
    """Let what stdout still holds go nowhere: Python would flush it on exit, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
