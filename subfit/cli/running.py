"""What is told of a job: one file in detail, many in a line each, and what became of them."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from subfit.batch.items import STREAM, Item, Result, Source, State
from subfit.batch.job import Job, Limits, ReadingOptions, Writing
from subfit.batch.outcome import Outcome, totals_of_results
from subfit.batch.plan import Plan, is_script, named_as_target, plan_items
from subfit.batch.run import Run, opened
from subfit.batch.setup import Prepared, make_setup
from subfit.cli.console import WORST, Bar, Messages, time_left
from subfit.cli.output import FAILED, OVER_LIMITS, debugging, one_line, print_json
from subfit.cli.parameters import language_in_name
from subfit.errors import Failure, UsageError, failure_of
from subfit.limits.guideline import Guideline
from subfit.reporting.figures import CueVerdict, Totals, kept_by_rule, short_counts, summary_lines
from subfit.reporting.report import Report, over
from subfit.reporting.wording import (
    LIMIT_NAMES,
    PLACE,
    compliance_of,
    count_of,
    not_judged,
    number,
    over_budget,
    percent,
    place_cells,
    place_of,
    ratio_of,
    speed_of,
    spread_of,
    terms_of,
    times_moved,
    usage_of,
)
from subfit.subtitles.cues import Track

UNTIMED = "plain text is on no screen: only --length-ratio limits it"
UNSEEN = "a dubbing script is on no screen: guideline, --cps, --cpl and --lines do not limit it"
_CELLS = (*PLACE, "source", "translation", "characters", "limit", "risk")


def show_heading(messages: Messages, title: str, guideline: Guideline) -> None:
    """Tell which file this is about, and what it is held against."""
    messages.say(title)
    messages.figures([("guideline", guideline_of(guideline))])


def show_report(messages: Messages, source: str, target: str, report: Report) -> None:
    """Tell what became of a file."""
    show_heading(messages, shown_names(source, target), report.guideline)
    messages.figures(figures_of(report.totals, report.guideline.frame_rate))
    messages.repairs(report.repairs)
    for line in remarks_of(report):
        messages.say(f"  {line}")
    worst = report.worst(WORST)
    fit = all(cue.outcome.status == "fits" for cue in worst)
    title = "All fit; most worth a look:" if fit else "Worst cues:"
    if rows := list(map(_cells_of, worst)):
        messages.table(_CELLS, rows, texts={"source", "translation"}, title=title)


def shown_names(source: str, target: str) -> str:
    """Return what becomes of which file, for a heading."""
    if source == target != STREAM:
        return source
    named = (source, "standard input"), (target, "standard output")
    return " -> ".join(stream if name == STREAM else name for name, stream in named)


def figures_of(totals: Totals, frame_rate: float | None = None) -> Iterator[tuple[str, str]]:
    """Yield the figures of one file, or of several added up, each with its label."""
    lines = dict(summary_lines(totals))
    spoken = totals.get("speaking")
    kept = [
        count_of(kept_by_rule(totals), "passed by rule", plural=""),
        count_of(totals["untranslated"], "untranslated", plural=""),
    ]
    already = f" ({spoken['kept']} already)" if spoken and spoken["kept"] else ""
    yield "cues", f"{totals['cues']}: {totals['translated']} translated{already}, {', '.join(kept)}"
    if "unread" in lines:
        yield "unread", lines.pop("unread")
    yield "LR", ratio_of(totals["length_ratio"])
    yield "LC", compliance_of(totals["compliance"])
    yield "over budget", _over_budget(totals)
    if totals["lines_overflow"]:
        what = "over lines" if spoken is None else "over time"
        yield what, f"{count_of(totals['lines_overflow'], 'cue')} within budget"
    yield from lines.items()
    if totals["terms"].get("found"):
        yield "glossary", terms_of(totals["terms"])
    if totals["cps"]["count"]:
        yield "CPS", speed_of(totals["cps"])
    if spoken is not None:
        factors = spread_of(spoken["speed_factor"], 2)
        worst = "–" if spoken["worst"] is None else f"{spoken['worst']:.2f}"
        yield "speed factor", f"{factors} seconds of speech per second there is, worst {worst}"
        over, under = f"{spoken['over']} over", f"{spoken['under']} under"
        yield "over/under", f"of {spoken['lines']} lines {over}, {under}"
    if totals["binding"]:
        limits = (f"{LIMIT_NAMES[limit]} {count}" for limit, count in totals["binding"].items())
        yield "bound by", ", ".join(limits)
    if totals["timing"]["moved"]:
        yield "out-times", times_moved(totals["timing"], frame_rate)


def guideline_of(guideline: Guideline) -> str:
    """Return a guideline's name and limits."""
    values = {
        "CPS": guideline.reading_speed,
        "CPL": guideline.cpl,
        "lines": guideline.lines,
        "characters": guideline.max_characters,
    }
    known = [f"{name} {number(value)}" for name, value in values.items() if value is not None]
    general = "" if guideline.exact else f"; it has no values of its own for {guideline.language}"
    if guideline.language == "und":
        general = "; general values, as no language is named"
    return f"{guideline.name} ({', '.join(known) or 'no limits'}{general})"


def remarks_of(report: Report) -> Iterator[str]:
    """Yield what found no place in single cues."""
    for cue in report.cues:
        outcome = cue.outcome
        place = place_of(cue.number, cue.start, outcome.cue.line)
        if outcome.unplaced:
            yield f"{place}: no place for {one_line(' '.join(outcome.unplaced))}"
        for term in (*cue.terms, *cue.lost):
            if not term.placed:
                targets = one_line(" | ".join(term.targets))
                wanted = f"without {one_line(term.source)} ({targets})" if targets else term.source
                yield f"{place}: {wanted}: {term.reason}"


def _cells_of(cue: CueVerdict) -> tuple[str, ...]:
    """A cue's row in a table, by `_CELLS`."""
    outcome = cue.outcome
    characters = f"{number(cue.characters)}/{number(cue.most_characters)}"
    place = place_cells(cue.number, cue.start, outcome.cue.line)
    risk = percent(cue.outcome.risk, 0)
    return *place, outcome.source, outcome.target, characters, _limit_of(cue), risk


def _limit_of(cue: CueVerdict) -> str:
    """Return what a cue is over, or else what limits it."""
    outcome = cue.outcome
    if outcome.status == "untranslated":
        return "untranslated"
    if outcome.status != "overflow" or cue.excess:
        return LIMIT_NAMES[cue.budget.binding] if cue.budget.binding else "none"
    if not cue.characters:
        return "no words"
    return "speaking time" if outcome.speaking and outcome.speaking.sync == "over" else "lines"


def _over_budget(totals: Totals) -> str:
    before, after = totals["overflow"]["before"], totals["overflow"]["after"]
    over = over_budget(after) if totals["translated"] else "–"
    if before["over"]:
        over += f"; without length control {before['over']} by {number(before['characters'])}"
    elif before["texts"] and not after["over"]:
        over += ", even without length control"
    return over + not_judged(totals["untranslated"])


REPAIRS = 3
"""Of what was mended in a file, how many places are told one by one where there are many files."""

STATE_NAMES: dict[State, str] = {
    "done": "translated",
    "earlier": "translated earlier",
    "edited": "left as edited",
    "failed": "failed",
    "stopped": "not begun",
}


def messages_for(
    inputs: Sequence[str], writing: Writing, *, dry_run: bool = False, json: bool, quiet: bool
) -> Messages:
    """Return where a job is told of, beside what goes to stdout.

    Raises:
        UsageError: Two things go there.
    """
    to_stdout = STREAM in (writing.output, *inputs) and writing.output in (None, STREAM)
    if json and to_stdout and not dry_run:
        raise UsageError("--json and the subtitles both go to stdout; name a file with -o")
    return Messages(data_on_stdout=json or to_stdout, quiet=quiet)


Made = TypeVar("Made")


def each_file(
    plan: Plan, messages: Messages, work: Callable[[Item], Made]
) -> Iterator[tuple[Item, Made | Failure]]:
    """Work on the files of a plan one by one; of several, one that fails does not stop the others.

    Args:
        plan: The files; one without a language has that of its name.
        messages: Where failures are told.
        work: Makes something of a file.

    Yields:
        Each file, and what is made of it or what is wrong; folders that cannot be read, too.
    """
    show_plan(plan, messages)
    yield from ((Item(place, "", "und"), failure) for place, failure in plan.listing.failures)
    for item in plan.items:
        made: Made | Failure
        if item.language == "und":
            item = replace(item, language=language_in_name(item.source))
        try:
            made = work(item)
        except Exception as error:
            if not plan.several:
                raise
            made = failure_of(error)
            messages.error(made.message)
        yield item, made


def failed_entry(item: Item, failure: Failure) -> dict[str, Any]:
    """Return the entry of a JSON document on a file that failed."""
    return {"input": item.source, "output": item.target or None, "error": failure.to_dict()}


def read_on_screen(
    item: Item, reading: ReadingOptions, what: str, limits: Limits | None = None
) -> Track:
    """Read subtitles of a file.

    Args:
        item: The file.
        reading: How.
        what: What those lack that are on no screen, for the message.
        limits: As in `ReadingOptions.read`.

    Raises:
        UsageError: It is plain text, or a dubbing script.
    """
    script = reading.input_format is None and is_script(Path(item.source))
    track = None if script else reading.read(item.source, item.language, limits)
    if track is None or not track.timed:
        kind = "a dubbing script" if script else "plain text"
        raise UsageError(f"{item.source}: {kind} is on no screen: it has no {what}")
    return track


def run_job(job: Job, messages: Messages) -> Outcome:
    """Translate every input, telling the user of it."""
    setup = make_setup(job)  # a wrong argument is told before what may be in the way of results
    plan = plan_items(job)
    for warning in _named_as_translations(plan, job.source_language):
        messages.warning(warning)
    with opened(job, plan, setup) as run:
        if job.dry_run:
            return _rehearsed(run, messages)
        outcome = Outcome(run, tuple(Told(run, messages).complete()))
        if job.writing.report is not None:
            outcome.write_report(job.writing.report)
    return outcome


def exit_code_of(outcome: Outcome, *, json: bool) -> int:
    """Return the exit code of a run, and print its document if that was asked for."""
    exit_code = FAILED if outcome.failed else OVER_LIMITS if outcome.over else 0
    if json:
        print_json({"exit_code": exit_code, **outcome.to_dict()})
    return exit_code


def show_plan(plan: Plan, messages: Messages) -> None:
    """Tell what of the inputs is not among the files to work on, and why."""
    for _, failure in plan.listing.failures:
        messages.error(failure.message)
    if left_out := plan.listing.left_out:
        files = count_of(len(left_out), "file")
        messages.say(
            f"left out: {files} named as of another language than the source, as {left_out[0]}"
            " (a file that is named itself is always translated)"
        )


def _named_as_translations(plan: Plan, source_language: str) -> Iterator[str]:
    """Warn of inputs whose names say that they are translations; of a script that is the use."""
    for language in dict.fromkeys(item.language for item in plan.items):
        named = [
            item.source
            for item in plan.items
            if item.language == language
            and named_as_target(Path(item.source), language, source_language)
            and not is_script(Path(item.source))
        ]
        if named:
            more = f" (and {count_of(len(named) - 1, 'more file')})" if len(named) > 1 else ""
            yield (
                f"{named[0]}{more}: named as in {language} already, translated all the same as "
                f"{source_language}; -s names another language"
            )


def _rehearsed(run: Run, messages: Messages) -> Outcome:
    """Tell what a run would do."""
    show_plan(run.plan, messages)
    results, prepared = list[Result](), list[Prepared]()
    for outlook in run.rehearse():
        if isinstance(outlook, Prepared):
            item, track = outlook.source.item, outlook.track
            names, cues = shown_names(item.source, item.target), count_of(len(track.cues), "cue")
            show_heading(messages, f"{names}: {cues}, {track.format}", outlook.guideline)
            if outlook.expected is not None:
                messages.figures([("server", f"about {usage_of(outlook.expected.to_dict())}")])
            messages.repairs(track.repairs)
            prepared.append(outlook)
        else:
            if outlook.failure is not None:
                messages.error(outlook.failure.message)
            results.append(outlook)
    return Outcome(run, tuple(results), tuple(prepared))


class Told:
    """Tells of a run: of one file in detail, of each of many in a line; a bar shows how far it is.

    Args:
        run: What is left to do.
        messages: Where to.
    """

    def __init__(self, run: Run, messages: Messages) -> None:
        self._run, self._messages, self._many = run, messages, run.plan.several
        self._all, self._files = sum(one.cues for one in run.todo), len(run.todo)
        self._done = self._shown = self._files_done = 0
        self._started = monotonic()
        self._mended: set[str] = set()
        self._shortcomings: dict[str, None] = {}
        """What the models cannot do, as far as files have been translated."""
        name = "" if self._many else run.plan.items[0].source
        # How many cues there are is known but about before a file is read.
        self._bar = Bar(self._all, name=name, quiet=messages.quiet)

    def complete(self) -> list[Result]:
        """Do what is to do, and return what became of each item."""
        if self._many:
            show_plan(self._run.plan, self._messages)
        with self._bar:
            results = self._run.complete(self)
        if self._many:
            self._end(results)
        return results

    def on_group(self, group: Sequence[Source], done: int, total: int) -> None:
        """Show how far it is."""
        cues = sum(source.cues for source in group)
        self._show(self._done + done * cues // max(total, 1))

    def finished(self, result: Result) -> None:
        """Tell what became of a file; nothing of those that were done before."""
        if result.state == "earlier":
            return
        item, failure, source = result.item, result.failure, result.source
        self._done += source.cues if source else 0
        self._files_done += source is not None
        if failure is not None:
            if self._many:  # else it is told as the program ends with it
                self._error(failure.message)
                if debugging():
                    traceback.print_exception(failure.error)
        elif result.state == "edited":
            self._say(f"{item.target}: edited since it was written; left as it is")
        elif result.state == "done" and self._many:
            self._say(f"{item.source} -> {item.target}: {short_figures(result)}")
            self._tell_repairs(result)
            self._shortcomings |= dict.fromkeys(_shortcomings_of(result))
        elif result.report is not None:
            self._tell_all(result, result.report)
        self._show(self._done)

    def _tell_all(self, result: Result, report: Report) -> None:
        """Tell of a single file in detail."""
        show_report(self._messages, result.item.source, result.item.target, report)
        if self._run.job.limits.for_screens and "speaking" in report.totals:
            self._messages.note(UNSEEN)
        elif self._run.job.limits.for_screens and not any(cue.timed for cue in report.cues):
            self._messages.note(UNTIMED)
        for note in _shortcomings_of(result):
            self._messages.note(note)

    def _end(self, results: Sequence[Result]) -> None:
        """Tell what became of all."""
        totals = totals_of_results(results)
        states = {state: totals["files"][state] for state in STATE_NAMES}
        files = ", ".join(f"{many} {STATE_NAMES[state]}" for state, many in states.items() if many)
        all_files = count_of(len(results), "translation")
        self._messages.say(f"{all_files}: {files or 'nothing to do'}")
        self._messages.figures(figures_of(totals))
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
        # All are translated once before those that are too long are searched again.
        left = f"{time_left(cues, self._all, monotonic() - self._started)} left"
        files = f"{self._files_done}/{self._files} files  " if self._many else ""
        self._bar.update(cues, files + ("shortening" if cues >= self._all else left))

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
    return ", ".join([*parts, *short_counts(totals), ratio])


def _shortcomings_of(result: Result) -> list[str]:
    """What the model that a file was translated with cannot do."""
    lacking = (result.figures or {}).get("shortcomings")
    return [f"{lacking['model']} {'; '.join(lacking['cannot'])}"] if lacking else []
