"""The figures of a translated file, as people see them in the end."""

from __future__ import annotations

from collections.abc import Iterator

from subfit.cli.views.figures import (
    LIMIT_NAMES,
    compliance_of,
    condensed_of,
    count_of,
    doubtful_of,
    lost_of,
    not_judged,
    number,
    over_budget,
    ratio_of,
    speed_factors_of,
    speed_of,
    terms_of,
    times_moved,
    unfamiliar_of,
    unread_of,
    wavering_of,
)
from subfit.limits.guideline import Guideline
from subfit.reporting.report import Report


def figures_of(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the figures of a report, each with its label, as printed."""
    totals = report.totals
    before, after = totals.overflow_before, totals.overflow_after
    kept = [
        count_of(totals.passed, "passed by rule", plural=""),
        count_of(totals.untranslated, "untranslated", plural=""),
    ]
    spoken = totals.speaking
    already = f" ({spoken.kept} already)" if spoken and spoken.kept else ""
    yield "cues", f"{totals.cues}: {totals.translated} translated{already}, {', '.join(kept)}"
    if totals.unread:
        yield "unread", unread_of(totals.unread)
    yield "LR", ratio_of(totals.length_ratio)
    yield "LC", compliance_of(totals.compliance)
    if before.over:
        otherwise = f"; without length control {before.over} by {number(before.characters)}"
    else:
        otherwise = ", even without length control" if before.texts and not after.over else ""
    over = over_budget(after) if totals.translated else "–"
    yield "over budget", over + otherwise + not_judged(totals.untranslated)
    if totals.lines_overflow:
        what = "over lines" if spoken is None else "over time"
        yield what, f"{count_of(totals.lines_overflow, 'cue')} within budget"
    if totals.doubtful:
        yield "in doubt", doubtful_of(totals.doubtful)
    if totals.condensed:
        yield "condensed", condensed_of(totals.condensed)
    if totals.unfamiliar:
        words = [word for cue in report.cues for word in cue.unfamiliar]
        yield "unfamiliar", unfamiliar_of(totals.unfamiliar, words)
    if totals.lost:
        yield "lost", lost_of(totals.lost)
    if report.names:
        yield "names", wavering_of(report.names)
    if totals.terms_found:
        yield "glossary", terms_of(totals.terms_found, totals.terms_placed)
    if totals.cps.count:
        yield "CPS", speed_of(totals.cps, totals.cps_worst)
    if spoken is not None:
        yield "speed factor", speed_factors_of(spoken.speed_factor, spoken.worst)
        yield "over/under", f"of {spoken.lines} lines {spoken.over} over, {spoken.under} under"
    if totals.binding_all:
        yield "bound by", _bound(report)
    if totals.timing.moved:
        yield "out-times", times_moved(totals.timing, report.guideline.frame_rate)


def guideline_of(guideline: Guideline) -> str:
    """Return a guideline's name and limits, as printed."""
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


def _bound(report: Report) -> str:
    over = report.totals.binding_natural_overflow
    what = "shortened or extended" if report.totals.timing.moved else "shortened"
    parts = [
        f"{LIMIT_NAMES[limit]} {count}" + (f" ({over[limit]} {what})" if limit in over else "")
        for limit, count in report.totals.binding_all.items()
    ]
    return ", ".join(parts)
