"""``subfit formats``: what is read, what is written, and what of it stays."""

from __future__ import annotations

import click

from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import print_json
from subfit.subtitles.cues import FORMATS, Format
from subfit.subtitles.formats import BROKEN


@click.command()
@options.json_option
def formats(json: bool) -> None:
    """List the formats that are read and written, those of installed packages too."""
    if json:
        print_json({"formats": [_entry(format) for format in FORMATS.values()]})
        return
    messages = Messages(data_on_stdout=False, quiet=False)
    rows = [
        (format.name, format.title, " ".join(format.suffixes), _doing(format), format.keeps or "–")
        for format in FORMATS.values()
    ]
    headings = ("name", "format", "suffixes", "is", "what stays")
    messages.table(headings, rows, texts={*headings})
    for name, problem in BROKEN.items():
        messages.note(f"{name}: cannot be loaded: {problem}")


def _doing(format: Format) -> str:
    return "read, written" if format.written else "read"


def _entry(format: Format) -> dict[str, object]:
    return {
        "name": format.name,
        "title": format.title,
        "suffixes": list(format.suffixes),
        "written": format.written,
        "timed": format.timed,
        "keeps": format.keeps,
    }
