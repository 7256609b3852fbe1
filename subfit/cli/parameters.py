"""From the command line to typed values: types of options, and dataclasses filled with them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

import click

from subfit.text.languages import primary_language

Command = TypeVar("Command", bound=Callable[..., Any])
_NOTHING: Mapping[str, str] = {}


class NameOrPath(click.Path):
    """The name of something that comes with subfit, or a path."""


class ReportPath(click.Path):
    """A file whose suffix says what kind of report it is to be."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; a usage error if no report has its suffix."""
        from subfit.reporting.tables import REPORT_SUFFIXES

        if Path(value).suffix.lower() not in REPORT_SUFFIXES:
            known = f"{', '.join(REPORT_SUFFIXES[:-1])} or {REPORT_SUFFIXES[-1]}"
            self.fail(f"{value}: the name must end in {known}", param, ctx)
        return super().convert(value, param, ctx)


FILE = click.Path(path_type=Path)
NAME_OR_PATH = NameOrPath()
REPORT = ReportPath()


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
    parts = Path(name).stem.split(".")[1:]
    return next((part for part in reversed(parts) if primary_language(part)), "und")


def milliseconds(_: click.Context, __: click.Parameter, value: float | None) -> int | None:
    """Turn an option's seconds into milliseconds."""
    return None if value is None else round(value * 1000)


def whole_numbers(text: str) -> tuple[int, ...]:
    """Read whole numbers from 1 on, ascending, parted by commas."""
    parts = text.split(",")
    numbers = tuple(int(part) for part in parts if part.strip().isdecimal())
    if len(numbers) != len(parts) or list(numbers) != sorted(set(numbers)) or numbers[0] < 1:
        raise click.BadParameter(f"{text!r} is not ascending whole numbers such as 10,20,40")
    return numbers


def names(text: str) -> tuple[str, ...]:
    """Read names parted by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def takes(names: Mapping[str, str] = _NOTHING, **kinds: type) -> Callable[[Command], Command]:
    """Let a command take options as dataclasses, each field filled by the option of its name.

    A field that is a dataclass itself is filled in the same way; fields without an option keep
    their default. Options that fill no field, or that the command names as well, are passed as
    they are.

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
    for field in fields(kind):
        option = names.get(field.name, field.name)
        if option in values:
            made[field.name] = values[option]
            used.add(option)
        elif is_dataclass(hint := hints[field.name]) and isinstance(hint, type):
            made[field.name] = _filled(hint, values, names, used)
    return kind(**made)
