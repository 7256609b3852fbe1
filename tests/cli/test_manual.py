"""The manual page: every command and option, as roff takes it."""

from __future__ import annotations

import click

from subfit.cli.manual import manual


@click.group(help="Count boats.")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
def harbour(debug: bool) -> None:
    """The program."""


@harbour.command(epilog="Example: harbour count -n 2")
@click.argument("place")
@click.option("-n", "--number", metavar="N", help="Boats, or \\ for none.")
@click.option("--secret", hidden=True, help="Not told.")
def count(place: str, number: str, secret: str) -> None:
    """Count the boats.

    .hidden lines would be taken for requests,
    'as would these.

    The second paragraph.
    """


@harbour.group()
def log() -> None:
    """The log."""


@log.command()
def show() -> None:
    """Show the log."""


PAGE = manual(click.Context(harbour, info_name="harbour"))
LINES = PAGE.splitlines()


def test_every_command_stands_in_it_those_of_groups_too() -> None:
    titles = [line.removeprefix(".SS ") for line in LINES if line.startswith(".SS ")]
    names = [title.partition(" [")[0] for title in titles]
    assert names == ["harbour count", "harbour log", "harbour log show"]


def test_options_stand_with_their_help_and_hidden_ones_do_not() -> None:
    at = LINES.index(r"\fB\-n, \-\-number N\fR")
    assert LINES[at - 1] == ".TP" and LINES[at + 1] == r"Boats, or \e for none."
    assert r"\fB\-\-debug\fR" in LINES
    assert "secret" not in PAGE


def test_text_is_never_taken_for_a_request() -> None:
    told = next(line for line in LINES if "hidden lines" in line)
    assert told.startswith(r"\&.hidden lines would be taken for requests, 'as would these.")
    known = (".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I")
    assert all(line.startswith(known) for line in LINES if line.startswith((".", "'")))


def test_paragraphs_and_the_example_stand_by_themselves() -> None:
    assert LINES[LINES.index("The second paragraph.") - 1] == ".PP"
    assert r"Example: harbour count \-n 2" in LINES


def test_it_ends_with_what_all_commands_have_in_common() -> None:
    tail = PAGE[PAGE.index(".SH ENVIRONMENT") :]
    assert all(f".B {code}\n" in tail for code in (0, 1, 2, 3, 130))
    assert "subfit.toml" in tail
