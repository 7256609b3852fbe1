"""What people see while files are translated: one in detail, many in a line each."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from subfit.batch.items import Group, Result, State
from subfit.batch.outcome import Outcome
from subfit.batch.plan import Plan
from subfit.batch.prepare import Prepared
from subfit.batch.run import Run
from subfit.batch.summary import totals_of_results
from subfit.batch.triage import Triage
from subfit.cli.debug import debugging
from subfit.cli.views.console import LiveBar, Messages, time_left
from subfit.cli.views.notes import UNSEEN, UNTIMED
from subfit.cli.views.text import one_line
from subfit.reporting.report import Report, over
from subfit.reporting.totals import told_in_short, told_lines
from subfit.reporting.wording import count_of, not_judged, number, terms_of, times_moved

REPAIRS = 3
"""Of what was mended in a file, how many places are told one by one where there are many files."""

STATE_NAMES: dict[State, str] = {
    "done": "translated",
    "earlier": "translated earlier",
    "edited": "left as edited",
    "failed": "failed",
    "stopped": "not begun",
}


class OneFile:
    """Tells of a single file, in detail.

    Args:
        messages: Where to.
        for_screens: Whether the user asked for limits that plain text has not.
    """

    def __init__(self, messages: Messages, *, for_screens: bool) -> None:
        self._messages, self._for_screens = messages, for_screens
        self._advance: Any = None

    @contextmanager
    def watching(self, plan: Plan) -> Iterator[OneFile]:
        """Show progress meanwhile."""
        # How many cues there are is known but about before the file is read.
        with self._messages.progress(plan.items[0].source, None) as self._advance:
            yield self

    def on_group(self, _: Group, done: int, total: int) -> None:
        """Show how far it is."""
        self._advance(done, total)

    def finished(self, result: Result, _: int) -> None:
        """Tell what became of it; what was raised is told when the program ends with it."""
        report, failure = result.report, result.failure
        if failure is not None and failure.error is None:
            self._messages.error(failure.message)
        if report is None:
            return
        self._messages.summary(result.item.source, result.item.target, report)
        if self._for_screens and "speaking" in report.totals:
            self._messages.note(UNSEEN)
        elif self._for_screens and not any(cue.timed for cue in report.cues):
            self._messages.note(UNTIMED)
        for note in _shortcomings_in(report):
            self._messages.note(note)


class ManyFiles:
    """Tells of every file in a line, and of all in the end; on a terminal a bar shows how far.

    Args:
        messages: Where to.
    """

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._bar = LiveBar(0, quiet=True)
        self._all = self._done = self._shown = self._files = self._files_done = 0
        self._started = monotonic()
        self._mended: set[str] = set()
        self._shortcomings: dict[str, None] = {}
        """Shortcomings of the models, as far as files have been translated."""

    @contextmanager
    def watching(self, plan: Plan, triage: Triage) -> Iterator[ManyFiles]:
        """Show progress meanwhile."""
        tell_plan(plan, self._messages)
        self._all, self._files = sum(todo.cues for todo in triage.todo), len(triage.todo)
        self._started = monotonic()
        with LiveBar(self._all, quiet=self._messages.quiet, counted=False) as self._bar:
            yield self

    def on_group(self, group: Group, done: int, total: int) -> None:
        """Show how far it is."""
        self._show(self._done + done * group.cues // max(total, 1))

    def finished(self, result: Result, cues: int) -> None:
        """Tell what became of a file in a line; nothing of those that were done before."""
        if result.state == "earlier":
            return
        self._done += cues
        self._files_done += bool(cues)
        item, failure = result.item, result.failure
        if failure is not None:
            self._error(failure.message)
            if failure.error is not None and debugging():
                traceback.print_exception(failure.error)
        elif result.state == "edited":
            self._say(f"{item.target}: edited since it was written; left as it is")
        elif result.state == "done":
            self._say(f"{item.source} -> {item.target}: {short_figures(result)}")
            self._tell_repairs(result)
            lacking = (result.figures or {}).get("shortcomings")
            if lacking:
                self._shortcomings[f"{lacking['model']} {'; '.join(lacking['cannot'])}"] = None
        self._show(self._done)

    def end(self, results: Sequence[Result]) -> None:
        """Tell what became of all."""
        totals = totals_of_results(results)
        states = {state: totals["files"][state] for state in STATE_NAMES}
        files = ", ".join(f"{many} {STATE_NAMES[state]}" for state, many in states.items() if many)
        all_files = count_of(len(results), "translation")
        self._messages.say(f"{all_files}: {files or 'nothing to do'}")
        after = totals["overflow"]["after"]
        characters = count_of(after["characters"], "character")
        lines = [
            ("cues", f"{totals['cues']}: {totals['untranslated']} untranslated"),
            ("LR", number(totals["length_ratio"]["mean"], 2)),
            ("over budget", f"{after['over']} by {characters}{not_judged(totals['untranslated'])}"),
            ("over lines", str(totals["lines_overflow"])),
            *told_lines(totals),
        ]
        if totals["terms"].get("found"):
            lines.append(("glossary", terms_of(totals["terms"])))
        if totals["timing"]["moved"]:
            lines.append(("out-times", times_moved(totals["timing"])))
        self._messages.figures(lines)
        for note in self._shortcomings:
            self._messages.note(note)

    def _tell_repairs(self, result: Result) -> None:
        """Tell what was mended or guessed in a file, with the first of its translations."""
        assert result.figures is not None
        source, repairs = result.item.source, result.figures["repairs"]
        if source in self._mended:
            return
        self._mended.add(source)
        for repair in repairs[:REPAIRS]:
            self._say(f"  line {repair['line']}: {one_line(repair['problem'])}")
        if (more := len(repairs) - REPAIRS) > 0:
            self._say(f"  and {more} more; --json or --report FILE.json lists them all")

    def _show(self, cues: int) -> None:
        """Show progress, in cues; there are about as many as the sizes of the files say."""
        # A group's cues are translated before its files are written one by one.
        self._shown = cues = max(cues, self._shown)
        left = time_left(cues, self._all, monotonic() - self._started)
        self._bar.update(cues, f"{self._files_done}/{self._files} files  {left} left")

    def _say(self, line: str) -> None:
        """Print a line where the results go, above the bar if they go to the terminal."""
        if self._bar.shown and (self._messages.on_stderr or sys.stdout.isatty()):
            self._bar.say_above(line)
        else:
            self._messages.say(line)

    def _error(self, message: str) -> None:
        if self._bar.shown and sys.stderr.isatty():
            self._bar.say_above(f"subfit: error: {one_line(message)}")
        else:
            self._messages.error(message)


def rehearsed(run: Run, messages: Messages) -> Outcome:
    """Tell what a run would do."""
    tell_plan(run.plan, messages)
    results, prepared = list[Result](), list[Prepared]()
    for outlook in run.rehearse():
        if isinstance(outlook, Prepared):
            item = outlook.source.item
            messages.planned(item.source, item.target, outlook.track, outlook.guideline)
            prepared.append(outlook)
        else:
            if outlook.failure is not None:
                messages.error(outlook.failure.message)
            results.append(outlook)
    return Outcome(run, tuple(results), tuple(prepared))


def tell_plan(plan: Plan, messages: Messages) -> None:
    """Tell what of the inputs is not among the files to translate, and why."""
    for _, failure in plan.listing.failures:
        messages.error(failure.message)
    if left_out := plan.listing.left_out:
        files = count_of(len(left_out), "file")
        messages.say(
            f"left out: {files} named as of another language than the source, as {left_out[0]}"
            " (a file that is named itself is always translated)"
        )


def _shortcomings_in(report: Report | None) -> list[str]:
    """What the model that a file was translated with cannot do."""
    settings = report.settings if report is not None else {}
    lacking = settings.get("model_cannot")
    return [f"{settings['model']} {'; '.join(lacking)}"] if lacking else []


def short_figures(result: Result) -> str:
    """Return the figures of one of many files, for its line."""
    assert result.figures is not None
    totals = result.figures["totals"]
    many = over(totals)
    fit = "none over" if totals["untranslated"] else "all fit"
    parts = [count_of(totals["cues"], "cue"), f"{many} over" if many else fit]
    if totals["untranslated"]:
        parts.append(f"{totals['untranslated']} untranslated")
    ratio = f"LR {number(totals['length_ratio']['mean'], 2)}"
    return ", ".join([*parts, *told_in_short(totals), ratio])
