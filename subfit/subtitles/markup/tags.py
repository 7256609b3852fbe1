"""Markup in payloads: where it stands, and what is left without it.

SubRip has no grammar. What players understand counts as markup (``<i>``, ``<font …>``,
``{\\an8}``), everything else is text: ``A < B``. WebVTT takes every ``<name …>`` for a tag.

Entities such as ``&quot;`` are read as the characters they stand for. WebVTT has them by its
specification; SubRip files are full of them, as left behind by web pages and converters, but a
``&`` is a plain character there (``Q&A``, ``AT&T;``), so only what ends in a semicolon and is known
to HTML counts. What is written has the characters, as players show them, but where these would be
read as an entity once more.

In Advanced SubStation, what stands in braces is markup: overrides, comments; and drawings are, that
an override begins. Overrides of style open an element where a later one takes them back.

In dubbing scripts, what is not spoken is markup: ``(laughs)``, ``[breath]``, ``/``. Square brackets
always hold such a mark. Round ones may hold speech ("He is (as far as I know) away."), so they
count only where that is clear: at either end of the line or of a sentence, in capitals, or around
one or two words. A ``/`` by itself is a pause.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.entities import html5

from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.markup import Span

_MARK = re.compile(r"\[[^\[\]\n]*\]|\([^()\n]*\)|(?<!\S)/{1,3}(?!\S)")
_OF_A_WORD = re.compile(r"[^\W\d_]\([a-z]{1,2}\)")
"""As in "colo(u)r" and "person(s)": no mark."""
_CLOSING = tuple(".,;:!?…)]”’»")
"""Marks that follow a word without a space."""
_SENTENCE_END = re.compile(r"[.!?…]\W*\Z")


def split_directions(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a line in order: what is spoken, and marks with the space beside them.

    Args:
        text: The line as the script has it. The parts joined are the line again, with spaces where
            a mark parted two words without one.

    Yields:
        A part, and whether it is a mark.
    """
    at = 0
    for match in _MARK.finditer(text):
        if not _is_direction(text, match):
            continue
        start, end = match.span()
        while end < len(text) and text[end].isspace():
            end += 1
        if end == len(text):
            start = max(at, len(text[:start].rstrip()))
        words, mark = text[at:start], text[start:end]
        parted = words[-1:].isspace() or text.startswith(_CLOSING, end)
        if words and end < len(text) and not parted:  # they would run together
            words, mark = f"{words} ", f"{mark.rstrip()} "
        yield words, False
        yield mark, True
        at = end
    yield text[at:], False


def _is_direction(text: str, match: re.Match[str]) -> bool:
    if not match[0].startswith("("):
        return True
    if _OF_A_WORD.match(text, max(match.start() - 1, 0)):
        return False
    inside = match[0][1:-1].strip()
    before, after = text[: match.start()].strip(), text[match.end() :].strip()
    ends = bool(_SENTENCE_END.search(before)) or not before
    return ends or not after.strip(".,;:!?…") or inside.isupper() or len(inside.split()) <= 2


# A tag that ends in "-->" is none: it would begin a new cue wherever it is put back.
_SRT = re.compile(
    r"(?P<mark>\{\\[^{}]*\}|\{[CcFfPSsYyo]:[^{}]*\})"  # ASS overrides; MicroDVD's {y:i}
    r"|<(?P<slash>/?)(?P<name>b|i|u|s|em|strong|bold|italic|underline|strike|br|font|span|c|v|lang)"
    r"(?:\.[\w.-]+)?(?:\s*=[^<>]*|\s[^<>]*=[^<>]*|\s*/?\s*|(?<=[cvg])\s[^<>]*)(?<!--)>",
    re.IGNORECASE,
)
_VTT = re.compile(
    r"(?P<mark><[0-9]+(?::[0-9]+)+(?:\.[0-9]+)?>"
    r"|<(?!/?(?:b|i|u|s|em|strong|font|span|c|v|lang|ruby|rt)\b)/?[A-Za-z][^<>]*(?<!--)>[ \t]?)"
    r"|<(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?:\.[^\s<>]*)?(?:\s[^<>]*)?/?(?<!--)>"
)
_ASS = re.compile(
    r"(?P<mark>(?<!\\)\{(?:[^{}]*\\p[1-9]\d*(?=[\\}])[^{}]*\}.*?(?:(?=\{[^{}]*\\p0)\{[^{}]*\}|\Z)"
    r"|[^{}]*\}))|(?P<slash>/)(?P<name>)(?!)",
    re.DOTALL,
)
_STYLED = re.compile(  # in the middle of a line; colours, slant, weight, face, size, border
    r"\\(?:[1-4]?[ca]&|alpha&|fn[^\\}]|fs\d|[ibus][1-9]|(?:bord|shad|blur|be|fsc[xy])\d|r\w)"
)
_STYLED_BACK = re.compile(
    r"\{(?:\\(?:r[^\\{}]*|(?:[1-4]?[ca]|alpha|fn|fs|bord|shad|blur|be|fsc[xy]|[ibus])"
    r"(?:0|100|&H[0-9A-Fa-f]+&)?))+\}"
)
STYLE = "\\style"
"""The name of elements that such overrides open."""
_TOGGLE = re.compile(r"\{\\(?P<name>[ibus])(?P<on>[01])\}")
_RUBY_TEXT = re.compile(r"<rt\b[^<>]*>(?:(?!<rt\b).)*?(?:</rt>|(?=</ruby>))", re.DOTALL)


SPACE = " \t\n\r\f\v\x85\u2028\u2029"
"""White space that may be collapsed; a no-break space is not."""


def lift_tags(payload: str, format: FormatName) -> tuple[str, tuple[Span, ...]]:
    """Separate a payload into its text and its markup.

    Tags that were never closed end with the text, closing tags that close nothing are left out,
    and so are tags around nothing; so what comes out can always be written properly.

    Returns:
        The text, with its newlines and entities decoded, and the markup over it in the order of
        the opening tags.
    """
    lifter = _Lifter(format)
    if FORMATS[format].markup == "script":
        for part, is_mark in split_directions(payload):
            (lifter.mark if is_mark else lifter.add)(part)
        return lifter.finish()
    for token in tag_tokens(payload, format):
        lifter.take(token)
    return lifter.finish()


def tag_tokens(payload: str, format: FormatName) -> Iterator[str | re.Match[str]]:
    """Yield the texts (as written, perhaps empty) and the tags of a payload in turn."""
    markup = FORMATS[format].markup
    if markup == "none":
        yield payload
        return
    pattern = {"vtt": _VTT, "ass": _ASS}.get(markup, _SRT)
    at, in_ruby, based = 0, False, False
    while match := pattern.search(payload, at):
        text = payload[at : match.start()]
        yield text
        based = based or bool(text.strip())
        name, at = (match["name"] or "").lower(), match.end()
        if name == "ruby":
            in_ruby, based = not match["slash"], False
        reading = name == "rt" and in_ruby and based
        if reading and (annotation := _RUBY_TEXT.match(payload, match.start())):
            yield annotation
            at = annotation.end()
        else:
            yield match
    yield payload[at:]


def escaped(text: str, format: FormatName) -> str:
    """Return plain text as it stands in a payload: nothing in it is read as markup or entity.

    Braces stay as they are, as SubRip has nothing to write for them that players would show.
    """
    text = encoded(text, format)
    if FORMATS[format].markup == "srt":  # where a lone "<" is no tag, and better left
        text = _SRT.sub(lambda tag: tag[0].replace("<", "&lt;"), text)
    return text


class _Lifter:
    """Collects text and matches opening with closing tags."""

    def __init__(self, format: FormatName) -> None:
        self._format = format
        self._text: list[str] = []
        self._length = 0
        self._elements: list[Span] = []
        self._open: list[int] = []
        self._names = Counter[str]()
        """The names of the elements that are open."""

    def take(self, token: str | re.Match[str]) -> None:
        if isinstance(token, str):
            self.add(decoded(token, self._format))
        elif token.re is _RUBY_TEXT:
            self.mark(token[0])
        elif token["mark"]:
            toggle = _TOGGLE.fullmatch(token["mark"])
            if toggle is None and token.re is _ASS:
                self._override(token[0])
            elif toggle is None:
                self.mark(token[0])
            elif toggle["on"] == "1":
                self._start(f"\\{toggle['name']}", token[0], "")
            else:
                self._end(f"\\{toggle['name']}", token[0])
        else:
            self._tag(token)

    def finish(self) -> tuple[str, tuple[Span, ...]]:
        while self._open:
            self._close_last()
        kept = (
            element for element in self._elements if not element.name or element.start < element.end
        )
        return "".join(self._text), tuple(kept)

    def _tag(self, token: re.Match[str]) -> None:
        name = token["name"].lower()
        if name == "rt":  # without a base to read, the specification passes over the tag
            return
        if name == "br":
            self.add("\n")
        elif token["slash"]:
            self._end(name, token[0])
        else:
            if name == "v":  # a voice lasts until the next one; hardly any file closes it
                self._end("v", "")
            self._start(name, token[0], "" if name == "v" else f"</{token['name']}>")

    def _override(self, raw: str) -> None:
        """Take a block of Advanced SubStation that is no mere toggle."""
        if self._names[STYLE] and _STYLED_BACK.fullmatch(raw):
            self._end(STYLE, raw)
        elif _STYLED.search(raw) and raw.endswith("}") and raw.count("{") == 1:
            self._start(STYLE, raw, "")
        else:
            self.mark(raw)

    def add(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)

    def mark(self, raw: str) -> None:
        self._elements.append(Span(self._length, self._length, _one_line(raw), ""))

    def _start(self, name: str, raw: str, close: str) -> None:
        self._open.append(len(self._elements))
        self._names[name] += 1
        self._elements.append(Span(self._length, self._length, _one_line(raw), close, name))

    def _end(self, name: str, raw: str) -> None:
        if not self._names[name]:
            return
        while self._elements[self._open[-1]].name != name:
            self._close_last()
        at = self._open.pop()
        self._names[name] -= 1
        self._elements[at] = replace(self._elements[at], end=self._length, close=_one_line(raw))

    def _close_last(self) -> None:
        at = self._open.pop()
        self._names[self._elements[at].name] -= 1
        self._elements[at] = replace(self._elements[at], end=self._length)


def _one_line(tag: str) -> str:
    return re.sub(r"\s*[\r\n]\s*", " ", tag)


_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def decoded(text: str, format: FormatName) -> str:
    """Return text of a payload, between its tags, with its entities as characters.

    Args:
        text: As the payload has it.
        format: The format of the file. Only WebVTT and SubRip have entities, Advanced
            SubStation has backslashes before braces.
    """
    markup = FORMATS[format].markup
    if markup == "vtt":
        return html.unescape(text)
    if markup == "ass":
        return re.sub(r"\\([{}])", r"\1", text)
    if markup != "srt":
        return text
    return _ENTITY.sub(lambda one: html.unescape(one[0]) if _is_known(one[0]) else one[0], text)


def encoded(text: str, format: FormatName) -> str:
    """Return text with entities for what is no plain character in a payload; undone by `decoded`.

    Args:
        text: Plain text.
        format: The format to write. In SubRip only a ``&`` is concerned that begins an entity.
    """
    markup = FORMATS[format].markup
    if markup == "srt":
        return _ENTITY.sub(lambda one: "&" + "amp;" * _is_known(one[0]) + one[0][1:], text)
    if markup == "ass":
        return re.sub(r"[{}]", r"\\\g<0>", text)
    if markup != "vtt":
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\u200e", "&lrm;").replace("\u200f", "&rlm;")


def _is_known(entity: str) -> bool:
    return entity[1] == "#" or entity[1:] in html5
