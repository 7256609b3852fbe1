"""What ``subfit check`` finds, as a page to look at and to edit in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from subfit.limits.budget import budget_for
from subfit.reporting.check_report import CheckReport, CueCheck
from subfit.reporting.files.page import to_html
from subfit.reporting.files.page_data import page_data
from subfit.reporting.files.written import written_file
from subfit.reporting.lengths import plain_data
from subfit.reporting.wording import violation_of
from subfit.subtitles.cues import Track


def check_page(
    checked: CheckReport, track: Track, document: Mapping[str, Any], languages: tuple[str, str]
) -> str:
    """Return a check as an HTML page."""
    source_language, language = languages
    settings = {"guideline": plain_data(checked.guideline), "target_language": language}
    if document["source"] is not None:
        settings["source_language"] = source_language
    report = {
        **{name: document[name] for name in ("subfit", "totals", "repairs")},
        "input": document["source"],
        "output": document["input"],
        "settings": settings,
        "cues": [plain_data(_cue(cue, checked, timed=track.timed)) for cue in checked.cues],
    }
    data = page_data(report, written_file(track, track.format), checked.guideline)
    return to_html(data, f"{data['file']['name']} – subfit")


def _cue(check: CueCheck, checked: CheckReport, *, timed: bool) -> dict[str, Any]:
    """A cue as a checked on a translation has it."""
    cue, source = check.cue, check.source
    kept = source is not None and source.kept
    ratio = checked.length_ratio if source and not kept else None
    text = source.text if source else ""
    budget = budget_for(text, cue.duration if timed else None, checked.guideline, ratio)
    over = check.overflow > 0 or {"cpl", "lines"} & {
        violation.kind for violation in check.violations
    }
    return {
        "number": check.position,
        "line": cue.line,
        "start": cue.start if timed else None,
        "end": cue.end if timed else None,
        "status": "overflow" if over else "fits",
        "source": text,
        "target": check.text,
        "source_characters": source.characters if source else 0.0,
        "characters": check.characters,
        "budget": budget.characters,
        "binding": budget.binding,
        "limits": dict(budget.limits),
        "excess": check.overflow,
        "note": "; ".join(map(violation_of, check.violations)),
        "kept": kept,
        "source_cues": source.cues if source else (),
        "words": check.words,
        "gap": check.gap,
        "joined": (),
        "alternatives": (),
        "unplaced": (),
        "lost": source.lost if source else (),
    }
