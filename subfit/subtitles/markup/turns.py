"""Where the turns of a cue begin: at dashes, names, voices, colours, and the bounds of songs.

Broadcasters give every speaker a colour, and many files have a voice on the telephone in italics.
But markup may also stand around a part of a sentence, so that a line is another speaker's only
where a sentence ends before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import regex

from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.markup.tags import SPACE, Element
from subfit.text.non_speech import BIDI, LABEL, SPEAKER

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
    "Latin": regex.compile(r"\p{Latin}"),
    "Han": regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]"),
    **{
        name: regex.compile(rf"\p{{{name}}}")
        for name in ("Cyrillic", "Arabic", "Greek", "Hebrew", "Hangul", "Thai", "Devanagari")
    },
}
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
_ENDED = re.compile(r"[.?!…:;\"'“”»«)\]♪。？！]\s*\Z")


def turn_starts(text: str, elements: Sequence[Element], format: FormatName) -> list[int]:
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
    """Return the script that most letters of a text are of; empty if it has none."""
    counts = {name: len(letters.findall(text)) for name, letters in _SCRIPTS.items()}
    return max(counts, key=lambda name: counts[name]) if any(counts.values()) else ""


def _coloured(text: str, elements: Sequence[Element], lines: Sequence[int]) -> Iterator[int]:
    """Yield where lines begin of another colour, class or slant than those before them."""
    looks = [_look(text, elements, at) for at in lines]
    for at, look, before in zip(lines[1:], looks[1:], looks, strict=False):
        said = text[:at].rstrip(SPACE)
        ended = _SENTENCE_ENDED.search(said) and not _ABBREVIATED.search(said)
        if look != before and ended and not _SMALL.match(text, at):
            yield at


def _look(text: str, elements: Sequence[Element], start: int) -> set[str]:
    """The colours and slants around all that is seen of a line."""
    stop = (text.find("\n", start) + 1 or len(text) + 1) - 1
    over = [
        {_hue(element) for element in elements if element.start <= at < element.end}
        for at in range(start, stop)
        if text[at] not in SPACE
    ]
    return set.intersection(*over) - {""} if over else set()


def _hue(element: Element) -> str:
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


def _voices(text: str, elements: Sequence[Element]) -> list[int]:
    """Where voices of WebVTT begin, if there are several."""
    said = [
        element
        for element in elements
        if element.voice and text[element.start : element.end].strip(SPACE)
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
