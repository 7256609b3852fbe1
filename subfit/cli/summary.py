"""What became of a translated file, as people are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from subfit.cli.console import WORST, Messages
from subfit.cli.output import one_line
from subfit.limits.guideline import Guideline
from subfit.reporting.figures import CueVerdict
from subfit.reporting.report import Report
from subfit.reporting.totals import kept_by_rule, summary_lines
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
)

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
    messages.figures(figures_of(report))
    messages.repairs(report.repairs)
    for line in remarks_of(report):
        messages.say(f"  {line}")
    worst = report.worst(WORST)
    fit = all(cue.outcome.status == "fits" for cue in worst)
    _show_cues(messages, "All fit; most worth a look:" if fit else "Worst cues:", worst)
    others = [cue for cue in report.riskiest(len(worst) + WORST) if cue not in worst]
    _show_cues(messages, "Riskiest of the others:", others[:WORST])


def _show_cues(messages: Messages, title: str, cues: Iterable[CueVerdict]) -> None:
    if rows := [_cells_of(cue) for cue in cues]:
        messages.table(_CELLS, rows, texts={"source", "translation"}, title=title)


def shown_names(source: str, target: str) -> str:
    """Return what becomes of which file, for a heading."""
    named = (source, "standard input"), (target, "standard output")
    return " -> ".join(stream if name == "-" else name for name, stream in named)


def figures_of(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the figures of a report, each with its label."""
    totals, lines = report.totals, dict(summary_lines(report.totals))
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
    yield "over budget", _over_budget(report)
    if totals["lines_overflow"]:
        what = "over lines" if spoken is None else "over time"
        yield what, f"{count_of(totals['lines_overflow'], 'cue')} within budget"
    yield from lines.items()
    if totals["terms"]["found"]:
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
        yield "out-times", times_moved(totals["timing"], report.guideline.frame_rate)


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
                wanted = f"{one_line(term.source)} ({one_line(' | '.join(term.targets))})"
                yield f"{place}: without {wanted}: {term.reason}"


def _cells_of(cue: CueVerdict) -> tuple[str, ...]:
    """A cue's row in a table, by `_CELLS`."""
    outcome = cue.outcome
    characters = f"{number(cue.characters)}/{number(cue.most_characters)}"
    place = place_cells(cue.number, cue.start, outcome.cue.line)
    risk = percent(cue.risk, 0)
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


def _over_budget(report: Report) -> str:
    totals = report.totals
    before, after = totals["overflow"]["before"], totals["overflow"]["after"]
    over = over_budget(after) if totals["translated"] else "–"
    if before["over"]:
        over += f"; without length control {before['over']} by {number(before['characters'])}"
    elif before["texts"] and not after["over"]:
        over += ", even without length control"
    return over + not_judged(totals["untranslated"])
