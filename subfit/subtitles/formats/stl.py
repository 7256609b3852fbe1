"""EBU STL (EBU Tech 3264): a block about the programme (GSI), then blocks of subtitles (TTI).

Only blocks whose subtitle has changed are made anew, with the boxes and the height of their rows.
Payloads have tags as in WebVTT: ``<i>``, ``<u>``, and ``<c.yellow>`` for the colours of teletext.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Repair, Track
from subfit.subtitles.formats.layout import TOP_SETTING
from subfit.subtitles.markup.restore import weave
from subfit.subtitles.markup.tags import decoded, encoded, lift_tags, tag_tokens
from subfit.subtitles.timecodes import FrameGrid
from subfit.text.languages import primary_language

_GSI, _TTI, _TEXT = 1024, 128, 112
"""Bytes of the blocks, and of the text of a TTI block."""
_LAST, _USER_DATA = 0xFF, 0xFE
_RATES = {b"23": Fraction(24000, 1001), b"24": Fraction(24), b"50": Fraction(50)}
_RATES[b"30"] = Fraction(30000, 1001)
_FILL, _BREAK, _WHITE = 0x8F, 0x8A, 7
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_SWITCHES = {0x80: "<i>", 0x81: "</i>", 0x82: "<u>", 0x83: "</u>"}
_CODES = {tag: bytes([code]) for code, tag in _SWITCHES.items()}
_FRAMING = b"\x0a\x0b\x0c\x0d\x1c\x1d\x84\x85"
"""Boxes, heights and backgrounds: they stand around the words of a row."""
_TABLES = {b"00": "", **{f"{n:02}".encode(): f"iso8859_{n + 4}" for n in range(1, 5)}}
"""Latin (ISO 6937), Cyrillic, Arabic, Greek, Hebrew."""
_MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\0\u030a\u0327\0\u030b\u0328\u030c"
_ACCENTS = {code: mark for code, mark in enumerate(_MARKS, 0xC1) if mark != "\0"}
"""Diacritics of ISO 6937, which stand before their letters; before a space, for themselves."""
_ALONE = dict(zip(_MARKS, "`´^~¯˘˙¨\0˚¸\0˝˛ˇ", strict=True))
_LATIN = {
    **{code: chr(code) for code in range(0x20, 0x7F)},
    0x7F: "\N{REPLACEMENT CHARACTER}",  # as what is no character is written again
    **dict(enumerate("\xa0¡¢£$¥\0§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿", 0xA0)),
    **dict(enumerate("—¹®©™♪¬¦\0\0\0\0⅛⅜⅝⅞ΩÆÐªĦ\0ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ\xad", 0xD0)),
}
_LATIN = {code: char for code, char in _LATIN.items() if char != "\0"}
_CODES_OF = {char: bytes([code]) for code, char in _LATIN.items()}
_CODES_OF = {_ALONE[mark]: bytes([code, 0x20]) for code, mark in _ACCENTS.items()} | _CODES_OF
_ACCENT_CODES = {mark: bytes([code]) for code, mark in _ACCENTS.items()}
_PLAIN = str.maketrans("“”‘’—«»♪\xa0", '""\'\'-""# ')
_INSTEAD = str.maketrans(
    {"…": "...", "–": "-", "−": "-", "‐": "-", "‑": "-", "„": "“", "‚": "‘", "‹": "‘", "›": "’",
     "\u202f": "\xa0", "Đ": "Ð", "♫": "♪", "\u200b": "", "\u200e": "", "\u200f": "", "\t": " "}
)  # fmt: skip
"""What the tables lack, and what stands for it."""
_NEAR = (
    "sq br ca hr cy cs da de en es eo et eu fo fr fy ga gd gl is it se la lv lb lt hu mt nl no oc "
    "pl pt ro rm sr sk sl fi sv tr"
)
_LANGUAGES = {tag: code for code, tag in enumerate(re.findall(r"\w+", _NEAR), 1)}
_LANGUAGES |= {"nb": 0x1E, "nn": 0x1E}
_LANGUAGES |= {"ar": 126, "bg": 119, "el": 112, "he": 108, "mk": 99, "ru": 86, "uk": 73}
"""Codes of appendix 3."""


class _Block(NamedTuple):
    """A TTI block (5.5); what stands between in-time and text is kept from the first of a cue."""

    group: int
    number: int
    extension: int
    cumulation: int
    start: bytes
    end: bytes
    row: int
    justification: int
    comment: int
    text: bytes


_LAYOUT = struct.Struct("<BHBB4s4sBBB112s")


@dataclass(frozen=True, slots=True)
class _Subtitle:
    """A subtitle as it was read."""

    cue: Cue
    first: _Block
    text: bytes
    """Of all its blocks, without what fills them."""
    data: bytes = b""
    """Its blocks; empty of new ones."""


@dataclass(frozen=True, slots=True)
class _Layout:
    gsi: bytes
    pieces: tuple[_Subtitle | bytes, ...]
    """Subtitles, and blocks of comments, of user data and what comes last."""


@dataclass(frozen=True, slots=True)
class _Clock:
    grid: FrameGrid
    begin: int
    """The frame that the programme begins with; 0 where its subtitles have earlier ones."""

    def count(self, code: Sequence[int]) -> int:
        hours, minutes, seconds, frames = code
        return self.grid.frame_of((hours * 60 + minutes) * 60 + seconds, frames)

    def milliseconds(self, code: Sequence[int]) -> int:
        return self.grid.time_of(self.count(code) - self.begin)

    def code(self, milliseconds: int) -> bytes:
        count = round(max(milliseconds, 0) * self.grid.rate / 1000) + self.begin
        seconds, frames = self.grid.code_of(count)
        return bytes([min(seconds // 3600, 99), seconds // 60 % 60, seconds % 60, frames])


class _Unwritable(Exception):  # noqa: N818  (it never leaves the module)
    """A character that a table lacks."""


def parse(contents: Contents) -> Parsed:
    """Read the subtitles of a file.

    Raises:
        InputFileError: It does not begin with the block of an EBU STL file, or has no subtitles.
    """
    gsi, data = contents.data[:_GSI], contents.data[_GSI:]
    if len(gsi) < _GSI or not re.match(rb".{3}STL\d\d\.\d\d", gsi, re.DOTALL):
        raise InputFileError(contents.name, "no EBU STL: it begins with no GSI block")
    repairs, table = list[Repair](), gsi[12:14]
    if table not in _TABLES:
        repairs.append(Repair(1, f"unknown code table {table.decode('latin-1')!r}; read as Latin"))
    whole = len(data) // _TTI * _TTI
    blocks = [_Block(*_LAYOUT.unpack(data[at : at + _TTI])) for at in range(0, whole, _TTI)]
    found, group = list[tuple[int, list[_Block]] | bytes](), list[_Block]()
    for number, block in enumerate(blocks, 1):
        if block.extension == _USER_DATA or block.comment:
            found.append(_LAYOUT.pack(*block))
            continue
        group.append(block)
        if block.extension == _LAST:
            found.append((number, group))
            group = []
    if rest := b"".join(_LAYOUT.pack(*block) for block in group) + data[whole:]:
        repairs.append(Repair(len(blocks), "the last block is not whole; kept as it stands"))
        found.append(rest)
    clock = _clock(gsi, [one[1][0] for one in found if not isinstance(one, bytes)])
    pieces = [
        one if isinstance(one, bytes) else _subtitle(one[1], one[0], table, clock) for one in found
    ]
    cues = tuple(piece.cue for piece in pieces if isinstance(piece, _Subtitle))
    if not cues:
        raise InputFileError(contents.name, "no subtitle found, only the block of the programme")
    return Parsed(cues, _Layout(gsi, tuple(pieces)), tuple(repairs))


def render(track: Track) -> bytes:
    """Return the file with the subtitles that have changed, or a new one at 25 frames per second.

    Raises:
        UsageError: No code table has all of its characters.
    """
    layout, cues = track.layout, track.cues
    if not isinstance(layout, _Layout):
        cues = tuple(replace(cue, line=number) for number, cue in enumerate(cues, 1))
        layout = _new(cues)
    old = layout.gsi[12:14]
    missing = ""
    for table in dict.fromkeys((old, *_TABLES)):
        try:
            return _written(layout, {cue.line: cue for cue in cues}, table, track.language)
        except _Unwritable as error:
            missing = missing or str(error)
    raise UsageError(f"{missing!r} (U+{ord(missing):04X}) cannot be written in EBU STL")


def _written(layout: _Layout, cues: Mapping[int, Cue], table: bytes, language: str) -> bytes:
    gsi, pieces, parts = layout.gsi, layout.pieces, list[bytes]()
    clock = _clock(gsi, [piece.first for piece in pieces if isinstance(piece, _Subtitle)])
    old = gsi[12:14]
    for piece in pieces:
        if isinstance(piece, bytes):
            parts.append(piece)
        elif (cue := cues.get(piece.cue.line)) is not None:
            same = bool(piece.data) and cue == piece.cue and table == old
            parts.append(piece.data if same else _made(piece, cue, table, clock, same=table == old))
    language = primary_language(language) or ""
    if language:
        gsi = gsi[:14] + f"{_LANGUAGES.get(language, 0):02X}".encode() + gsi[16:]
    data = b"".join(parts)
    if parts != [piece if isinstance(piece, bytes) else piece.data for piece in pieces]:
        counts = f"{min(len(data) // _TTI, 99999):05}{min(len(cues), 99999):05}".encode()
        gsi = gsi[:12] + table + gsi[14:238] + counts + gsi[248:]
    return gsi + data


def _clock(gsi: bytes, blocks: Sequence[_Block]) -> _Clock:
    clock = _Clock(FrameGrid(_RATES.get(gsi[6:8], Fraction(25))), 0)
    digits = gsi[256:264]
    if not re.fullmatch(rb"[0-9]{8}", digits):
        return clock
    begin = clock.count([int(digits[at : at + 2]) for at in range(0, 8, 2)])
    early = any(clock.count(block.start) < begin for block in blocks)
    return clock if early else replace(clock, begin=begin)


def _subtitle(group: Sequence[_Block], number: int, table: bytes, clock: _Clock) -> _Subtitle:
    text = b"".join(block.text.partition(bytes([_FILL]))[0] for block in group)
    first = group[0]
    start, end = clock.milliseconds(first.start), clock.milliseconds(first.end)
    settings = TOP_SETTING if 0 < first.row <= 8 else ""
    cue = Cue(start, end, _payload(text, table), str(first.number), settings, number)
    return _Subtitle(cue, first, text, b"".join(_LAYOUT.pack(*block) for block in group))


def _payload(text: bytes, table: bytes) -> str:
    """The text of a subtitle with tags; a control code shows as a space, as on a screen."""
    rows = []
    for row in re.split(b"\x8a+", text):
        parts, colour = list[str](), ""
        for part in re.findall(rb"[\x00-\x1f\x80-\x9f]|[^\x00-\x1f\x80-\x9f]+", row):
            code = part[0]
            if code < len(_COLOURS):
                parts += [colour and "</c>", " ", "" if code == _WHITE else f"<c.{_COLOURS[code]}>"]
                colour = "" if code == _WHITE else _COLOURS[code]
            elif code in _SWITCHES:
                parts.append(_SWITCHES[code])
            else:
                parts.append(" " if code in _FRAMING else encoded(_decoded(part, table), "vtt"))
        rows.append("".join([*parts, colour and "</c>"]))
    rows = [re.sub(" *(</c>)", r"\1", re.sub(r"(<c[^<>]*>) *", r"\1", row)) for row in rows]
    lines = (re.sub(" +", " ", row).strip(" ") for row in rows)
    return "\n".join(line for line in lines if line)


def _made(piece: _Subtitle, cue: Cue, table: bytes, clock: _Clock, *, same: bool) -> bytes:
    """The blocks of a subtitle with another text, or other times, or in another code table."""
    old, text = piece.cue, piece.text
    first = piece.first._replace(start=clock.code(cue.start), end=clock.code(cue.end))
    if cue.text != old.text or not same:
        text = _text(cue.text, table, text.partition(bytes([_BREAK]))[0])
        step = 2 if b"\x0d" in text else 1
        added = cue.text.count("\n") - old.text.count("\n")
        if first.row > 8:  # the last row stays where it is
            first = first._replace(row=min(max(1, first.row - step * added), 255))
    chunks = [text[at : at + _TEXT] for at in range(0, max(len(text), 1), _TEXT)]
    blocks = (
        first._replace(
            extension=_LAST if number == len(chunks) - 1 else number,
            text=chunk.ljust(_TEXT, bytes([_FILL])),
        )
        for number, chunk in enumerate(chunks)
    )
    return b"".join(_LAYOUT.pack(*block) for block in blocks)


def _text(payload: str, table: bytes, like: bytes) -> bytes:
    """A payload as it stands in blocks, each row framed as another one is."""
    words = re.sub(rb"[\x00-\x1f\x80-\x9f]", b"\0", like).strip(b"\0 ")
    at = like.find(words) if words else 0
    before = bytes(code for code in like[:at] if code in _FRAMING)
    after = bytes(code for code in like[at:] if code in _FRAMING)
    text, elements = lift_tags(payload, "vtt")
    spans = [replace(one, close=f"</{one.name}>") for one in elements if one.name]
    rows, colours = [b""], [_WHITE]
    for token in tag_tokens(weave(text, spans, "vtt"), "vtt"):
        if isinstance(token, str):
            first, *more = decoded(token, "vtt").split("\n")
            rows[-1] += _encoded(first, table)
            lead = bytes([colours[-1]]) if colours[-1] != _WHITE else b""
            rows += [lead + _encoded(line, table) for line in more]
        elif token[0] in _CODES or re.match("<[iu][.>]", token[0]):
            rows[-1] += _CODES[re.sub(r"\..*", ">", token[0])]
        elif match := re.match(r"<c\.(\w+)", token[0]):
            colours.append(_COLOURS.index(match[1]) if match[1] in _COLOURS else colours[-1])
            rows[-1] += bytes([colours[-1]])
        elif token[0] == "</c>" and len(colours) > 1:
            colours.pop()
            rows[-1] += bytes([colours[-1]])
    rows = [re.sub(rb" ?([\x00-\x07]) ?", rb"\1", row).rstrip(b"\x07") for row in rows]
    double = 2 if b"\x0d" in before else 1
    return (bytes([_BREAK]) * double).join(before + row + after for row in rows)


def _decoded(text: bytes, table: bytes) -> str:
    codec = _TABLES.get(table)
    if codec:
        return text.decode(codec, "replace").replace("\x7f", "\N{REPLACEMENT CHARACTER}")
    chars, accent = list[str](), ""
    for code in text:
        char = _LATIN.get(code, "\N{REPLACEMENT CHARACTER}")
        if code in _ACCENTS and not accent:
            accent = _ACCENTS[code]
        else:
            chars.append(_ALONE[accent] if accent and char == " " else char + accent)
            accent = ""
    return unicodedata.normalize("NFC", "".join(chars) + "\N{REPLACEMENT CHARACTER}" * bool(accent))


def _encoded(text: str, table: bytes) -> bytes:
    codec, parts = _TABLES.get(table), list[bytes]()
    text = unicodedata.normalize("NFC", text.translate(_INSTEAD))
    for char in text if codec else re.findall("(?s).[\u0300-\u036f]*", text):
        base, marks = (apart := unicodedata.normalize("NFD", char))[:1], apart[1:]
        if codec:
            part = char.translate(_PLAIN).encode(codec, "ignore")
            part = part or b"\x7f" * (char == "\N{REPLACEMENT CHARACTER}")
        else:
            accented = _ACCENT_CODES.get(marks, b"") + _CODES_OF.get(base, b"")
            part = _CODES_OF.get(char, accented if len(accented) == 2 else b"")
        if not part or any(code < 0x20 or 0x80 <= code < 0xA0 for code in part):
            raise _Unwritable(char[-1])
        parts.append(part)
    return b"".join(parts)


def _new(cues: Sequence[Cue]) -> _Layout:
    """A file for open subtitles at 25 frames per second, without any text yet."""
    clock = _Clock(FrameGrid(Fraction(25)), 0)
    today = f"{date.today():%y%m%d}"
    first = "".join(
        f"{part:02}" for part in clock.code(min((cue.start for cue in cues), default=0))
    )
    gsi = (
        f"850STL25.01000{'00':2}{'':192}{'':16}{today}{today}00{0:05}{0:05}001"
        f"4023100000000{first}11{'':3}{'':32}{'':32}{'':32}{'':75}{'':576}"
    )
    rows = [2 if TOP_SETTING in cue.settings else 22 for cue in cues]
    blocks = [
        _Block(0, cue.line & 0xFFFF, _LAST, 0, bytes(4), bytes(4), row, 2, 0, b"")
        for cue, row in zip(cues, rows, strict=True)
    ]
    bare = [replace(cue, text="") for cue in cues]
    return _Layout(gsi.encode(), tuple(map(_Subtitle, bare, blocks, [b""] * len(cues))))


FORMATS = (
    Format(
        "stl",
        "EBU STL",
        (".stl",),
        parse,
        render,
        "vtt",
        begins=r"(?s).{3}STL\d\d\.\d\d",
        binary=True,
        keeps="programme, rows, boxes, colours, comments, user data; the language is set",
    ),
)
