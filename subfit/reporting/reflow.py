"""Breaking the lines of a track anew, without touching a word of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import regex

from subfit.limits.guideline import Guideline
from subfit.reporting.check import Violation
from subfit.subtitles.cues import FORMATS, Cue, FormatName, Track
from subfit.subtitles.formats.layout import read_timing
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.payload import parse_cue_text, plain_text
from subfit.subtitles.markup.restore import rewrap
from subfit.subtitles.markup.tags import SPACE
from subfit.subtitles.repairs import mend_texts
from subfit.text.linebreak import break_lines

Lines = tuple[str, ...]
State = Literal["kept", "broken"]
"""``kept``: the cue stands as it stood; ``broken``: its lines are broken anew."""

# A line may end behind an em dash that has no spaces; joined again it has none.
_BROKEN_AT_DASH = regex.compile(r"\w—\n\w")
_SPACE_BEHIND_DASH = regex.compile(r"(?<=\w—) (?=\w)")


@dataclass(frozen=True, slots=True)
class CueReflow:
    """What became of the lines of one cue."""

    cue: Cue
    """As it was read."""
    payload: str
    """Its payload now."""
    state: State
    before: Lines
    """The lines a viewer saw."""
    after: Lines
    """The lines a viewer sees now."""
    characters: tuple[float, ...]
    """Characters of each line."""
    violations: tuple[Violation, ...] = ()
    """Limits that no line breaks can keep."""
    note: str = ""
    """Why a cue was not broken anew though its lines might be better."""


@dataclass(frozen=True, slots=True)
class Reflow:
    """A track with new line breaks."""

    track: Track
    cues: tuple[CueReflow, ...]
    guideline: Guideline

    @property
    def over(self) -> int:
        """Cues that are over the limits on lines."""
        return sum(bool(cue.violations) for cue in self.cues)

    @property
    def broken(self) -> int:
        """Cues whose lines are others now."""
        return sum(cue.state == "broken" for cue in self.cues)


def reflow_track(track: Track, guideline: Guideline) -> Reflow:
    """Break the lines of every cue anew.

    Songs and sound descriptions keep their lines where these are within the limits. A cue that
    cannot be within them is broken so that the least is over, or stays as it is if nothing is
    gained.

    Args:
        track: Timed cues.
        guideline: Says how long lines may be and how many there may be, and names the language.
    """
    cues = tuple(reflow_cue(cue, track.format, guideline) for cue in track.cues)
    return Reflow(track.with_texts([cue.payload for cue in cues]), cues, guideline)


def reflow_cue(cue: Cue, format: FormatName, guideline: Guideline) -> CueReflow:
    """Break the lines of one cue anew; see `reflow_track`."""
    before = _seen(cue.text, format)
    text = parse_cue_text(cue.text, format)
    if text.kind != "speech" and not _over(before, guideline):
        note = "" if len(before) < 2 else f"{text.kind}: lines are kept"
        return _outcome(cue, cue.text, before, before, guideline, note)
    lines = _broken(text, guideline, "\n".join(before))
    if _excess(lines, guideline) > _excess(before, guideline):
        return _outcome(cue, cue.text, before, before, guideline)
    payload = rewrap(cue.text, lines, format)
    if payload is not None and payload != cue.text and _reads_otherwise(payload, format):
        note = "its lines would read as times, or as a divided word"
        return _outcome(cue, cue.text, before, before, guideline, note)
    after = () if payload is None else _seen(payload, format)
    if payload is None or _collapsed(after) != _collapsed(lines):
        note = "its markup is broken" if _collapsed(before) != _collapsed(lines) else ""
        return _outcome(cue, cue.text, before, before, guideline, note)
    return _outcome(cue, payload, before, after, guideline)


def _reads_otherwise(payload: str, format: FormatName) -> bool:
    """Whether a file with a payload would be read as if it had another one, or other cues."""
    times = any(map(read_timing, payload.split("\n")))
    mends = FORMATS[format].markup in ("srt", "vtt") and mend_texts([Cue(0, 1, payload)], None)[1]
    return times or bool(mends)


def _outcome(
    cue: Cue, payload: str, before: Lines, after: Lines, guideline: Guideline, note: str = ""
) -> CueReflow:
    count = guideline.count
    return CueReflow(
        cue=cue,
        payload=payload,
        state="kept" if payload == cue.text else "broken",
        before=before,
        after=after,
        characters=tuple(map(count, after)),
        violations=_over(after, guideline),
        note=note,
    )


def _seen(payload: str, format: FormatName) -> Lines:
    """The lines of a payload as a viewer sees them."""
    lines = (line.strip(SPACE) for line in plain_text(payload, format).split("\n"))
    return tuple(filter(None, lines))


def _collapsed(lines: Lines) -> list[str]:
    return [" ".join(line.split()) for line in lines]


def _broken(text: CueText, guideline: Guideline, before: str) -> Lines:
    """Break every speaker's turn into lines, together within the limits if that can be."""
    turns = [f"{turn.dash}{turn.text}" for turn in text.turns]
    cpl, rules = guideline.cpl, guideline.line_rules
    if _BROKEN_AT_DASH.search(before):
        turns = [_SPACE_BEHIND_DASH.sub("", turn) for turn in turns]
    if guideline.lines is not None:
        for spare in range(guideline.lines - len(turns), -1, -1):
            parts = [break_lines(turn, cpl, spare + 1, **rules) for turn in turns]
            lines = [line for part in parts for line in part or ()]
            if None not in parts and len(lines) <= guideline.lines:
                return tuple(lines)
    most = None if guideline.lines is None else max(1, guideline.lines - len(turns) + 1)
    whole = [break_lines(turn, cpl, most, **rules, overlong=True) for turn in turns]
    return tuple(line for part in whole for line in part or ())


def _over(lines: Sequence[str], guideline: Guideline) -> tuple[Violation, ...]:
    """The limits on lines that are broken."""
    violations: list[Violation] = []
    widest = max(map(guideline.count, lines), default=0.0)
    if guideline.cpl is not None and widest > guideline.cpl:
        violations.append(Violation("cpl", widest, guideline.cpl))
    if guideline.lines is not None and len(lines) > guideline.lines:
        violations.append(Violation("lines", len(lines), guideline.lines))
    return tuple(violations)


def _excess(lines: Sequence[str], guideline: Guideline) -> tuple[float, int]:
    """How many characters, then how many lines, are over the limits."""
    widths = map(guideline.count, lines)
    wide = sum(max(0.0, width - guideline.cpl) for width in widths) if guideline.cpl else 0.0
    return wide, max(0, len(lines) - (guideline.lines or len(lines)))
