"""Two tracks of the same cues: which stand for which, and both languages in one cue."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from subfit.errors import UsageError
from subfit.subtitles.cues import FORMATS, Cue, FormatName, Track
from subfit.subtitles.markup.payload import plain_text

Method = Literal["position", "time"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The source cues of every translated cue."""

    method: Method
    """``position``: both files have as many cues, and the first is the first's. ``time``: a source
    cue goes to the translated cue that it shares most time with."""
    sources: tuple[tuple[int, ...], ...]
    """For every translated cue the indices of its source cues, in their order; maybe none."""
    left_over: int
    """Source cues that belong to no translated cue."""


def can_pair(target: Track, source: Track) -> bool:
    """Whether the cues of two tracks can be paired: they are as many, or all have times."""
    return len(target.cues) == len(source.cues) or (target.timed and source.timed)


def pair_tracks(target: Track, source: Track) -> Pairing:
    """Find the source cues of every translated cue: by position if possible, else by time.

    Raises:
        UsageError: The tracks have different numbers of cues, and one of them has no times.
    """
    if not can_pair(target, source):
        raise UsageError(
            f"the source has {len(source.cues)} lines and its translation {len(target.cues)}: "
            "without times they cannot be paired"
        )
    if len(target.cues) == len(source.cues):
        return Pairing("position", tuple((index,) for index in range(len(target.cues))), 0)
    return _pair_by_time(target.cues, source.cues)


def _pair_by_time(targets: Sequence[Cue], sources: Sequence[Cue]) -> Pairing:
    order = sorted(range(len(targets)), key=lambda index: targets[index].start)
    starts = [targets[index].start for index in order]
    longest = max((cue.duration for cue in targets), default=0)
    numbers_of: list[list[int]] = [[] for _ in targets]
    left_over = 0
    for number, source in enumerate(sources):
        # Only cues that start in this window can share time with the source.
        window = order[
            bisect_left(starts, source.start - longest) : bisect_left(starts, source.end)
        ]
        ends = ((index, min(targets[index].end, source.end)) for index in window)
        shared = {index: end - max(targets[index].start, source.start) for index, end in ends}
        best = max(shared, key=lambda index: shared[index], default=None)
        if best is None or shared[best] <= 0:
            left_over += 1
        else:
            numbers_of[best].append(number)
    return Pairing("time", tuple(tuple(numbers) for numbers in numbers_of), left_over)


Bilingual = Literal["source-first", "target-first"]
"""Which language stands above the other."""

_OVERRIDES = re.compile(r"(?:\s*\{\\[^{}]*\})+\s*")
_STYLE = re.compile(r"\\([ibus])([01])(?=[\\}])")
"""What an override says of the words behind it: italics and the like, on or off."""
_TIMESTAMP = re.compile(r"<\d+(?::\d\d)+\.\d{3}>")
_OPENING = re.compile(r"<([A-Za-z]+)[^<>/]*>")


def bilingual_track(source: Track, target: Track, order: Bilingual) -> Track:
    """Return a translated track with the source in its cues as well.

    A cue whose translation reads as its source stands there once. Markup stays that of each
    language, but what can stand in a cue only once stays with the upper one: positions
    (``{\\an8}``), inline timestamps, and markup that is not closed.

    """
    texts = []
    for old, new in zip(source.cues, target.cues, strict=True):
        pair = (old.text, new.text) if order == "source-first" else (new.text, old.text)
        same = _words(old.text, source.format) == _words(new.text, source.format)
        texts.append(new.text if same else _stacked(*pair, source.format))
    return target.with_texts(texts)


def check_bilingual(formats: Iterable[FormatName]) -> None:
    """Check that both languages have room in a cue.

    Raises:
        UsageError: One has a line, or a row, for every sentence.
    """
    if not all(FORMATS[format].timed for format in formats):
        raise UsageError("--bilingual is for subtitles, .srt or .vtt")


def _words(payload: str, format: FormatName) -> list[str]:
    return plain_text(payload, format).split()


def _stacked(upper: str, lower: str, format: FormatName) -> str:
    """Two payloads in one, neither with blank lines."""
    if FORMATS[format].markup in ("srt", "ass"):
        lead = _OVERRIDES.match(lower)
        lower = _styles(lead[0], upper) + lower[lead.end() :] if lead else lower
    if FORMATS[format].markup == "vtt":
        lower = _TIMESTAMP.sub("", lower)
    opening = _OPENING.match(upper)
    if opening and f"</{opening[1]}" not in upper:
        lower = lower.removeprefix(opening[0])  # still open
    lines = [line for payload in (upper, lower) for line in payload.split("\n") if line.strip()]
    return "\n".join(lines)


def _styles(overrides: str, before: str) -> str:
    """What overrides say of the words behind them, but for what is still on from those before."""
    on = {name for name, value in _STYLE.findall(before) if value == "1"}
    on -= {name for name in on if before.rfind(f"\\{name}0") > before.rfind(f"\\{name}1")}
    styles = _STYLE.findall(overrides)
    return "".join(
        f"{{\\{name}{value}}}" for name, value in styles if value == "0" or name not in on
    )
