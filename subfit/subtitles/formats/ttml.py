"""TTML (IMSC, EBU-TT-D, DFXP): only the texts of paragraphs are replaced.

A paragraph with words is a cue; where its spans have the times, each of these is. Its payload has
tags as in WebVTT, ``<i>`` for a span that is italic, ``<ruby>`` and ``<rt>`` for ruby, ``<c>`` for
any other, each with its number among the file's tags as class (``<c.s3>``), so that it is
written again as it stood. ``<i.p>`` is around the words of a paragraph that is italic itself.

lxml says what the document means (times, styles, regions); it expands no entities, fetches nothing
and refuses what is too deep or too long. Where things stand is found in the text itself.

What is written of other formats is the IMSC 1.1 text profile (W3C 2018) as Netflix asks for it in
its Timed Text Style Guide: two regions, percentages, media times, italics as spans.
"""

from __future__ import annotations

import codecs
import contextlib
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from lxml import etree

from subfit.errors import InputFileError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Repair, Track, Unread
from subfit.subtitles.formats.layout import TOP_SETTING, Extent, Place, Places
from subfit.subtitles.markup.payload import plain_text
from subfit.subtitles.markup.restore import weave
from subfit.subtitles.markup.tags import encoded, lift_tags
from subfit.subtitles.repairs import UNREADABLE, quoted
from subfit.subtitles.timecodes import FrameGrid, from_clock, to_clock

_TOKEN = re.compile(
    r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(?P<cdata>.*?)\]\]>|<![^>]*>"
    r"|<(?P<slash>/?)(?P<name>[^\s/>]+)(?:[^>\"']|\"[^\"]*\"|'[^']*')*?(?P<empty>/?)>",
    re.DOTALL,
)
_ATTRIBUTE = r"(?<=\s)%s\s*=\s*(?:\"([^\"]*)\"|'([^']*)')"
_LANGUAGE = re.compile(_ATTRIBUTE % "xml:lang")
_TIMES = {name: re.compile(_ATTRIBUTE % name) for name in ("begin", "end", "dur")}
_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*?\?>")
_DECLARED = re.compile(r"\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([\w.-]+)[\"'][^>]*?\?>")
_CLOCK = re.compile(r"(\d{1,6}):(\d\d):(\d\d)(?:(\.\d{1,12})|[:;](\d{1,6})(?:\.\d+)?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,15}(?:\.\d{1,12})?)(h|ms|m|s|f|t)", re.ASCII)
_SECONDS = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1), "ms": Fraction(1, 1000)}
_TAG = re.compile(r"<(/?)(\w+)((?:\.[^\s<>.]+)*)[^<>]*>")
_XML = "{http://www.w3.org/XML/1998/namespace}"
_STYLING = "http://www.w3.org/ns/ttml#styling"
_STYLES = {"i": 'fontStyle="italic"', "b": 'fontWeight="bold"', "u": 'textDecoration="underline"'}
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST_UNENDED = 5000
"""Milliseconds for which the last cue is shown, if nothing says when it ends."""
_HEAD = Path(__file__).with_name("new.ttml").read_text("utf-8")


def parse(contents: Contents) -> Parsed:
    """Read the paragraphs of a document that have words.

    Raises:
        InputFileError: It is no XML, no TTML, has entities of its own, or no words.
    """
    root = _parsed(contents)
    document = _Document(contents.text, root)
    if not document.read():
        raise InputFileError(contents.name, "no paragraph with words and times")
    places = tuple(sorted(document.places, key=lambda place: place.cue.start))
    cues = tuple(place.cue for place in places)
    prefix = next((name for name, space in root.nsmap.items() if space == _STYLING and name), "")
    styling = f"{prefix}:" if prefix else f'xmlns:tts="{_STYLING}" tts:'
    known = _Known(document.clock, tuple(document.tags), root.prefix, styling)
    return Parsed(cues, Places(contents.text, places, known), tuple(document.repairs))


def render(track: Track) -> str:
    """Return the document with the texts and times that have changed, in its language."""
    layout = track.layout
    if not isinstance(layout, Places):
        return _new(track)
    known: _Known = layout.known
    edits = [*_language_edits(layout.text, track.language), *_encoding(layout.text, track)]
    return layout.spliced(track.cues, known.written, known.clock.written, edits)


def _parsed(contents: Contents) -> Any:
    """The root element of a file, with nothing expanded or fetched."""
    text, name = contents.text, contents.name
    if re.search(r"<!ENTITY|<!DOCTYPE[^>]*\[", text):
        raise InputFileError(name, "it declares entities of its own, which are not expanded")
    declaration = _DECLARATION.match(text)
    data = (text[declaration.end() :] if declaration else text).encode("utf-8", "replace")
    ahead = text.count("\n", 0, declaration.end()) if declaration else 0
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        said = str(error.msg).partition("\n")[0].partition(", line")[0].strip()
        problem = f"it is no well-formed XML: {said}"
        raise InputFileError(name, problem, line=ahead + (error.lineno or 1)) from error
    if _local(root) != "tt":
        raise InputFileError(name, f"it is XML, but no TTML: its root is <{_local(root)}>")
    return root


def _local(element: Any) -> str:
    return str(etree.QName(element).localname) if isinstance(element.tag, str) else ""


@dataclass(frozen=True, slots=True)
class _Clock:
    """How times are written, as the root says (TTML2, 7.2 and 12.3)."""

    grid: FrameGrid
    ticks: Fraction
    """Per second."""
    smpte: bool
    """Whether time codes count frames, and not seconds."""
    drops: bool = False
    """Whether numbers of frames are dropped, two every minute but each tenth."""

    @classmethod
    def of(cls, root: Any) -> _Clock:
        said = {str(etree.QName(name).localname): value for name, value in root.attrib.items()}
        labelled = _number(said.get("frameRate", ""), 30)
        over, under = (*re.split(r"[\s:]+", said.get("frameRateMultiplier", "").strip()), "1")[:2]
        grid = FrameGrid(Fraction(labelled * _number(over, 1), _number(under, 1)))
        ticks = _number(said.get("tickRate", ""), labelled if "frameRate" in said else 1)
        smpte, drops = said.get("timeBase") == "smpte", said.get("dropMode") == "dropNTSC"
        return cls(grid, Fraction(ticks), smpte, drops)

    def read(self, text: str) -> int | None:
        """Return a time in milliseconds; None of what is no time."""
        text = text.strip()
        if match := _CLOCK.fullmatch(text):
            whole, frames = from_clock(*match.groups()[:3]) // 1000, int(match[5] or 0)
            if self.smpte:
                return self.grid.time_of(self.grid.frame_of(whole, frames, drops=self.drops))
            time = whole + Fraction(match[4] or 0) + frames / self.grid.rate
        elif match := _OFFSET.fullmatch(text):
            time = Fraction(match[1]) * self._unit(match[2])
        else:
            return None
        return math.floor(time * 1000)

    def _unit(self, name: str) -> Fraction:
        """A unit of time in seconds."""
        return {**_SECONDS, "f": 1 / self.grid.rate, "t": 1 / self.ticks}[name]

    def written(self, milliseconds: int, like: str) -> str:
        """Return a time as another one is written; an attribute of its own where there was none."""
        if not like:
            return f' end="{to_clock(milliseconds)}"'
        time, rate = Fraction(max(milliseconds, 0), 1000), self.grid.rate
        if match := _OFFSET.fullmatch(like.strip()):
            count = time / self._unit(match[2])
            whole = match[2] in ("f", "t", "ms")
            return f"{round(count) if whole else f'{float(count):.3f}'}{match[2]}"
        match = re.fullmatch(r"\s*\d+:\d+:\d+([:;]).*", like)
        if match is None:
            return to_clock(milliseconds)
        seconds = math.floor(time)
        frames = min(round((time - seconds) * rate), self.grid.nominal - 1)
        if self.smpte:
            seconds, frames = self.grid.code_of(round(time * rate), drops=self.drops)
        return f"{to_clock(seconds * 1000)[:-4]}{match[1]}{frames:02}"


def _number(text: str, otherwise: int) -> int:
    return int(text) if re.fullmatch(r"[1-9]\d{0,9}", text.strip(), re.ASCII) else otherwise


@dataclass(frozen=True, slots=True)
class _Known:
    """What a document's payloads need to be written again."""

    clock: _Clock
    tags: tuple[str, ...]
    """The opening tags of spans, by number."""
    prefix: str | None
    """Of the names of elements."""
    styling: str = "tts:"
    """Prefix of the names of styles, declared where it is not."""

    def written(self, payload: str) -> str:
        """Return a payload as it stands in a paragraph."""
        text, elements = lift_tags(_ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", payload), "vtt")
        spans = [
            replace(one, close=f"</{one.name}>" if one.name else "")
            for one in elements
            if one.name or one.open.startswith("<rt")
        ]
        closing: list[str] = []

        def tag(match: re.Match[str]) -> str:
            if match[1]:
                return closing.pop()
            opening = self._opening(match[2].lower(), match[3])
            closing.append(f"</{self._name('span')}>" if opening else "")
            return opening

        lines = weave(text, spans, "vtt").strip("\n").split("\n")
        xml = f"<{self._name('br')}/>".join(_TAG.sub(tag, line) for line in lines)
        return xml.replace("&lrm;", "\u200e").replace("&rlm;", "\u200f")

    def _name(self, local: str) -> str:
        return f"{self.prefix}:{local}" if self.prefix else local

    def _opening(self, name: str, classes: str) -> str:
        """The tag of a span; none for what is the paragraph's, or has no equal."""
        number = classes.removeprefix(".s")
        if number.isdecimal() and int(number) < len(self.tags):
            return self.tags[int(number)]
        style = None if classes == ".p" else _STYLES.get(name)
        return f"<{self._name('span')} {self.styling}{style}>" if style else ""


class _Document:
    """A document, read once from its beginning to its end."""

    def __init__(self, text: str, root: Any) -> None:
        self.text, self.clock = text, _Clock.of(root)
        self.places, self.tags, self.repairs = list[Place](), list[str](), list[Repair]()
        self._elements = list(root.iter(etree.Element))
        self._tags: dict[Any, re.Match[str]] = {}
        self._ends: dict[Any, re.Match[str]] = {}
        """Where the tags of elements stand; of an empty one its tag is its end as well."""
        elements, inside = iter(self._elements), list[Any]()
        for token in _TOKEN.finditer(self.text):
            if not token["name"]:
                continue
            if not token["slash"]:
                inside.append(next(elements))
                self._tags[inside[-1]] = token
            if token["slash"] or token["empty"]:
                self._ends[inside.pop()] = token
        self._ids = {
            name: element
            for element in self._elements
            if (name := element.get(f"{_XML}id") or element.get("id"))
        }
        self._spans: dict[Any, tuple[int, int | None]] = {}
        """In-time and out-time of elements, in milliseconds."""

    def read(self) -> bool:
        """Find the cues; return whether there are any, or blocks that cannot be read."""
        after: dict[Any, int] = {}
        for element in self._elements:
            if _local(element) not in ("body", "div", "p", "span"):
                continue
            parent = element.getparent()
            zero, limit = self._spans.get(parent, (0, None))
            if parent is not None and parent.get("timeContainer") == "seq":
                zero = after.get(parent, zero)
            values = {name: element.get(name) for name in _TIMES if element.get(name) is not None}
            times = {name: self.clock.read(value) for name, value in values.items()}
            if None in times.values():
                self._unread(element, values)
                continue
            begin = zero + (times.get("begin") or 0)
            ends = [] if limit is None else [limit]
            for name, base in (("end", zero), ("dur", begin)):
                if (time := times.get(name)) is not None:
                    ends.append(base + time)
            end = min(ends, default=None)
            self._spans[element] = begin, end
            ended: Any = element if {"end", "dur"} & times.keys() else None
            while ended is not None and end is not None:  # and what ends with it
                ended = ended.getparent()
                after[ended] = max(end, after.get(ended, 0))
                if ended is not None and (ended.get("end") or ended.get("dur")):
                    break
            if self._is_cue(element):
                self._cue(element, zero, begin, end)
        self._end_all()
        return bool(self.places or self.repairs)

    def _unread(self, element: Any, values: dict[str, str]) -> None:
        if "".join(element.itertext()).strip():
            line = self._line(element)
            told = quoted(", ".join(f"{name}={value}" for name, value in values.items()))
            self.repairs.append(
                Unread(line, f"{UNREADABLE}: {told}; kept as it stands, untranslated")
            )

    def _line(self, element: Any) -> int:
        return self.text.count("\n", 0, self._tags[element].start()) + 1

    def _is_cue(self, element: Any) -> bool:
        """Whether it is a paragraph, or a span of one that leaves all times to its spans."""
        if _local(element) == "p":
            own = any(element.get(name) is not None for name in _TIMES)
            return own or not any(map(_has_end, element))
        parent = element.getparent()
        return _local(parent) == "p" and not self._is_cue(parent) and _has_end(element)

    def _cue(self, element: Any, zero: int, begin: int, end: int | None) -> None:
        tag, after = self._tags[element], self._ends[element]
        preserved = _inherited(element, "space", self._ids) == "preserve"
        payload = "".join(self._payload(element, preserved, ()))
        payload = re.sub(r"[ \t]*\n[ \t]*", "\n", payload).strip(" \t\n")
        if not plain_text(payload, "vtt").strip():
            return
        begin_at = self._text_begins(element)
        extent = (begin_at, max(begin_at, after.start()))
        if _inherited(element, "fontStyle", self._ids) in ("italic", "oblique"):
            payload = f"<i.p>{payload}</i>"
        settings = TOP_SETTING if self._is_at_top(element) else ""
        name = element.get(f"{_XML}id") or ""
        cue = Cue(begin, -1 if end is None else end, payload, name, settings, self._line(element))
        lasts = "dur" in element.attrib and "end" not in element.attrib
        out = self._time(tag, "dur", begin) if lasts else self._time(tag, "end", zero)
        whole = (tag.start(), after.end())
        self.places.append(Place(cue, extent, whole, (self._time(tag, "begin", zero), out)))

    def _text_begins(self, element: Any) -> int:
        """Where its text begins: behind its tag, and what is no text and stands before words."""
        at, text = self._tags[element].end(), element.text
        for child in element:
            if (text or "").strip() or _local(child) in ("span", "br"):
                break
            at = self._ends[child].end() if _local(child) else at
            text = child.tail
        return at

    def _time(self, tag: re.Match[str], name: str, zero: int) -> tuple[Extent, int]:
        match = _TIMES[name].search(self.text, tag.start(), tag.end())
        if match is None:
            at = tag.end() - 1
            return (at, at), zero
        return match.span(match.lastindex or 1), zero

    def _payload(self, element: Any, preserved: bool, names: tuple[str, ...]) -> Iterator[str]:
        """Yield the text of an element, with a tag for each span in it."""

        def words(text: str | None) -> str:
            text = encoded(text or "", "vtt")
            return text if preserved else re.sub(r"[ \t\r\n]+", " ", text)

        yield words(element.text)
        for child in element:
            local = _local(child)
            if local == "br":
                yield "\n"
                yield from self._payload(child, preserved, names)
            elif local == "span" and not self._tags[child]["empty"]:
                name = self._tag_name(child, names)
                yield f"<{name}.s{len(self.tags)}>"
                begins = self._tags[child].start()
                self.tags.append(self.text[begins : self._text_begins(child)])
                yield from self._payload(child, preserved, (*names, name))
                yield f"</{name}>"
            yield words(child.tail)

    def _tag_name(self, span: Any, outer: Sequence[str]) -> str:
        ruby = _own(span, "ruby", self._ids)
        if ruby == "container":
            return "ruby"
        if ruby in ("text", "textContainer") and "rt" not in outer and "ruby" in outer:
            return "rt"
        if _own(span, "fontStyle", self._ids) in ("italic", "oblique"):
            return "i"
        if _own(span, "fontWeight", self._ids) == "bold":
            return "b"
        return "u" if "underline" in (_own(span, "textDecoration", self._ids) or "") else "c"

    def _is_at_top(self, element: Any) -> bool:
        """Whether its region puts it into the upper third of the picture."""
        names = (one.get("region") for one in (element, *element.iterancestors()))
        region = self._ids.get(next((name for name in names if name), None))
        if region is None:
            return False
        low = _own(region, "displayAlign", self._ids) or "before"
        numbers = [
            re.match(r"\s*\S+\s+(-?\d+(?:\.\d+)?)%", _own(region, name, self._ids) or "")
            for name in ("origin", "extent")
        ]
        top, height = (float(match[1]) if match else 0.0 for match in numbers)
        share = {"before": 0.0, "center": 0.5}.get(low, 1.0)
        return bool(numbers[0]) and top + height * share <= 100 / 3

    def _end_all(self) -> None:
        """End cues that nothing ends where the next one begins."""
        starts = sorted({place.cue.start for place in self.places})
        following = dict(pairwise(starts))
        for number, place in enumerate(self.places):
            cue = place.cue
            if cue.end == -1:
                end = following.get(cue.start, cue.start + _MOST_UNENDED)
                told = "the cue has no out-time; shown until the next one"
                self.repairs.append(Repair(cue.line, told))
                self.places[number] = replace(place, cue=replace(cue, end=end))


def _has_end(element: Any) -> bool:
    """Whether it is a span that ends by itself; others come in one after the other, and stay."""
    ends = element.get("end") is not None or element.get("dur") is not None
    return _local(element) == "span" and ends


def _own(
    element: Any, name: str, ids: dict[Any, Any], seen: frozenset[str] = frozenset()
) -> str | None:
    """A style attribute of an element, or of the styles that it names, the last one first."""
    for key, value in element.attrib.items():
        given = etree.QName(key)
        if given.localname == name and (given.namespace or "").partition("#")[2].startswith("styl"):
            return str(value)
    for child in element if _local(element) == "region" else ():
        if _local(child) == "style" and (found := _own(child, name, ids, seen)):
            return found
    for reference in reversed((element.get("style") or "").split()):
        style = ids.get(reference)
        if style is not None and reference not in seen:
            found = _own(style, name, ids, seen | {reference})
            if found is not None:
                return found
    return None


def _inherited(element: Any, name: str, ids: dict[Any, Any]) -> str | None:
    """A style attribute, or ``xml:space``, of an element or what it stands in."""
    for one in (element, *element.iterancestors()):
        value = one.get(f"{_XML}space") if name == "space" else _own(one, name, ids)
        region = ids.get(one.get("region"))
        if value is None and region is not None and name != "space":
            value = _own(region, name, ids)
        if value is not None:
            return str(value)
    return None


def _language_edits(text: str, language: str) -> Iterator[tuple[Extent, str]]:
    """Set the language of the root, and of elements that say the same."""
    tags = [token for token in _TOKEN.finditer(text) if token["name"]]
    said = [_LANGUAGE.search(text, *tag.span()) for tag in tags]
    if language in ("", "und"):
        return
    if said[0] is None:
        yield (tags[0].end() - 1, tags[0].end() - 1), f' xml:lang="{language}"'
        return
    old = said[0][said[0].lastindex or 1]
    for match in said:
        if match and match[match.lastindex or 1] == old:
            yield match.span(match.lastindex or 1), language


def _encoding(text: str, track: Track) -> Iterator[tuple[Extent, str]]:
    """Declare the encoding that is written."""
    said, same = _DECLARED.match(text), False
    if said is None and not track.encoding.name.lower().startswith("utf"):
        head = re.match(r"\s*<\?xml\b[^?]*", text)
        declared = f'encoding="{_declared(track)}"'
        at = head.end() if head else 0
        yield (at, at), f" {declared}" if head else f'<?xml version="1.0" {declared}?>\n'
    if said is not None:
        with contextlib.suppress(LookupError):
            same = codecs.lookup(said[1]) == codecs.lookup(track.encoding.name)
        if not same:
            yield said.span(1), _declared(track)


def _declared(track: Track) -> str:
    return re.sub("-(SIG|LE|BE)$", "", track.encoding.name.upper().replace("_", "-"))


def _new(track: Track) -> str:
    """A document in the IMSC 1.1 text profile."""
    known = _Known(_Clock(FrameGrid(Fraction(30)), Fraction(1), smpte=False), (), None)
    lines = [_HEAD.format(language=re.sub(r"[^\w-]", "", track.language))]
    for number, cue in enumerate(track.cues, 1):
        region = "top" if TOP_SETTING in cue.settings else "bottom"
        times = f'begin="{to_clock(cue.start)}" end="{to_clock(cue.end)}"'
        text = known.written(cue.text)
        lines.append(f'      <p xml:id="cue{number}" {times} region="{region}">{text}</p>\n')
    return "".join([*lines, "    </div>\n  </body>\n</tt>\n"]).replace("UTF-8", _declared(track), 1)


FORMATS = (
    Format(
        "ttml",
        "TTML",
        (".ttml", ".dfxp", ".itt", ".xml"),
        parse,
        render,
        "vtt",
        begins=r"(?s)\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<(?:[\w.-]+:)?tt[\s>]",
        keeps="styles, regions, ruby, metadata, frames and ticks; xml:lang is set",
    ),
)
