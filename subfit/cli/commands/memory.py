"""``subfit memory``: what was translated before, indexed and searched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from subfit.cli import options
from subfit.cli.output import one_line, tell
from subfit.cli.parameters import FILE
from subfit.memory.files import read_entries, write_entries
from subfit.memory.store import SUFFIX, Added, Entry, Languages, Memory, create, extend

_FILES = (
    "FILES are TMX, XLIFF or tab-separated text, other memories, the edits of a report's page"
    " (film.de.srt.edits.json), or two subtitle files of the same programme, parted by a colon:"
    " film.en.srt:film.de.srt."
)
memory_argument = click.argument("memory", type=FILE)
files_argument = click.argument("names", nargs=-1, required=True, metavar="FILES...")
overwrite_option = options.overwrite_option("Replace a file that is there.")


@click.group()
def memory() -> None:
    """Build, search and export translation memories."""


@memory.command(epilog=_FILES)
@files_argument
@options.source_language_option
@options.target_language("Language that is translated into.")
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE",
    help=f"The memory's file, by convention NAME{SUFFIX}.")  # fmt: skip
@overwrite_option
@options.json_option
def build(
    names: tuple[str, ...],
    source_language: str,
    target_language: str | None,
    output: Path,
    overwrite: bool,
    json: bool,
) -> None:
    """Make a memory of what was translated before."""
    if target_language is None:
        raise click.UsageError("name the language that is translated into with -t")
    languages = Languages(source_language, target_language)
    added = create(output, _entries(names, languages), languages, overwrite=overwrite)
    _tell(added, output, json=json)


@memory.command(epilog=_FILES)
@memory_argument
@files_argument
@options.json_option
def add(memory: Path, names: tuple[str, ...], json: bool) -> None:
    """Add to a memory; what is added last is preferred.

    A translation that was corrected on the page of its report comes back with the page's edits,
    and any other as a pair: subfit memory add season.memory film.en.srt:film.de.srt
    """
    languages = Memory.open(memory).languages
    _tell(extend(memory, _entries(names, languages)), memory, json=json)


@memory.command()
@click.argument("paths", nargs=-1, type=FILE)
@options.json_option
def ls(paths: tuple[Path, ...], json: bool) -> None:
    """List memories: files, or those in folders; by default those that lie here."""
    rows: list[dict[str, Any]] = []
    for path in _memories(paths or (Path(),)):
        opened = Memory.open(path)
        rows.append({"file": str(path), **asdict(opened.languages), "entries": len(opened)})
        opened.close()
    lines = [
        f"{one_line(row['file'])}: {row['source']} to {row['target']}, {row['entries']} entries"
        for row in rows
    ]
    tell({"memories": rows}, lines or [f"no memories here (files named *{SUFFIX})"], json=json)


@memory.command()
@memory_argument
@click.argument("text")
@click.option("--most", type=click.IntRange(min=1), default=5, metavar="N",
    help="So many matches at most.")  # fmt: skip
@click.option("--least", type=click.FloatRange(0, 1), default=0.5, metavar="SHARE",
    help="The least similarity: the share of words that are the same.")  # fmt: skip
@options.json_option
def search(memory: Path, text: str, most: int, least: float, json: bool) -> None:
    """Show what a memory has for a text, the most similar first."""
    matches = Memory.open(memory).similar(text, most=most, least=least)
    rows = [
        {"similarity": one.similarity, "match_class": one.match_class, **asdict(one.entry)}
        for one in matches
    ]
    lines = [
        f"{one.similarity:4.0%}  {one_line(one.entry.source)}\n"
        f"      {one_line(one.entry.target)}  ({one_line(one.entry.origin)})"
        for one in matches
    ]
    tell({"matches": rows}, lines or ["no match"], json=json)


@memory.command()
@memory_argument
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE",
    help="A file named .tmx or .tsv.")  # fmt: skip
@overwrite_option
@options.json_option
def export(memory: Path, output: Path, overwrite: bool, json: bool) -> None:
    """Write a memory as TMX or tab-separated text, for other tools."""
    opened = Memory.open(memory)
    count = write_entries(output, iter(opened), opened.languages, overwrite=overwrite)
    line = f"{one_line(str(output))}: {count} entries"
    tell({"output": str(output), "entries": count}, [line], json=json)


def _entries(names: tuple[str, ...], languages: Languages) -> Iterator[Entry]:
    for name in names:
        yield from read_entries(name, languages)


def _memories(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]


def _tell(added: Added, path: Path, *, json: bool) -> None:
    known = f", {added.known} stood there already" if added.known else ""
    line = f"{one_line(str(path))}: {added.new} new entries{known}"
    tell({"memory": str(path), **asdict(added)}, [line], json=json)
