"""Two cues of one that has time enough for its text, but too few lines.

It is parted where a clause, or at least a phrase, ends, and as evenly as goes. The border is where
as much of the time has passed as of the text, or up to half a second from there where both halves
can be read then; where a shot changes so near, it is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from subfit.fitting.cue_splits import BETWEEN_PHRASES, cut_cost
from subfit.limits.budget import budget_for
from subfit.limits.guideline import Guideline
from subfit.subtitles.cues import Cue, FormatName
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.restore import render_cue_text
from subfit.subtitles.timecodes import FrameGrid
from subfit.text.linebreak import break_lines, joined, split_pieces

_STRANDED = re.compile(
    r"(?:ab|an|auf|aus|bei|ein|fest|fort|her|hin\w*|los|mit|nach|um|vor|weg|weiter|zu\w*)"
    r"(?:$|[,.;:!?…]| (?:und|oder)\b)"
)
"""A prefix that belongs to a verb before it."""
NEAR = 500
"""Milliseconds that the border may be from where the words are said; the zone of a shot change."""
UNEVEN = 80.0
"""Demerits of a half that has all of the text, over one that has half of it, to the square."""


def divided(
    cue: Cue,
    text: CueText,
    latest: int,
    format: FormatName,
    guideline: Guideline,
    shots: Sequence[int] = (),
) -> tuple[Cue, Cue] | None:
    """Part a cue in two that both keep their limits.

    Args:
        cue: The cue.
        text: Its payload, taken apart.
        latest: Where it may end at the latest, in milliseconds.
        format: The format of the file.
        guideline: The limits; names the language.
        shots: Where shots begin, in milliseconds.

    Returns:
        Both, the second with the out-time of the whole; None where there is no such way, several
        speak, or markup stands within the text.
    """
    if text.kind != "speech" or len(text.turns) != 1 or text.turns[0].dash or text.turns[0].spans:
        return None
    count, pieces = guideline.count, split_pieces(text.turns[0].text, guideline.language)
    ways: list[tuple[float, float, str, str]] = []
    for at in range(1, len(pieces)):
        cost = cut_cost(pieces[at - 1].demerits)
        first, second = joined(pieces[:at]), joined(pieces[at:])
        share = count(first) / (count(first) + count(second))
        if cost <= BETWEEN_PHRASES and not _STRANDED.match(second):
            ways.append((cost + UNEVEN * (2 * share - 1) ** 2, share, first, second))
    for _, share, *texts in sorted(ways):
        for end, start in _borders(cue, share, guideline, shots):
            times = (end - cue.start, latest - start)
            lines = [_lines(*one, guideline) for one in zip(texts, times, strict=True)]
            if None not in lines:
                first, second = (render_cue_text(text, [own or ()], format).text for own in lines)
                return replace(cue, text=first, end=end), replace(cue, text=second, start=start)
    return None


def _borders(
    cue: Cue, share: float, guideline: Guideline, shots: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Where the first half may end and the second begin, the best first."""
    grid, said = FrameGrid.of(guideline.frame_rate), cue.start + share * cue.duration
    gap, middle = grid.frames_to_cover(guideline.min_gap), grid.frame_at(round(said))
    near = [shot for shot in shots if abs(shot - said) <= NEAR]
    reach = grid.frames_in(NEAR)
    frames = sorted(range(middle - reach, middle + reach + 1), key=lambda at: abs(at - middle))
    times = [(grid.time_of(frame - gap), grid.time_of(frame)) for frame in frames]
    if near:
        times = [(grid.time_of(grid.frame_at(shot) - gap), shot) for shot in near]
    for end, start in times:
        if all(abs(start - shot) > NEAR for shot in shots if shot not in near):
            yield end, start


def _lines(text: str, duration: int, guideline: Guideline) -> tuple[str, ...] | None:
    """The lines of a text that keeps all limits in a time of its own; None if it cannot."""
    budget = budget_for(text, duration, guideline)
    if duration < max(guideline.min_duration or 0, 1) or not budget.allows(text, guideline):
        return None
    return break_lines(text, guideline.cpl, guideline.lines, **guideline.line_rules)
