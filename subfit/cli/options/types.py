"""Types of options: what a value on the command line becomes, or why it cannot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from subfit.text.languages import primary_language


class NameOrPath(click.Path):
    """The name of something that comes with subfit, or a path."""


FILE = click.Path(path_type=Path)
NAME_OR_PATH = NameOrPath()


class ReportPath(click.Path):
    """A file whose suffix says what kind of report it is to be."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; a usage error if no report has its suffix."""
        from subfit.reporting.files.rendering import REPORT_SUFFIXES

        if Path(value).suffix.lower() not in REPORT_SUFFIXES:
            known = f"{', '.join(REPORT_SUFFIXES[:-1])} or {REPORT_SUFFIXES[-1]}"
            self.fail(f"{value}: the name must end in {known}", param, ctx)
        return super().convert(value, param, ctx)


REPORT = ReportPath()


def language_tag(value: str) -> str:
    """Check a language tag, which becomes part of a file's name."""
    if not re.fullmatch(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*", value):
        raise click.BadParameter(f"{value!r} is no language tag such as de or pt-BR")
    return value


def language_in_name(name: str) -> str:
    """Return the language in a file's name (``movie.de.sdh.srt``), or ``und``."""
    parts = Path(name).stem.split(".")[1:]
    return next((part for part in reversed(parts) if primary_language(part)), "und")


def language_tags(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Take an option's values apart at their commas, each language once, as it is first written."""
    tags = map(language_tag, (tag.strip() for value in values for tag in value.split(",")))
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.lower(), tag)
    return tuple(first.values())


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
