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
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from lxml import etree

from subfit.errors import InputFileError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Repair, Track, Unread
from subfit.subtitles.formats.layout import TOP_SETTING, Extent, Place, Places
from subfit.subtitles.markup import Span
from subfit.subtitles.markup.payload import plain_text
from subfit.subtitles.markup.restore import weave
from subfit.subtitles.markup.tags import encoded, lift_tags
from subfit.subtitles.repairs import UNREADABLE, quoted

_TOKEN = re.compile(
    r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(?P<cdata>.*?)\]\]>|<![^>]*>"
    r"|<(?P<slash>/?)(?P<name>[^\s/>]+)(?:[^>\"']|\"[^\"]*\"|'[^']*')*?(?P<empty>/?)>",
    re.DOTALL,
)
_ATTRIBUTE = r"(?<=\s)%s\s*=\s*(?:\"([^\"]*)\"|'([^']*)')"
_LANGUAGE = re.compile(_ATTRIBUTE % "xml:lang")
_TIMES = {name: re.compile(_ATTRIBUTE % name) for name in ("begin", "end", "dur")}
_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*?\?>")
_DECLARED = re.compile(r"encoding\s*=\s*[\"']([\w.-]+)[\"']")
_CLOCK = re.compile(r"(\d{1,6}):(\d\d):(\d\d)(?:(\.\d{1,12})|[:;](\d{1,6})(?:\.\d+)?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,15}(?:\.\d{1,12})?)(h|ms|m|s|f|t)", re.ASCII)
_SECONDS = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1), "ms": Fraction(1, 1000)}
_TAG = re.compile(r"<(/?)(\w+)((?:\.[^\s<>.]+)*)[^<>]*>")
_XML = "{http://www.w3.org/XML/1998/namespace}"
_STYLING = "http://www.w3.org/ns/ttml#styling"
_STYLES = {
    "i": 'fontStyle="italic"',
    "b": 'fontWeight="bold"',
    "u": 'textDecoration="underline"',
}
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST_UNENDED = 5000
"""Milliseconds for which the last cue is shown, if nothing says when it ends."""
_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" \
xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" \
ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text" ttp:timeBase="media" \
xml:lang="{language}">
  <head>
    <styling>
      <style xml:id="default" tts:color="white" tts:fontFamily="proportionalSansSerif" \
tts:fontSize="100%" tts:textAlign="center"/>
    </styling>
    <layout>
      <region xml:id="bottom" tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="after"/>
      <region xml:id="top" tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="before"/>
    </layout>
  </head>
  <body style="default">
    <div>
"""


def parse(contents: Contents) -> Parsed:
    """Read the paragraphs of a document that have words.

    Raises:
        InputFileError: It is no XML, no TTML, has entities of its own, or no words.
    """
    root = _parsed(contents)
    document = _Document(contents.text, root)
    if not document.read():
        problem = "no paragraph with words and times"
        raise InputFileError(contents.name, problem)
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

    frames: Fraction
    """Per second, as they pass."""
    labelled: int
    """Frames that a second is counted in."""
    ticks: Fraction
    smpte: bool
    """Whether time codes count frames, and not seconds."""
    drops: bool = False
    """Whether numbers of frames are dropped, two every minute but each tenth."""

    @classmethod
    def of(cls, root: Any) -> _Clock:
        said = {str(etree.QName(name).localname): value for name, value in root.attrib.items()}
        labelled = _number(said.get("frameRate", ""), 30)
        over, under = (*re.split(r"[\s:]+", said.get("frameRateMultiplier", "").strip()), "1")[:2]
        frames = Fraction(labelled * _number(over, 1), _number(under, 1))
        ticks = _number(said.get("tickRate", ""), labelled if "frameRate" in said else 1)
        smpte, drops = said.get("timeBase") == "smpte", said.get("dropMode") == "dropNTSC"
        return cls(frames, labelled, Fraction(ticks), smpte, drops)

    def read(self, text: str) -> int | None:
        """Return a time in milliseconds; None of what is no time."""
        text = text.strip()
        if match := _CLOCK.fullmatch(text):
            whole = (int(match[1]) * 60 + int(match[2])) * 60 + int(match[3])
            frames = Fraction(int(match[5] or 0))
            if self.smpte:
                dropped = 2 * (whole // 60 - whole // 600) if self.drops else 0
                count = whole * self.labelled + frames - dropped
                return math.floor(count / self.frames * 1000)
            return math.floor((whole + Fraction(match[4] or 0) + frames / self.frames) * 1000)
        if match := _OFFSET.fullmatch(text):
            return math.floor(Fraction(match[1]) * self._unit(match[2]) * 1000)
        return None

    def _unit(self, name: str) -> Fraction:
        """A unit of time in seconds."""
        return {**_SECONDS, "f": 1 / self.frames, "t": 1 / self.ticks}[name]

    def written(self, milliseconds: int, like: str) -> str:
        """Return a time as another one is written; an attribute of its own where there was none."""
        if not like:
            return f' end="{self.written(milliseconds, "00:00:00.000")}"'
        time = Fraction(max(milliseconds, 0), 1000)
        if match := _OFFSET.fullmatch(like.strip()):
            count = time / self._unit(match[2])
            whole = match[2] in ("f", "t", "ms")
            return f"{round(count) if whole else f'{float(count):.3f}'}{match[2]}"
        if match := re.fullmatch(r"\s*\d+:\d+:\d+([:;]).*", like):
            seconds = math.floor(time)
            number = min(round((time - seconds) * self.frames), self.labelled - 1)
            if self.smpte:
                passed = round(time * self.frames)
                if self.drops:
                    passed += 18 * (passed // 17982) + 2 * max(0, (passed % 17982 - 2) // 1798)
                seconds, number = divmod(passed, self.labelled)
            return f"{_hours(seconds)}{match[1]}{number:02}"
        seconds, rest = divmod(max(milliseconds, 0), 1000)
        return f"{_hours(seconds)}.{rest:03}"


def _number(text: str, otherwise: int) -> int:
    return int(text) if re.fullmatch(r"[1-9]\d{0,9}", text.strip(), re.ASCII) else otherwise


def _hours(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


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
            Span(one.start, one.end, one.open, f"</{one.name}>" if one.name else "")
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


@dataclass
class _Document:
    """A document, read once from its beginning to its end."""

    text: str
    root: Any
    places: list[Place] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = _Clock.of(self.root)
        self._tokens = list(_TOKEN.finditer(self.text))
        starts = [
            at for at, token in enumerate(self._tokens) if token["name"] and not token["slash"]
        ]
        self._elements = list(self.root.iter(etree.Element))
        self._at = dict(zip(self._elements, starts, strict=True))
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
            line = self.text.count("\n", 0, self._tokens[self._at[element]].start()) + 1
            told = quoted(", ".join(f"{name}={value}" for name, value in values.items()))
            self.repairs.append(
                Unread(line, f"{UNREADABLE}: {told}; kept as it stands, untranslated")
            )

    def _is_cue(self, element: Any) -> bool:
        """Whether it is a paragraph, or a span of one that leaves all times to its spans."""
        if _local(element) == "p":
            own = any(element.get(name) is not None for name in _TIMES)
            return own or not any(map(_has_end, element))
        parent = element.getparent()
        return _local(parent) == "p" and not self._is_cue(parent) and _has_end(element)

    def _cue(self, element: Any, zero: int, begin: int, end: int | None) -> None:
        at = self._at[element]
        tag = self._tokens[at]
        if tag["empty"]:
            return
        payload, extent, stop = self._payload(element, at)
        if not plain_text(payload, "vtt").strip():
            return
        if _inherited(element, "fontStyle", self._ids) in ("italic", "oblique"):
            payload = f"<i.p>{payload}</i>"
        settings = TOP_SETTING if self._is_at_top(element) else ""
        line = self.text.count("\n", 0, tag.start()) + 1
        name = element.get(f"{_XML}id") or ""
        cue = Cue(begin, -1 if end is None else end, payload, name, settings, line)
        times = (self._time(tag, "begin", zero), self._end(tag, zero, begin))
        self.places.append(Place(cue, extent, (tag.start(), stop), times))

    def _time(self, tag: re.Match[str], name: str, zero: int) -> tuple[Extent, int]:
        match = _TIMES[name].search(self.text, tag.start(), tag.end())
        if match is None:
            at = tag.end() - 1
            return (at, at), zero
        return match.span(1 if match[1] is not None else 2), zero

    def _end(self, tag: re.Match[str], zero: int, begin: int) -> tuple[Extent, int]:
        if _TIMES["end"].search(tag[0]) is None and _TIMES["dur"].search(tag[0]):
            return self._time(tag, "dur", begin)
        return self._time(tag, "end", zero)

    def _payload(self, element: Any, at: int) -> tuple[str, Extent, int]:
        """The payload of an element, where it stands, and where the element ends."""
        parts, names, depth = list[str](), list[str](), 0
        begin = end = self._tokens[at].end()
        elements = element.iter(etree.Element)
        next(elements)
        preserved = _inherited(element, "space", self._ids) == "preserve"

        def add(text: str) -> None:
            parts.append(text if preserved else re.sub(r"[ \t\r\n]+", " ", text))

        def leads() -> bool:
            """Whether what has ended stands before all words."""
            return not (depth or names or "".join(parts).strip())

        for index in range(at + 1, len(self._tokens)):
            token = self._tokens[index]
            if not depth:
                add(_escaped(self.text[end : token.start()]))
            end = token.end()
            if token["cdata"] is not None and not depth:
                add(encoded(token["cdata"], "vtt"))
            if not token["name"]:
                continue
            if token["slash"]:
                if depth:
                    depth -= 1
                    begin = end if leads() else begin
                elif not names:
                    text = _joined(parts)
                    return text, (begin, max(begin, token.start())), end
                else:
                    name = names.pop()
                    parts.append(f"</{name}>" if name else "")
                continue
            child = next(elements)
            if depth or _local(child) not in ("span", "br"):
                depth += not token["empty"]
                begin = end if leads() else begin
            elif _local(child) == "br":
                parts.append("\n")
                names += [] if token["empty"] else [""]
            elif not token["empty"]:
                name = self._tag_name(child, names)
                parts.append(f"<{name}.s{len(self.tags)}>")
                names.append(name)
                self.tags.append(token[0])
        return _joined(parts), (begin, end), end

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
                cue = Cue(cue.start, end, cue.text, cue.identifier, cue.settings, cue.line)
                self.places[number] = Place(cue, place.text, place.whole, place.times)


def _has_end(element: Any) -> bool:
    """Whether it is a span that ends by itself; others come in one after the other, and stay."""
    ends = element.get("end") is not None or element.get("dur") is not None
    return _local(element) == "span" and ends


def _escaped(text: str) -> str:
    """XML text as WebVTT has it: only ``&amp;``, ``&lt;`` and ``&gt;`` as entities."""
    known = {"apos": "'", "quot": '"', "amp": "&amp;", "lt": "&lt;", "gt": "&gt;"}

    def character(entity: re.Match[str]) -> str:
        if entity[1] in known:
            return known[entity[1]]
        digits = entity[1][1:]
        code = int(digits[1:], 16) if digits[:1] in ("x", "X") else int(digits)
        return encoded(chr(code), "vtt")

    text = re.sub(r"&(#[xX][0-9a-fA-F]+|#[0-9]+|\w+);", character, text)
    return text.replace(">", "&gt;").replace("\u200e", "&lrm;").replace("\u200f", "&rlm;")


def _joined(parts: Sequence[str]) -> str:
    return re.sub(r"[ \t]*\n[ \t]*", "\n", "".join(parts)).strip(" \t\n")


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
    root = next((token for token in _TOKEN.finditer(text) if token["name"]), None)
    if root is None or language in ("", "und"):
        return
    said = _LANGUAGE.search(text, root.start(), root.end())
    if said is None:
        yield (root.end() - 1, root.end() - 1), f' xml:lang="{language}"'
        return
    old = said[1] if said[1] is not None else said[2]
    for token in _TOKEN.finditer(text):
        match = _LANGUAGE.search(text, token.start(), token.end()) if token["name"] else None
        if match and old in (match[1], match[2]):
            yield match.span(1 if match[1] is not None else 2), language


def _encoding(text: str, track: Track) -> Iterator[tuple[Extent, str]]:
    """Declare the encoding that is written."""
    declaration = _DECLARATION.match(text)
    said = _DECLARED.search(declaration[0]) if declaration else None
    if said is None:
        return
    try:
        same = codecs.lookup(said[1]) == codecs.lookup(track.encoding.name)
    except LookupError:
        same = False
    if not same:
        yield said.span(1), _declared(track)


def _declared(track: Track) -> str:
    return re.sub("-(SIG|LE|BE)$", "", track.encoding.name.upper().replace("_", "-"))


def _new(track: Track) -> str:
    """A document in the IMSC 1.1 text profile."""
    known = _Known(_Clock(Fraction(30), 30, Fraction(1), smpte=False), (), None)
    lines = [_HEAD.format(language=re.sub(r"[^\w-]", "", track.language))]
    for number, cue in enumerate(track.cues, 1):
        region = "top" if TOP_SETTING in cue.settings else "bottom"
        begin, end = (known.clock.written(time, "0:0:0.0") for time in (cue.start, cue.end))
        times = f'begin="{begin}" end="{end}"'
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
