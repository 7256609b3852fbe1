"""From the command line, ``subfit.toml`` and the environment to typed values."""

from __future__ import annotations

import inspect
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast, get_type_hints

import click
from click.core import ParameterSource

from subfit.errors import UsageError, reason_of

Command = TypeVar("Command", bound=Callable[..., Any])
_NOTHING: Mapping[str, str] = {}


class NameOrPath(click.Path):
    """The name of something that comes with subfit, or a path, or an address of a server."""

    envvar_list_splitter: ClassVar[Any] = None  # at spaces: addresses have colons


class ReportPath(click.Path):
    """A file whose suffix says what kind of report it is to be.

    Args:
        page: Whether it may be a page.
    """

    def __init__(self, *, page: bool = True) -> None:
        super().__init__(path_type=Path)
        self._page = page

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; a usage error if no such report has its suffix."""
        from subfit.reporting.tables import PAGE, REPORT_SUFFIXES

        suffixes = [one for one in REPORT_SUFFIXES if self._page or one != PAGE]
        if Path(value).suffix.lower() not in suffixes:
            known = f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"
            self.fail(f"{value}: the name must end in {known}", param, ctx)
        return super().convert(value, param, ctx)


class TextFile(click.Path):
    """A file whose text is the value, in one line."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the text; `InputFileError` if it cannot be read."""
        from subfit.files import read_bytes
        from subfit.subtitles.encoding import decode

        return " ".join(decode(read_bytes(value), name=str(value)).text.split())


FILE = click.Path(path_type=Path)
TEXT_FILE = TextFile()
NAME_OR_PATH = NameOrPath()
REPORT = ReportPath()
TABLE_REPORT = ReportPath(page=False)


def language_tag(value: str) -> str:
    """Check a language tag, which becomes part of a file's name."""
    if not re.fullmatch(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*", value):
        raise click.BadParameter(f"{value!r} is no language tag such as de or pt-BR")
    return value


def language_tags(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Take an option's values apart at their commas, each language once, as it is first written."""
    tags = map(language_tag, (tag.strip() for value in values for tag in value.split(",")))
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.lower(), tag)
    return tuple(first.values())


def language_in_name(name: str) -> str:
    """Return the language in a file's name (``movie.de.sdh.srt``), or ``und``."""
    from subfit.subtitles.formats.naming import named_language  # imports all formats

    return named_language(Path(name)) or "und"


def milliseconds(_: click.Context, __: click.Parameter, value: float | None) -> int | None:
    """Turn an option's seconds into milliseconds."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number of seconds")
    return None if value is None else round(value * 1000)


def whole_numbers(text: str) -> tuple[int, ...]:
    """Read whole numbers from 1 on, ascending, parted by commas."""
    parts = text.split(",")
    numbers = tuple(int(part) for part in parts if part.strip().isdecimal())
    if len(numbers) != len(parts) or list(numbers) != sorted(set(numbers)) or numbers[0] < 1:
        raise click.BadParameter(f"{text!r} is not ascending whole numbers such as 10,20,40")
    return numbers


def number_ranges(text: str) -> frozenset[int]:
    """Read whole numbers from 1 on and ranges of them, parted by commas: 12,40-52."""
    chosen: set[int] = set()
    for part in names(text):
        found = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 1 <= first <= last:
            raise click.BadParameter(f"{part!r} is no number or range such as 12 or 40-52")
        chosen.update(range(first, last + 1))
    return frozenset(chosen)


def names(text: str) -> tuple[str, ...]:
    """Read names parted by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def takes(names: Mapping[str, str] = _NOTHING, **kinds: type) -> Callable[[Command], Command]:
    """Let a command take options as dataclasses, each field filled by the option of its name.

    A field that is a dataclass itself is filled in the same way; fields without an option, or with
    one that is not given, keep their default. Options that fill no field, or that the command names
    as well, are passed as they are.

    Args:
        names: Of options, by the fields that are called otherwise.
        kinds: Dataclasses, by the names of the command's parameters.
    """

    def decorate(command: Command) -> Command:
        wanted = inspect.signature(command).parameters

        @wraps(command)
        def bound(**values: Any) -> Any:
            used: set[str] = set()
            made = {name: _filled(kind, values, names, used) for name, kind in kinds.items()}
            others = {name: value for name, value in values.items() if name not in used - {*wanted}}
            return command(**made, **others)

        return cast(Command, bound)

    return decorate


def _filled(kind: type, values: Mapping[str, Any], names: Mapping[str, str], used: set[str]) -> Any:
    """Make a dataclass of the values of options, and add the names of these to ``used``."""
    hints, made = get_type_hints(kind), {}
    for one in fields(kind):
        option = names.get(one.name, one.name)
        if option in values:
            used.add(option)
            if values[option] is not None or one.default is one.default_factory is MISSING:
                made[one.name] = values[option]
        elif is_dataclass(hint := hints[one.name]) and isinstance(hint, type):
            made[one.name] = _filled(hint, values, names, used)
    return kind(**made)


TOML = "subfit.toml"
PREFIX = "SUBFIT"
"""Begins environment variables: ``SUBFIT_TRANSLATE_GUIDELINE`` is ``translate --guideline``."""

GIVEN = "subfit.given"
"""The words of the command line, in the contexts of commands."""

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
        (parent / TOML for parent in (folder, *folder.parents) if (parent / TOML).is_file()), None
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
    values = (
        (options[key].name, _value(options[key], value, defaults, (*keys, key)))
        for key, value in table.items()
    )
    return {str(name): value for name, value in values if value is not None}


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
    if option.is_flag:  # --isometric stands for a value of another option
        named = not isinstance(option.flag_value, bool)
        return (option.flag_value if value else None) if named else value
    texts = [_from_its_folder(option, str(one), defaults) for one in values]
    return texts if option.multiple else texts[0]


def _from_its_folder(option: click.Option, text: str, defaults: Defaults) -> str:
    """A relative path as seen from the current folder instead of from the file's."""
    listed = text.startswith("@")  # @FILE: names
    if not (listed or isinstance(option.type, click.Path)) or defaults.path is None or text == "-":
        return text
    folder = defaults.path.parent
    if listed:
        return f"@{folder / text[1:]}"
    moved = os.path.join(folder, text)  # noqa: PTH118 (keeps a slash at the end)
    pair = [str(folder / one) for one in text.split(":")]
    if len(pair) > 1 and all(map(os.path.exists, pair)):
        return ":".join(pair)
    if isinstance(option.type, NameOrPath) and not os.path.exists(moved):  # noqa: PTH110
        return text
    return moved
