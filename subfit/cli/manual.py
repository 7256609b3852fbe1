"""The manual page in roff, made of the help texts of all commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from subfit.version import __version__

_FILES = """\
.SH ENVIRONMENT
Every option has a variable: SUBFIT_, the command, and the option, all in capitals and parted by
underscores, as in SUBFIT_TRANSLATE_GUIDELINE. SUBFIT_DEBUG=1 shows tracebacks.
.SH FILES
.TP
.I subfit.toml
Defaults of options, of the current folder or the nearest above it: a table for each command, as
[translate] with the line guideline = "netflix". The command line comes first, then the
environment, then the file. \\fBsubfit config\\fR shows what holds.
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Failed.
.TP
.B 2
Wrong usage; nothing was done.
.TP
.B 3
Done, but not everything keeps its limits.
.TP
.B 130
Interrupted.
"""


def manual(root: click.Context) -> str:
    """Return the manual page of a group of commands."""
    group = root.command
    assert isinstance(group, click.Group)
    parts = [
        f'.TH SUBFIT 1 "" "subfit {__version__}" "User Commands"',
        ".SH NAME",
        f"subfit \\- {_roff(group.get_short_help_str(200))}",
        ".SH SYNOPSIS",
        ".B subfit",
        r"[\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGUMENTS\fR]",
        ".SH OPTIONS",
        *_options(group, root),
        ".SH COMMANDS",
    ]
    for name in group.list_commands(root):
        command = group.get_command(root, name)
        assert command is not None
        parts += _command(command, click.Context(command, root, name))
    return "\n".join(parts) + "\n" + _FILES


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_roff(context.command_path)} {_roff(usage)}"
    yield from _paragraphs(command.help or "")
    yield from _options(command, context)
    if command.epilog:
        yield from (".PP", _roff(command.epilog))
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _command(below, click.Context(below, context, name))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            yield from (".TP", rf"\fB{_roff(record[0])}\fR", _roff(record[1]))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        yield from (".PP", _roff(" ".join(paragraph.split())))


def _roff(text: str) -> str:
    """Return text that roff takes as it is."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped)
