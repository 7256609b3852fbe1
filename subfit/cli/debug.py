"""Whether tracebacks are wanted."""

from __future__ import annotations

import os

import click


def debugging() -> bool:
    """Whether the user wants tracebacks: ``--debug`` or ``SUBFIT_DEBUG``."""
    context = click.get_current_context(silent=True)
    asked = context is not None and context.find_root().params.get("debug")
    return bool(asked or os.environ.get("SUBFIT_DEBUG"))
