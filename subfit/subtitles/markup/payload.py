"""Between a cue's payload and plain text, both ways.

``parse_cue_text`` lifts markup and dialogue dashes off a payload, ``render_cue_text`` puts them
back around other words. For unchanged words the second undoes the first, white space aside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.markup import CueKind, CueText, Span, Turn
from subfit.subtitles.markup.tags import SPACE, Element, lift_tags
from subfit.subtitles.markup.turns import DASHES, NOTES, dash_at, stripped_range, turn_starts
from subfit.text.non_speech import is_unsaid

_ANY_DASH = re.escape(DASHES)
_OVERRIDES = re.compile(r"(?:\s*\{\\[^{}]*\})*")
_WRAPPED_LINE = re.compile(r"\s*(<([A-Za-z]+)[^<>/]*>)(.*)(</\2>)\s*")
_SEEN = re.compile(f"[^{SPACE}]")
_ONLY_NOTES = re.compile(rf"[*~\s{_ANY_DASH}]*[{NOTES}#][{NOTES}#*~\s{_ANY_DASH}]*")
_DATA = re.compile(
    r"[^\n\"'<>]*[^\s\"'<>]\.(?:jpe?g|png|webp|gif|avif)(?:[?#]\S*)?|\S+#xywh=\S+"
    r"|\{\s*(?:\"[^\"]*\"\s*:.*)?\}|\[\s*[\[{\"].*\]",
    re.DOTALL,
)
"""Pictures of thumbnail tracks, and objects of metadata tracks."""
IS_DATA = "an address or data for a program, no speech; kept as it stands"
_LABEL = (
    r"(?:\[[^\[\]]*\]|\{[^{}]*\}|<\w[^<>]*>|\*[^\s*.!?]+(?:\s[^\s*.!?]+){0,3}\*"
    r"|\([^()]*\)|（[^（）]*）|【[^【】]*】|［[^［］]*］)"
)
_BETWEEN = rf"[\s{_ANY_DASH}{NOTES}.,;!…]*"
_ONLY_LABELS = re.compile(rf"(?:{_BETWEEN}{_LABEL})+{_BETWEEN}")


def plain_text(payload: str, format: FormatName) -> str:
    """Return a payload as it is seen on screen, lines kept: for counting characters."""
    return lift_tags(payload, format)[0]


def seen_lines(plain: str) -> str:
    """Return plain text as its characters are counted: spaces at the ends of lines are not seen."""
    return "\n".join(line.strip() for line in plain.strip().split("\n"))


def kind_of(text: str) -> CueKind:
    """Return what plain text is: speech, music, sound labels, no words, or nothing."""
    text = text.strip()
    if not text:
        return "empty"
    if _ONLY_NOTES.fullmatch(text) or _is_sung(text):
        return "music"
    if _DATA.fullmatch(text):
        return "data"
    if is_unsaid(text):
        return "unsaid"
    return "sound" if _ONLY_LABELS.fullmatch(text) else "speech"


def parse_cue_text(text: str, format: FormatName) -> CueText:
    """Take a payload apart into the turns of its speakers and the markup around them.

    Args:
        text: The payload as the file has it.
        format: The format of the file, which decides what is markup.
    """
    text, line_open, line_close = unwrap_lines(text, format)
    plain, elements = lift_tags(text, format)
    if not plain.strip():
        return CueText((), prefix=" ".join(text.split()), kind="empty")
    begin, end = stripped_range(plain, 0, len(plain))
    prefix, suffix, inner = _peel(elements, begin, end)
    starts = turn_starts(plain, elements, format)
    stops = [*starts[1:], len(plain)]
    turns = tuple(
        _turn(plain, inner, start, stop, peel=len(starts) > 1)
        for start, stop in zip(starts, stops, strict=True)
    )
    return CueText(turns, prefix, suffix, kind_of(plain), line_open, line_close)


def unwrap_lines(text: str, format: FormatName) -> tuple[str, str, str]:
    """Take off a tag that stands around every single line, as some rips have it.

    Returns:
        The payload without it, its opening and its closing tag; the tags are empty where there is
        no such tag.
    """
    lead = _OVERRIDES.match(text)
    markup = FORMATS[format].markup
    head = lead[0] if lead and markup == "srt" else ""
    lines = [_WRAPPED_LINE.fullmatch(line) for line in text[len(head) :].split("\n")]
    if markup not in ("srt", "vtt") or len(lines) < 2 or (first := lines[0]) is None:
        return text, "", ""
    again = re.compile(rf"</?{first[2]}\b", re.IGNORECASE)
    if first[2].lower() == "ruby":  # whose readings have a meaning only within it
        return text, "", ""
    inner = [
        line[3] for line in lines if line and line[1] == first[1] and not again.search(line[3])
    ]
    if len(inner) < len(lines):
        return text, "", ""
    return head + "\n".join(inner), first[1], first[4]


def _is_sung(text: str) -> bool:
    lines = [line.strip(SPACE + DASHES) for line in text.split("\n") if line.strip()]
    if all(line[:1] in NOTES for line in lines if line):
        return any(lines)
    joined = " ".join(lines)
    if re.fullmatch(r"#\s.*\s#|#[^#\d].*#", joined):  # BBC
        return True
    notes = sum(joined.count(note) for note in NOTES)
    first, last = joined[:1] in NOTES, joined[-1:] in NOTES
    return (first and last) or (notes == 1 and (first or last))


def _peel(
    elements: Sequence[Element], begin: int, end: int
) -> tuple[str, str, tuple[Element, ...]]:
    """Take the outermost elements that span all of a range off the front of a list."""
    around: list[Element] = []
    for element in elements:
        outside = element.start <= begin and (element.end >= end or not element.name)
        if not outside or element.name == "ruby":
            break
        around.append(element)
    prefix = "".join(element.open for element in around)
    suffix = "".join(element.close for element in reversed(around))
    rest, behind = list(elements[len(around) :]), list[str]()
    while suffix and rest and _is_behind(rest[-1], end):
        behind.append(rest.pop().open)
    return prefix, suffix + "".join(behind), tuple(rest)


def _is_behind(element: Element, end: int) -> bool:
    """Whether it stands behind all words, and is no reading, which belongs to the last of them."""
    return not element.name and element.start >= end and not element.open.startswith("<rt")


def _turn(text: str, elements: Sequence[Element], start: int, stop: int, *, peel: bool) -> Turn:
    begin, end = stripped_range(text, start, stop)
    clipped = _clip(text, elements, start, stop)
    prefix, suffix, inner = _peel(clipped, begin, end) if peel else ("", "", clipped)
    dash = dash_at(text, begin, end)
    words, places = _collapse(text, begin + len(dash), end)

    def place(at: int) -> int:
        return places[min(max(at - begin - len(dash), 0), len(places) - 1)]

    spans = (Span(place(e.start), place(e.end), e.open, e.close) for e in inner)
    kept = tuple(
        span
        for span, element in zip(spans, inner, strict=True)
        if span.start < span.end or not element.name
    )
    return Turn(words, kept, dash, prefix, suffix)


def _clip(text: str, elements: Sequence[Element], start: int, stop: int) -> tuple[Element, ...]:
    """Return the parts of elements that lie in a turn; one that spans two turns is in both."""
    clipped: list[Element] = []
    for element in elements:
        begin, end = max(element.start, start), min(element.end, stop)
        if not element.name:
            if start <= element.start < stop or element.start == stop == len(text):
                clipped.append(element)
        elif _SEEN.search(text, begin, max(begin, end)):
            clipped.append(Element(begin, end, element.open, element.close, element.name))
    return tuple(clipped)


def _collapse(text: str, start: int, stop: int) -> tuple[str, list[int]]:
    """Collapse white space; also say where each position of ``text[start:stop]`` went."""
    words: list[str] = []
    places: list[int] = []
    for char in text[start:stop]:
        places.append(len(words))
        if char not in SPACE:
            words.append(char)
        elif words and words[-1] != " ":
            words.append(" ")
    return "".join(words), [*places, len(words)]
