"""Limits that a cue does not keep, as people read them."""

from __future__ import annotations

from subfit.reporting.check_report import Kind, Violation
from subfit.reporting.wording import number

KIND_NAMES: dict[Kind, str] = {
    "cps": "reading speed",
    "wpm": "words a minute",
    "cpl": "line length",
    "lines": "lines",
    "characters": "characters",
    "line_balance": "line balance",
    "length_ratio": "length ratio",
    "no_duration": "no duration",
    "min_duration": "too short",
    "max_duration": "too long",
    "gap": "gap",
    "overlap": "overlap",
}
IN_MILLISECONDS = {"min_duration", "max_duration", "gap", "overlap"}


def violation_of(violation: Violation) -> str:
    """Return what is wrong as people read it: ``gap 40 ms < 83 ms``."""
    kind, value, limit = violation.kind, violation.value, violation.limit
    name, unit = KIND_NAMES[kind], " ms" if kind in IN_MILLISECONDS else ""
    if kind == "no_duration":
        return name
    if kind == "overlap":
        return f"{name} {number(value)}{unit}"
    sign = ">" if value > limit else "<"
    return f"{name} {number(value, 2)}{unit} {sign} {number(limit, 2)}{unit}"
