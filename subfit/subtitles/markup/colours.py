"""Speakers who are told apart by the colours of their lines, or by italics, instead of dashes.

Broadcasters give every speaker a colour, and many files have a voice on the telephone in italics.
But a line in italics may also be a part of a sentence, so that it is another speaker's only where
a sentence ends between.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import regex

from subfit.subtitles.markup.tags import SPACE, Element

Range = tuple[int, int]

_COLOUR = regex.compile(r"\bcolor\s*=\s*[\"']?([^\"'\s>]+)", regex.IGNORECASE)
_CLASS = regex.compile(r"<c(\.[^\s<>]+)", regex.IGNORECASE)
_ITALICS = {"i", "em", "italic", "\\i"}
_OPEN = regex.compile(r"[\p{L}\p{N},]$")
_ENDED = regex.compile(r"[.?!…。？！][\"'“”’»«)\]]*$")
_ABBREVIATED = regex.compile(
    r"\b(?:\p{Lu}|Mrs?|Ms|Dr|St|Prof|Sra?|Srta|Dra|Mme|Mlle|Hrn?|Fr"
    r"|[Ss]ig(?:\.(?:ra|na))?|[Dd]ott(?:\.ssa)?|[Aa]vv|[Ii]ng|[Dd]r|[Ss]ra?|[Ss]rta|[Pp]rof)\.$"
)
_SMALL = regex.compile(r"[^\p{L}\p{N}\n]*\p{Ll}")


def coloured_starts(text: str, elements: Sequence[Element], lines: Sequence[Range]) -> list[int]:
    """Return where lines begin that are another speaker's by their colour, class or voice.

    A sentence that visibly runs on from one line to the next is one speaker's.

    Args:
        text: What is seen of a cue.
        elements: Its markup.
        lines: Lines, one after another, that nothing else parts.
    """
    blocks: list[Range] = []
    for start, stop in lines:
        runs_on = _OPEN.search(text[:start].rstrip(SPACE)) and _SMALL.match(text, start)
        blocks.append((blocks.pop()[0] if blocks and runs_on else start, stop))
    own = [
        element for element in elements if not (element.voice and _is_within(text, element, blocks))
    ]
    return list(_changes(blocks, [_hues(text, own, *block) for block in blocks]))


def slanted_starts(text: str, elements: Sequence[Element], lines: Sequence[Range]) -> list[int]:
    """Return where lines begin that are another speaker's by italics, or by having none.

    There are none unless every line is wholly in italics or wholly without, and sentences end
    between the ones and the others.

    Args:
        text: What is seen of a cue.
        elements: Its markup.
        lines: Lines, one after another, that nothing else parts.
    """
    slants = [_slant(text, elements, *line) for line in lines]
    starts = list(_changes(lines, slants))
    return starts if None not in slants and all(_is_end(text, at) for at in starts) else []


def _changes(ranges: Sequence[Range], looks: Sequence[Hashable]) -> Iterator[int]:
    """Yield where ranges begin that look other than those before them."""
    for (start, _), look, before in zip(ranges[1:], looks[1:], looks, strict=False):
        if look != before:
            yield start


def _is_end(text: str, at: int) -> bool:
    """Whether a sentence ends before a place, as far as marks and capitals tell."""
    before = text[:at].rstrip(SPACE)
    ended = _ENDED.search(before) and not _ABBREVIATED.search(before)
    return bool(ended) and not _SMALL.match(text, at)


def _is_within(text: str, element: Element, ranges: Sequence[Range]) -> bool:
    """Whether markup begins in the midst of one of some ranges, after something that is seen."""
    return any(
        start < element.start < stop and text[start : element.start].strip(SPACE)
        for start, stop in ranges
    )


def _hues(text: str, elements: Sequence[Element], start: int, stop: int) -> frozenset[str]:
    """The colours, classes and voices of markup around all of a range."""
    hues = [(_hue(element), element) for element in elements]
    return frozenset(
        hue
        for hue in {hue for hue, _ in hues if hue}
        if _covered(text, [element for own, element in hues if own == hue], start, stop)
    )


def _hue(element: Element) -> str:
    """What of markup tells who speaks; empty if nothing does."""
    if element.voice:
        return element.open
    known = {"font": _COLOUR, "c": _CLASS}.get(element.name)
    match = known.search(element.open) if known else None
    return match[1].lower() if match else ""


def _slant(text: str, elements: Sequence[Element], start: int, stop: int) -> bool | None:
    """Whether a range is in italics; None if some of it is."""
    slanted = [element for element in elements if element.name in _ITALICS]
    if _covered(text, slanted, start, stop):
        return True
    inside = (text[max(element.start, start) : min(element.end, stop)] for element in slanted)
    return None if any(part.strip(SPACE) for part in inside) else False


def _covered(text: str, elements: Sequence[Element], start: int, stop: int) -> bool:
    """Whether all that is seen of a range is within markup."""
    return all(
        text[at] in SPACE or any(element.start <= at < element.end for element in elements)
        for at in range(start, stop)
    )
