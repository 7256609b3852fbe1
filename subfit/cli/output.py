"""What is printed: text made safe for a terminal, JSON documents, and failures in one line."""

from __future__ import annotations

import json as json_module
import os
import sys
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import click

from subfit import errors
from subfit.cli.parameters import origin
from subfit.errors import Failure

FAILED, USAGE = errors.SubfitError.exit_code, errors.UsageError.exit_code
OVER_LIMITS = 3
"""Done, but something is over its limits."""
INTERRUPTED = 130
_CELL = 160
"""Characters of a cell: a cue has two lines of 42, but a line of plain text may have thousands."""


def printable(text: str) -> str:
    """Return text without what would steer a terminal; line breaks stay.

    Cues and file names may hold escape sequences, and bidi overrides that never end.
    """
    return "".join(map(_shown, text))


def one_line(text: str) -> str:
    """Return printable text in a single line."""
    return " ".join(printable(text).split())


def shortened(text: str) -> str:
    """Return text as it stands in a cell of a table: no more than two or three lines of it."""
    if len(text) <= _CELL:
        return text
    words = text[: _CELL - 1]
    return (words.rsplit(maxsplit=1)[0] if len(words.split()) > 1 else words).rstrip() + "…"


def print_json(document: Any) -> None:
    """Print one JSON document on stdout: UTF-8 whatever the locale."""
    text = json_module.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.flush()
    click.echo(text.encode("utf-8", errors="replace"))


def tell(document: Any, lines: Iterable[str], *, json: bool) -> None:
    """Print a JSON document, or the lines that say the same to people."""
    if json:
        print_json(document)
    else:
        for line in lines:
            click.echo(line)


def debugging() -> bool:
    """Whether the user wants tracebacks: ``--debug`` or ``SUBFIT_DEBUG``."""
    context = click.get_current_context(silent=True)
    asked = context is not None and context.find_root().params.get("debug")
    return bool(asked or os.environ.get("SUBFIT_DEBUG"))


def failure_of(error: Exception) -> Failure:
    """Return what to tell the user of an exception."""
    if isinstance(error, click.ClickException):
        return Failure("UsageError", _usage_message(error), error.exit_code, error=error)
    failure = errors.failure_of(error)
    return replace(failure, message=one_line(failure.message))


def print_failure(failure: Failure, *, json: bool) -> int:
    """Print a failure on stderr, and as JSON on stdout if asked to; return its exit code."""
    # Either stream may be gone or full, and that be the very failure.
    if json:
        with suppress(OSError):
            print_json({"error": failure.to_dict()})
    with suppress(OSError):
        click.echo(f"subfit: error: {failure.message}", err=True)
    return failure.exit_code


def _usage_message(error: click.ClickException) -> str:
    context, option = getattr(error, "ctx", None), getattr(error, "param", None)
    message = one_line(error.format_message())
    if isinstance(error, click.BadParameter) and isinstance(option, click.Option) and context:
        place = origin(context, option, context.obj)
        if place not in ("default", "command line"):
            return f"{place}: {message}"
    return message if context is None else f"{message} (see {context.command_path} --help)"


def _shown(character: str) -> str:
    if character in "\n\t":
        return character
    if character in "\u2028\u2029\x85":
        return " "
    if character in "\u202a\u202b\u202d\u202e":  # common in Hebrew files
        return ""
    return "\ufffd" if unicodedata.category(character) in ("Cc", "Cs") else character
