"""Files in and out: a `Track` from the bytes of a file, and the bytes of a file from a `Track`.

``read_track`` decodes (`encoding`), parses (the modules beside, `scripts`) and remembers everything
that is not cue text, so that ``render_track`` returns the same file with other texts. What was
mended on the way is in ``track.repairs``.

A format is a `Format` in the ``FORMATS`` of a module of this folder, or in an entry point of the
group ``subfit.formats``; nothing else knows its name.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from subfit.errors import InputFileError, UsageError
from subfit.files import read_bytes, write_bytes
from subfit.subtitles import scripts
from subfit.subtitles.cues import (
    FORMATS,
    Contents,
    Cue,
    Encoding,
    Format,
    FormatName,
    Repair,
    Spliced,
    Track,
)
from subfit.subtitles.encoding import checked_encoding, decode, encode
from subfit.subtitles.formats.convert import convert_track
from subfit.subtitles.formats.layout import Layout, read_timing
from subfit.subtitles.markup.payload import IS_DATA, kind_of
from subfit.subtitles.repairs import fold_repairs, mend_texts
from subfit.subtitles.scripts.columns import ScriptReading

GROUP = "subfit.formats"
"""Entry points of installed packages: each is a `Format`."""
FALLBACK = "srt"
"""What is written of formats that are only read."""
AS_HEADED = ScriptReading()
"""Columns of scripts are found by their headings."""
VIDEOS = frozenset((".avi", ".m4v", ".mka", ".mks", ".mkv", ".mov", ".mp4", ".mts", ".ts", ".webm"))
"""Suffixes of files that hold subtitles beside other things."""
FORMAT_OF_SUFFIX: dict[str, FormatName] = {}
BROKEN: dict[str, str] = {}
"""Entry points that could not be loaded, and why."""


def register_format(format: Format) -> None:
    """Make a format known to everything that reads, converts and writes tracks.

    Args:
        format: What it is. One of the same name or suffix is replaced.
    """
    FORMATS[format.name] = format
    FORMAT_OF_SUFFIX.update(dict.fromkeys(format.suffixes, format.name))


def _register_all() -> None:
    """Find the formats of this folder, of dubbing scripts, and of installed packages."""
    names = dict.fromkeys(("srt", "vtt", *(found.name for found in pkgutil.iter_modules(__path__))))
    modules = [import_module(f"{__name__}.{name}") for name in names]
    for module in (*modules, scripts):
        for format in vars(module).get("FORMATS", ()):
            if isinstance(format, Format):  # `FORMATS` of a module may be all that there are
                register_format(format)
    for found in entry_points(group=GROUP):
        try:
            register_format(found.load())
        except Exception as error:  # whatever a package raises, subfit goes on without it
            BROKEN[found.name] = f"{found.value}: {error}"


_register_all()


def written_path(path: Path) -> Path:
    """Return a file's name with the suffix of what is written of it by itself."""
    suffix = path.suffix.lower()
    known = FORMAT_OF_SUFFIX.get(suffix)
    same = suffix not in VIDEOS if known is None else FORMATS[known].written
    return path if same else path.with_suffix(f".{FALLBACK}")


def written_format(format: FormatName) -> FormatName:
    """Return the format that a file's translation is written in by itself: the same, or SubRip."""
    return format if FORMATS[format].written else FALLBACK


def format_of(path_or_name: Path | str, explicit: FormatName | None = None) -> FormatName:
    """Return the format of a file: the explicit one, else by its suffix.

    Raises:
        InputFileError: The suffix is not known.
    """
    suffix = Path(path_or_name).suffix.lower()
    if (known := explicit or FORMAT_OF_SUFFIX.get(suffix)) is not None:
        return known
    if suffix in VIDEOS:
        remedy = f"'subfit tracks {path_or_name}' lists its subtitles, and takes them out"
        raise InputFileError(path_or_name, "it is a video file", remedy=remedy)
    problem = f"no format is known for the suffix {suffix!r}" if suffix else "it has no suffix"
    remedy = f"use one of {', '.join(FORMAT_OF_SUFFIX)}, or pass --input-format"
    raise InputFileError(path_or_name, problem, remedy=remedy)


def is_timed(path: Path | str) -> bool:
    """Tell whether a file's suffix promises cues that are shown from time to time; ``.xml`` does
    not, which may be any document."""
    suffix = Path(path).suffix.lower()
    known = FORMAT_OF_SUFFIX.get(suffix)
    return known is not None and FORMATS[known].timed and suffix != ".xml"


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
        known = f"no format is known for the suffix {suffix!r}; use one of "
        raise UsageError(f"--output {output}: {known}{', '.join(FORMAT_OF_SUFFIX)}")


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
    notes = list[Repair]()
    contents = Contents("", name, data, script.fps, script.kept_styles)
    named, own = format, Encoding()
    if by_name or format is None:
        format = _told_by(data[:_HEAD].decode("latin-1"), binary=True) or format
    if format is None or not FORMATS[format].binary:
        decoded = decode(data, name=name, encoding=encoding, source_language=source_language)
        contents = replace(contents, text=decoded.text)
        own, notes = decoded.encoding, [*decoded.repairs]
        format = _sniff(decoded.text, name, format, by_name=by_name)
    kind = FORMATS[format]
    if named not in (None, format):
        title = FORMATS[named].title
        notes.append(Repair(1, f"it begins as {kind.title}: read so, not as {title}"))
    assert kind.parse is not None
    parsed = kind.parse(contents)
    cues: Sequence[Cue] = parsed.cues
    notes += parsed.repairs
    for cue in (cue for cue in cues if cue.line and cue.duration <= 0 and kind.timed):
        fault = "ends before it begins" if cue.duration < 0 else "has no duration"
        notes.append(Repair(cue.line, f"the cue {fault}; kept as written"))
    if kind.markup in ("srt", "vtt") and not kind.binary:
        below = int(isinstance(parsed.layout, Layout))
        cues, mended = mend_texts(cues, source_language, below)
        notes += mended
        notes += (Repair(cue.line + below, IS_DATA) for cue in cues if kind_of(cue.text) == "data")
    return Track(tuple(cues), format, own, fold_repairs(notes), parsed.layout)


_HEAD = 4096
"""Bytes that tell a binary format."""
_OTHERS = {
    "what Whisper shows while it works": r"\s*\[(?:\d\d:)?\d\d:\d\d\.\d{3} --> [^\]]*\]",
    "JSON": r"\s*(?:\{\s*[\"}]|\[\s*[\[{])",
    "a web page (HTML)": r"(?i)\s*(?:<!doctype html|<html)",
    "XML": r"\s*<\?xml",
    "a ZIP archive": r"PK\x03\x04",
    "an archive of gzip": r"\x1f.?\x08",
    "a RAR archive": r"Rar!",
    "pictures of a DVD (VobSub)": r"\x00?\x00?\x01\xba|# VobSub",
}
"""How files begin that are no subtitles as text."""


_SUBRIP = re.compile(r"\s*(?:\d+[ \t]*\n)?\s*\d+:\d\d:\d\d[,.]\d{1,3}[ \t]*-->")


def _told_by(text: str, *, binary: bool = False) -> FormatName | None:
    """The format that a file's beginning tells."""
    for format in FORMATS.values():
        if format.begins and format.binary == binary and re.match(format.begins, text):
            return format.name
    return None


def _sniff(text: str, name: str, named: FormatName | None, *, by_name: bool) -> FormatName:
    """The format that a text is in: as it begins, or as it is named where nothing else tells.

    A file of another kind, without any cue, is named for what it is.
    """
    told, found = _told_by(text), named
    timed = any("-->" in line and read_timing(line) for line in text.split("\n"))
    if by_name and named not in ("srt", "vtt") and told is None and _SUBRIP.match(text):
        return "srt"
    if by_name or named is None:
        if told and (not timed if told != "vtt" else timed or named is None):
            return told
        found = named or ("srt" if timed else None)
    if found is None and not text.strip():
        raise InputFileError(name, "the file is empty")
    if found in (None, "srt", "vtt"):
        title, remedy = "", "convert it to .srt or .vtt with another program"
        if told not in (None, found):
            title, remedy = FORMATS[told].title, f"pass --input-format {told}"
        others = (other for other, begins in _OTHERS.items() if re.match(begins, text))
        title = title or next(others, "")
        archive = "archive" in title
        if archive or (title and not timed):
            problem = f"it is {title}, whatever its name says"
            raise InputFileError(name, problem, remedy="unpack it" if archive else remedy)
    if found is None:
        raise UsageError(f"{name}: the format cannot be told from the text; pass --input-format")
    return found


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
    target = checked_encoding(output_encoding or "utf-8")
    file = _rendered(replace(track, encoding=replace(track.encoding, name=target)))
    if isinstance(file, bytes):
        return file
    text = file.text if isinstance(file, Spliced) else file
    return encode(text, track.encoding, target, name=name)


def _rendered(track: Track) -> Spliced | str | bytes:
    render = FORMATS[track.format].render
    if render is None:
        title = FORMATS[track.format].title
        raise UsageError(f"{title} is read and not written; name an output that is .{FALLBACK}")
    return render(track)


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
        output_format = format_of(path) if Path(path).suffix else written_format(track.format)
    data = render_track(
        track, output_format=output_format, output_encoding=encoding, name=str(path)
    )
    write_bytes(Path(path), data, overwrite=overwrite)


def splice_track(track: Track, output_format: FormatName | None = None) -> Spliced | None:
    """Return a track's file taken apart at its cue texts; None where it is not made of lines."""
    if output_format is not None and output_format != track.format:
        track = convert_track(track, output_format)
    file = None if FORMATS[track.format].render is None else _rendered(track)
    return file if isinstance(file, Spliced) else None
