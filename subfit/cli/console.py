"""What people see: tables, progress, figures. The only user of rich."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Table
from rich.text import Text

from subfit.cli.output import one_line, printable, shortened
from subfit.reporting.wording import percent
from subfit.subtitles.cues import ConversionLoss, Repair

PLAIN_WIDTH = 160
"""Columns of tables that go to a file or pipe."""
WORST = 5
"""Cues shown one by one."""
INTERVAL = 30.0
"""Seconds between lines of progress where there is no terminal; shorter runs have none."""


def console(*, stderr: bool = False) -> Console:
    """Return a console that never interprets markup in texts, and is plain off the terminal."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PLAIN_WIDTH
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False)


def time_left(done: float, total: float, seconds: float) -> str:
    """Return how long the rest takes if it goes on like what took some seconds."""
    return str(timedelta(seconds=round((total - done) / done * seconds))) if done > 0 else "?"


class Messages:
    """Tells people of progress and results.

    Args:
        data_on_stdout: Whether stdout carries data, so that all this goes to stderr.
        quiet: Tell nothing but errors.
    """

    def __init__(self, *, data_on_stdout: bool, quiet: bool) -> None:
        self.quiet, self.on_stderr = quiet, data_on_stdout
        self._out = console(stderr=data_on_stdout)

    def error(self, message: str) -> None:
        """Tell of a failure in one line on stderr."""
        click.echo(f"subfit: error: {one_line(message)}", err=True)

    def warning(self, message: str) -> None:
        """Tell in one line on stderr of something that may well be unwanted."""
        if not self.quiet:
            click.echo(f"subfit: warning: {one_line(message)}", err=True)

    def note(self, text: str) -> None:
        """Tell something the user may not expect."""
        self.say(f"  note: {text}")

    def say(self, line: str) -> None:
        """Print a line."""
        if not self.quiet:
            self._out.print(Text(printable(line).replace("\n", " ")), soft_wrap=True)

    def figures(self, figures: Iterable[tuple[str, str]]) -> None:
        """List labelled figures."""
        for label, text in figures:
            self.say(f"  {label:<15} {text}")

    def repairs(self, repairs: Sequence[Repair]) -> None:
        """List what was mended in the input, and warn of what the output has no place for."""
        for repair in repairs:
            if isinstance(repair, ConversionLoss):
                self.warning(f"line {repair.line}: {repair.problem}")
            else:
                self.say(f"  line {repair.line}: {repair.problem}")

    def table(
        self,
        headings: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        texts: set[str],
        title: str = "",
    ) -> None:
        """Print a table.

        Args:
            headings: Of its columns.
            rows: Their cells.
            texts: Headings of columns that hold text, which wraps, and is shortened where it is
                very long; the others are figures.
            title: A line before it.
        """
        if self.quiet:
            return
        if title:
            self.say(f"  {title}")
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in headings:
            if heading in texts:
                table.add_column(Text(heading), overflow="fold", min_width=12)
            else:
                table.add_column(Text(heading), justify="right", no_wrap=True)
        for row in rows:
            cells = zip(headings, row, strict=True)
            shown = (shortened(cell) if heading in texts else cell for heading, cell in cells)
            table.add_row(*(Text(printable(cell)) for cell in shown))
        self._out.print(table)

    def more(self, count: int, place: str) -> None:
        """Tell how many rows a table leaves out, if any, and which options list them."""
        if count > 0:
            self.say(f"  and {count} more; {place} lists them all")

    @contextmanager
    def progress(self, name: str, count: int) -> Iterator[Callable[[int, int], None]]:
        """Show how far the lines of a file are.

        Yields:
            A function to call with the lines done and all lines.
        """
        start = monotonic()
        with Bar(count, name=name, quiet=self.quiet) as bar:

            def advance(done: int, total: int) -> None:
                share, seconds = done / max(total, 1), max(monotonic() - start, 1e-3)
                left = time_left(done, total, seconds)
                bar.update(
                    int(share * count), f"{share * count / seconds:.1f} lines/s  {left} left"
                )

            yield advance


class Bar:
    """A bar with figures on a terminal, drawn anew only when told to; elsewhere a line at times.

    Args:
        total: Where it ends.
        name: What is worked on.
        quiet: Show nothing at all.
    """

    def __init__(self, total: int, *, name: str = "", quiet: bool = False) -> None:
        terminal = console(stderr=sys.stderr.isatty())
        self.total, self._quiet, self._name = total, quiet, one_line(name)
        self.shown = terminal.is_terminal and not terminal.is_dumb_terminal and not quiet
        name_column = TextColumn("{task.description}", markup=False)
        figures = TextColumn("{task.fields[figures]}", markup=False)
        columns = (name_column, BarColumn(), TaskProgressColumn(), figures)
        self._bar = Progress(*columns, console=terminal, transient=True, auto_refresh=False)
        self._bar.disable = not self.shown
        self._task = self._bar.add_task(self._name, total=total, figures="")
        self._next = monotonic() + INTERVAL

    def __enter__(self) -> Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def update(self, done: int, figures: str) -> None:
        """Show how far it is, with figures beside, on one or more lines."""
        self._bar.update(self._task, completed=done, figures=figures, refresh=True)
        if not (self.shown or self._quiet) and monotonic() >= self._next:
            name = f"{self._name}: " if self._name else ""
            line = one_line(f"{name}{percent(done / max(self.total, 1))}  {figures}")
            click.echo(f"subfit: {line}", err=True)
            self._next = monotonic() + INTERVAL

    def say_above(self, line: str) -> None:
        """Print a line above the bar, where that is shown."""
        self._bar.console.print(Text(printable(line)), soft_wrap=True)
