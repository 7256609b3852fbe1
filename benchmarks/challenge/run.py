"""The cues' way through `localize`, as a file that a user would have."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from benchmarks.challenge.cases import Case
from benchmarks.challenge.checks import Answer
from benchmarks.screenplay import clock
from subfit.decoding.translator import Translator
from subfit.limits.guideline import Guideline
from subfit.localization import localize
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import parse_track

GUIDELINE = "netflix"
GAP = 84
"""Milliseconds between the cues of a case: two frames at 24 per second."""
PAUSE = 5000
"""Milliseconds between cases: no sentence is followed over so long a gap."""


def track_of(cases: Sequence[Case], language: str, guideline: Guideline) -> Track:
    """Return the subtitle file that all cases make, one after the other.

    Args:
        cases: The cases.
        language: The target language, on which the time on screen of some depends.
        guideline: Says how many characters a second may have.
    """
    if guideline.reading_speed is None:
        raise ValueError(f"{guideline.name} limits no reading speed")
    blocks: list[str] = []
    start = 0
    for case in cases:
        for payload in case.source:
            end = start + case.duration(language, guideline.reading_speed)
            number = len(blocks) + 1
            blocks.append(f"{number}\n{clock(start)} --> {clock(end)}\n{payload.strip()}\n")
            start = end + GAP
        start += PAUSE
    return parse_track("\n".join(blocks).encode(), name="challenge.srt", format="srt")


def answers(
    cases: Sequence[Case], translator: Translator, language: str, guideline: Guideline
) -> tuple[Answer, ...]:
    """Translate the cases into a language, all in one go.

    Args:
        cases: The cases.
        translator: A model for that language.
        language: The target language.
        guideline: The limits for that language.

    Returns:
        One answer for each case.
    """
    done = localize(track_of(cases, language, guideline), translator, guideline)
    outcomes = iter(done.outcomes)
    found = []
    for case in cases:
        own = tuple(islice(outcomes, len(case.source)))
        fits = all(each.status in ("fits", "passed") for each in own)
        found.append(Answer(case, language, tuple(each.payload for each in own), fits))
    return tuple(found)
