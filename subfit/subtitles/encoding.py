"""Bytes to text and back: which encoding a file is in, and how its lines end.

Decoding tries, in order: the encoding the user names, a byte order mark, UTF-16 and UTF-32 without
one (by their NUL bytes), UTF-8, UTF-8 in which a few bytes are damaged, and at last a guess with
the source language as prior (`legacy_encoding`). A guess is always told, as a `Repair`, and so is
damage. Encoding keeps the line ends and the byte order mark that the input had.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from subfit.errors import InputFileError, OutputFileError, UsageError
from subfit.subtitles.cues import Encoding, Repair
from subfit.subtitles.legacy_encoding import guess_legacy_encoding, is_usual
from subfit.subtitles.wide_encoding import decode_wide, wide_encoding

_UNICODE = ("utf-8", "utf-16", "utf-32")


def encode(text: str, encoding: Encoding, output_encoding: str | None, *, name: str) -> bytes:
    """Encode a rendered file.

    Args:
        text: The file with ``\\n`` between its lines.
        encoding: How the input stood in bytes: its line ends and byte order mark are kept.
        output_encoding: What to write in; UTF-8 by default.
        name: The file's name, for messages.

    Raises:
        UsageError: `output_encoding` is not known.
        OutputFileError: It cannot represent a character; the message names it and its line.
    """
    target = checked_encoding(output_encoding or "utf-8")
    # "utf-16", "utf-32" and "utf-8-sig" write the mark themselves.
    marks = target.startswith(_UNICODE) and target[-3:] in {"f-8", "-le", "-be"}
    mark = "\ufeff" if encoding.bom and marks else ""
    lone = any("\ud800" <= char <= "\udfff" for char in text)
    if lone:  # from a caller's string: no encoding has them
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    try:
        return (mark + text.replace("\n", encoding.newline)).encode(target)
    except UnicodeEncodeError:
        char, line = _first_unencodable(text, target)
        raise OutputFileError(
            name,
            f"{char!r} (U+{ord(char):04X}) cannot be written in {target}",
            line=line,
            remedy="choose another --output-encoding; utf-8 has every character",
        ) from None


def _first_unencodable(text: str, encoding: str) -> tuple[str, int]:
    for char in dict.fromkeys(text):
        try:
            char.encode(encoding)
        except UnicodeEncodeError:
            return char, text.count("\n", 0, text.index(char)) + 1
    return text[0], 1


_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark begins it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARK_OF = {name: mark for mark, name in _MARKS}
_MARK_IN_LINES = re.compile(rb"(?<![^\r\n])(?:\xef\xbb\xbf)+")
_NOT_FOR_FILES = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"}
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_TELL = "pass --encoding if it is another"


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file."""

    text: str
    """With ``\\n`` between lines, without byte order mark and NUL."""
    encoding: Encoding
    repairs: tuple[Repair, ...] = ()


def checked_encoding(name: str) -> str:
    """Return the usual name of a text encoding.

    Raises:
        UsageError: Python knows no such encoding, or it is none for files.
    """
    try:
        codec = codecs.lookup(name).name
        "0".encode(codec)
    except (LookupError, ValueError) as error:
        raise UsageError(
            f"unknown encoding {name!r}; use a name like utf-8, cp1252, shift_jis or gb18030"
        ) from error
    if codec.replace("_", "-") in _NOT_FOR_FILES:
        raise UsageError(f"{name!r} is no encoding for files; use a name like utf-8 or cp1252")
    return codec


def decode(
    data: bytes, *, name: str, encoding: str | None = None, source_language: str | None = None
) -> Decoded:
    """Decode a file.

    Args:
        data: The file's bytes.
        name: The file's name, for messages.
        encoding: The encoding the user names; nothing is guessed then.
        source_language: BCP 47 tag of the text's language, where known; helps the guess.

    Raises:
        UsageError: `encoding` is not known.
        InputFileError: The bytes are not text in `encoding`.
    """
    if encoding is not None:
        return _as_told(data, name, checked_encoding(encoding))
    mended: list[Repair] = []
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if marked is not None:
        data = data[len(_MARK_OF[marked]) :]
    wide_mark = None if marked == "utf-8" else marked
    wide = wide_encoding(data, wide_mark)
    if marked is not None and wide == wide_mark:
        return _finish(*_tolerant(data, marked), Encoding(marked, bom=True))
    if marked is not None:
        mended.append(
            Repair(1, f"the byte order mark is that of {marked.upper()}, the text is not")
        )
    if wide is not None:
        text, repairs = _tolerant(data, wide)
        mended.append(Repair(1, f"no byte order mark; read as {wide.upper()}, {_TELL}"))
        return _finish(text, (*mended, *repairs), Encoding(wide))
    try:
        return _finish(data.decode("utf-8"), tuple(mended), Encoding("utf-8"))
    except UnicodeDecodeError as error:
        line = _line_of(data, error.start)
    if _mostly_utf8(data, source_language):
        text, repairs = _tolerant(data, "utf-8")
        return _finish(text, (*mended, *repairs), Encoding("utf-8"))
    data = _without_marks(data)
    guess = guess_legacy_encoding(data, source_language)
    text, repairs = _tolerant(data, guess)
    mended.append(Repair(line, f"not UTF-8; read as {guess.upper()}, {_TELL}"))
    return _finish(text, (*mended, *repairs), Encoding(guess))


def _as_told(data: bytes, name: str, encoding: str) -> Decoded:
    for mark, marked in _MARKS:
        if data.startswith(mark) and _family(marked) == _family(encoding):
            data, bom, encoding = data[len(mark) :], True, marked
            break
    else:
        bom = False
    if not encoding.startswith(_UNICODE):
        data = _without_marks(data)
    try:
        return _finish(data.decode(encoding), (), Encoding(encoding, bom=bom))
    except UnicodeDecodeError as error:
        line = _line_of(data, error.start)
        byte = data[error.start]
        raise InputFileError(
            name, f"byte 0x{byte:02X} is not {encoding}", line=line, remedy="try another --encoding"
        ) from error
    except UnicodeError as error:
        raise InputFileError(name, f"not {encoding}", remedy="try another --encoding") from error


def _family(encoding: str) -> str:
    return encoding.replace("_", "-").removesuffix("-sig").removesuffix("-le").removesuffix("-be")


def _mostly_utf8(data: bytes, source_language: str | None) -> bool:
    """Whether data is UTF-8 in which a few bytes are damaged, rather than another encoding."""
    text = data.decode("utf-8", errors="replace")
    beyond = [char for char in text if char > "\x7f"]
    damaged = text.count(_REPLACEMENT) - data.count(_REPLACEMENT.encode())
    sound = len(beyond) - damaged
    if sound >= 4 * damaged:
        return True
    # A short file may have one “ or é beside the damaged byte.
    return sound >= damaged and all(
        is_usual(char, source_language) for char in beyond if char != _REPLACEMENT
    )


def _tolerant(data: bytes, encoding: str) -> tuple[str, tuple[Repair, ...]]:
    """Decode, with U+FFFD for what cannot be decoded, and say on which lines that was."""
    if encoding.startswith(("utf-16", "utf-32")):
        text, damaged = decode_wide(data, encoding)
    else:
        text, damaged = _decode_narrow(data, encoding)
    if not damaged:
        return text, ()
    problem = f"bytes that are not {encoding.upper()}; replaced by {_REPLACEMENT}"
    lines = re.split(r"\r\n|\r|\n", text)
    repairs = (
        Repair(number, problem) for number, line in enumerate(lines, 1) if _REPLACEMENT in line
    )
    left_out = Repair(len(lines), f"bytes that are no characters of {encoding.upper()}; left out")
    return text, tuple(repairs) or (left_out,)


def _decode_narrow(data: bytes, encoding: str) -> tuple[str, bool]:
    try:
        return data.decode(encoding), False
    except UnicodeDecodeError:
        return data.decode(encoding, errors="replace"), True


def _without_marks(data: bytes) -> bytes:
    """Without the marks of UTF-8 that files put together have at lines of another encoding.

    They would read as ``ï»¿`` or ``я╗┐``, and a time behind one as no time.
    """
    return _MARK_IN_LINES.sub(b"", data)


def _line_of(data: bytes, position: int) -> int:
    before = data[:position]
    return max(before.count(b"\n"), before.count(b"\r")) + 1


def _finish(text: str, repairs: tuple[Repair, ...], encoding: Encoding) -> Decoded:
    """Settle line ends and NUL characters, which are the same problem in every encoding."""
    mended = list(repairs)
    if "\r\r\n" in text:
        # Written twice through a text mode that turns every \n into \r\n.
        mended.append(Repair(1, "every line end is doubled (CR CR LF); read as one"))
        text = text.replace("\r\r\n", "\r\n")
    crlf = text.count("\r\n")
    counts = {"\r\n": crlf, "\n": text.count("\n") - crlf, "\r": text.count("\r") - crlf}
    newline = max(counts, key=lambda end: counts[end]) if any(counts.values()) else "\n"
    if sum(count > 0 for count in counts.values()) > 1:
        names = {"\r\n": "CRLF", "\n": "LF", "\r": "CR"}
        mended.append(Repair(1, f"mixed line ends; all written as {names[newline]}"))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        mended.append(Repair(line, f"NUL characters; replaced by {_REPLACEMENT}"))
        text = text.replace("\0", _REPLACEMENT)
    settled = Encoding(encoding.name, encoding.bom, newline)
    return Decoded(text, settled, tuple(mended))
