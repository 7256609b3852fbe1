"""Defaults of options from ``subfit.toml`` and the environment, and where each value comes from."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from subfit.cli.parameters import NameOrPath
from subfit.errors import UsageError, reason_of

FILE = "subfit.toml"
PREFIX = "SUBFIT"
"""Begins environment variables: ``SUBFIT_TRANSLATE_GUIDELINE`` is ``translate --guideline``."""

Keys = tuple[str, ...]
"""The way to a value: the command, its subcommand if it has any, and the option."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """What ``subfit.toml`` says."""

    path: Path | None = None
    """None where there is no such file."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Tables of options by command."""
    lines: Mapping[Keys, int] = field(default_factory=dict)

    def place(self, keys: Keys) -> str:
        """Return file and line of a value or table."""
        line = self.lines.get(keys)
        return f"{self.path}" if line is None else f"{self.path}:{line}"


def read_defaults() -> Defaults:
    """Read ``subfit.toml`` of the current folder, or of the nearest above it.

    Raises:
        UsageError: It cannot be read, or is not TOML.
    """
    folder = Path().absolute()
    path = next(
        (parent / FILE for parent in (folder, *folder.parents) if (parent / FILE).is_file()), None
    )
    if path is None:
        return Defaults()
    shown = Path(os.path.relpath(path))
    try:
        text = path.read_text(encoding="utf-8")
        return Defaults(shown, tomllib.loads(text), dict(_lines(text)))
    except OSError as error:
        raise UsageError(f"{shown}: cannot be read ({reason_of(error)})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{shown}: not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        problem, _, place = str(error).partition(" (at ")
        line = re.match(r"line (\d+)", place)
        where = f"{shown}:{line[1]}" if line else f"{shown}"
        raise UsageError(f"{where}: not TOML: {problem[:1].lower()}{problem[1:]}") from error


def default_map(group: click.Group, defaults: Defaults, name: str) -> dict[str, Any]:
    """Return what ``subfit.toml`` says of one command, as click takes it.

    Raises:
        UsageError: A table is of no command, or the command has no such option.
    """
    context = click.Context(group)
    _refuse_unknown(defaults, (), defaults.values, group.list_commands(context))
    command, table = group.get_command(context, name), defaults.values.get(name)
    if command is None or table is None:
        return {}
    return {name: _values_of(command, defaults, (name,), table)}


def origin(context: click.Context, option: click.Parameter, defaults: Defaults) -> str:
    """Say where the value of an option comes from: command line, variable, file or default."""
    source = context.get_parameter_source(str(option.name))
    if source is ParameterSource.ENVIRONMENT:
        return f"{context.auto_envvar_prefix}_{str(option.name).upper()}"
    if source is ParameterSource.DEFAULT_MAP:
        path = tuple(context.command_path.split()[1:])
        return defaults.place((*path, max(option.opts, key=len).removeprefix("--")))
    return "default" if source is ParameterSource.DEFAULT else "command line"


def _lines(text: str) -> Iterator[tuple[Keys, int]]:
    """Yield the line of every table and key."""
    table: Keys = ()
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
            table = _keys(heading[1])
            yield table, number
        elif key := re.match(r"""\s*([\w."'-]+)\s*=""", line):
            yield (*table, *_keys(key[1])), number


def _keys(dotted: str) -> Keys:
    return tuple(part.strip(" \"'") for part in dotted.split("."))


def _values_of(
    command: click.Command, defaults: Defaults, keys: Keys, table: Any
) -> dict[str, Any]:
    """The values of a table by the names that click has for the options of a command."""
    if not isinstance(table, dict):
        raise UsageError(f"{defaults.place(keys)}: {'.'.join(keys)} must be a table of options")
    if isinstance(command, click.Group):
        _refuse_unknown(defaults, keys, table, command.commands)
        below = command.commands
        return {
            name: _values_of(below[name], defaults, (*keys, name), one)
            for name, one in table.items()
        }
    options = {
        max(parameter.opts, key=len).removeprefix("--"): parameter
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.is_eager
    }
    _refuse_unknown(defaults, keys, table, options)
    return {
        str(options[key].name): _value(options[key], value, defaults, (*keys, key))
        for key, value in table.items()
    }


def _refuse_unknown(
    defaults: Defaults, keys: Keys, table: Mapping[str, Any], known: Iterable[str]
) -> None:
    names = list(known)
    for key in table:
        if key not in names:
            close = get_close_matches(key, names, n=1)
            hint = f"; did you mean {close[0]}?" if close else f"; known: {', '.join(names)}"
            what = f"option {key!r} in [{'.'.join(keys)}]" if keys else f"command [{key}]"
            raise UsageError(f"{defaults.place((*keys, key))}: there is no {what}{hint}")


def _value(option: click.Option, value: Any, defaults: Defaults, keys: Keys) -> Any:
    """A value as if it had been given on the command line."""
    values = value if isinstance(value, list) else [value]
    kinds: tuple[type, ...] = (bool,) if option.is_flag else (str, int, float)
    if any(type(one) not in kinds for one in values) or (values is value and not option.multiple):
        wanted = "true or false" if option.is_flag else "text or a number"
        more = ", or a list of them" if option.multiple else ""
        raise UsageError(f"{defaults.place(keys)}: {keys[-1]} must be {wanted}{more}")
    if option.is_flag:
        return value
    texts = [_from_its_folder(option, str(one), defaults) for one in values]
    return texts if option.multiple else texts[0]


def _from_its_folder(option: click.Option, text: str, defaults: Defaults) -> str:
    """A relative path as seen from the current folder instead of from the file's."""
    if not isinstance(option.type, click.Path) or defaults.path is None or text == "-":
        return text
    moved = os.path.join(defaults.path.parent, text)  # noqa: PTH118 (keeps a slash at the end)
    if isinstance(option.type, NameOrPath) and not os.path.exists(moved):  # noqa: PTH110
        return text
    return moved
