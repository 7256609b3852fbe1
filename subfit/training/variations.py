"""Training pairs shown as subtitles would have them.

Nearly all training pairs are whole, well-formed sentences. Cues are often less: a clause of a
sentence that runs over several cues, a line without a full stop, one that trails off or stutters, a
word in capitals. Each variation here makes such a pair of a well-formed one, or None where it
cannot be sure to. They teach only what reaches a model: dashes, tags and music are taken off before
it, and cues in capitals are lower-cased (`subfit.subtitles.sentences.Sentence.spoken`).

Texts are as `subfit.model.tokenizer.normalize` leaves them; French has a space before ``; : ! ?``,
and Spanish opens questions and exclamations with ``¿`` and ``¡``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import regex

from subfit.subtitles.sentences import Part, Sentence
from subfit.training.sections import VariationName

Sides = tuple[str, str]
"""Source and target."""

NEAR = 0.12
"""Most difference between the places of a cut in source and target, as shares of their lengths."""

_FULL_STOP = regex.compile(r"(?<=\p{L}{2}|[\d%])\.\Z")  # not "p.m.", not "..."
_CUT = regex.compile(r"(?<=\w) ?([,;:]) (?=\S)")  # not "10:30", nor "3,5"
_ENCLOSING = regex.compile(r"[\"“”„«»()\[\]{}‹›]")
_TOKEN = regex.compile(r"[\w'’-]+")
_WORD = regex.compile(r"(?<![\w'’-])\p{L}+(?:['’-]\p{L}+)*(?![\w'’-])")
_NAME = regex.compile(r"(?<![\w'’-])\p{Lu}\p{Ll}{2,}(?![\w'’-])")
_NUMBER = regex.compile(r"(?<![\w'’-])\d{2,}(?![\w'’-])")
_FIRST = regex.compile(r"[¿¡]*(\p{Lu}\p{Ll}*)(?!\w)")


def unpunctuated(source: str, target: str, chooser: random.Random) -> Sides | None:
    """Take the final full stop off both sides."""
    if not (_FULL_STOP.search(source) and _FULL_STOP.search(target)):
        return None
    return source[:-1], target[:-1]


def fragment(source: str, target: str, chooser: random.Random) -> Sides | None:
    """Show one half of a pair that can be cut in two; it may lose its last mark."""
    halves = _halves(source, target)
    if halves is None:
        return None
    first, second = halves
    if chooser.random() < 0.5:
        return first if chooser.random() < 0.5 else (_unmarked(first[0]), _unmarked(first[1]))
    bare = unpunctuated(*second, chooser) if chooser.random() < 0.25 else None
    return bare or second


def ellipsis(source: str, target: str, chooser: random.Random) -> Sides | None:
    """Let a text or a first half trail off, or a second half go on from before."""
    dots = "…" if chooser.random() < 0.25 else "..."
    halves = _halves(source, target)
    if halves is not None and chooser.random() < 0.7:
        (before, after), (rest, continued) = halves
        if chooser.random() < 0.5:
            return dots + rest, dots + continued
        return _unmarked(before) + dots, _unmarked(after) + dots
    whole = unpunctuated(source, target, chooser)
    return whole and (whole[0] + dots, whole[1] + dots)


def emphasis(source: str, target: str, chooser: random.Random) -> Sides | None:
    """Put a word in capitals.

    A text of one word or a name that both have stand in capitals on both sides; another word does
    on the source side alone, since a model that has never seen it so copies it.
    """
    if len(_WORD.findall(source)) == 1:
        return None if source.isupper() else (source.upper(), target.upper())
    words = [word for word in _rare_words(source) if len(word) > 2]
    if not words:
        return None
    word = chooser.choice(words)
    loud = _replaced(source, word, word.upper())
    named = word in _shared(_NAME, source, target)
    return loud, _replaced(target, word, word.upper()) if named else target


def stutter(source: str, target: str, chooser: random.Random) -> Sides | None:
    """Say the first sound of both sides twice: "W-wait!", "I-I know"."""
    first, other = _FIRST.match(source), _FIRST.match(target)
    if first is None or other is None:
        return None
    word, at = first[1], first.start(1)
    if len(word) > 1 and word not in _shared(_NAME, source, target) and chooser.random() < 0.5:
        source = source[:at] + word.lower() + source[first.end() :]
    begun = source[:at] + word[0] + "-" + source[at:]
    return begun, target[: other.start(1)] + other[1][0] + "-" + target[other.start(1) :]


def shouted(source: str, target: str, chooser: random.Random) -> Sides | None:
    """Show the source as one in capitals reaches a model, with names in lower case."""
    loud = Sentence((Part(0, 0, source.upper()),))
    return (loud.spoken, target) if loud.shouted and loud.spoken != source else None


def renamed(source: str, target: str, chooser: random.Random) -> Sides | None:
    """Put another name or number for one that both sides have.

    The names are made up: any text with an unknown name in it can be translated by copying it.
    They begin with a consonant, so that articles stay right.
    """
    words = [*_shared(_NAME, source, target), *_shared(_NUMBER, source, target)]
    if not words:
        return None
    word = chooser.choice(words)
    other = _number(len(word), chooser) if word.isdecimal() else _name(chooser)
    return _replaced(source, word, other), _replaced(target, word, other)


Variation = Callable[[str, str, random.Random], Sides | None]

_ALL = (unpunctuated, fragment, ellipsis, emphasis, stutter, shouted, renamed)
VARIATIONS: Mapping[Any, Variation] = MappingProxyType({one.__name__: one for one in _ALL})
"""All of them by the names that ``data.variations`` has for them."""


def vary(
    source: str, target: str, shares: Mapping[VariationName, float], chooser: random.Random
) -> Sides | None:
    """Draw whether a pair is varied and how.

    Args:
        source: Normalised text.
        target: Its translation, likewise.
        shares: Probability of each variation by name, one or less together.
        chooser: Determines everything.

    Returns:
        The varied pair; None where none is drawn, or the one that is drawn does not apply.
    """
    drawn = chooser.random()
    for name, variation in VARIATIONS.items():
        drawn -= shares.get(name, 0.0)
        if drawn < 0:
            return variation(source, target, chooser)
    return None


def _halves(source: str, target: str) -> tuple[Sides, Sides] | None:
    """Cut both sides at the only comma, colon or semicolon inside them, if it is the same one."""
    places = list(_CUT.finditer(source)), list(_CUT.finditer(target))
    if not len(places[0]) == len(places[1]) == 1:
        return None
    one, other = places[0][0], places[1][0]
    apart = abs(one.end() / len(source) - other.end() / len(target))
    if apart > NEAR or one[1] != other[1] or _ENCLOSING.search(source + target):
        return None
    first = source[: one.end()].rstrip(), target[: other.end()].rstrip()
    second = source[one.end() :], target[other.end() :]
    if _told(first[0]) & _told(second[1]) or _told(second[0]) & _told(first[1]):
        return None  # the clauses stand in another order
    reopened = _reopened(first[1], second[1])
    return (first[0], reopened[0]), (second[0], reopened[1])


def _told(text: str) -> set[str]:
    """Names and numbers of a text."""
    return {*_NAME.findall(text), *_NUMBER.findall(text)}


def _reopened(first: str, second: str) -> Sides:
    """Move a Spanish opening mark to the half that has the closing one."""
    for opening, closing in ("¿?", "¡!"):
        if first.count(opening) > first.count(closing):
            before, _, after = first.rpartition(opening)
            first, second = before + after, opening + second
    return first, second


def _unmarked(text: str) -> str:
    """A first half without the mark it was cut at."""
    return text[:-1].rstrip()


def _shared(kind: regex.Pattern[str], source: str, target: str) -> list[str]:
    """Words of a kind that both sides have as often."""
    sources, targets = kind.findall(source), kind.findall(target)
    words = dict.fromkeys(sources)
    return [word for word in words if sources.count(word) == targets.count(word)]


def _rare_words(text: str) -> list[str]:
    """Words that a text has once, but those in capitals."""
    counts = Counter(_WORD.findall(text))
    return [word for word, count in counts.items() if count == 1 and not word.isupper()]


def _replaced(text: str, word: str, other: str) -> str:
    """A text with another word for one, wherever it stands by itself."""
    return str(_TOKEN.sub(lambda token: other if token[0] == word else token[0], text))


def _name(chooser: random.Random) -> str:
    """Make up a name of two or three syllables."""
    syllables = (
        chooser.choice("bdfgklmnprstv") + chooser.choice("aeiou")
        for _ in range(chooser.randint(2, 3))
    )
    return "".join([*syllables, chooser.choice(["", *"lnrs"])]).capitalize()


def _number(digits: int, chooser: random.Random) -> str:
    """Draw a number of so many digits."""
    return str(chooser.randint(10 ** (digits - 1), 10**digits - 1))
