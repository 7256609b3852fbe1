"""The clauses of long sentences, and their translations put together again.

A small model loses its way in long sentences. Where clauses meet (a comma, a colon, a conjunction)
they can be parted with little harm: best near the middle, and first of all where a sentence ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import regex

from subfit.text.languages import primary_language
from subfit.text.linebreak_lists import word_lists
from subfit.text.recasing import uncapitalised
from subfit.text.sentence_ends import sentence_places

_LEAST = 4
"""Words of a clause, at least: fewer belong to what stands beside them."""
_SENTENCE, _CLAUSE, _COMMA, _CONJUNCTION = -6, 0, 3, 4
"""What it costs to part a text where a sentence ends, where a mark or a comma with a conjunction
parts clauses, at another comma, and before a conjunction alone, in words that the parts differ
by."""
_CONJUNCTIONS = {
    "de": "aber|sondern|denn",
    "en": "but|because|although|while|after|before|until|when|where|which|who|if|since|so that"
    "|in order to",
    "es": "pero|sino|porque|aunque|mientras|cuando|donde|para que",
    "fr": "mais|car|parce que|alors que|pendant que|quand|où|qui|afin",
    "it": "ma|perché|mentre|quando|dove|anche se|affinché",
}
"""Before these, clauses are parted where no mark stands, too."""
_COORDINATING = {"de": "und|oder", "en": "and|or", "es": "y|e|o", "fr": "et|ou", "it": "e|ed|o"}
"""Before these where a clause follows by its first word, and not a noun or an adjective."""
_AFTER_MARK = regex.compile(r"(?<=[,;:–—]) (?![–—])")
_NEXT_WORD = regex.compile(r" ([\w'’]+)")
_QUESTION = regex.compile(r"\?\W*$")
_ENDED = regex.compile(r"[.!?…]\W*$")
_STOP = regex.compile(r"(?<!\.)\.$")


def parted(text: str, language: str, longest: int) -> list[str]:
    """Part a long text into clauses.

    Args:
        text: Plain text, one line, single spaces.
        language: Its tag.
        longest: Words of a part, at most, that is not parted again.

    Returns:
        The parts in order; joined by spaces they are the text. Longer parts are questions, whose
        words are in an order of their own, or have no place to part them at.
    """
    if len(text.split()) <= longest:
        return [text]
    places = list(_places(text, language))
    if not places:
        return [text]
    _, at = min(places)
    return [
        part for half in (text[:at], text[at + 1 :]) for part in parted(half, language, longest)
    ]


def joined(sources: Sequence[str], translations: Sequence[str], language: str) -> str:
    """Put the translations of clauses together.

    Args:
        sources: The clauses.
        translations: One of each, not empty.
        language: Tag of the language of the translations.

    Returns:
        One text: without full stops and capitals that a clause has for standing alone.
    """
    parts = [translations[0]]
    for before, translation in zip(sources, translations[1:], strict=False):
        within = not _ENDED.search(before)
        if within:
            parts[-1] = _STOP.sub("", parts[-1])
        parts.append(uncapitalised(translation, language) if within else translation)
    return " ".join(parts)


def _places(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield what it costs to part a text at each of its boundaries, and where that is."""
    sentences = sentence_places(text, language)
    for _, end in sentences[:-1]:
        yield _SENTENCE + _difference(text, end), end
    for start, end in sentences:
        if _QUESTION.search(text[start:end]):
            continue
        for cost, at in _within(text[start:end], language):
            before, after = text[start : start + at], text[start + at : end]
            if min(len(before.split()), len(after.split())) >= _LEAST:
                yield cost + _difference(text, start + at), start + at


def _within(sentence: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield what the boundaries of clauses within a sentence cost, and where they are."""
    conjunctions = word_lists(language).conjunctions
    costs = {match.start(): _CONJUNCTION for match in _conjunctions(language).finditer(sentence)}
    for match in _AFTER_MARK.finditer(sentence):
        at, following = match.start(), _NEXT_WORD.match(sentence, match.start())
        opens = following is not None and following[1].lower() in conjunctions
        costs[at] = _CLAUSE if opens or sentence[at - 1] != "," else _COMMA
    for at, cost in costs.items():
        if sentence.count("(", 0, at) == sentence.count(")", 0, at):
            yield cost, at


@cache
def _conjunctions(language: str) -> regex.Pattern[str]:
    """The spaces before conjunctions that part clauses without a mark."""
    primary, lists = primary_language(language) or "", word_lists(language)
    first = "|".join(map(regex.escape, lists.pronouns | lists.auxiliaries | lists.negations))
    always, sometimes = _CONJUNCTIONS.get(primary), _COORDINATING.get(primary)
    return regex.compile(rf" (?=(?:{always}|(?:{sometimes}) (?:{first})) )" if always else r"(?!)")


def _difference(text: str, at: int) -> int:
    """How many words more the one part has than the other."""
    return abs(len(text[:at].split()) - len(text[at:].split()))
