"""``subfit config``: what the options of commands are, and where each value comes from."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import click
from click.core import ParameterSource

from subfit.cli.defaults import PREFIX, Defaults, default_map, options_of, origin
from subfit.cli.failures import print_json
from subfit.cli.options import shared
from subfit.cli.views.text import one_line
from subfit.errors import UsageError


@dataclass(frozen=True, slots=True)
class _Value:
    """The value of an option where the command line does not give it."""

    command: str
    """The command with its subcommand, parted by a point."""
    option: str
    value: Any
    """None where there is none."""
    origin: str


@click.command(epilog="Example: subfit config translate > subfit.toml")
@click.argument("commands", nargs=-1, metavar="[COMMAND]...")
@shared.json_option
@click.pass_context
def config(context: click.Context, commands: tuple[str, ...], json: bool) -> None:
    """Show the values that options have where the command line does not give them.

    Each is listed with its origin: default, a line of subfit.toml (of this folder or the nearest
    above it), or an environment variable such as SUBFIT_TRANSLATE_GUIDELINE. What is printed is a
    subfit.toml itself. Without COMMAND all commands are listed.
    """
    root, defaults = context.find_root(), context.obj
    group = root.command
    assert isinstance(group, click.Group) and isinstance(defaults, Defaults)
    known = group.list_commands(root)
    for name in commands:
        if name not in known:
            raise UsageError(f"there is no command {name!r}; known: {', '.join(known)}")
    values = [
        value
        for name in known
        for value in _values(group, root, name, defaults)
        if name in (commands or known)
    ]
    if json:
        file = None if defaults.path is None else str(defaults.path)
        print_json({"file": file, "options": [asdict(value) for value in values]})
        return
    for command in dict.fromkeys(value.command for value in values):
        click.echo(f"[{command}]")
        for value in values:
            if value.command == command:
                click.echo(_line(value))
        click.echo()


def _values(
    group: click.Group, root: click.Context, name: str, defaults: Defaults
) -> Iterator[_Value]:
    """Yield the values of all options of a command, or of its subcommands."""
    command = group.get_command(root, name)
    assert command is not None
    parent = click.Context(group, info_name=root.info_name, auto_envvar_prefix=PREFIX)
    parent.default_map = default_map(group, defaults, name)
    yield from _values_of(command, click.Context(command, parent, name), (name,), defaults)


def _values_of(
    command: click.Command, context: click.Context, path: tuple[str, ...], defaults: Defaults
) -> Iterator[_Value]:
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            inner = click.Context(below, context, name)
            yield from _values_of(below, inner, (*path, name), defaults)
        return
    for name, option in options_of(command).items():
        value, source = option.consume_value(context, {})
        context.set_parameter_source(str(option.name), source)
        if source is ParameterSource.DEFAULT:
            value = option.get_default(context)
        known = isinstance(value, bool | int | float | str | list | tuple) and value not in ((), "")
        place = origin(context, option, defaults)
        yield _Value(".".join(path), name, value if known else None, place)


def _line(value: _Value) -> str:
    """A line of TOML; one that sets nothing is a comment."""
    if value.value is None:
        return f"# {value.option} =  # {value.origin}"
    text = json_module.dumps(value.value, ensure_ascii=False)  # of such values it is TOML as well
    return f"{value.option} = {one_line(text)}  # {value.origin}"
