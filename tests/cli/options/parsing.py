"""Options read from a command line of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def parsed(options: Callable[[Any], Any], *arguments: str) -> dict[str, Any]:
    """What a command with these options is given.

    Raises:
        click.UsageError: An argument is wrong.
    """

    def command(**values: Any) -> dict[str, Any]:
        return values

    made = options(command)
    values: dict[str, Any] = click.command()(made).main(list(arguments), standalone_mode=False)
    return values
