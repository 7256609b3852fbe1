"""``subfit formats``: what is read, what is written, and what of it stays."""

from __future__ import annotations

import click

from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import print_json
from subfit.subtitles.cues import FORMATS
from subfit.subtitles.formats import BROKEN


@click.command()
@options.json_option
def formats(json: bool) -> None:
    """List the formats that are read and written, those of installed packages too."""
    if json:
        told = ("name", "title", "suffixes", "written", "timed", "keeps")
        entries = [{name: getattr(format, name) for name in told} for format in FORMATS.values()]
        print_json({"formats": entries})
        return
    messages = Messages(data_on_stdout=False, quiet=False)
    rows = []
    for format in FORMATS.values():
        doing = "read, written" if format.written else "read"
        suffixes, kept = " ".join(format.suffixes), format.keeps or "–"
        rows.append((format.name, format.title, suffixes, doing, kept))
    headings = ("name", "format", "suffixes", "is", "what stays")
    messages.table(headings, rows, texts={*headings})
    for name, problem in BROKEN.items():
        messages.note(f"{name}: cannot be loaded: {problem}")
