"""What went wrong, as one line and as JSON."""

from __future__ import annotations

import json as json_module
import sys
from contextlib import suppress
from dataclasses import replace
from typing import Any

import click

from subfit.batch import failures
from subfit.batch.failures import Failure
from subfit.cli.defaults import origin
from subfit.cli.views.text import one_line

USAGE = 2
OVER_LIMITS = 3
"""Done, but something is over its limits."""
INTERRUPTED = 130


def failure_of(error: Exception) -> Failure:
    """Return what to tell the user of an exception."""
    if isinstance(error, click.ClickException):
        return Failure("UsageError", _usage_message(error), error.exit_code, error=error)
    failure = failures.failure_of(error)
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


def print_json(document: Any) -> None:
    """Print one JSON document on stdout: UTF-8 whatever the locale."""
    text = json_module.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.flush()
    click.echo(text.encode("utf-8", errors="replace"))


def _usage_message(error: click.ClickException) -> str:
    context, option = getattr(error, "ctx", None), getattr(error, "param", None)
    if isinstance(error, click.BadParameter) and isinstance(option, click.Option) and context:
        place = origin(context, option, context.obj)
        if place not in ("default", "command line"):
            return f"{place}: {one_line(error.format_message())}"
    hint = f" (see {context.command_path} --help)" if context is not None else ""
    return one_line(error.format_message()) + hint
