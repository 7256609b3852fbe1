"""``subfit completion``: what completes commands and options in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command(
    epilog="Example: subfit completion bash > ~/.local/share/bash-completion/completions/subfit"
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, options and their values in a shell."""
    root = context.find_root()
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(root.command, {}, "subfit", "_SUBFIT_COMPLETE").source())
