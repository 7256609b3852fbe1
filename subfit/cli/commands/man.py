"""``subfit man``: the manual page."""

from __future__ import annotations

import click

from subfit.cli.manual import manual


@click.command(epilog="Example: subfit man > ~/.local/share/man/man1/subfit.1")
@click.pass_context
def man(context: click.Context) -> None:
    """Print the manual page of subfit and all its commands, in roff."""
    click.echo(manual(context.find_root()), nl=False)
