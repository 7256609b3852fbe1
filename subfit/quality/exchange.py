"""Findings as other programs read them: SARIF 2.1.0, JUnit, and annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import groupby
from xml.sax.saxutils import quoteattr

import regex

from subfit.quality.findings import RULES, Finding
from subfit.reporting.check import KIND_NAMES
from subfit.reporting.wording import place_of
from subfit.subtitles.cues import Track
from subfit.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_UNWRITTEN = regex.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What XML has no way to write."""
TITLES = RULES | KIND_NAMES


Checked = Sequence[tuple[str, Track, Sequence[Finding]]]
"""Files: their names, their cues, and what was found."""


def _place(track: Track, finding: Finding) -> str:
    cue = track.cues[finding.cue]
    return place_of(finding.cue + 1, cue.start if track.timed else None, cue.line)


def sarif(files: Checked) -> str:
    """Return a log of SARIF 2.1.0 (OASIS) with a result for each finding."""
    used = sorted({finding.rule for _, _, findings in files for finding in findings})
    driver = {
        "name": "subfit",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": TITLES[rule]}} for rule in used],
    }
    results = [
        {
            "ruleId": one.rule,
            "ruleIndex": used.index(one.rule),
            "level": "error",
            "message": {"text": f"{_place(track, one)}: {one.message}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": name.replace("\\", "/")},
                        "region": {"startLine": max(track.cues[one.cue].line, 1)},
                    }
                }
            ],
        }
        for name, track, findings in files
        for one in findings
    ]
    run = {"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
    return json.dumps(
        {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2
    )


def junit(files: Checked) -> str:
    """Return test suites of JUnit: a file is a suite, a cue a case that fails by what it has."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for name, track, findings in files:
        by_cue = {at: list(all) for at, all in groupby(findings, lambda one: one.cue)}
        counts = f'tests="{len(track.cues)}" failures="{len(by_cue)}"'
        lines.append(f"  <testsuite name={quoteattr(name)} {counts}>")
        for at, cue in enumerate(track.cues):
            case = f'    <testcase classname={quoteattr(name)} name="cue {at + 1}"'
            if at not in by_cue:
                lines.append(f"{case}/>")
                continue
            told = "; ".join(f"{one.rule}: {one.message}" for one in by_cue[at])
            text = quoteattr(f"{place_of(at + 1, cue.start, cue.line)}: {told}")
            kind = quoteattr(by_cue[at][0].rule)
            lines.append(f"{case}><failure type={kind} message={text}/></testcase>")
        lines.append("  </testsuite>")
    return str(_UNWRITTEN.sub("\ufffd", "\n".join([*lines, "</testsuites>"])))


def github(files: Checked) -> str:
    """Return workflow commands that annotate lines of a file."""

    def escaped(text: str, more: str = "") -> str:
        for char in f"%\r\n{more}":
            text = text.replace(char, f"%{ord(char):02X}")
        return text

    return "\n".join(
        f"::error file={escaped(name, ':,')},line={max(track.cues[one.cue].line, 1)},"
        f"title={escaped(TITLES[one.rule], ':,')}::"
        + escaped(f"{_place(track, one)}: {one.message}")
        for name, track, findings in files
        for one in findings
    )


EXCHANGES: dict[str, Callable[[Checked], str]] = {"sarif": sarif, "junit": junit, "github": github}
"""By the value of ``--format``."""
