"""Condensation: what of a source can be left unsaid for the rest to be said whole.

Subtitlers shorten by leaving out, not by breaking off. No length can make a translator say all of
a sentence in half its room, so where that is asked, words of the source that can be spared are left
out before it is translated. Which these are follows from lists of words and the order of words
alone (`subfit.condensing.spare`); which of many condensations reads best is the translator's to
say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from subfit.condensing.clauses import Token, clauses_of, tokens_of
from subfit.condensing.reading import Reading, SparePart
from subfit.condensing.set_off_words import set_off_parts, without
from subfit.condensing.spare import leaves_sentences, spare_parts
from subfit.condensing.words import word_classes

__all__ = ["Condensation", "condensations"]

MOST_PARTS = 4
"""Spare parts that are left out together."""
_KEPT = 48
"""Spare parts, and sets of them, that are tried further."""
LONGEST = 1.15
"""Multiple of the wished share; what is longer has lost too little."""
_SHORTEST = 0.45
"""Multiple of the wished share; what is shorter has lost too much."""

_OPENING = re.compile(r"^[\s,;:–—-]+(?=\w)")
_OPENED = re.compile(r"(?:^|\s)[\"'“‘„«(\[¿¡]+$")
_BEFORE_CLOSING = re.compile(r"\s*[,;:–—]+\s*(?=[.!?…])")
_AFTER_CLOSING = re.compile(r"(?<=[.!?…])\s+[,;:–—]+\s*")
_DOUBLED = re.compile(r"\s*,(?:\s*,)+")
_BEFORE_MARK = re.compile(r"\s+(?=[,;.!?…:)\]”»])")
_DOUBLE_STOP = re.compile(r"(?<=\w\.\w)\.\.(?!\.)")
_AFTER_OPENING = re.compile(r"(?<=[“„«(\[¿¡])\s+")
_SPACES = re.compile(r"\s+")
_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?…]\s))([\W\d_]*)([^\W\d_])")
_SOUNDS_AS_CONSONANT = re.compile(r"uni(?![nm])|use|usu|eu|one\b|once")
_SOUNDS_AS_VOWEL = re.compile(r"hour|honest|honou?r|heir|8|1[18]\b")
_ARTICLE = re.compile(r"\b([Aa])n?\s+(?=(\w+))")


@dataclass(frozen=True, slots=True)
class Condensation:
    """A text with some of it left out."""

    text: str
    cost: float
    """What is lost, in about the number of words that have a meaning of their own."""
    omitted: tuple[tuple[int, int], ...]
    """Where in the text, in characters, what is left out stands, in its order."""


def condensations(
    text: str, share: float, language: str, *, kept: Collection[str] = (), most: int = 12
) -> list[Condensation]:
    """Return what a text can be condensed to.

    Args:
        text: Sentences of one speaker, in one line.
        share: The length wished, as a share of the text's characters; some condensations are up to
            `LONGEST` times as long.
        language: Of the text.
        kept: What must not be left out, such as terms of a glossary.
        most: How many to return.

    Returns:
        Those that lose least first; none if nothing can be spared or the language is not known.
    """
    if share >= 1:
        return []
    tokens, words = tokens_of(text), word_classes(language)
    if words is None:
        return _without_set_off(text, tokens, share, language, kept)[:most]
    reading = Reading(tokens, clauses_of(text, tokens, language), words)
    spare = [
        part
        for part in spare_parts(reading)
        if not has_any(text, tokens[part.start].start, tokens[part.end - 1].end, kept)
    ]
    by_text: dict[str, Condensation] = {}
    for parts in sorted(_sets(text, tokens, spare[:_KEPT], share), key=_cost):
        if not leaves_sentences(reading, parts):
            continue
        condensed = _condensed(text, tokens, parts)
        if any(map(str.isalnum, condensed.text)):
            by_text.setdefault(condensed.text, condensed)
    return list(by_text.values())[:most]


def _without_set_off(
    text: str, tokens: Sequence[Token], share: float, language: str, kept: Collection[str]
) -> list[Condensation]:
    """What is left without fillers and whom somebody speaks to, where more cannot be told."""
    spare = [
        part
        for part in set_off_parts(text, tokens, language)
        if not has_any(text, tokens[part.start].start, tokens[part.end - 1].end, kept)
    ]
    by_text: dict[str, Condensation] = {}
    for parts in sorted(_sets(text, tokens, spare[:_KEPT], share), key=_cost):
        spans = tuple((tokens[part.start].start, tokens[part.end - 1].end) for part in parts)
        rest = without(text, spans)
        by_text.setdefault(rest, Condensation(rest, _cost(parts), spans))
    return list(by_text.values())


def has_any(text: str, start: int, end: int, kept: Collection[str]) -> bool:
    """Tell whether a part of a text has any of some words, or part of them.

    Args:
        text: The whole text.
        start: Where the part begins, in characters.
        end: Where it ends.
        kept: The words.
    """
    plain = _straight(text)
    patterns = (rf"(?<!\w){re.escape(_straight(words))}(?!\w)" for words in kept)
    matches = (
        match for pattern in patterns for match in re.finditer(pattern, plain, re.IGNORECASE)
    )
    return any(match.start() < end and start < match.end() for match in matches)


def _straight(text: str) -> str:
    return text.replace("\u2019", "'").replace("\u2018", "'")


Parts = tuple[SparePart, ...]


def _sets(
    text: str, tokens: Sequence[Token], spare: Sequence[SparePart], share: float
) -> list[Parts]:
    """Sets of parts that leave about the wished share, none with a part it can do without."""
    sizes = {part: tokens[part.end - 1].end - tokens[part.start].start + 1 for part in spare}
    enough = len(text) * (1 - share)
    almost = len(text) * (1 - share * LONGEST)
    too_much = len(text) * (1 - share * _SHORTEST)
    done: list[Parts] = []
    front: list[Parts] = [()]
    for _ in range(MOST_PARTS):
        grown: list[Parts] = []
        for parts in front:
            for part in spare:
                if parts and (part.start < parts[-1].end):
                    continue
                wider = (*parts, part)
                size = sum(sizes[part] for part in wider)
                if size > too_much:
                    continue
                if size >= almost:
                    done.append(wider)
                if size < enough:
                    grown.append(wider)
        front = sorted(grown, key=_cost)[: 4 * _KEPT]
    return done


def _cost(parts: Parts) -> float:
    return sum(part.cost for part in parts)


def _condensed(text: str, tokens: Sequence[Token], parts: Parts) -> Condensation:
    spans = [(tokens[part.start].start, tokens[part.end - 1].end) for part in parts]
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces.append(text[at:start])
        at = end
        if _OPENED.search(pieces[-1]):
            at += len(text[at:]) - len(text[at:].lstrip())
    rest = tidied("".join([*pieces, text[at:]]), text)
    return Condensation(rest, _cost(parts), tuple(spans))


def tidied(text: str, whole: str) -> str:
    """Return a text as it is written once something of the whole has been left out of it."""
    text = _SPACES.sub(" ", text).strip()
    text = _BEFORE_MARK.sub("", text)
    text = _AFTER_OPENING.sub("", text)
    text = _OPENING.sub("", text)
    text = _BEFORE_CLOSING.sub("", text)
    text = _AFTER_CLOSING.sub(" ", text)
    text = _DOUBLED.sub(",", text)
    text = _ARTICLE.sub(lambda match: _article(match, whole), text)
    text = _DOUBLE_STOP.sub(".", text)
    return _SENTENCE_START.sub(lambda match: _capital(match, whole), text)


def _capital(match: re.Match[str], whole: str) -> str:
    """The first letter of a sentence: a capital, unless it stood there before and was none."""
    before = match.string[: match.start(2)].split()[-1:]
    word = match.string[match.start(2) :].split(maxsplit=1)[0]
    if match[1][-1:].isdigit():
        return match[0]
    lowered = next((letter.islower() for letter in whole if letter.isalpha()), False)
    known = " ".join([*before, word]) in whole if before else lowered
    return match[0] if known else match[1] + match[2].upper()


def _article(match: re.Match[str], whole: str) -> str:
    """The article that stands before a word, where another word stood between them."""
    if re.search(rf"\b{match[0].strip()}\s+{re.escape(match[2])}\b", whole):
        return match[0]
    word = match[2].lower()
    an = (word[0] in "aeiou" and not _SOUNDS_AS_CONSONANT.match(word)) or _SOUNDS_AS_VOWEL.match(
        word
    )
    return f"{match[1]}{'n' if an else ''} "
