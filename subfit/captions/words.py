"""Words and when they are said, out of captions that machines made.

Rolling captions say each line again while the next one is spoken below it (YouTube's WebVTT, which
has word times in ``<00:00:01.520>``; CEA-608 roll-up). Others have a word a cue, or a minute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from subfit.subtitles.cues import Cue, FormatName, Track
from subfit.subtitles.markup.payload import kind_of, plain_text
from subfit.subtitles.timecodes import milliseconds_of
from subfit.text.linebreak_rules import split_words

_TIME = re.compile(r"<((?:\d+:)?\d+:\d+\.\d+)>")
_TURN = re.compile(r"\s*(?:>>+|&gt;&gt;)\s*")
_MAP = re.compile(r"X-TIMESTAMP-MAP=.*")
_LOCAL = re.compile(r"LOCAL:([\d:.]+)")
_TOUCHING = 120
"""Milliseconds between the cues of one rolling caption, at most."""
_PAUSE = 10_000
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
        near = cue.start - end <= (_PAUSE if _TIME.search(cue.text) else _TOUCHING)
        known = _shared(before, lines) if rolling and near else 0
        raw = [line for line in cue.text.split("\n") if plain_text(line, track.format).strip()]
        words += _timed(raw[known:], cue, track.format)
        before, end = lines, cue.end
    starts = [word.start for word in words[1:]]
    closed = [
        replace(word, end=max(word.start, min(word.end, start)))
        for word, start in zip(words, starts, strict=False)
    ]
    return [*closed, *words[-1:]]


def of_stream(track: Track) -> list[Cue]:
    """Return the cues of a track; those of an HLS stream's pieces by its clock, each once.

    A piece says with ``X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000`` which tick (of 90,000 a
    second) one of its own times is (RFC 8216, section 3.5). A cue that lasts over the end of a
    piece stands in the next one, too.
    """
    blocks = getattr(track.layout, "blocks", ())
    cues: list[Cue] = []
    seen = set[tuple[int, int, str]]()
    base, offset = None, 0
    for cue, block in zip(track.cues, blocks or [None] * len(track.cues), strict=False):
        header = _MAP.search("\n".join(block.lead)) if block is not None else None
        if header is not None:
            local = _LOCAL.search(header[0])
            time = milliseconds_of(local[1], None) if local else None
            ticks = re.search(r"MPEGTS:(\d+)", header[0])
            zero = (int(ticks[1]) // 90 if ticks else 0) - (time or 0)
            base = zero if base is None else base
            offset = zero - base
        moved = replace(cue, start=cue.start + offset, end=cue.end + offset)
        if (key := (moved.start, moved.end, moved.text)) not in seen or base is None:
            cues.append(moved)
        seen.add(key)
    return cues


def _merged(cues: Sequence[Cue], format: FormatName) -> Iterator[Cue]:
    """Make one of cues that only differ in which of their words is marked."""
    held: Cue | None = None
    for cue in cues:
        touches = held is not None and cue.start - held.end <= _TOUCHING
        if held is not None and touches and _lines(held, format) == _lines(cue, format):
            held = replace(held, end=max(held.end, cue.end))
            continue
        if held is not None:
            yield held
        held = cue
    if held is not None:
        yield held


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
