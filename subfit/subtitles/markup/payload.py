"""Between a cue's payload and plain text: markup and dashes are lifted off, turns are found.

Turns begin at dashes, names, voices, colours, and the bounds of songs. Broadcasters give every
speaker a colour, and many files have a voice on the telephone in italics. But markup may also stand
around a part of a sentence, so that a line is another speaker's only where a sentence ends before.
`subfit.subtitles.markup.restore` puts all back around other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import regex

from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.markup import CueKind, CueText, Span, Turn
from subfit.subtitles.markup.tags import SPACE, lift_tags
from subfit.text.non_speech import BIDI, LABEL, SPEAKER, is_unsaid

DASHES = "-‐‑‒–—―−"
"""What may stand for a dialogue dash."""
NOTES = "♪♫♬♩"
_ANY_DASH = re.escape(DASHES)
# Not "--Wait", not "-5 degrees", not an arrow; Arabic and Hebrew files put bidi marks in front.
_DASH = re.compile(rf"[{BIDI}]*[{_ANY_DASH}](?![{_ANY_DASH}>=\d])[^\S\n]*")
# "- Hi. - Hello." in one line: the second dash begins a sentence.
_INNER_DASH = regex.compile(
    rf"(?<=[.?!…][\"'“”’»«)\]]?)(?:[ \xa0]+|(?<!\p{{Lu}}\.))"
    rf"(?=[{_ANY_DASH}](?!\d)[ \xa0]?[\"“«¿¡(\[]*(?!\p{{Ll}})\w)"
)
_SCRIPTS = {
    code: regex.compile(rf"\p{{{code}}}")
    for code in ("Latn", "Cyrl", "Arab", "Grek", "Hebr", "Hang", "Thai", "Deva")
} | {"Hani": regex.compile(r"[\p{Hani}\p{Hiragana}\p{Katakana}]")}
# Beyond this a text is no cue of speakers, and must only not take minutes.
_TOO_LONG = 5000
_SPOKEN = r"\s*[\"'“‘„«¿¡….]*\w"
_NAMED = regex.compile(rf"(?:{SPEAKER}|{LABEL}){_SPOKEN}")
_TITLE = (
    r"\b(?:CAPT|COL|DR|M|GEN|LT|MR|MRS|MS|PROF|REV|SEN|SGT|ST"  # and of other languages
    r"|HR|FR|SR|SRA|SRTA|DRA|MME|MLLE|MGR|SIG|DOTT|AVV|ING)\."
)
_INNER_NAME = regex.compile(rf"(?<=[.?!…\"“”»«)\]])(?<!{_TITLE}) (?={SPEAKER}{_SPOKEN})")
_ITEM = regex.compile(
    r"[^\S\n]*(?:(?:[•◦▪·*/©~]|-=|\d{1,2}[.)]|\p{Ll}\)|\p{Lu}[\p{L} ]{0,20}(?: \d{1,2})?:)"
    r"[^\S\n]*\S|\p{Lu}[^\n]*(?:\d|:)\s*(?:\n|$))"
)
"""A line of a list, a form, a bill or of credits: how it begins, or that it ends in a figure."""
_CARD = regex.compile(
    r"(?:\p{Lu}\p{Ll}*(?: (?:\p{Lu}\p{Ll}*|\d+)){0,2}|\p{Lu}[\p{Lu} ]* \d+"
    r"|\p{Lu}\p{Ll}+(?:ed|en) by)"
    r"(?:\n(?!I(?:['’]|\b))[\p{Lu}\d][^\n]*)+"
)
"""Short lines that say two things or more: a heading or a first item, and what stands below it."""
_ONE_LINE = 37
"""Characters that need no second line: who breaks fewer means something by it."""
_HUE = regex.compile(
    r"<font\b[^>]*\bcolor\s*=\s*[\"']?([^\"'\s>]+)"
    r"|<c(\.[^\s<>]+)|<v\b([^>]*)|(?:<(?:i|em|italic)\b|\{\\i1)",
    regex.IGNORECASE,
)
_RESIZED = re.compile(r"\\(?:fs\d|fn[^\\}]|r\w)")
_SENTENCE_ENDED = regex.compile(r"[.?!…。？！][\"'“”’»«)\]]*$")
_ABBREVIATED = regex.compile(
    r"\b(?:\p{Lu}|Mrs?|Ms|Dr|St|Prof|Sra?|Srta|Dra|Mme|Mlle|Hrn?|Fr"
    r"|[Ss]ig(?:\.(?:ra|na))?|[Dd]ott(?:\.ssa)?|[Aa]vv|[Ii]ng|[Dd]r|[Ss]ra?|[Ss]rta|[Pp]rof)\.$"
)
_SMALL = regex.compile(r"[^\p{L}\p{N}\n]*\p{Ll}")
_ENDED = re.compile(r"[.?!…:;\"'“”»«)\]♪。？！–—-]\s*\Z")


def turn_starts(text: str, elements: Sequence[Span], format: FormatName) -> list[int]:
    """Return where the turns of a cue begin.

    Args:
        text: What is seen of it, in its lines.
        elements: Its markup.
        format: Only subtitles have turns.
    """
    if not FORMATS[format].timed or len(text) > _TOO_LONG:
        return [0]
    lines = [match.start() for match in re.finditer(r"(?<![^\n])[^\n]*\S", text)]
    dashed = _dashed_starts(text, lines)
    named = [at for at in lines if _is_named(text, at)]
    named += [match.end() for match in _INNER_NAME.finditer(text)]
    scripts = [script_of(text[at:].split("\n")[0]) for at in lines]
    named += [
        at
        for at, before, own in zip(lines[1:], scripts, scripts[1:], strict=False)
        if before and own and before != own
    ]
    named += [  # a sign, with a heading in letters of another size
        at
        for at in lines[1:]
        if any(element.start == at and _RESIZED.search(element.open) for element in elements)
    ]
    starts = {*dashed, *named, *_song_bounds(text, lines), *_voices(text, elements)}
    starts |= {*_items(text, lines), *(() if dashed else _coloured(text, elements, lines))}
    return _with_text(text, starts)


def script_of(text: str) -> str:
    """Return the script (ISO 15924) that most letters of a text are of; empty if it has none."""
    counts = {name: len(letters.findall(text)) for name, letters in _SCRIPTS.items()}
    return max(counts, key=lambda name: counts[name]) if any(counts.values()) else ""


def _coloured(text: str, elements: Sequence[Span], lines: Sequence[int]) -> Iterator[int]:
    """Yield where lines begin of another colour, class or slant than those before them."""
    looks = [_look(text, elements, at) for at in lines]
    for at, look, before in zip(lines[1:], looks[1:], looks, strict=False):
        said = text[:at].rstrip(SPACE)
        ended = _SENTENCE_ENDED.search(said) and not _ABBREVIATED.search(said)
        if look != before and ended and not _SMALL.match(text, at):
            yield at


def _look(text: str, elements: Sequence[Span], start: int) -> set[str]:
    """The colours and slants around all that is seen of a line."""
    stop = (text.find("\n", start) + 1 or len(text) + 1) - 1
    over = [
        {_hue(element) for element in elements if element.start <= at < element.end}
        for at in range(start, stop)
        if text[at] not in SPACE
    ]
    return set.intersection(*over) - {""} if over else set()


def _hue(element: Span) -> str:
    match = _HUE.match(element.open)
    return next((hue.lower() for hue in match.groups() if hue), "italic") if match else ""


def _with_text(text: str, places: Iterable[int]) -> list[int]:
    """Return places and the beginning, in order, but for those that have no text behind them."""
    ordered = sorted({0, *places})
    stops = [*ordered[1:], len(text)]
    kept = [at for at, stop in zip(ordered, stops, strict=True) if text[at:stop].strip(SPACE)]
    return [0, *kept[1:]]


def _dashed_starts(text: str, lines: Sequence[int]) -> set[int]:
    """Where dialogue dashes begin turns: at the beginning of lines, and within them."""
    dashed = {
        at for at in lines if dash_at(text, stripped_range(text, at, len(text))[0], len(text))
    }
    inner = {match.end() for match in _INNER_DASH.finditer(text)}
    begun = len(dashed) > 1 or (dashed and _ENDED.search(text[: min(dashed)]))
    if begun or dashed == {*lines[:1]} or len(inner) > 1:  # one alone may be a pause
        return dashed | inner
    return set()


def _items(text: str, lines: Sequence[int]) -> Sequence[int]:
    """The lines of a list or a form, each of which begins as the others do."""
    alike = all(_ITEM.match(text, at) for at in lines)
    alike = alike or (len(text) <= _ONE_LINE and _CARD.fullmatch(text.strip()) is not None)
    return lines if len(lines) > 1 and alike else ()


def _voices(text: str, elements: Sequence[Span]) -> list[int]:
    """Where voices of WebVTT begin, if there are several."""
    said = [
        element
        for element in elements
        if element.name == "v" and text[element.start : element.end].strip(SPACE)
    ]
    return [_before_dash(text, voice.start) for voice in said] if len(said) > 1 else []


def _is_named(text: str, at: int) -> bool:
    """Whether a line names another speaker than the text before it, which has ended."""
    begin, _ = stripped_range(text, at, len(text))
    return bool(_NAMED.match(text, begin)) and bool(
        text.startswith(">>", begin) or _ENDED.search(text[:begin])
    )


def _song_bounds(text: str, lines: Sequence[int]) -> Iterator[int]:
    """Yield where lines between notes begin, and others after them, if a cue has both."""
    before: bool | None = None
    for at in lines:
        line = text[at:].split("\n")[0].strip(SPACE + DASHES)
        sung = len(line) > 2 and line[0] in NOTES and line[-1] in NOTES
        if before is not None and sung != before:
            yield at
        before = sung


def _before_dash(text: str, at: int) -> int:
    """Where a line begins if there is nothing but a dash before a place in it, else the place."""
    line = text.rfind("\n", 0, at) + 1
    return line if text[line:at].strip(SPACE) and not text[line:at].strip(SPACE + DASHES) else at


def dash_at(text: str, at: int, stop: int) -> str:
    """Return the dialogue dash at a place, with what follows it; nothing if there is none."""
    match = _DASH.match(text, at, stop)
    if match is None or not text[match.end() : stop].split("\n")[0].strip(SPACE):
        return ""
    return match[0]


def stripped_range(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return the range without white space at its ends."""
    part = text[start:stop]
    stripped = len(part.lstrip(SPACE))
    begin = stop - stripped
    return begin, begin + len(part.strip(SPACE))


OVERRIDES = re.compile(r"(?:\s*\{\\[^{}]*\})*")
"""Overrides of ASS that stand before a text, as SubRip files have them too."""
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
    lead = OVERRIDES.match(text)
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


def _peel(elements: Sequence[Span], begin: int, end: int) -> tuple[str, str, tuple[Span, ...]]:
    """Take the outermost elements that span all of a range off the front of a list."""
    around: list[Span] = []
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


def _is_behind(element: Span, end: int) -> bool:
    """Whether it stands behind all words, and is no reading, which belongs to the last of them."""
    return not element.name and element.start >= end and not element.open.startswith("<rt")


def _turn(text: str, elements: Sequence[Span], start: int, stop: int, *, peel: bool) -> Turn:
    begin, end = stripped_range(text, start, stop)
    clipped = _clip(text, elements, start, stop)
    prefix, suffix, inner = _peel(clipped, begin, end) if peel else ("", "", clipped)
    dash = dash_at(text, begin, end)
    words, places = _collapse(text, begin + len(dash), end)

    def place(at: int) -> int:
        return places[min(max(at - begin - len(dash), 0), len(places) - 1)]

    spans = (replace(one, start=place(one.start), end=place(one.end)) for one in inner)
    kept = tuple(span for span in spans if span.start < span.end or not span.name)
    return Turn(words, kept, dash, prefix, suffix)


def _clip(text: str, elements: Sequence[Span], start: int, stop: int) -> tuple[Span, ...]:
    """Return the parts of elements that lie in a turn; one that spans two turns is in both."""
    clipped: list[Span] = []
    for element in elements:
        begin, end = max(element.start, start), min(element.end, stop)
        if not element.name:
            if start <= element.start < stop or element.start == stop == len(text):
                clipped.append(element)
        elif _SEEN.search(text, begin, max(begin, end)):
            clipped.append(replace(element, start=begin, end=end))
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
