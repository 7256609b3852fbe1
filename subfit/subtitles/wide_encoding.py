"""UTF-16 and UTF-32 as they are met: without a mark, with one that lies, with a byte missing."""

from __future__ import annotations

import codecs

_ARROW = "-->"
_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_MARKS = {
    "utf-16": ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")),
    "utf-32": ((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")),
}
_PLAIN = frozenset(map(chr, (0x09, 0x0A, 0x0D, *range(0x20, 0x7F))))
_MOSTLY_ZERO = 0.6
_NEAR = 16
"""Bytes from the beginning in which a mark may stand that something was put before."""


def wide_encoding(data: bytes, marked: str | None = None) -> str | None:
    """Recognise UTF-16 or UTF-32 by its arrows, or by where its NUL bytes stand.

    Args:
        data: A file without its byte order mark.
        marked: The encoding of that mark, if it is one of these.

    Returns:
        UTF-16 or UTF-32 with a byte order, or None: it is written in single bytes, whatever its
        mark says.
    """
    counts = {name: data.count(_ARROW.encode(name)) for name in _WIDE}
    narrow, wide = data.count(_ARROW.encode()), max(counts.values())
    if narrow and narrow >= wide and 5 * data.count(0) < len(data):
        return None
    if marked and not wide and _is_utf8(data):
        return None
    if not wide:
        return marked or _by_zeros(data)
    if data.count(0) > _MOSTLY_ZERO * len(data):  # more than UTF-16 can have
        counts = {name: counts[name] + name.startswith("utf-32") * wide for name in counts}
    widest = max(counts, key=lambda name: counts[name])
    near = (name for mark, name in _MARKS[widest[:6]] if mark in data[:_NEAR])
    head = data[: data.find(_ARROW.encode(widest))]  # where a byte is missing later, it is sound
    guesses = (marked, *near, _by_zeros(data), _by_zeros(head))
    return next((guess for guess in guesses if guess and guess[:6] == widest[:6]), widest)


def decode_wide(data: bytes, encoding: str) -> tuple[str, bool]:
    """Decode, with U+FFFD for what cannot be decoded.

    Where a byte is missing, or one is too much, all that follows would be read by wrong halves. So
    arrows are looked for at odd places too, and decoding begins anew, on a line of its own, with
    the plain characters before such a one.

    Returns:
        The text, and whether anything of it was damaged.
    """
    width = 4 if encoding.startswith("utf-32") else 2
    arrow = _ARROW.encode(encoding)
    parts: list[bytes] = []
    start = at = 0
    while (at := data.find(arrow, at)) >= 0:
        if (at - start) % width:
            cut = at
            while cut - width >= start and _is_plain(data[cut - width : cut], encoding):
                cut -= width
            parts.append(data[start:cut])
            start = cut
        at += len(arrow)
    broken = (len(data) - start) % width  # half a character at the end may follow a time
    parts.append(data[start : len(data) - broken])
    damaged = len(parts) > 1 or broken > 0
    try:
        return "\n".join(part.decode(encoding) for part in parts), damaged
    except UnicodeDecodeError:
        return "\n".join(part.decode(encoding, errors="replace") for part in parts), True


def _is_plain(unit: bytes, encoding: str) -> bool:
    return unit.decode(encoding, errors="replace") in _PLAIN


def _is_utf8(data: bytes) -> bool:
    try:
        return bool(data) and b"\0" not in data and bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _by_zeros(data: bytes) -> str | None:
    """Digits, spaces and line ends have NUL bytes beside them."""
    size = len(data) // 4
    if size and all(data[at::4].count(0) >= 0.9 * size for at in (2, 3)):
        return "utf-32-le"
    if size and all(data[at::4].count(0) >= 0.9 * size for at in (0, 1)):
        return "utf-32-be"
    even, odd, pairs = data[0::2].count(0), data[1::2].count(0), len(data) // 2
    if max(even, odd) < max(0.05 * pairs, 2):
        return None
    if odd > 5 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 5 * odd else None
