"""Breaking a payload's lines anew, with everything else in it as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from subfit.subtitles.cues import FormatName
from subfit.subtitles.markup.payload import unwrap_lines
from subfit.subtitles.markup.tags import decoded, tag_tokens

_NO_BREAK_SPACES = "\xa0\u2007\u202f"
_PARTS = re.compile(
    rf"(?P<space>(?:(?![{_NO_BREAK_SPACES}])\s)+)|(?P<entity>&#?\w+;)|(?P<char>.)", re.DOTALL
)
_BREAK_TAG = re.compile(r"<br\b", re.IGNORECASE)
_OVERRIDES = re.compile(r"(?:\s*\{\\[^{}]*\})*")


class _Token(NamedTuple):
    """A tag, a run of white space, or a character that is printed."""

    kind: Literal["tag", "space", "char"]
    raw: str
    printed: str = ""

    @property
    def breaks(self) -> bool:
        """Whether a line ends here."""
        if self.kind == "tag":
            return bool(_BREAK_TAG.match(self.raw))
        return self.kind == "space" and "\n" in self.raw


def rewrap(payload: str, lines: Sequence[str], format: FormatName) -> str | None:
    """Return a payload with its lines broken as asked.

    Nothing but white space changes, and only where a line begins or ended: tags, entities and
    spaces within lines stay as they are. A tag that stands around every single line stands around
    every new one.

    Args:
        payload: As the file has it.
        lines: Its plain text, dialogue dashes included, broken anew.
        format: The format of the file, which decides what is markup.

    Returns:
        The payload, or None if ``lines`` are not its words.
    """
    text, line_open, line_close = unwrap_lines(payload, format)
    tokens = list(_tokens(text, format))
    if [token.printed for token in tokens if token.kind == "char"] != _characters(lines):
        return None
    parts: list[str] = []
    gap: list[_Token] = []
    wanted = iter(["", *_separators(lines)])
    for token in tokens:
        if token.kind != "char":
            gap.append(token)
            continue
        separator = next(wanted)
        parts += [_filled(gap, separator) if parts else _raw(gap), token.raw]
        gap = []
    return _wrapped("".join(parts) + _raw(gap), line_open, line_close)


def _tokens(payload: str, format: FormatName) -> Iterator[_Token]:
    for token in tag_tokens(payload, format):
        if not isinstance(token, str):
            yield _Token("tag", token[0])
            continue
        for part in _PARTS.finditer(token):
            raw, space = part[0], part["space"]
            if space:
                yield _Token("space", raw)
            elif part["entity"] and len(decoded(raw, format)) == 1:
                yield _Token("char", raw, decoded(raw, format))
            else:
                yield from (_Token("char", char, char) for char in raw)


def _characters(lines: Sequence[str]) -> list[str]:
    return [char for line in lines for char in line if not _is_space(char)]


def _separators(lines: Sequence[str]) -> Iterator[str]:
    """Yield what stands before each printed character but the first: nothing, a space, a break."""
    before: str | None = None
    for line in lines:
        for char in line:
            if _is_space(char):
                before = " " if before == "" else before
            elif before is None:
                before = ""  # the first of all
            else:
                yield before
                before = ""
        before = None if before is None else "\n"


def _is_space(char: str) -> bool:
    return char.isspace() and char not in _NO_BREAK_SPACES


def _filled(gap: Sequence[_Token], separator: str) -> str:
    """Return what stands between two printed characters, with a line break or without one."""
    broken = any(token.breaks for token in gap)
    if broken == (separator == "\n"):
        return _raw(gap)
    spaces = [at for at, token in enumerate(gap) if token.kind == "space" or token.breaks]
    parts = [token.raw for token in gap]
    if not spaces:  # scripts without spaces: behind closing tags and readings, before others
        ends = ("</", "<rt")
        at = next((at for at, part in enumerate(parts) if not part.startswith(ends)), len(parts))
        parts.insert(at, separator)
    elif separator == "\n":
        parts[spaces[-1]] = separator
    else:
        for at in spaces:
            parts[at] = separator if at == spaces[-1] else ""
    return "".join(parts)


def _raw(tokens: Sequence[_Token]) -> str:
    return "".join(token.raw for token in tokens)


def _wrapped(text: str, line_open: str, line_close: str) -> str:
    if not line_open:
        return text
    head = _OVERRIDES.match(text)
    start = head.end() if head else 0
    lines = text[start:].split("\n")
    return text[:start] + "\n".join(f"{line_open}{line}{line_close}" for line in lines)
