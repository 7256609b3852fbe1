"""What commas set off of German, Spanish, French and Italian sentences that can be left out.

Fillers ("Na ja,", "Bueno, pues,") and whom somebody speaks to ("…, señora Ruiz."), at the beginning
and at the end of a sentence; no more, as these languages have no lists of words like those that
English has. What stands in the midst of a sentence stays, since its commas may be needed there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from subfit.condensing.clauses import Clause, Segment, Token, clauses_of
from subfit.condensing.reading import SparePart
from subfit.text.formality import formality_of, imperative_of
from subfit.text.languages import closest_language, same_language
from subfit.text.linebreak_lists import word_lists
from subfit.text.vocatives import is_vocative

_FILLER, _ADDRESS = 0.1, 0.35
"""What leaving one out costs, as among the rules for English."""
_MOST_NAMES = 2
_LEADING = re.compile(r"^[\s,;:–—-]+(?=[\w¿¡\"«„“‘'(])")
_SENTENCE = re.compile(r"(?:^|(?<=[.!?…]\s))([\W\d_]*)([^\W\d_])")
_OPENED = re.compile(r"[¿¡«„“‘(]\s*$")
_DASHES = ("–", "—", "--")


@dataclass(frozen=True, slots=True)
class _Lists:
    """The lists of a language; see ``set_off.yaml``."""

    opening: frozenset[str]
    closing: frozenset[str]
    asking: frozenset[str]


def set_off_parts(text: str, tokens: Sequence[Token], language: str) -> list[SparePart]:
    """Return what can be left out at the beginnings and ends of sentences.

    Args:
        text: Sentences of one speaker.
        tokens: Its words and marks.
        language: Its tag.

    Returns:
        Nothing in languages without lists; what is left always has words of its own.
    """
    lists = _lists(language)
    if lists is None:
        return []
    clauses = clauses_of(text, tokens, language)
    empty = [_is_empty(text, tokens, clause, lists, language) for clause in clauses]
    parts: list[SparePart] = []
    for clause, says_nothing in zip(clauses, empty, strict=True):
        if not says_nothing:
            parts += _at_edges(text, tokens, clause, lists, language)
        elif not all(empty):
            parts.append(SparePart(clause.opened, clause.closed, _FILLER))
    return parts


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text without some parts at the edges of its sentences, as it is then written.

    Args:
        text: The text.
        spans: Where the parts are, in characters, in their order.
    """
    pieces, at = list[str](), 0
    for start, end in spans:
        before = text[at:start]
        pieces, at = [*pieces, before if _OPENED.search(before) else before.rstrip(" ,")], end
        closed = text[end:].lstrip()[:1] in '.!?…"”’»)'
        opens = not pieces[-1] or _OPENED.search(before)
        if not closed and not opens:
            pieces.append(" ")
        elif closed and text[end : end + 1].isspace() and not opens:
            pieces.append(text[end])  # the space that French has before its marks
        at += len(text[at:]) - len(text[at:].lstrip())
    rest = _LEADING.sub("", "".join([*pieces, text[at:]])).strip()
    lowered = next((char.islower() for char in text if char.isalpha()), False)
    return rest if lowered else _SENTENCE.sub(lambda found: found[1] + found[2].upper(), rest)


def knows_set_off(language: str) -> bool:
    """Tell whether a language has lists of what can be left out where it is set off."""
    return _lists(language) is not None


def is_set_off_word(words: str, language: str) -> bool:
    """Tell whether words that were left out are nothing but fillers, or what somebody is called."""
    lists = _lists(language)
    parts = [part.strip(" ,;:.!?¿¡…–—-") for part in words.split(",")]
    if lists is None:
        return False
    known = lists.opening | lists.closing
    return all(_plain(part) in known or is_vocative(part, language) for part in parts if part)


def _at_edges(
    text: str, tokens: Sequence[Token], clause: Clause, lists: _Lists, language: str
) -> Iterator[SparePart]:
    """Runs of fillers and names at both ends of a sentence, the shortest first."""
    segments, cost = clause.segments, 0.0
    for number, segment in enumerate(segments[:-1]):
        following = segments[number + 1]
        own = _cost(text, tokens, clause, segment, lists.opening, lists, language)
        if own is None or tokens[segment.end].text in _DASHES:
            break
        if own == _FILLER and _belongs(tokens, clause, following, lists):
            break
        cost += own
        yield SparePart(segments[0].start, segment.end + 1, cost)
    cost = 0.0
    for number in range(len(segments) - 1, 0, -1):
        segment = segments[number]
        own = _cost(text, tokens, clause, segment, lists.closing, lists, language)
        if own is None or tokens[segment.start - 1].text in _DASHES:
            break
        cost += own
        yield SparePart(segment.start - 1, segments[-1].end, cost)


def _cost(
    text: str,
    tokens: Sequence[Token],
    clause: Clause,
    segment: Segment,
    fillers: frozenset[str],
    lists: _Lists,
    language: str,
) -> float | None:
    """What leaving a segment out costs; None if it must stay."""
    words = _words(text, tokens, segment)
    if _plain(words) in fillers:
        return _FILLER
    if is_vocative(words, language):
        return _ADDRESS
    rest = text[tokens[clause.opened].start : tokens[segment.start].start]
    rest += text[tokens[segment.end - 1].end : tokens[clause.closed - 1].end]
    own = tokens[segment.start : segment.end]
    spoken_to = formality_of(rest, language) or imperative_of(_LEADING.sub("", rest), language)
    return _ADDRESS if spoken_to and _is_name(own, clause, tokens, language) else None


def _is_name(own: Sequence[Token], clause: Clause, tokens: Sequence[Token], language: str) -> bool:
    """Whether words are a name, and the only capitals at their edge of a sentence."""
    if len(own) > _MOST_NAMES or not all(token.is_word and token.is_capital for token in own):
        return False
    if same_language(language, "de"):
        return all(token.lower in word_lists("de").first_names for token in own)
    lists = word_lists(language)
    known = lists.pronouns | lists.conjunctions | lists.auxiliaries | lists.negations
    others = [
        token
        for token in tokens[clause.start + 1 : clause.end]
        if token.is_word and token.is_capital and token not in own
    ]
    return not others and not any(token.lower in known for token in own)


def _belongs(tokens: Sequence[Token], clause: Clause, following: Segment, lists: _Lists) -> bool:
    """Whether what follows an opening is a clause of its own: "Hör mal, wie das klingt"."""
    asks = any(token.text.startswith("?") for token in tokens[clause.end : clause.closed])
    words = [token for token in tokens[following.start : following.end] if token.is_word]
    return not asks and bool(words) and words[0].lower in lists.asking


def _is_empty(
    text: str, tokens: Sequence[Token], clause: Clause, lists: _Lists, language: str
) -> bool:
    """Whether a sentence has nothing but fillers and names of whom it is said to."""
    words = [_words(text, tokens, segment) for segment in clause.segments]
    fillers = lists.opening | lists.closing
    asks = any(token.text.startswith("?") for token in tokens[clause.end : clause.closed])
    return not asks and all(
        _plain(each) in fillers or is_vocative(each, language) for each in words
    )


def _words(text: str, tokens: Sequence[Token], segment: Segment) -> str:
    return text[tokens[segment.start].start : tokens[segment.end - 1].end].strip('¿¡"«»„“” ')


def _plain(words: str) -> str:
    return words.lower().replace("’", "'")


@cache
def _lists(language: str) -> _Lists | None:
    content = files("subfit.condensing").joinpath("set_off.yaml").read_text(encoding="utf-8")
    tables = yaml.safe_load(content)
    known = closest_language(language, tables)
    if known is None:
        return None
    return _Lists(**{name: frozenset(words) for name, words in tables[known].items()})
