"""Bytes to text and back: which encoding a file is in, and how its lines end.

Decoding tries, in order: the encoding the user names, a byte order mark, UTF-16 and UTF-32 without
one (by their arrows or NUL bytes), UTF-8, UTF-8 in which a few bytes are damaged, and at last what
charset-normalizer says of the encodings that files of the source language have. A guess is always
told, as a `Repair`, and so is damage. Encoding keeps the line ends and the mark of the input.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from dataclasses import dataclass

from subfit.errors import InputFileError, OutputFileError, UsageError
from subfit.subtitles.cues import Encoding, Repair

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark begins it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_UNICODE = ("utf-8", "utf-16", "utf-32")
_NOT_FOR_FILES = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"}
_DECLARED = re.compile(rb"\s*<\?xml\b[^>]*\bencoding\s*=\s*[\"']([\w.-]+)", re.ASCII)
"""What XML says of itself."""
_MARK_IN_LINES = re.compile(rb"(?<![^\r\n])(?:\xef\xbb\xbf)+")
"""Marks of UTF-8 that files put together have at lines of another encoding: they would read as
``ï»¿`` or ``я╗┐``, and a time behind one as no time."""
_LOST = "\N{REPLACEMENT CHARACTER}"
_TELL = "pass --encoding if it is another"
_FIRST = 64
"""Bytes that tell the order of bytes."""
_SAMPLE = 30_000
"""Bytes that are looked at for a guess; more would not decide better, only slower."""
_USUAL_BY_NAME = {
    "cp1252 cp850": "en fr de es it pt nl sv da no nb nn fi is ca eu gl ga af id ms",
    "cp1250 iso8859_2": "pl cs sk hu sl hr ro bs sq",
    "cp1257": "et lv lt",
    "cp1251 koi8_r cp866 iso8859_5": "ru uk be bg mk sr kk ky mn tg tt",
    "cp1256 iso8859_6": "ar fa ur",
    "cp1253 iso8859_7": "el",
    "cp1254": "tr az",
    "cp1255 iso8859_8": "he",
    "cp1258": "vi",
    "cp874": "th",
    "cp932 euc_jp": "ja",
    "gb18030 big5": "zh",
    "big5 gb18030": "zh-hant zh-tw zh-hk zh-mo",
    "cp949": "ko",
}
_USUAL = {tag: names.split() for names, tags in _USUAL_BY_NAME.items() for tag in tags.split()}
"""Encodings that files had before UTF-8, with the languages that they were usual for."""
_HIGH = (  # what Windows-1252 makes of 0x80 to 0x9F
    "\u0080-\u009f\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a"
    "\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122"
)
_TWICE = re.compile(
    f"[ÂÃÄÅÐÑ][{_HIGH}\u00a0-\u00bf]|(?:â[{_HIGH}]|ðŸ[{_HIGH}])[{_HIGH}\u00a0-\u00bf]"
    r"|â€(?=[\s.,;:!?)]|$)"
)
"""A character of UTF-8 read as Windows-1252: ``â€™`` for an apostrophe, and ``”`` without its last
byte, which Windows-1252 has no character for."""
_LIKE_TEXT = re.compile("[ÂÃÄÅÐÑ][…‘’“”–—«»‹›]")
"""What may be a letter and a mark as well, unless other characters of the file tell (``HÄ…``)."""


_WRONG = "[¡£¥ª¯²³¹º¼¾¿]"
_IN_WORDS = re.compile(rf"(?<=[^\W\d_]){_WRONG}|{_WRONG}(?=[^\W\d_])")
"""What Windows-1252 makes of letters of other pages: p³aszcz for płaszcz."""


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
    text = re.sub("[\ud800-\udfff]", _LOST, text)  # from a caller's string: no encoding has them
    try:
        return (mark + text.replace("\n", encoding.newline)).encode(target)
    except UnicodeEncodeError:
        char = next(char for char in text if not char.encode(target, errors="ignore"))
        raise OutputFileError(
            name,
            f"{char!r} (U+{ord(char):04X}) cannot be written in {target}",
            line=text.count("\n", 0, text.index(char)) + 1,
            remedy="choose another --output-encoding; utf-8 has every character",
        ) from None


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
    told: list[Repair] = []
    mark, codec = next(((m, c) for m, c in _MARKS if data.startswith(m)), (b"", ""))
    data = data[len(mark) :]
    wide = _wide(data)
    if len(mark) == 2 and (wide or "").startswith("utf-32"):  # its characters count from the mark
        data = mark + data
        wide = _wide(data)
    narrow = b"-->" in data or (b"\0" not in data and _first_wrong(data, "utf-8") is None)
    if codec in _WIDE and wide is None and not narrow:
        wide = codec
    if mark and (codec if codec in _WIDE else None) != wide:
        told.append(Repair(1, f"the byte order mark is that of {codec.upper()}, the text is not"))
        mark = b""
    declared = _DECLARED.match(data)
    if wide is None and not mark and declared and not _is_mostly_utf8(data):
        with contextlib.suppress(UsageError, InputFileError):
            return _as_told(data, name, checked_encoding(declared[1].decode()))
    if wide is not None:
        if not mark:
            told.append(Repair(1, f"no byte order mark; read as {wide.upper()}, {_TELL}"))
        codec = wide
    elif not _is_mostly_utf8(data):
        data = _MARK_IN_LINES.sub(b"", data)
        codec = _guess(data, source_language)
        line = _lines_in(data[: _first_wrong(data, "utf-8")])
        told.append(Repair(line, f"not UTF-8; read as {_usual_name(codec)}, {_TELL}"))
    else:
        codec = "utf-8"
    text, told_damage = _tolerant(data, codec)
    if codec == "utf-8" and (page := _wrong_page(text, source_language)):
        text = text.encode("cp1252").decode(page)
        problem = f"was {page.upper()} once and read as another; undone (not by --encoding utf-8)"
        told.append(Repair(1, problem))
    return _finish(text, [*told, *told_damage], Encoding(codec.replace("_", "-"), bool(mark)))


def _as_told(data: bytes, name: str, encoding: str) -> Decoded:
    bom = False
    for mark, marked in _MARKS:
        if data.startswith(mark) and _family(marked) == _family(encoding):
            data, bom, encoding = data[len(mark) :], True, marked
            break
    if not encoding.startswith(_UNICODE):
        data = _MARK_IN_LINES.sub(b"", data)
    try:
        text, mend = data.decode(encoding), encoding.startswith(_UNICODE)
        return _finish(text, [], Encoding(encoding, bom=bom), mend=mend)
    except UnicodeDecodeError as error:
        problem = f"byte 0x{data[error.start]:02X} is not {encoding}"
        line = _lines_in(data[: error.start])
        raise InputFileError(name, problem, line=line, remedy="try another --encoding") from error
    except UnicodeError as error:
        raise InputFileError(name, f"not {encoding}", remedy="try another --encoding") from error


def _lines_in(data: bytes) -> int:
    return 1 + len(re.findall(rb"\r\n|\r|\n", data))


def _family(encoding: str) -> str:
    return re.sub(r"-(?:sig|le|be)$", "", encoding.replace("_", "-"))


def _usual_name(codec: str) -> str:
    return codec.upper().replace("_", "-").replace("ISO8859", "ISO-8859")


def _wide(data: bytes) -> str | None:
    """UTF-16 or UTF-32 by its arrows, or by where its NUL bytes stand."""
    arrows = [data.count("-->".encode(codec)) for codec in _WIDE]
    if data.count(b"-->") > max(arrows):
        return None
    zeros, first = _zeros(data), _zeros(data[:_FIRST])  # a byte too few turns the order round
    most, most_in_four = max(arrows[:2]), max(arrows[2:])
    if most_in_four > most or (sum(zeros) > 2.4 and not most):  # more than UTF-16 can have
        return "utf-32-le" if first[3] > first[0] else "utf-32-be"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if not any(arrows) and (max(even, odd) < 0.1 or 5 * min(even, odd) > max(even, odd)):
        return None
    return "utf-16-le" if first[1] + first[3] > first[0] + first[2] else "utf-16-be"


def _zeros(data: bytes) -> list[float]:
    """The share of NUL bytes at each place of four."""
    return [data[at::4].count(0) / (len(data) // 4 or 1) for at in range(4)]


def _first_wrong(data: bytes, codec: str) -> int | None:
    """Where the first bytes stand that are not in an encoding; None where all are."""
    try:
        data.decode(codec)
    except UnicodeDecodeError as error:
        return error.start
    return None


def _is_mostly_utf8(data: bytes) -> bool:
    """Whether data is UTF-8, if with a few bytes that are damaged."""
    text = data.decode("utf-8", errors="replace")
    damaged = text.count(_LOST) - data.count(_LOST.encode())
    sound = sum(char > "\x7f" for char in text) - damaged
    # Hardly any two bytes of another encoding come to a mark or a letter with an accent.
    usual = sum("\u2010" <= char <= "\u266f" or "\u00c0" <= char <= "\u0180" for char in text)
    return sound >= 4 * damaged or (usual >= damaged and usual >= sound)


def _usual_for(language: str | None) -> list[str]:
    tag = (language or "").lower().replace("_", "-")
    while tag:
        if tag in _USUAL:
            return _USUAL[tag]
        tag = tag.rpartition("-")[0]
    return []


def _wrong_page(text: str, language: str | None) -> str | None:
    """The code page that was taken for Windows-1252 before a text became UTF-8, if one was."""
    page = next(iter(_usual_for(language)), "cp1252")
    if page == "cp1252":
        return None
    letters = len(re.findall("[A-Za-z]", text))
    if len(_IN_WORDS.findall(text)) < 3 and len(re.findall("[À-ÿ]", text)) <= max(letters, 9):
        return None
    try:
        return page if text.encode("cp1252").decode(page) else None
    except UnicodeError:
        return None


def _guess(data: bytes, language: str | None) -> str:
    """The most plausible encoding of bytes that are not UTF-8."""
    from charset_normalizer import from_bytes  # takes long to import

    usual = _usual_for(language)
    sample = data[: data.rfind(b"\n", 0, _SAMPLE) + 1] if len(data) > _SAMPLE else data
    likely = from_bytes(sample, cp_isolation=usual) if usual else ()
    if likely:
        return min(likely, key=lambda match: (match.chaos, -match.coherence)).encoding
    if best := from_bytes(sample).best():
        return best.encoding
    fitting = (codec for codec in (*usual, "cp1252") if _first_wrong(data, codec) is None)
    return next(fitting, usual[0] if usual else "latin-1")


def _tolerant(data: bytes, codec: str) -> tuple[str, list[Repair]]:
    """Decode, with U+FFFD for what cannot be decoded, and say on which lines that was."""
    problem = f"bytes that are not {_usual_name(codec)}; replaced by {_LOST}"
    half = len(data) % {"utf-16": 2, "utf-32": 4}.get(codec[:6], 1)
    whole = data[: len(data) - half]
    text = whole.decode(codec, errors="replace")
    if codec in _WIDE and data.count("-->".encode(codec)) > text.count("-->"):
        # Bytes are missing, or too many: each line is read from where it begins.
        ends = b"|".join(re.escape(end.encode(codec)) for end in ("\r\n", "\r", "\n"))
        pieces = re.split(b"(" + ends + b")", data)
        text, half = "".join(_best_read(piece, codec) for piece in pieces), 0
    elif _first_wrong(whole, codec) is None:
        problem = f"{_LOST} stands for a character that was lost before; it cannot be told which"
    lines = re.split(r"\r\n|\r|\n", text) if _LOST in text else []
    told = [Repair(at, problem) for at, line in enumerate(lines, 1) if _LOST in line]
    if half:
        told.append(Repair(_lines_in(text.encode()), "half a character; left out"))
    return text, told


def _best_read(line: bytes, codec: str) -> str:
    """A line of UTF-16 or UTF-32, without the bytes before it that hide its arrow."""
    reads = (_LOST * (at > 0) + line[at:].decode(codec, errors="replace") for at in range(4))
    return max(reads, key=lambda text: text.count("-->"))


def _finish(text: str, told: list[Repair], encoding: Encoding, *, mend: bool = True) -> Decoded:
    """Settle line ends, NUL characters and what was encoded twice, alike in every encoding."""
    if "\r\r\n" in text:  # written twice through a text mode that turns every \n into \r\n
        told.append(Repair(1, "every line end is doubled (CR CR LF); read as one"))
        text = text.replace("\r\r\n", "\r\n")
    if text.endswith("\0"):  # a disk that was full, or a copy that was cut off
        text = text.rstrip("\0")
        told.append(Repair(text.count("\n") + 1, "NUL characters at its end; left out"))
    ends = re.findall(r"\r\n|\r|\n", text)
    newline = max(("\r\n", "\n", "\r"), key=ends.count) if ends else "\n"
    if len(set(ends)) > 1:
        names = {"\r\n": "CRLF", "\n": "LF", "\r": "CR"}
        told.append(Repair(1, f"mixed line ends; all written as {names[newline]}"))
    lines = re.sub(r"\r\n|\r", "\n", text).split("\n")
    mend = mend and any(not _LIKE_TEXT.fullmatch(one[0]) for one in _TWICE.finditer(text))
    for at, line in enumerate(lines):
        if "\0" in line:
            told.append(Repair(at + 1, f"NUL characters; replaced by {_LOST}"))
        mended = line.replace("\0", _LOST)
        while mend and (once := _TWICE.sub(_once, mended)) != mended:
            mended = once
        if _TWICE.search(line) and mended != line:
            told.append(Repair(at + 1, "UTF-8 that was encoded twice; read as it was meant"))
        lines[at] = mended
    return Decoded("\n".join(lines), Encoding(encoding.name, encoding.bom, newline), tuple(told))


def _once(match: re.Match[str]) -> str:
    """What a run of characters is that were encoded once too often; itself if it is no such run."""
    marks = match[0]
    raw = b"".join(
        char.encode("latin-1") if char < "\u0100" else char.encode("cp1252") for char in marks
    )
    in_capitals = match.string[: match.start()][-1:].isupper()  # CAFÉ”: a letter before a mark
    try:
        meant = (raw + b"\x9d" * (marks == "â€")).decode("utf-8")
    except UnicodeDecodeError:
        return marks
    return marks if in_capitals and not meant.isalpha() else meant
