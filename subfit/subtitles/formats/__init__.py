"""Files in and out: a `Track` from the bytes of a file, and the bytes of a file from a `Track`.

``read_track`` decodes (`encoding`), parses (`srt`, `vtt`, `txt`, `scripts`) and remembers
everything that is not cue text, so that ``render_track`` returns the same file with other texts.
What was mended on the way is in ``track.repairs``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from subfit.errors import InputFileError, UsageError
from subfit.files import read_bytes, write_bytes
from subfit.subtitles import scripts
from subfit.subtitles.cues import FORMATS, Cue, Format, FormatName, Repair, Track
from subfit.subtitles.encoding import decode, encode
from subfit.subtitles.formats import srt, txt, vtt
from subfit.subtitles.formats.convert import convert_track
from subfit.subtitles.formats.layout import Parsed, Spliced, read_timing
from subfit.subtitles.formats.naming import output_path
from subfit.subtitles.markup.payload import IS_DATA, kind_of
from subfit.subtitles.repairs import fold_repairs, mend_texts
from subfit.subtitles.scripts import columns_of
from subfit.subtitles.scripts.columns import ScriptReading

__all__ = [
    "FORMAT_OF_SUFFIX",
    "check_suffix",
    "columns_of",
    "convert_track",
    "format_of",
    "output_path",
    "parse_track",
    "read_track",
    "register_format",
    "render_track",
    "splice_track",
    "write_track",
]


class _Codec(Protocol):
    """What reads and writes a format; a module with two functions, or anything that has them."""

    @property
    def parse(self) -> Callable[[str, str], Parsed]:
        """Make cues of a file's text; takes the text and the file's name, for messages."""

    @property
    def render(self) -> Callable[[Track], Spliced]:
        """Make a file of a track."""


_SIGNATURE = re.compile(r"\s*WEBVTT\b")
AS_HEADED = ScriptReading()
"""Columns of scripts are found by their headings."""
FORMAT_OF_SUFFIX: dict[str, FormatName] = {
    suffix: format.name for format in FORMATS.values() for suffix in format.suffixes
}
_CODECS: dict[FormatName, _Codec] = {"srt": srt, "vtt": vtt, "txt": txt}
"""Of the formats that are text; the tables of dubbing scripts are read by `scripts`."""


def register_format(format: Format, codec: _Codec) -> None:
    """Make a format known to everything that reads, converts and writes tracks.

    Args:
        format: Its name, suffixes and markup. One of the same name or suffix is replaced.
        codec: A module with ``parse(text, name)``, which returns what `Parsed` has, and
            ``render(track)``, which returns a file as `Spliced`; or any object with these.
    """
    FORMATS[format.name] = format
    FORMAT_OF_SUFFIX.update(dict.fromkeys(format.suffixes, format.name))
    _CODECS[format.name] = codec


def format_of(path_or_name: Path | str, explicit: FormatName | None = None) -> FormatName:
    """Return the format of a file: the explicit one, else by its suffix.

    Raises:
        InputFileError: The suffix is not known.
    """
    if explicit is not None:
        return explicit
    suffix = Path(path_or_name).suffix.lower()
    if suffix not in FORMAT_OF_SUFFIX:
        known = ", ".join(FORMAT_OF_SUFFIX)
        problem = f"no format is known for the suffix {suffix!r}" if suffix else "it has no suffix"
        raise InputFileError(
            path_or_name, problem, remedy=f"use one of {known}, or pass --input-format"
        )
    return FORMAT_OF_SUFFIX[suffix]


def check_suffix(output: Path | str, source: Path | str) -> None:
    """Make sure that a named output does not end in what is no format.

    Args:
        output: The output; a name without a suffix takes the input's format.
        source: The input, whose own suffix is as good as any.

    Raises:
        UsageError: No format is known for the suffix.
    """
    suffix = Path(output).suffix.lower()
    if suffix and suffix not in {*FORMAT_OF_SUFFIX, Path(source).suffix.lower()}:
        known = ", ".join(FORMAT_OF_SUFFIX)
        raise UsageError(
            f"--output {output}: no format is known for the suffix {suffix!r}; use one of {known}"
        )


def read_track(
    path: Path | str,
    *,
    input_format: FormatName | None = None,
    encoding: str | None = None,
    source_language: str | None = None,
    script: ScriptReading = AS_HEADED,
) -> Track:
    """Read a subtitle file, or a dubbing script.

    Args:
        path: The file, or ``-`` for standard input.
        input_format: Its format; by default that of its suffix, or of its content on ``-`` and
            where a file named ``.srt`` begins as WebVTT does.
        encoding: Its encoding; by default detected.
        source_language: BCP 47 tag of its language, which helps to detect the encoding.
        script: How to read it if it is a dubbing script.

    Raises:
        InputFileError: It cannot be read, or is no subtitle file.
        UsageError: The encoding is unknown, or the columns of a script are not clear.
    """
    data = read_bytes(path)
    format_name = input_format if str(path) == "-" else format_of(path, input_format)
    return parse_track(
        data,
        name=str(path),
        format=format_name,
        by_name=input_format is None,
        encoding=encoding,
        source_language=source_language,
        script=script,
    )


def parse_track(
    data: bytes,
    *,
    name: str = "-",
    format: FormatName | None = None,
    by_name: bool = False,
    encoding: str | None = None,
    source_language: str | None = None,
    script: ScriptReading = AS_HEADED,
) -> Track:
    """Parse the bytes of a subtitle file; as `read_track`, with the format sniffed if not given.

    ``by_name`` says that the format is but what the file's name has, which its content overrules.
    """
    if format is not None and FORMATS[format].spoken:
        return scripts.parse(
            data, name, format, script, encoding=encoding, source_language=source_language
        )
    decoded = decode(data, name=name, encoding=encoding, source_language=source_language)
    format_name, notes = format or _sniff(decoded.text, name), list[Repair]()
    if by_name and format_name == "srt" and _is_webvtt(decoded.text):
        format_name = "vtt"
        notes.append(Repair(1, "it begins with WEBVTT: read as WebVTT, not as SubRip"))
    if format_name in ("srt", "vtt"):
        _refuse_others(decoded.text, name)
    parsed = _CODECS[format_name].parse(decoded.text, name)
    cues: Sequence[Cue] = parsed.cues
    if FORMATS[format_name].markup in ("srt", "vtt"):
        cues, mended = mend_texts(cues, source_language)
        notes += mended
        notes += (Repair(cue.line + 1, IS_DATA) for cue in cues if kind_of(cue.text) == "data")
    repairs = fold_repairs([*notes, *decoded.repairs, *parsed.repairs])
    return Track(tuple(cues), format_name, decoded.encoding, repairs, parsed.layout)


_OTHERS = {
    "MicroDVD": r"\s*\{\d+\}\{\d*\}",
    "Advanced SubStation (ASS)": r"\s*\[Script Info\]",
    "TTML": r"(?s)\s*(?:<\?xml[^>]*>)?(?:\s|<!--.*?-->)*<(?:\w+:)?tt[\s>]",
    "SAMI": r"(?i)\s*<SAMI",
    "lyrics (LRC)": r"\s*(?:\[[a-z]+:[^\]]*\]\s*)*\[\d+:\d\d[.:]\d+\]",
    "what Whisper shows while it works": r"\s*\[(?:\d\d:)?\d\d:\d\d\.\d{3} --> [^\]]*\]",
    "SBV": r"\s*\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}\s",
    "JSON": r"\s*(?:\{\s*[\"}]|\[\s*[\[{])",
    "a web page (HTML)": r"(?i)\s*(?:<!doctype html|<html)",
    "XML": r"\s*<\?xml",
    "a ZIP archive": r"PK\x03\x04",
    "an archive of gzip": r"\x1f.?\x08",
    "a RAR archive": r"Rar!",
}
"""How files of other kinds begin."""


def _refuse_others(text: str, name: str) -> None:
    """Name a file of another kind, without any cue, for what it is."""
    for title, begins in _OTHERS.items():
        if re.match(begins, text) and ("archive" in title or not _has_times(text)):
            packed = "archive" in title
            remedy = "unpack it" if packed else "convert it to .srt or .vtt with another program"
            raise InputFileError(name, f"it is {title}, whatever its name says", remedy=remedy)


def render_track(
    track: Track,
    *,
    output_format: FormatName | None = None,
    output_encoding: str | None = None,
    name: str = "-",
) -> bytes:
    """Return the bytes of a track's file, with everything but the cue texts as it was read.

    Args:
        track: The track.
        output_format: The format to write; by default the track's own. Another one is converted
            (see `convert_track` for what that leaves behind).
        output_encoding: The encoding to write in, UTF-8 by default (a dubbing script's own). Line
            ends and the byte order mark are those of the input.
        name: The output's name, for messages.

    Raises:
        OutputFileError: The encoding cannot represent a character.
        UsageError: The encoding is unknown, or a text without times is to become subtitles.
    """
    if output_format is not None and output_format != track.format:
        track = convert_track(track, output_format)
    if track.spoken:
        return scripts.render(track, output_encoding, name)
    text = splice_track(track).text
    return encode(text, track.encoding, output_encoding, name=name)


def write_track(
    track: Track,
    path: Path | str,
    *,
    overwrite: bool = False,
    output_format: FormatName | None = None,
    encoding: str | None = None,
) -> None:
    """Write a track to a file, which appears whole or not at all.

    Args:
        track: The track.
        path: The file. Its suffix chooses the format; without one, the track's own is written.
        overwrite: Whether an existing file may be replaced.
        output_format: The format, whatever the suffix.
        encoding: The encoding; see `render_track`.

    Raises:
        InputFileError: No format is known for the suffix.
        OutputFileError: The file exists already or cannot be written, or the encoding cannot
            represent a character.
        UsageError: The encoding is unknown, or a text without times is to become subtitles.
    """
    if output_format is None:
        output_format = format_of(path) if Path(path).suffix else track.format
    data = render_track(
        track, output_format=output_format, output_encoding=encoding, name=str(path)
    )
    write_bytes(Path(path), data, overwrite=overwrite)


def splice_track(track: Track, output_format: FormatName | None = None) -> Spliced:
    """Return a track's file taken apart at its cue texts; see `render_track`."""
    if output_format is not None and output_format != track.format:
        track = convert_track(track, output_format)
    return _CODECS[track.format].render(track)


def _sniff(text: str, name: str) -> FormatName:
    if not text.strip():
        raise InputFileError(name, "the file is empty")
    if _SIGNATURE.match(text):
        return "vtt"
    if _has_times(text):
        return "srt"
    raise UsageError(f"{name}: the format cannot be told from the text; pass --input-format")


def _is_webvtt(text: str) -> bool:
    """Whether it is WebVTT with cues; without one, there is nothing that SubRip could become."""
    return bool(_SIGNATURE.match(text)) and _has_times(text)


def _has_times(text: str) -> bool:
    return any("-->" in line and read_timing(line) for line in text.split("\n"))
