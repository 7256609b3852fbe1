"""What people see: tables, progress and summaries. The only user of rich."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from subfit.cli.views.summary import CELLS, cells_of, figures_of, guideline_of, remarks_of
from subfit.cli.views.text import one_line, printable, shortened
from subfit.limits.guideline import Guideline
from subfit.reporting.report import Report
from subfit.reporting.verdicts import CueVerdict
from subfit.reporting.wording import count_of, percent
from subfit.subtitles.cues import ConversionLoss, Repair, Track

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


class PlainProgress:
    """Tells how far a long run is in lines on stderr, for logs and places without a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._next = monotonic() + INTERVAL

    def update(self, line: str) -> None:
        """Print a line, unless the last one is less than `INTERVAL` old."""
        if not self._quiet and monotonic() >= self._next:
            click.echo(f"subfit: {one_line(line)}", err=True)
            self._next = monotonic() + INTERVAL


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
        self._quiet, self.on_stderr = quiet, data_on_stdout
        self._out = console(stderr=data_on_stdout)

    @property
    def quiet(self) -> bool:
        """Whether nothing but errors is told."""
        return self._quiet

    @property
    def width(self) -> int:
        """Columns that a table may take."""
        return self._out.width

    def error(self, message: str) -> None:
        """Tell of a failure in one line on stderr."""
        click.echo(f"subfit: error: {one_line(message)}", err=True)

    def warning(self, message: str) -> None:
        """Tell in one line on stderr of something that may well be unwanted."""
        if not self._quiet:
            click.echo(f"subfit: warning: {one_line(message)}", err=True)

    def note(self, text: str) -> None:
        """Tell something the user may not expect."""
        self.say(f"  note: {text}")

    def say(self, line: str) -> None:
        """Print a line."""
        if not self._quiet:
            self._out.print(Text(printable(line).replace("\n", " ")), soft_wrap=True)

    def planned(self, source: str, target: str, track: Track, guideline: Guideline) -> None:
        """Tell what would be done with a file."""
        cues = count_of(len(track.cues), "cue")
        self.heading(f"{shown_names(source, target)}: {cues}, {track.format}", guideline)
        self.repairs(track.repairs)

    @contextmanager
    def progress(
        self, name: str, cues: int | None, unit: str = "cues"
    ) -> Iterator[Callable[[int, int], None]]:
        """Show how far a translation is: with a bar on a terminal, else in a line at times.

        Args:
            name: What is worked on.
            cues: How many there are; None if that is not known, which shows but the share.
            unit: What they are, if not cues.

        Yields:
            A function to call with the sentences done and all sentences.
        """
        bar = Progress(
            TextColumn("{task.fields[name]}", markup=False),
            BarColumn(),
            TaskProgressColumn() if cues is None else MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}", markup=False),
            TimeRemainingColumn(),
            console=console(stderr=True),
            transient=True,
            disable=self._quiet or not sys.stderr.isatty(),
        )
        plain = PlainProgress(quiet=self._quiet or sys.stderr.isatty())
        start = monotonic()
        with bar:
            task = bar.add_task("", total=cues or 1.0, name=one_line(name), speed="")

            def advance(done: int, total: int) -> None:
                finished = done / max(total, 1) if cues is None else done * cues // max(total, 1)
                seconds = max(monotonic() - start, 1e-3)
                speed = finished / seconds
                # All are translated once before those that are too long are searched again.
                running = "" if cues is None else f"{speed:.1f} {unit}/s"
                state = running if done < total else "shortening"
                bar.update(task, completed=finished, speed=state)
                rest = state if done >= total else f"{time_left(done, total, seconds)} left"
                plain.update(f"{name}: {percent(done / max(total, 1))}, {rest}")

            yield advance

    def summary(self, source: str, target: str, report: Report) -> None:
        """Tell what became of a file."""
        self.heading(shown_names(source, target), report.guideline)
        self.figures(figures_of(report))
        self.repairs(report.repairs)
        for line in remarks_of(report):
            self.say(f"  {line}")
        worst = report.worst(WORST)
        if worst:
            fit = all(cue.outcome.status == "fits" for cue in worst)
            title = "All fit; most worth a look:" if fit else "Worst cues:"
            self._cues(title, worst)
        others = [cue for cue in report.riskiest(len(worst) + WORST) if cue not in worst][:WORST]
        if others:
            self._cues("Riskiest of the others:", others)

    def _cues(self, title: str, cues: Iterable[CueVerdict]) -> None:
        """List cues in a table."""
        rows = map(cells_of, cues)
        self.table(CELLS, rows, texts={"source", "translation"}, title=title)

    def heading(self, title: str, guideline: Guideline) -> None:
        """Tell which file this is about, and what it is held against."""
        self.say(title)
        self.figures([("guideline", guideline_of(guideline))])

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
        if self._quiet:
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
            table.add_row(
                *(
                    Text(printable(shortened(cell) if heading in texts else cell))
                    for heading, cell in zip(headings, row, strict=True)
                )
            )
        self._out.print(table)

    def more(self, count: int, place: str) -> None:
        """Tell how many rows a table leaves out, if any.

        Args:
            count: How many.
            place: The options that list them.
        """
        if count > 0:
            self.say(f"  and {count} more; {place} lists them all")


class LiveBar:
    """A bar with figures on a terminal, drawn anew only when told to; elsewhere a line at times.

    Args:
        total: Where it ends.
        quiet: Show nothing at all.
        counted: Whether what is done is counted in numbers; else in percent, of about the total.
    """

    def __init__(self, total: int, *, quiet: bool = False, counted: bool = True) -> None:
        terminal = console(stderr=sys.stderr.isatty())
        self.shown = terminal.is_terminal and not terminal.is_dumb_terminal and not quiet
        done = MofNCompleteColumn() if counted else TaskProgressColumn()
        columns = (BarColumn(), done, TextColumn("{task.fields[figures]}"))
        self._bar = Progress(*columns, console=terminal, transient=True, auto_refresh=False)
        self._bar.disable = not self.shown
        self._plain = PlainProgress(quiet=quiet or self.shown)
        self._total = total
        self._task = self._bar.add_task("", total=total, figures="")

    def __enter__(self) -> LiveBar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def update(self, done: int, figures: str) -> None:
        """Show how far it is, with figures beside, on one or more lines."""
        self._bar.update(self._task, completed=done, figures=figures, refresh=True)
        self._plain.update(f"{percent(done / max(self._total, 1))}  {figures}")

    def say(self, line: str) -> None:
        """Print a line, above the bar if there is one."""
        if self.shown and sys.stdout.isatty():
            self.say_above(line)
        else:
            click.echo(line)

    def say_above(self, line: str) -> None:
        """Print a line above the bar, where that is shown."""
        self._bar.console.print(Text(printable(line)), soft_wrap=True)


def shown_names(source: str, target: str) -> str:
    """Return what becomes of which file, for a heading."""
    return " -> ".join(
        stream if name == "-" else name
        for name, stream in ((source, "standard input"), (target, "standard output"))
    )
