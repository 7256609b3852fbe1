"""Text to bytes, with the line ends and the byte order mark that the input had."""

from __future__ import annotations

from subfit.errors import OutputFileError
from subfit.subtitles.cues import Encoding
from subfit.subtitles.formats.decoding import checked_encoding

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
