"""The same in fewer characters: short wordings that stand for long ones, and what can be left out.

``plainer.yaml`` has long wordings and short ones by language. They hold in any context, so that
neither a source nor a model is needed.

What commas set off may go as well: fillers ("Na ja,", "you know,", "Bueno, pues,"), adverbs that
are about the whole sentence ("Actually,", "enfin,") and whom somebody speaks to ("…, señora Ruiz.",
"Captain, …"), at the beginning and at the end of a sentence; a sentence that is nothing else goes
as a whole. Which words these are says ``set_off.yaml``.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import regex

from subfit.text.formality import formality_of, imperative_of, is_vocative
from subfit.text.languages import closest_language, same_language
from subfit.text.linebreak_lists import packaged, word_lists
from subfit.text.sentence_ends import sentences_in

_SAME, _SPARE = 0.1, 0.2
"""What a shorter wording costs, and leaving out a word that colours; the least goes first."""
_MOST_SEEN = 400
"""Texts on the way that are looked at."""
_PARTS = {
    "{nous}": r"(?<!\bnous\b[^.!?]*)(?<![-'’])"
    r"(?<!\b(?:nous|avec|chez|pour|sans|sur|entre|à|de|et|ou) )\bnous",
    "{only}": r"\b(?!-)(?![^.!?]*\b(?:nous|\w+ons|sommes)\b)",
    "{once}": r"(?![^.!?]*(?:,| et| ou| ni| mais| puis| que| pas| plutôt)\W[^.!?]*\bd(?:es?|u)?\b)",
    "{alone}": r"\b(?![^.!?]* (?:y|e|o|et|ou|puis) (?:\w{1,3} )?"
    r"\w+(?:[aei]r|re)(?:l[aeo]s?|se)?\b)",
}
_BEGINS_WITH_WORD = regex.compile(r"\w|\((?:\?:|\?-i:)?[\w\[(]")
_ENDS_IN_WORD = regex.compile(r"(?:\w|\((?!\?[=!<])[^()]*\)\??)$")
"""A wording whose last part is no look-around, and no mark."""
_NOT_BEFORE = regex.compile(r"(?:\(\?[!=](?:[^()]|\([^()]*\))*\))*$")
"""What must, or must not, stand behind a wording."""
_OPENS = regex.compile(r"(?:^|[.!?…:])\W*$")
"""What a sentence begins behind."""
_BREAKS = regex.compile(r"\s+([.,;:!?…])")


@dataclass(frozen=True, slots=True)
class _Rule:
    """A long wording and what stands for it."""

    long: regex.Pattern[str]
    short: str
    cost: float


def plainer(text: str, language: str, fits: Callable[[str], bool], most: int = 8) -> list[str]:
    """Say a text in fewer characters by wordings that say the same.

    Args:
        text: What one speaker says, in one line.
        language: Tag of its language.
        fits: Whether a text is short enough.
        most: How many to return.

    Returns:
        Those that fit, the least changed first; where there are none, the shortest of those that do
        not, if there are any.
    """
    queue, seen, found = [(0.0, text)], {text}, list[str]()
    while queue and len(found) < most and len(seen) < _MOST_SEEN:
        cost, own = heapq.heappop(queue)
        if fits(own):
            found.append(own)
            continue
        for more, other in _steps(own, language, text):
            if other not in seen and len(other) < len(own):
                seen.add(other)
                heapq.heappush(queue, (cost + more, other))
    shortest = min(seen, key=lambda own: (len(own), own))
    return found or [shortest] * (len(seen) > 1)


def _steps(text: str, language: str, first: str) -> Iterator[tuple[float, str]]:
    """What one change makes of a text, with its cost."""
    yield from condensed(text, language, first)
    for rule in _rules(language):
        for match in rule.long.finditer(text):
            short = match.expand(rule.short)
            if match[0].isupper() and len(match[0].strip()) > 1:  # THANK YOU VERY MUCH
                short = short.upper()
            end = text[match.end() :]
            if match[0].lstrip()[:1].isupper() and _OPENS.search(text[: match.start()]):
                short, end = (capital(short), end) if short.strip() else ("", capital(end))
            if short.endswith("."):  # of an abbreviation
                end = end.removeprefix(".")
            made = text[: match.start()] + short + end
            # French has a space before some marks
            made = _BREAKS.sub(lambda own: own[own[0] not in text], made).strip()
            for apart, joint in _table(language).get("joins", {}).items():
                made = regex.sub(apart, joint, made)
            yield rule.cost, made


def small_words(text: str, language: str) -> list[str]:
    """Return the small words of a text that are missed where they are gone ("more", "only")."""
    table = _table(language)
    kept = rf"\b(?:{table['kept']})\b" if table else r"(?!)"
    return sorted(regex.findall(kept, text.casefold()))


@cache
def _table(language: str) -> dict[str, Any]:
    """A language's part of ``plainer.yaml``; empty where it has none."""
    tables = packaged("subfit.fitting", "plainer.yaml")
    known = closest_language(language, tables)
    return dict(tables[known]) if known is not None else {}


@cache
def _rules(language: str) -> tuple[_Rule, ...]:
    table = _table(language)
    rows = [(long, short, _SAME) for long, short in table.get("same", {}).items()]
    rows += [(long, "", _SPARE) for long in table.get("spare", ())]
    return tuple(_Rule(_compiled(long), short, cost) for long, short, cost in rows)


def _compiled(long: str) -> regex.Pattern[str]:
    """A wording as whole words."""
    for name, stands in _PARTS.items():
        long = long.replace(name, stands)
    at = _NOT_BEFORE.search(long).start()
    opening = r"\b" if _BEGINS_WITH_WORD.match(long) else ""
    closing = r"\b" if _ENDS_IN_WORD.search(long[:at]) else ""
    return regex.compile(f"{opening}{long[:at]}{closing}{long[at:]}", regex.I)


_FILLER, _ADDRESS = 0.1, 0.35
"""What leaving a filler, and whom somebody speaks to, costs: the least goes first."""
_MOST_NAMES = 2
_MARKS = " ,;:.!?¿¡…–—-\"'“”„«»"
_SEGMENT = re.compile(r"\s*[,;]\s+|\s+(?:–|—|--)\s+")
_ASKED = re.compile(r"\?\W*$")
_FIRST = re.compile(r"^\W*[^\W\d_]")
_CLOSING = re.compile(r"\s*[.!?…]+[\"'”’»)\]]*$")


@dataclass(frozen=True, slots=True)
class _Lists:
    """The words of a language; see ``set_off.yaml``."""

    opening: frozenset[str] = frozenset()
    closing: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    spare: frozenset[str] = frozenset()


_Part = tuple[int, int, float]
"""Where something begins and ends that can be left out, with the comma on its inner side; and what
that costs."""


def condensed(text: str, language: str, first: str = "") -> Iterator[tuple[float, str]]:
    """Yield a text without each thing that can be left out of it.

    Args:
        text: Sentences of one speaker, in one line.
        language: Tag of the text's language.
        first: What the text was made from: nothing is left out that is not there too.

    Yields:
        What is lost, less is better, and the text; nothing if the language has no lists.
    """
    lists = _lists(language)
    for start, end, cost in [] if lists is None else _parts(text, lists, language):
        rest = _without(text, start, end)
        stood = text[start:end].strip(_MARKS).casefold() in (first or text).casefold()
        if stood and any(map(str.isalnum, rest)):
            yield cost, rest


@cache
def spare_words(language: str) -> frozenset[str]:
    """Return single words that say little by themselves, beside function words."""
    lists = _lists(language)
    if lists is None:
        return frozenset()
    words = lists.opening | lists.closing | lists.spare
    return frozenset(word for word in words if " " not in word)


def knows_condensing(language: str) -> bool:
    """Tell whether a language has lists of what can be left out."""
    return _lists(language) is not None


def _parts(text: str, lists: _Lists, language: str) -> Iterator[_Part]:
    """What can be left out of every sentence of a text, in its order."""
    sentences, at = list[tuple[int, int]](), 0
    for sentence in sentences_in(text, language):
        at = text.index(sentence, at)
        sentences.append((at, at + len(sentence)))
        at += len(sentence)
    empty = [_is_empty(text[start:end], lists, language) for start, end in sentences]
    for (start, end), says_nothing in zip(sentences, empty, strict=True):
        if not says_nothing:
            yield from _at_edges(text, start, end, lists, language)
        elif not all(empty):
            yield start, end, _FILLER


def _at_edges(text: str, start: int, end: int, lists: _Lists, language: str) -> Iterator[_Part]:
    """Fillers and names at both ends of a sentence, one after the other from outside."""
    sentence = text[start:end]
    commas = list(_SEGMENT.finditer(sentence))
    edges = [0, *chain.from_iterable(comma.span() for comma in commas), len(sentence)]
    segments = list(zip(edges[::2], edges[1::2], strict=True))
    first = 0
    for number, (a, b) in enumerate(segments[:-1]):
        cost = _cost(sentence, a, b, lists.opening, lists, language)
        if cost is None or commas[number][0].strip() in ("–", "—", "--"):
            break
        behind = sentence[segments[number + 1][0] :].lower().split()
        if cost == _FILLER and behind and behind[0].strip(_MARKS) in lists.asking:
            break  # "Hör mal, wie das klingt"
        yield start + a, start + commas[number].end(), cost
        first = number + 1
    closing = _CLOSING.search(sentence)
    stop = len(sentence) if closing is None else closing.start()
    for number in range(len(segments) - 1, first, -1):
        a, b = segments[number][0], min(segments[number][1], stop)
        cost = _cost(sentence, a, b, lists.closing, lists, language)
        if cost is None or commas[number - 1][0].strip() in ("–", "—", "--"):
            break
        called = cost == _ADDRESS or _calls(sentence[a:b], lists, language)
        if called and _names_whom(sentence[slice(*segments[number - 1])], lists, language):
            break
        yield start + commas[number - 1].start(), start + b, cost


def _names_whom(before: str, lists: _Lists, language: str) -> bool:
    """Whether what stands before a comma ends in somebody, of whom a name behind it may tell more:
    "I lost my wife, my son", "I saw John, my brother"."""
    first, last = ["", *before.strip(_MARKS).split()][-2:]
    if _calls(last, lists, language):
        return True
    own = word_lists(language)
    named = last[:1].isupper() and last != "I" and not same_language(language, "de")
    return bool(first) and (named or first.lower() in own.articles | own.determiners)


def _calls(words: str, lists: _Lists, language: str) -> bool:
    """Whether words are what somebody is called."""
    words = words.strip(_MARKS)
    return is_vocative(words, language) or _is_called(_plain(words), lists)


def _cost(
    sentence: str, a: int, b: int, fillers: frozenset[str], lists: _Lists, language: str
) -> float | None:
    """What leaving a segment out costs; None if it must stay."""
    words = sentence[a:b].strip(_MARKS)
    plain = _plain(words)
    if plain in fillers:
        return _FILLER
    if _calls(words, lists, language):
        return _ADDRESS
    rest = sentence[:a] + sentence[b:]
    english = same_language(language, "en")
    spoken_to = (
        english or formality_of(rest, language) or imperative_of(rest.strip(_MARKS), language)
    )
    return _ADDRESS if spoken_to and _is_name(words, rest, language, first=a == 0) else None


def _is_called(plain: str, lists: _Lists) -> bool:
    """Whether words end in what somebody is called in English: "my dear captain"."""
    words = plain.split()
    named = 0 < len(words) <= 3 and words[-1] in lists.addresses
    return named and words[0] not in ("the", "a", "an")


def _is_name(words: str, rest: str, language: str, *, first: bool) -> bool:
    """Whether words are a name, and the only capitals at their edge of a sentence; where capitals
    tell nothing, a known one."""
    own = words.split()
    if not 0 < len(own) <= _MOST_NAMES or not all(word[0].isupper() for word in own):
        return False
    lists = word_lists(language)
    if first or same_language(language, "de"):
        return all(word.lower() in lists.first_names for word in own)
    known = lists.function_words | spare_words(language)
    others = [word for word in rest.strip(_MARKS).split()[1:] if word.strip(_MARKS)[:1].isupper()]
    others = [word for word in others if word.strip(_MARKS).casefold() not in known]
    return not others and not any(word.lower() in known for word in own)


def _is_empty(sentence: str, lists: _Lists, language: str) -> bool:
    """Whether a sentence has nothing but fillers and names of whom it is said to."""
    segments = [segment.strip(_MARKS) for segment in _SEGMENT.split(sentence)]
    fillers = lists.opening | lists.closing
    return not _ASKED.search(sentence) and all(
        _plain(one) in fillers or _calls(one, lists, language) for one in segments
    )


def _without(text: str, start: int, end: int) -> str:
    """A text without a part, as it is then written; French keeps spaces before its marks."""
    before, gone, rest = text[:start], text[start:end], text[end:]
    if gone.strip(_MARKS)[:1].isupper() and _OPENS.search(before):
        rest = capital(rest)
    return re.sub(r" {2,}", " ", before + rest).strip(" ,;–—")


def capital(text: str) -> str:
    """Return a text that begins with a capital, unless a number begins it."""
    return _FIRST.sub(lambda found: found[0].upper(), text, count=1)


def _plain(words: str) -> str:
    return words.lower().replace("’", "'").replace("‘", "'")


@cache
def _lists(language: str) -> _Lists | None:
    tables = packaged("subfit.fitting", "set_off.yaml")
    known = closest_language(language, tables)
    if known is None:
        return None
    return _Lists(**{name: frozenset(words) for name, words in tables[known].items()})
