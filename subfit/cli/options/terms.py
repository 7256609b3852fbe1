"""The options for terms and names, and what they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from subfit.cli.options.shared import Command
from subfit.terms.glossary import name
from subfit.terms.glossary_file import Entries, Origin, read_glossary, read_names


@dataclass(frozen=True, slots=True)
class Wishes:
    """Terms and names, as asked for."""

    glossaries: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    name_lists: tuple[str, ...] = ()

    def read(self, source_language: str, target_languages: Sequence[str]) -> Entries:
        """Read all files.

        Args:
            source_language: Tag of the language that is translated from.
            target_languages: Tags of the languages that are translated into.

        Raises:
            InputFileError: One cannot be read, or is broken, or contradicts another.
            UsageError: A glossary has no column for one of the languages; a name is empty.
        """
        entries = Entries()
        for each in self.names:
            if not each.strip():
                raise click.UsageError("--keep names nothing")
            entries.add(Origin("--keep"), name(" ".join(each.split())))
        for path in self.name_lists:
            read_names(path, entries)
        for path in self.glossaries:
            read_glossary(path, source_language, target_languages, entries)
        return entries


def term_options(command: Command) -> Command:
    """Add ``--glossary``, ``--keep`` and ``--keep-list``; the command gets ``wishes``."""

    @click.option(
        "--glossary",
        "glossaries",
        multiple=True,
        metavar="FILE",
        help="Terms and how they are translated: CSV or TSV with source, target and, optionally, "
        "case, pos and notes; repeatable. A target may have several forms: Schiff|Schiffe.",
    )
    @click.option(
        "--keep",
        "names",
        multiple=True,
        metavar="NAME",
        help="A name that is not translated; repeatable.",
    )
    @click.option(
        "--keep-list",
        "name_lists",
        multiple=True,
        metavar="FILE",
        help="Names that are not translated, one a line; repeatable.",
    )
    @wraps(command)
    def collected(
        *args: Any,
        glossaries: tuple[str, ...],
        names: tuple[str, ...],
        name_lists: tuple[str, ...],
        **options: Any,
    ) -> Any:
        return command(*args, wishes=Wishes(glossaries, names, name_lists), **options)

    return collected  # type: ignore[return-value]
