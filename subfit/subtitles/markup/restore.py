"""Putting markup back around words that may have changed, or into lines that are broken anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.markup import CueText, PlaceSpans, Rendered, Span, Turn
from subfit.subtitles.markup.payload import OVERRIDES, unwrap_lines
from subfit.subtitles.markup.tags import SPACE, decoded, escaped, tag_tokens

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^{SPACE}{_UNSPACED}]+")
"""Thai, Khmer, Chinese and the like have no spaces: any character may begin a word. A no-break
space is within one: the mark behind it begins none."""


_MARKS = ".,;:!?…。，！？"
_PAUSES = (".!?…。！？", ",;:，")


class _Node(NamedTuple):
    """A span with the spans inside it."""

    span: Span
    inner: tuple[_Node, ...]

    def all(self) -> list[Span]:
        return [self.span, *(span for node in self.inner for span in node.all())]


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
    text, spans, lost = " ".join(lines), turn.spans, list[str]()
    if text == turn.text:
        pass
    elif _unspaced(text) == _unspaced(turn.text):
        spans = _respaced(spans, turn.text, text)
    elif place and (placed := place(turn, text)) is not None:
        spans, lost = placed.spans, [*placed.unplaced]
    else:
        spans = tuple(_fit(_tree(spans), _Words.of(turn.text, text), 0, len(text), lost))
    return weave("\n".join(lines), spans, format), lost


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


def _respaced(spans: Iterable[Span], old: str, new: str) -> tuple[Span, ...]:
    """Spans where they go when only the white space between characters differs."""
    letters = [at for at, char in enumerate(new) if not char.isspace()]
    moved: list[Span] = []
    for span in spans:
        first, last = (len(_unspaced(old[:at])) for at in (span.start, span.end))
        begin = letters[first] if first < len(letters) else len(new)
        stop = letters[last - 1] + 1 if last and span.start < span.end else begin
        moved.append(replace(span, start=begin, end=max(begin, stop)))
    return tuple(moved)


class _Words(NamedTuple):
    """Where positions of the old text fall in the new one: by proportion, at word boundaries."""

    old: str
    new: str
    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, old: str, new: str) -> _Words:
        words = list(_WORD.finditer(new))
        return cls(old, new, [word.start() for word in words], [word.end() for word in words])

    def nearest(self, places: Iterable[int], at: int) -> int:
        scale = len(self.new) / max(len(self.old), 1)
        return min(places, key=lambda place: abs(place - at * scale))

    def places_of_mark(self, at: int) -> list[int]:
        """Return where a mark may go that stands at one place: after a like punctuation mark."""
        starts, before = [*self.starts, self.ends[-1]], self.old[:at].rstrip()[-1:]
        pause = next((marks for marks in _PAUSES if before and before in marks), "")
        behind = [at for at in starts if at and self.new[:at].rstrip()[-1] in pause]
        return behind or starts


def _fit(nodes: Sequence[_Node], words: _Words, low: int, high: int, lost: list[str]) -> list[Span]:
    """Place nodes between two positions of the new text, in order and properly nested."""
    placed: list[Span] = []
    for node in nodes:
        if node.span.open.startswith("<ruby"):  # on the very words that it was on
            own = node.span
            at = words.new.find(words.old[own.start : own.end], low, high)
            if at < 0:
                lost += (span.open for span in node.all())
            else:
                by = at - own.start
                placed += (replace(x, start=x.start + by, end=x.end + by) for x in node.all())
        elif (span := _fit_span(node.span, words, low, high)) is None:
            lost.append(node.span.open)
            placed += _fit(node.inner, words, low, high, lost)
        else:
            placed += [span, *_fit(node.inner, words, span.start, span.end, lost)]
        low = max([low, *(span.end for span in placed)])
    return placed


def _fit_span(span: Span, words: _Words, low: int, high: int) -> Span | None:
    """Return where a span goes, None if there is no room or it is a reading of old words."""
    if span.open.startswith("<rt"):
        return None
    if span.start == span.end:
        at = max(words.nearest(words.places_of_mark(span.start), span.start), low)
        return replace(span, start=min(at, high), end=min(at, high))
    start = max(words.nearest([*words.starts, words.ends[-1]], span.start), low)
    begin = next((word for word in words.starts if word >= start), high)
    if begin >= high:
        return None
    end = min(words.nearest(words.ends, span.end), high)
    if end <= begin:
        end = next(word for word in words.ends if word > begin)
    if span.end < len(words.old) and words.old[span.end - 1] not in _MARKS:  # <i>no</i>.
        end = begin + max(1, len(words.new[begin:end].rstrip(_MARKS + "\xa0")))
    return replace(span, start=begin, end=end) if end <= high else None


_NO_BREAK_SPACES = "\xa0\u2007\u202f"
_PARTS = re.compile(
    rf"(?P<space>(?:(?![{_NO_BREAK_SPACES}])\s)+)|(?P<entity>&#?\w+;)|(?P<char>.)", re.DOTALL
)
_BREAK_TAG = re.compile(r"<br\b", re.IGNORECASE)


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
    tokens, wanted = [*_tokens(text, format)], [*_wanted(lines)]
    if [printed for _, printed in tokens if printed] != [char for _, char in wanted]:
        return None
    parts: list[str] = []
    gap: list[str] = []
    separators = (separator for separator, _ in wanted)
    for raw, printed in tokens:
        if printed:
            separator = next(separators)
            parts += [*(_filled(gap, separator) if parts else gap), raw]
            gap = []
        else:
            gap.append(raw)
    text = "".join([*parts, *gap])
    head = OVERRIDES.match(text) if line_open else None
    start = head.end() if head else 0
    body = text[start:].replace("\n", f"{line_close}\n{line_open}")
    return f"{text[:start]}{line_open}{body}{line_close}"


def _tokens(payload: str, format: FormatName) -> Iterator[tuple[str, str]]:
    """Yield tags, runs of white space and characters, each with the character that is printed."""
    for token in tag_tokens(payload, format):
        if not isinstance(token, str):
            yield token[0], ""
            continue
        for part in _PARTS.finditer(token):
            raw, printed = part[0], decoded(part[0], format)
            if part["space"]:
                yield raw, ""
            elif part["entity"] and len(printed) == 1:
                yield raw, printed
            else:
                yield from ((char, char) for char in raw)


def _wanted(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each printed character with what stands before it: nothing, a space, or a break."""
    before = ""
    for line in lines:
        for char in line:
            if char.isspace() and char not in _NO_BREAK_SPACES:
                before = before or " "
            else:
                yield before, char
                before = ""
        before = "\n"


def _breaks(raw: str) -> bool:
    """Whether a line ends at white space, or at a tag."""
    return "\n" in raw if raw.isspace() else bool(_BREAK_TAG.match(raw))


def _filled(gap: Sequence[str], separator: str) -> list[str]:
    """What stands between two printed characters, with a line break or without one."""
    parts = [*gap]
    if any(map(_breaks, parts)) == (separator == "\n"):
        return parts
    spaces = [at for at, part in enumerate(parts) if part.isspace() or _breaks(part)]
    if not spaces:  # scripts without spaces: behind closing tags and readings, before others
        ends = ("</", "<rt")
        at = next((at for at, part in enumerate(parts) if not part.startswith(ends)), len(parts))
        parts.insert(at, separator)
    elif separator == "\n":
        parts[spaces[-1]] = separator
    else:
        for at in spaces:
            parts[at] = separator if at == spaces[-1] else ""
    return parts
