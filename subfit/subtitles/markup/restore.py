"""Putting markup back around words that may have changed, or into lines that are broken anew."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.markup import CueText, PlaceSpans, Rendered, Span, Turn
from subfit.subtitles.markup.payload import unwrap_lines
from subfit.subtitles.markup.tags import SPACE, decoded, escaped, tag_tokens

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^{SPACE}{_UNSPACED}]+")
"""Thai, Khmer, Chinese and the like have no spaces: any character may begin a word. A no-break
space is within one: the mark behind it begins none."""


_MARKS = ".,;:!?…。，！？"
_PAUSES = (".!?…。！？", ",;:，")


@dataclass(frozen=True, slots=True)
class _Node:
    """A span with the spans inside it."""

    span: Span
    inner: tuple[_Node, ...]


def render_cue_text(
    original: CueText,
    texts: Sequence[tuple[str, ...]],
    format: FormatName,
    place: PlaceSpans | None = None,
) -> Rendered:
    """Put a payload together again around new words.

    Args:
        original: The payload that was taken apart.
        texts: For each of its turns, the lines of plain text; no lines leave the turn out.
        format: The format to write: WebVTT has ``&``, ``<`` and ``>`` escaped,
            SubRip only what would be read as a tag or an entity.
        place: Says where inner markup stands in other words; by default, and where it cannot tell,
            markup goes by proportion.

    Returns:
        The payload, free of blank lines and arrows, and what markup found no place in it.
    """
    lines: list[str] = []
    unplaced: list[str] = []
    for turn, text in zip(original.turns, texts, strict=True):
        clean = _clean_lines(text, format)
        if not clean:
            unplaced += [tag for tag in (turn.prefix, *(s.open for s in turn.spans)) if tag]
            continue
        body, lost = _render_turn(turn, clean, format, place)
        unplaced += lost
        lines += f"{turn.prefix}{escaped(turn.dash, format)}{body}{turn.suffix}".split("\n")
    wrapped = "\n".join(f"{original.line_open}{line}{original.line_close}" for line in lines)
    return Rendered(f"{original.prefix}{wrapped}{original.suffix}", tuple(unplaced))


def _clean_lines(text: Sequence[str], format: FormatName) -> list[str]:
    """Return the lines that may stand in a payload; ``-->`` would begin a new cue in SubRip."""
    lines = [part.strip(SPACE) for line in text for part in re.split(r"[\r\n]+", line)]
    if FORMATS[format].markup == "srt":
        lines = [line.replace("-->", "→") for line in lines]
    return [line for line in lines if line.strip()]


def _render_turn(
    turn: Turn, lines: Sequence[str], format: FormatName, place: PlaceSpans | None
) -> tuple[str, list[str]]:
    text = " ".join(lines)
    nodes = _tree(turn.spans)
    lost: list[str] = []
    if text != turn.text:
        if _unspaced(text) == _unspaced(turn.text):
            nodes = _moved(nodes, *_same_words(turn.text, text))
        elif place and (placed := place(turn, text)) is not None:
            nodes = _tree(placed.spans)
            lost += placed.unplaced
        else:
            nodes = _fit(nodes, _Words(turn.text, text), 0, len(text), lost)
    return _weave("\n".join(lines), nodes, 0, len(text), format), lost


def _tree(spans: Sequence[Span]) -> tuple[_Node, ...]:
    """Nest spans that come in the order of their opening tags."""
    nodes: list[_Node] = []
    rest = list(spans)
    while rest:
        span = rest.pop(0)
        inside: list[Span] = []
        while within := [at for at in range(len(rest[:3])) if _is_inside(rest[at], span, inside)]:
            inside += rest[: within[-1] + 1]  # a time may stand between a word and its reading
            del rest[: within[-1] + 1]
        nodes.append(_Node(span, _tree(inside)))
    return tuple(nodes)


def _is_inside(inner: Span, outer: Span, others: Sequence[Span]) -> bool:
    if inner.open.startswith("<rt"):  # a reading follows the last character that it is for
        bases = (span for span in (outer, *others) if span.open.startswith("<ruby"))
        return inner.start < outer.end or any(inner.start == base.end for base in bases)
    return outer.start < outer.end and inner.start < outer.end


def _weave(text: str, nodes: Sequence[_Node], start: int, stop: int, format: FormatName) -> str:
    parts: list[str] = []
    for node in nodes:
        span = node.span
        parts.append(escaped(text[start : span.start], format))
        parts.append(span.open + _weave(text, node.inner, span.start, span.end, format))
        parts.append(span.close)
        start = span.end
    return "".join(parts) + escaped(text[start:stop], format)


def weave(text: str, spans: Sequence[Span], format: FormatName) -> str:
    """Return text with markup in it.

    Args:
        text: Plain text, lines joined by ``\\n``.
        spans: Markup at positions in the text, in the order of the opening tags.
        format: The format to write: WebVTT has ``&``, ``<`` and ``>`` escaped.
    """
    return _weave(text, _tree(spans), 0, len(text), format)


def _unspaced(text: str) -> str:
    return "".join(text.split())


def _same_words(old: str, new: str) -> tuple[Callable[[int], int], Callable[[int], int]]:
    """Return where starts and ends go when only the white space between characters differs."""
    letters = [at for at, char in enumerate(new) if not char.isspace()]

    def start(at: int) -> int:
        before = len(_unspaced(old[:at]))
        return letters[before] if before < len(letters) else len(new)

    def end(at: int) -> int:
        before = len(_unspaced(old[:at]))
        return letters[before - 1] + 1 if before else 0

    return start, end


def _moved(
    nodes: Sequence[_Node], start: Callable[[int], int], end: Callable[[int], int]
) -> tuple[_Node, ...]:
    moved: list[_Node] = []
    for node in nodes:
        old, begin = node.span, start(node.span.start)
        stop = end(old.end) if old.start < old.end else begin
        span = Span(begin, max(begin, stop), old.open, old.close)
        moved.append(_Node(span, _moved(node.inner, start, end)))
    return tuple(moved)


class _Words:
    """Where positions of the old text fall in the new one: by proportion, at word boundaries."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new
        self._scale = len(new) / max(len(old), 1)
        words = list(_WORD.finditer(new))
        self.starts = [word.start() for word in words]
        self.ends = [word.end() for word in words]

    def same(self, node: _Node, low: int, high: int) -> tuple[_Node, ...]:
        """Place a node, and all in it, on the very words that it was on, if they are there."""
        span = node.span
        at = self._new.find(self._old[span.start : span.end], low, high)
        return () if at < 0 else _moved([node], *[lambda old: old - span.start + at] * 2)

    def nearest_start(self, at: int) -> int:
        return min([*self.starts, self.ends[-1]], key=lambda word: abs(word - at * self._scale))

    def nearest_end(self, at: int) -> int:
        return min(self.ends, key=lambda word: abs(word - at * self._scale))

    def nearest_pause(self, at: int) -> int:
        """Return where a mark goes that stands at one place: after a like mark of punctuation."""
        before = self._old[:at].rstrip()[-1:]
        pause = next((marks for marks in _PAUSES if before and before in marks), "")
        behind = [
            start
            for start in (*self.starts, self.ends[-1])
            if start and self._new[:start].rstrip()[-1] in pause
        ]
        if not behind:
            return self.nearest_start(at)
        return min(behind, key=lambda start: abs(start - at * self._scale))

    def start_from(self, at: int) -> int | None:
        index = bisect.bisect_left(self.starts, at)
        return self.starts[index] if index < len(self.starts) else None

    def without_mark(self, old_end: int, begin: int, end: int) -> int:
        """Leave a full stop out of a span that stood before one: ``<i>no</i>.``"""
        if old_end < len(self._old) and self._old[old_end - 1] not in _MARKS:
            return max(begin + 1, begin + len(self._new[begin:end].rstrip(_MARKS + "\xa0")))
        return end

    def end_after(self, at: int) -> int:
        return self.ends[bisect.bisect_right(self.ends, at)]


def _fit(
    nodes: Sequence[_Node], words: _Words, low: int, high: int, lost: list[str]
) -> tuple[_Node, ...]:
    """Place nodes between two positions of the new text, in order and properly nested."""
    placed: list[_Node] = []
    for node in nodes:
        if node.span.open.startswith("<ruby"):
            kept = words.same(node, low, high)
            placed += kept
            lost += () if kept else _opens(node)
            low = max([low, *(node.span.end for node in kept)])
            continue
        span = _fit_span(node.span, words, low, high)
        if span is None:
            lost.append(node.span.open)
            inner = _fit(node.inner, words, low, high, lost)
            placed += inner
        else:
            inner = _fit(node.inner, words, span.start, span.end, lost)
            placed.append(_Node(span, inner))
        low = max([low, *(node.span.end for node in placed)])
    return tuple(placed)


def _opens(node: _Node) -> list[str]:
    return [node.span.open, *(tag for inner in node.inner for tag in _opens(inner))]


def _fit_span(span: Span, words: _Words, low: int, high: int) -> Span | None:
    """Return where a span goes, None if there is no room or it is a reading of old words."""
    if span.open.startswith("<rt"):
        return None
    start = max(words.nearest_start(span.start), low)
    if span.start == span.end:
        start = max(words.nearest_pause(span.start), low)
        return Span(min(start, high), min(start, high), span.open, span.close)
    begin = words.start_from(start)
    if begin is None or begin >= high:
        return None
    end = min(words.nearest_end(span.end), high)
    if end <= begin:
        end = words.end_after(begin)
    end = words.without_mark(span.end, begin, end)
    return Span(begin, end, span.open, span.close) if end <= high else None


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
