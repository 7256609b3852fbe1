"""Automatic captions: words and when they are said, out of what machines made, and cues of them.

Rolling captions say each line again while the next one is spoken below it (YouTube's WebVTT, which
has word times in ``<00:00:01.520>``; CEA-608 roll-up). Others have a word a cue, or a minute.

Of all ways to cut words into cues, the one with the least demerits is taken. A cue ends where a
reader would pause (`subfit.text.linebreak`), after a silence, or before another speaker; it
fits its lines, can be read in its time, is shown long enough, and has one line rather than two. The
choice is exact, by dynamic programming over words. In-times are those of the first word; out-times
are the last word's, later where reading takes longer and there is room.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from statistics import median
from typing import Any

from subfit.limits.guideline import Guideline
from subfit.quality.timing import Clock
from subfit.reporting.wording import count_of
from subfit.subtitles.cues import FORMATS, Cue, FormatName, Repair, Track
from subfit.subtitles.formats.layout import Layout
from subfit.subtitles.markup.payload import kind_of, plain_text
from subfit.subtitles.markup.tags import escaped
from subfit.subtitles.timecodes import milliseconds_of
from subfit.text.counting import count_characters
from subfit.text.languages import UNSPACED, primary_language
from subfit.text.linebreak import Piece, break_lines, split_pieces, split_words

_TIME = re.compile(r"<((?:\d+:)?\d+:\d+\.\d+)>")
_TURN = re.compile(r"\s*(?:>>+|&gt;&gt;)\s*")
_MAP = re.compile(r"X-TIMESTAMP-MAP=.*")
_LOCAL = re.compile(r"LOCAL:([\d:.]+)")
_TOUCHING = 120
"""Milliseconds between the cues of one rolling caption, at most."""
_AWAY = 10_000
"""Milliseconds for which a line may be gone that stands above words with times once more."""
_LEAST_CUES, _WORDS_A_MINUTE = 5, 40
_LONG = 10_000
"""Milliseconds that cues of whole minutes last, at least."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is said."""

    text: str
    start: int
    """In milliseconds, as is ``end``."""
    end: int
    turn: bool = False
    """Whether somebody else begins to speak with it."""
    line: int = 0
    """Of the file, from 1; 0 where that is not known."""


def is_rolling(track: Track) -> bool:
    """Whether cues repeat the lines of those before them."""
    cues = [cue for cue in track.cues if cue.text.strip()]
    lines = [_lines(cue, track.format) for cue in cues]
    repeated = sum(
        -_TOUCHING <= after.start - before.end <= _TOUCHING
        and before.text != after.text  # nobody's "Yes!" and "Yes!"
        and bool(_shared(ours, theirs))
        for (before, after), (ours, theirs) in zip(pairwise(cues), pairwise(lines), strict=True)
    )
    return repeated >= 2 and repeated * 2 >= len(cues) - 1


def is_automatic(track: Track) -> bool:
    """Whether cues are no units that people read: rolling, of single words, of whole minutes."""
    if not track.timed or track.format == "ass":
        return False
    if track.format == "speech" or is_rolling(track):
        return True
    speech = [cue for cue in track.cues if kind_of(plain_text(cue.text, track.format)) == "speech"]
    if not speech or len(speech) < len(track.cues) / 2:
        return False
    words = [len(split_words(plain_text(cue.text, track.format))) for cue in speech]
    lengths = [cue.end - cue.start for cue in speech]
    if median(words) >= _WORDS_A_MINUTE and median(lengths) >= _LONG:
        return True
    single = sum(count == 1 for count in words) >= 0.8 * len(words)
    follow = sum(a.start < b.start < a.end + 1000 for a, b in pairwise(speech))
    close = follow >= 0.8 * (len(speech) - 1)
    return len(speech) >= _LEAST_CUES and single and close


def words_of(track: Track) -> list[Word]:
    """Return the words of a track in the order in which they are said, each once."""
    shown = (cue for cue in of_stream(track) if cue.text.strip())
    cues = sorted(shown, key=lambda cue: (cue.start, cue.end))
    rolling = is_rolling(track)
    words: list[Word] = []
    before: list[str] = []
    end = -(10**9)
    for cue in _merged(cues, track.format) if rolling else cues:
        lines = _lines(cue, track.format)
        near = cue.start - end <= (_AWAY if _TIME.search(cue.text) else _TOUCHING)
        known = _shared(before, lines) if rolling and near else 0
        raw = [line for line in cue.text.split("\n") if plain_text(line, track.format).strip()]
        words += _timed(raw[known:], cue, track.format)
        before, end = lines, cue.end
    nexts = [*(word.start for word in words[1:]), *(word.end for word in words[-1:])]
    return [
        replace(word, end=max(word.start, min(word.end, after)))
        for word, after in zip(words, nexts, strict=True)
    ]


def of_stream(track: Track) -> list[Cue]:
    """Return the cues of a track; those of an HLS stream's pieces by its clock, each once.

    A piece says with ``X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000`` which tick (of 90,000 a
    second) one of its own times is (RFC 8216, section 3.5). A cue that lasts over the end of a
    piece stands in the next one, too.
    """
    layout = track.layout
    leads = [block.lead for block in layout.blocks] if isinstance(layout, Layout) else []
    moved: dict[tuple[Any, ...], Cue] = {}
    base, offset = None, 0
    for number, cue in enumerate(track.cues):
        if header := _MAP.search("\n".join(leads[number]) if leads else ""):
            local, ticks = _LOCAL.search(header[0]), re.search(r"MPEGTS:(\d+)", header[0])
            time = milliseconds_of(local[1], None) if local else None
            zero = (int(ticks[1]) // 90 if ticks else 0) - (time or 0)
            base = zero if base is None else base
            offset = zero - base
        start, end = cue.start + offset, cue.end + offset
        own = () if base is not None else (number,)  # only pieces say a cue twice
        moved.setdefault((start, end, cue.text, *own), replace(cue, start=start, end=end))
    return list(moved.values())


def _merged(cues: Sequence[Cue], format: FormatName) -> list[Cue]:
    """Make one of cues that only differ in which of their words is marked."""
    merged: list[Cue] = []
    for cue in cues:
        held = merged[-1] if merged and cue.start - merged[-1].end <= _TOUCHING else None
        if held and _lines(held, format) == _lines(cue, format):
            merged[-1] = replace(held, end=max(held.end, cue.end))
        else:
            merged.append(cue)
    return merged


def _lines(cue: Cue, format: FormatName) -> list[str]:
    lines = (" ".join(line.split()) for line in plain_text(cue.text, format).split("\n"))
    return [line for line in lines if line]


def _shared(before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines a caption repeats of the one before it."""
    longest = min(len(before), len(after))
    return next((n for n in range(longest, 0, -1) if before[-n:] == after[:n]), 0)


def _timed(lines: Sequence[str], cue: Cue, format: FormatName) -> Iterator[Word]:
    """Yield the words of some lines of a cue, by the times within them, else evenly."""
    start, parts = cue.start, list[tuple[int, str]]()
    for at, part in enumerate(_TIME.split("\n".join(lines))):
        if at % 2:
            start = max(start, milliseconds_of(part, None) or start)
        else:
            parts.append((start, part))
    stops = [*(start for start, _ in parts[1:]), max(cue.end, start)]
    for (begin, part), stop in zip(parts, stops, strict=True):
        turn = bool(_TURN.match(part)) or cue.identifier == "turn"
        words = split_words(plain_text(_TURN.sub(" ", part), format))
        length, at = sum(map(len, words)) or 1, 0
        for word in words:
            ends = at + len(word)
            span = stop - begin
            first, last = begin + span * at // length, begin + span * ends // length
            yield Word(word, first, last, turn, cue.line)
            at, turn = ends, False


_SILENCE = 1500
"""Milliseconds without a word that no cue goes on over."""
_SLACK = 1000
"""Milliseconds that a cue may stay after its last word, where the guideline does not say."""
_FAST, _FASTER = 1000.0, 100.0
"""For a cue that cannot be read in its time, and for each time more that it takes."""
_SHORT = 600.0
"""For a cue that is not shown at all, as far as it lacks half as much again as the least time."""
_CUE, _FILL, _SECOND_LINE = -23.0, 20.0, 30.0
"""For each cue, for a line without anything in it, and for a second line: one full line is best."""
_PARTS = 2.0
"""By how much more a break counts that parts a phrase than where lines alone are broken."""
_OVER, _PAUSE = 2000.0, 40.0
_SENTENCE, _CLAUSE = -100.0, -60.0
_LONGEST_LINE = 42.0
_MOST_WORDS = 60


def segment(words: Sequence[Word], guideline: Guideline, format: FormatName = "srt") -> list[Cue]:
    """Cut words into cues.

    Args:
        words: In the order in which they are said.
        guideline: Its lengths, lines, reading speed, durations, gaps and language.
        format: The format that cues are written in, for what must be escaped.

    Returns:
        Cues with all of the words, in order; none if there are none.
    """
    plan = _Plan(words, guideline)
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(words) + 1):
        options = []
        for start in range(end - 1, max(-1, end - _MOST_WORDS - 1), -1):
            if end - start > 1 and plan.too_long(start, end):
                break
            options.append((best[start][0] + plan.demerits(start, end), start))
            if words[start].turn or plan.silent(start):
                break  # nobody else's words, and none from before a silence
        best.append(min(options))
    cuts = [len(words)]
    while cuts[-1]:
        cuts.append(best[cuts[-1]][1])
    bounds = list(zip(cuts[:0:-1], cuts[-2::-1], strict=True))
    return [plan.cue(start, end, format) for start, end in bounds]


def segmented(track: Track, guideline: Guideline) -> Track:
    """Return a track with its words in new cues; identifiers, settings and markup are left behind.

    Out-times keep gaps and shot changes.
    """
    format = track.format if FORMATS[track.format].markup == "vtt" else "srt"
    cues = segment(words_of(track), guideline, format)
    captions, new_cues = count_of(len(track.cues), "automatic caption"), count_of(len(cues), "cue")
    told = Repair(1, f"{captions}; read as {new_cues}")
    new = replace(
        track, cues=tuple(cues), format=format, layout=None, repairs=(*track.repairs, told)
    )
    clock = Clock(new, guideline)
    ends = [end if (end := clock.better_end(cue)) is not None else cue.end for cue in new.cues]
    return new.with_ends(ends)


def readable(track: Track, guideline: Guideline) -> Track:
    """Return a track, in new cues if it is of automatic captions."""
    return segmented(track, guideline) if is_automatic(track) else track


class _Plan:
    """What the search asks for, counted once."""

    def __init__(self, words: Sequence[Word], guideline: Guideline) -> None:
        self.words, self.guideline = words, guideline
        self.glue = "" if primary_language(guideline.language) in UNSPACED else " "
        self.marks = _breaks(words, self.glue, guideline.language)
        """Demerits of a break after each word."""
        self.gap, self.until = guideline.count(self.glue), [0.0]
        """Characters of what stands between two words; and up to each word, these included."""
        for word in words:
            self.until.append(self.until[-1] + guideline.count(word.text) + self.gap)

    def text(self, start: int, end: int) -> str:
        return self.glue.join(word.text for word in self.words[start:end])

    def width(self, start: int, end: int) -> float:
        return self.until[end] - self.until[start] - self.gap

    def silent(self, at: int) -> bool:
        """Whether nothing is said for long before a word."""
        return at > 0 and self.words[at].start - self.words[at - 1].end >= _SILENCE

    def too_long(self, start: int, end: int) -> bool:
        limits = self.guideline
        room = (limits.cpl or _LONGEST_LINE) * (limits.lines or 2)
        lasts = self.words[end - 1].end - self.words[start].start
        return self.width(start, end) > room or lasts > (limits.max_duration or 10_000)

    def latest(self, start: int, end: int) -> int:
        """Return when a cue must be gone: soon after its last word, and before the next one.

        A gap that would then have to be closed is its own from the beginning.
        """
        limits = self.guideline
        slack = _SLACK if limits.out_slack is None else limits.out_slack
        last = self.words[end - 1].end + slack
        if end < len(self.words):
            following = self.words[end].start
            closed = following - last < (limits.close_gaps or limits.min_gap)
            last = following - limits.min_gap if closed else last
        least = self.words[start].start + 1
        return max(min(last, self.words[start].start + (limits.max_duration or last)), least)

    def demerits(self, start: int, end: int) -> float:
        """Judge the cue made of some words."""
        limits, width = self.guideline, self.width(start, end)
        cpl, lines = limits.cpl or _LONGEST_LINE, limits.lines or 2
        lasts = (self.latest(start, end) - self.words[start].start) / 1000
        total = _CUE + _FILL * (1 - min(width / cpl, 1)) ** 2 + (width > cpl) * _SECOND_LINE
        if (speed := limits.reading_speed) is not None and width > speed * lasts:
            total += _FAST + _FASTER * (width / (speed * lasts) - 1)
        least = 1.5 * (limits.min_duration or 0) / 1000
        total += _SHORT * (1 - lasts / least) if lasts < least else 0.0
        if width > cpl and lines > 1:
            total += self._inner(start, end, cpl) if lines == 2 else 0.0
        elif width > cpl:
            total += _OVER
        pauses = (self.words[at].start - self.words[at - 1].end for at in range(start + 1, end))
        total += _PAUSE * (max(pauses, default=0) / 500) ** 2
        if end == len(self.words) or self.words[end].turn or self.silent(end):
            return total + _SENTENCE
        mark, pause = self.marks[end - 1], self.words[end].start - self.words[end - 1].end
        bonus = _SENTENCE if mark <= -10 else _CLAUSE if mark <= -5 else _PARTS * max(mark, 0.0)
        return total + bonus - min(_PAUSE * pause / 500, _PAUSE)

    def _inner(self, start: int, end: int, cpl: float) -> float:
        """Judge the best break of a cue into two lines."""
        least = math.inf
        for at in range(start + 1, end):
            upper, lower = self.width(start, at), self.width(at, end)
            if upper <= cpl and lower <= cpl:
                parts = _PARTS * max(self.marks[at - 1], 0.0)
                least = min(least, parts + 30 * abs(upper - lower) / cpl)
        return least if least < math.inf else 3 * _OVER

    def cue(self, start: int, end: int, format: FormatName) -> Cue:
        """Make a cue: its lines, and the time it takes to read them as far as there is room."""
        limits, first, last = self.guideline, self.words[start], self.words[end - 1]
        text = self.text(start, end)
        rules = {**limits.line_rules, "overlong": True}
        lines = break_lines(text, limits.cpl, limits.lines, **rules) or ()
        width, speed = count_characters("".join(lines), limits.cps_counting), limits.reading_speed
        reading = 0 if speed is None else math.ceil(1000 * width / speed)
        wanted = first.start + max(limits.min_duration or 0, reading)
        latest = self.latest(start, end)
        out = min(max(last.end, wanted), latest)
        if end < len(self.words) and self.words[end].start - out < (limits.close_gaps or 0):
            out = latest
        text = "\n".join(escaped(line, format) for line in lines)
        return Cue(first.start, out, text, line=first.line)


def _breaks(words: Sequence[Word], glue: str, language: str) -> list[float]:
    """Return the demerits of a break after each word.

    Pieces of the rules may be longer or shorter than words; they are matched by their characters.
    """

    def ends(parts: Iterable[Word | Piece]) -> Iterator[int]:
        return accumulate(len("".join(part.text.split())) for part in parts)

    pieces = split_pieces(glue.join(word.text for word in words), language)
    demerits = {end: piece.demerits for end, piece in zip(ends(pieces), pieces, strict=True)}
    return [demerits.get(end, 1000.0) for end in ends(words)]
