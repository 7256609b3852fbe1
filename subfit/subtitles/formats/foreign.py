"""Plain text, one sentence a line; and formats that are only read: SCC by ttconv, MicroDVD by
pysubs2, SAMI, SBV, LRC and what speech recognition writes as JSON here.

pysubs2 reads SAMI, too, but guesses how long a cue is shown, and mixes languages.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from subfit.errors import InputFileError, MissingPackageError, UsageError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Repair, Spliced, Track
from subfit.subtitles.formats import ttml
from subfit.subtitles.formats.layout import Layout
from subfit.subtitles.repairs import quoted
from subfit.subtitles.timecodes import from_clock, milliseconds_of

_LONGEST = 5000
"""Milliseconds for which the last cue is shown where only the next one would end it."""
_SYNC = re.compile(r"(?is)<SYNC\b[^<>]*?\bstart\s*=\s*[\"']?(\d{1,9})[^<>]*>(.*?)(?=<SYNC\b|\Z)")
_TTML_TAG = re.compile(r"</?c\b[^<>]*>|(<[ibu])\.s\d+(>) *")
"""What is of the document alone."""
_SCC_TIME = re.compile(r"\d\d:[0-5]\d:[0-5]\d[:;][0-2]\d(?=\s)", re.ASCII)
_NTSC = 30000 / 1001
"""Frames per second of closed captions."""
_SBV = re.compile(r"(\d+):(\d\d):(\d\d)\.(\d{3}),(\d+):(\d\d):(\d\d)\.(\d{3})\s*", re.ASCII)
_LRC = re.compile(r"\[(\d{1,4}):(\d\d)(?:[.:](\d{1,3}))?\]", re.ASCII)
_LRC_BEGINS = r"\s*(?:\[[a-z#]+:[^\]]*\]\s*)*\[\d+:\d\d[.:]\d+\]"
_LRC_WORD = re.compile(r"<\d{1,4}:\d\d(?:[.:]\d{1,3})?>", re.ASCII)
_LRC_OFFSET = re.compile(r"\[offset:\s*([+-]?\d{1,6})\s*\]", re.ASCII)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingPackageError(name.partition(".")[0]) from error


def _read_scc(contents: Contents) -> Parsed:
    """Read closed captions of Scenarist (CEA-608) from the TTML that ttconv makes of them."""
    reader, writer = _library("ttconv.scc.reader"), _library("ttconv.imsc.writer")
    logging.getLogger("ttconv").setLevel(logging.CRITICAL)
    try:
        document = writer.from_model(reader.to_model(contents.text))
    except Exception as error:  # whatever a library raises
        problem = f"ttconv cannot read it: {quoted(str(error))}"
        raise InputFileError(contents.name, problem) from error
    text = ElementTree.tostring(document.getroot(), encoding="unicode")
    parsed = ttml.parse(replace(contents, text=text))
    lines = contents.text.split("\n")
    codes = [(at, code[0]) for at, line in enumerate(lines, 1) if (code := _SCC_TIME.match(line))]
    told = [(milliseconds_of(code.replace(";", ":"), _NTSC), at) for at, code in codes]
    cues = tuple(
        replace(
            cue,
            text=_TTML_TAG.sub(r"\1\2", cue.text).strip(),
            line=max((at for time, at in told if (time or 0) <= cue.start), default=0),
            identifier="",
        )
        for cue in parsed.cues
    )
    return Parsed(cues, None, parsed.repairs)


_OPEN = 100
"""Frames of a last event without an end."""


def _read_microdvd(contents: Contents) -> Parsed:
    """Read MicroDVD, whose times are frames.

    Raises:
        UsageError: Nothing says how many frames a second has.
    """
    library = _library("pysubs2")
    starts = [int(one) for one in re.findall(r"(?m)^\{(\d+)\}", contents.text)]

    def ended(event: re.Match[str]) -> str:  # until the next one begins
        start = int(event[1])
        end = min((one for one in starts if one > start), default=start + _OPEN)
        return f"{{{start}}}{{{end}}}"

    text = re.sub(r"(?m)^\{(\d+)\}\{\}", ended, contents.text)
    try:
        file = library.SSAFile.from_string(text, "microdvd", fps=contents.fps)
    except library.exceptions.UnknownFPSError as error:
        problem = f"{contents.name}: its times are frames and it does not say how many a second has"
        raise UsageError(f"{problem}; pass --fps") from error
    except Exception as error:  # whatever a library raises
        problem = f"pysubs2 cannot read it: {quoted(str(error))}"
        raise InputFileError(contents.name, problem) from error
    lines = [at for at, line in enumerate(contents.text.split("\n"), 1) if line.startswith("{")]
    lines = lines[-len(file.events) :] if file.events else []
    cues = [
        Cue(event.start, event.end, re.sub(r"\\[Nn]", "\n", event.text), line=line)
        for event, line in zip(file.events, [*lines, *[0] * len(file.events)], strict=False)
        if event.plaintext.strip()
    ]
    return _parsed(cues, contents)


def _read_sami(contents: Contents) -> Parsed:
    """Read SAMI: what is said is shown until the next time of its class; of classes, the first."""
    text = re.sub(r"(?s)<!--.*?-->", lambda note: "\n" * note[0].count("\n"), contents.text)
    shown: dict[str, list[tuple[int, str, int]]] = {}
    for sync in _SYNC.finditer(text):
        line = text.count("\n", 0, sync.start()) + 1
        for paragraph in re.split(r"(?i)<P\b", sync[2])[1:] or [f">{sync[2]}"]:
            attributes, _, body = paragraph.partition(">")
            named = re.search(r"(?i)\bclass\s*=\s*[\"']?([\w-]+)", attributes)
            body = re.sub(r"(?i)</?(?:sync|body|sami|p)\b[^<>]*>", "", " ".join(body.split()))
            body = re.sub(r"(?i)\s*<br\b[^<>]*>\s*", "\n", body)
            body = re.sub(r"(?i)&(?:nbsp|#160|#xa0);?", " ", body).strip()
            lines = shown.setdefault(named[1] if named else "", [])
            lines.append((int(sync[1]), body, line))
    classes = list(shown)
    parsed = _parsed(_in_turn(shown[classes[0]] if classes else []), contents)
    if len(classes) < 2:
        return parsed
    told = f"several languages; class {classes[0]} is read, not {', '.join(classes[1:])}"
    return replace(parsed, repairs=(*parsed.repairs, Repair(1, told)))


def _in_turn(lines: Iterable[tuple[int, str, int]]) -> list[Cue]:
    """Cues that are shown until the next one, given when they begin, their texts and lines."""
    ordered = sorted(lines, key=lambda line: line[0])
    last = [(ordered[-1][0] + _LONGEST, "", 0)] if ordered else []
    return [
        Cue(start, end, text, line=number)
        for (start, text, number), (end, *_) in pairwise([*ordered, *last])
        if text
    ]


def _read_sbv(contents: Contents) -> Parsed:
    """Read SubViewer as YouTube has it: times, lines, a blank line."""
    blocks: list[tuple[int, re.Match[str], list[str]]] = []
    for number, line in enumerate(contents.text.split("\n"), 1):
        if match := _SBV.fullmatch(line):
            blocks.append((number, match, []))
        elif blocks:
            blocks[-1][2].append(line.rstrip())
    cues = []
    for number, match, lines in blocks:
        start, end = from_clock(*match.groups()[:4]), from_clock(*match.groups()[4:])
        text = "\n".join(line for line in lines if line)
        cues.append(Cue(start, end, text.replace("[br]", "\n"), line=number))
    return _parsed(cues, contents)


def _read_lrc(contents: Contents) -> Parsed:
    """Read lyrics: each line is sung at its times, until the next one."""
    offset = _LRC_OFFSET.search(contents.text)
    earlier, sung = int(offset[1]) if offset else 0, []
    for number, line in enumerate(contents.text.split("\n"), 1):
        words = " ".join(_LRC_WORD.sub("", _LRC.sub("", line)).split())
        starts = [from_clock("0", *time) - earlier for time in _LRC.findall(line)]
        sung += [(max(0, start), words, number) for start in starts]
    return _parsed(_in_turn(sung), contents)


def _parsed(cues: list[Cue], contents: Contents) -> Parsed:
    if not cues:
        raise InputFileError(contents.name, "no cue found", line=1)
    return Parsed(tuple(cues))


def _read_text(contents: Contents) -> Parsed:
    """Take every line as a cue from 0 to 0; empty lines are empty cues.

    Raises:
        InputFileError: There is no text at all.
    """
    text = contents.text
    if not text.strip():
        raise InputFileError(contents.name, "the file is empty", remedy="write one sentence a line")
    lines = text.split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    cues = tuple(Cue(0, 0, line, line=number) for number, line in enumerate(lines, start=1))
    return Parsed(cues, Layout((), ("",) if ended else ()), ())


def _write_text(track: Track) -> Spliced:
    """Return one line for each cue; a line break inside a cue's text becomes a space."""
    lines = tuple(re.sub(r"\s*[\r\n]+\s*", " ", cue.text) for cue in track.cues)
    ended = not (track.format == "txt" and isinstance(track.layout, Layout)) or track.layout.tail
    return Spliced((), lines, "" if ended else None)


_KEYS = ("events", "segments", "transcription", "word_segments")
_REMEDY = "it takes json3 of YouTube, and what Whisper, WhisperX, faster-whisper, whisper.cpp write"


def _read_speech(contents: Contents) -> Parsed:
    """Read words and their times: a cue is a word, or what has no times within it.

    YouTube's json3 has ``events`` with ``segs``; Whisper, WhisperX and faster-whisper have
    ``segments``, with ``words`` if they were asked for; whisper.cpp has ``transcription``.

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
    Format("scc", "Scenarist (SCC)", (".scc",), _read_scc, None, "vtt", begins=r"\s*Scenarist_SCC"),
    Format("sbv", "SubViewer (SBV)", (".sbv",), _read_sbv, begins=r"\s*" + _SBV.pattern),
    Format("lrc", "lyrics (LRC)", (".lrc",), _read_lrc, begins=_LRC_BEGINS),
    Format("sami", "SAMI", (".smi", ".sami"), _read_sami, None, "srt", begins=r"(?i)\s*<SAMI"),
    Format(
        "microdvd", "MicroDVD", (".sub",), _read_microdvd, None, "srt", begins=r"\s*\{\d+\}\{\d*\}"
    ),
    Format("txt", "plain text", (".txt",), _read_text, _write_text, timed=False, keeps="lines"),
    Format(
        "speech",
        "speech recognition (JSON)",
        (".json", ".json3"),
        _read_speech,
        begins=r'(?s)\s*\{.{0,4000}"(?:segs|segments|transcription|word_segments)"\s*:'
        r'|\s*\[\s*\{[^{}\[\]]*"start"\s*:',
        keeps="words and their times, which become cues",
    ),
)
