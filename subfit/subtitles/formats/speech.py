"""What speech recognition writes as JSON, read word by word: a cue is a word, or what has no times
within it.

YouTube's json3 has ``events`` with ``segs``; Whisper, WhisperX and faster-whisper have
``segments``, with ``words`` if they were asked for; whisper.cpp has ``transcription``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from subfit.errors import InputFileError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed

_KEYS = ("events", "segments", "transcription", "word_segments")
_REMEDY = "it takes json3 of YouTube, and what Whisper, WhisperX, faster-whisper, whisper.cpp write"


def parse(contents: Contents) -> Parsed:
    """Read words and their times.

    Raises:
        InputFileError: It is no JSON, or has no words with times.
    """
    try:
        data = json.loads(contents.text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise InputFileError(contents.name, "is no JSON", line=line, remedy=_REMEDY) from error
    if isinstance(data, list):
        data = {"segments": data}
    parts = [data.get(key) for key in _KEYS] if isinstance(data, dict) else []
    found = next((part for part in parts if isinstance(part, list)), [])
    try:
        cues = [cue for part in found if isinstance(part, dict) for cue in _cues(part)]
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        problem = "has words or times that cannot be read"
        raise InputFileError(contents.name, problem, remedy=_REMEDY) from error
    if not cues:
        raise InputFileError(contents.name, "has no words with times", remedy=_REMEDY)
    speakers = [None, *(cue.speaker for cue in cues)]
    marked = (
        Cue(cue.start, cue.end, cue.text, "turn" if before and before != cue.speaker else "")
        for before, cue in zip(speakers, cues, strict=False)
    )
    return Parsed(tuple(marked), None, ())


def _cues(part: Mapping[str, Any]) -> Iterator[Cue]:
    """Yield the words of one event or segment."""
    if "segs" in part:
        yield from _of_event(part)
        return
    offsets = part.get("offsets") or {}
    start = _milliseconds(part.get("start"), offsets.get("from", 0))
    end = _milliseconds(part.get("end"), offsets.get("to", start))
    speaker = str(part.get("speaker") or "")
    words = [word for word in part.get("words") or () if _text(word)]
    if not words:
        if text := _text(part):
            yield Cue(start, max(start, end), text, speaker=speaker)
        return
    starts = [_milliseconds(word.get("start"), None) for word in words]
    for at, word in enumerate(words):  # WhisperX knows no times of numbers
        following = next((time for time in starts[at + 1 :] if time is not None), end)
        first = starts[at]
        first = start if first is None else first
        start = _milliseconds(word.get("end"), min(first + 400, following))
        who = str(word.get("speaker") or speaker)
        yield Cue(first, max(first, start), _text(word), speaker=who)


def _of_event(event: Mapping[str, Any]) -> Iterator[Cue]:
    start = int(event.get("tStartMs") or 0)
    stop = start + int(event.get("dDurationMs") or 0)
    segs = [seg for seg in event["segs"] if str(seg.get("utf8") or "").strip()]
    starts = [start + int(seg.get("tOffsetMs") or 0) for seg in segs]
    for seg, first, last in zip(segs, starts, [*starts[1:], stop], strict=False):
        yield Cue(first, max(first, last), " ".join(str(seg["utf8"]).split()))


def _text(part: Mapping[str, Any]) -> str:
    return " ".join(str(part.get("word") or part.get("text") or "").split())


def _milliseconds(seconds: Any, otherwise: Any) -> Any:
    return otherwise if seconds is None else round(float(seconds) * 1000)


FORMATS = (
    Format(
        "speech",
        "speech recognition (JSON)",
        (".json", ".json3"),
        parse,
        begins=r'(?s)\s*\{.{0,4000}"(?:segs|segments|transcription|word_segments)"\s*:'
        r'|\s*\[\s*\{[^{}\[\]]*"start"\s*:',
        keeps="words and their times, which become cues",
    ),
)
