"""What a text shortened in its own language loses.

It is found as `subfit.fitting.losses` finds it between languages, but exactly: the words that are
gone are known. What the rules leave out is looked at in its place; of what a model has written
anew, the words are compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from subfit.condensing.clauses import COMMAS
from subfit.condensing.reading import Reading, SparePart
from subfit.condensing.rewordings import shortest_wording
from subfit.condensing.shortenings import Edit, Passage
from subfit.condensing.words import Words, word_classes
from subfit.fitting.losses import Loss

MOST_SPARED = 0.3
"""Share of the words of meaning in a text that it may lose; more, and a part of it is lost."""
_ALWAYS_SPARED = 1
"""So many it may lose in any case, of a text that has three or more."""
_WORD = re.compile(r"[^\W_]+(?:[-.'’:][^\W_]+)*%?")
_NO_NUMBERS = frozenset(
    ("one", "first", "second", "third", "last", "next", "same", "other", "few", "many", "several")
) | {"own"}
"""Of the words listed as numbers, those that count nothing."""
_WHICH = ("between", "as")
"""Open what tells which thing or how much, like prepositions that belong to the verb."""
_ENDINGS = ("ing", "ed", "es", "s", "ly", "d", "n", "e")
_STEM = 3
"""Letters that must be left of a word without its ending."""


def losses_by_edits(
    passage: Passage, start: int, end: int, edits: Iterable[Edit]
) -> frozenset[Loss]:
    """Return what leaving words out of a part of a text loses.

    Args:
        passage: The text.
        start: Where the part begins, in characters.
        end: Where it ends.
        edits: What is left out, or said shorter, of that part.
    """
    reading, edits = passage.reading, tuple(edits)
    if reading is None:
        return frozenset()
    gone = list(_omitted(reading, edits))
    losses = set()
    if any(reading.is_negated(index) for index in gone):
        losses.add(Loss.NEGATION)
    if any(_is_name(reading, index) for index in gone):
        losses.add(Loss.NAME)
    if any(_counts(reading.low(index), reading.words) for index in gone):
        losses.add(Loss.NUMBER)
    meant = [n for n, token in enumerate(reading.tokens) if start <= token.start < end]
    whole = sum(_has_meaning(reading.low(index), reading.words) for index in meant)
    lost = sum(_has_meaning(reading.low(index), reading.words) for index in gone)
    if lost > _may_lose(whole) or any(_says_much(reading, edit) for edit in edits):
        losses.add(Loss.PART)
    return frozenset(losses)


def _says_much(reading: Reading, edit: Edit) -> bool:
    """Whether what is left out is no mere circumstance: a sentence, one of several things, or what
    tells which thing or what for."""
    part = edit.part
    if part is None or edit.addresses or _is_light(reading, part):
        return False
    first = reading.next_word(part.start)
    low, words = reading.low(first), reading.words
    sentence = any(
        part.start <= clause.start and clause.end <= part.end for clause in reading.clauses
    )
    set_off = first != part.start or not reading.tokens[part.end - 1].is_word
    linked = low in words.coordinators or low in words.adversative
    closely = not set_off and (low in words.close_prepositions or low in _WHICH)
    own = reading.has_subject(first, part.end) or _runs_over(reading, part)
    own = own or _acts_itself(reading, first, part.end) or _is_listed(reading, part)
    denied = not set_off and _is_denied(reading, part)
    needed = low == "of" or low in words.relatives
    return sentence or linked or own or closely or denied or needed


def _runs_over(reading: Reading, part: SparePart) -> bool:
    """Whether a part has more than what one pair of commas sets off, or one of several things."""
    inner = range(part.start + 1, part.end - 1)
    opens = not reading.tokens[part.start].is_word
    comma = any(reading.tokens[index].text in COMMAS for index in inner)
    things = any(reading.low(index) in reading.words.coordinators for index in inner)
    return (comma and not opens) or (things and not reading.has_verb(part.start, part.end))


def _acts_itself(reading: Reading, first: int, end: int) -> bool:
    """Whether words set off are a statement or an order: "so let's turn it off"."""
    words, opening = reading.words, reading.low(first)
    hangs = (words.subordinators, words.prepositions, words.conditions)
    if any(opening in phrases for phrases in hangs) or reading.is_gerund(first):
        return False
    return end - first > 1 and reading.has_verb(first, end)


def _is_listed(reading: Reading, part: SparePart) -> bool:
    """Whether a part is one of several things: "boats, bridges, and ships"."""
    clause = reading.clause_at(part.start)
    if clause is None or reading.tokens[part.start].is_word:
        return False
    behind = (segment.start for segment in clause.segments if segment.start >= part.end)
    return any(reading.low(start) in reading.words.coordinators for start in behind)


def _is_denied(reading: Reading, part: SparePart) -> bool:
    """Whether a part says what a denial before it is about: "Don't keep it all in one pocket"."""
    clause = reading.clause_at(part.start)
    before = range(clause.start if clause else 0, part.start)
    return part.end - part.start > 1 and any(map(reading.is_negated, before))


def _is_light(reading: Reading, part: SparePart) -> bool:
    """Whether a part says nothing that a viewer would miss."""
    indices = [n for n in range(part.start, part.end) if reading.tokens[n].is_word]
    return reading.phrase(indices[0], indices[-1] + 1) in _spoken_for(reading.words)


def losses_between(source: str, text: str, language: str) -> frozenset[Loss]:
    """Return what a text that was written anew loses of its source.

    Words of meaning that are gone count, and so do those that are new: what says something else
    does not say the same in fewer words, as far as lists can tell.
    """
    words = word_classes(language)
    before, after = (_words(shortest_wording(said, language)) for said in (source, text))
    gone, new = _without(before, after), _without(after, before)
    losses = set()
    if words is not None and _denials(before, words) != _denials(after, words):
        losses.add(Loss.NEGATION)
    if any(_is_written_as_name(word, source) for word in gone):
        losses.add(Loss.NAME)
    if any(_counts(word.lower(), words) for word in (*gone, *new)):
        losses.add(Loss.NUMBER)
    meant, lost, added = (
        sum(_has_meaning(word.lower(), words) for word in part) for part in (before, gone, new)
    )
    if lost + added > _may_lose(meant):
        losses.add(Loss.WORDS)
    if words is not None and _acts(before, words) and not _acts(after, words):
        losses.add(Loss.VERB)
    return frozenset(losses)


def _may_lose(meant: int) -> float:
    """How many words of meaning may go, of those that a text has."""
    return max(MOST_SPARED * meant, _ALWAYS_SPARED if meant > 2 * _ALWAYS_SPARED else 0)


def _omitted(reading: Reading, edits: Iterable[Edit]) -> Iterator[int]:
    """The tokens that are left out, but for fillers and what somebody is called by."""
    for edit in edits:
        if edit.part is None or edit.addresses:
            continue
        if not _is_light(reading, edit.part):
            indices = range(edit.part.start, edit.part.end)
            yield from (index for index in indices if reading.tokens[index].is_word)


@lru_cache(maxsize=8)
def _spoken_for(words: Words) -> frozenset[str]:
    """What says nothing that a viewer would miss, of one word or several."""
    return words.fillers | words.tags | words.adverbs | words.end_adverbs


def _is_name(reading: Reading, index: int) -> bool:
    opens = any(clause.start == index for clause in reading.clauses)
    return reading.is_name(index) and not opens and reading.low(index) != "i"


def _is_written_as_name(word: str, source: str) -> bool:
    """Whether a word has a capital where no sentence begins."""
    return (
        any(map(str.isupper, word))
        and bool(re.search(rf"[\w,;] {re.escape(word)}(?!\w)", source))
        and not re.match(r"I\b", word)
    )


def _counts(word: str, words: Words | None) -> bool:
    if any(map(str.isdigit, word)):
        return True
    return words is not None and word in words.numbers and word not in _NO_NUMBERS


def _has_meaning(word: str, words: Words | None) -> bool:
    """Whether a word is no function word, filler or adverb that can be spared."""
    if not any(map(str.isalpha, word)):
        return False
    if words is None:
        return len(word) > _STEM
    return word not in _light(words) and word.partition("'")[0] not in words.function


@lru_cache(maxsize=8)
def _light(words: Words) -> frozenset[str]:
    lists = (words.fillers, words.hedges, words.adverbs, words.end_adverbs, words.grading)
    return words.function | frozenset().union(*lists, words.approximate, words.times)


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text)]


def _without(words: Iterable[str], others: Iterable[str]) -> list[str]:
    """The words that others lack, whatever their endings."""
    left, gone = Counter(_stem(word) for word in others), []
    for word in words:
        if left[_stem(word)]:
            left[_stem(word)] -= 1
        else:
            gone.append(word)
    return gone


def _stem(word: str) -> str:
    low = word.lower().partition("'")[0]
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= _STEM:
            return low[: -len(ending)]
    return low


def _denials(text: Iterable[str], words: Words) -> int:
    lows = [word.lower() for word in text]
    return sum(low in words.negations or low.endswith("n't") for low in lows)


def _acts(text: Iterable[str], words: Words) -> bool:
    return any(words.is_verb(word.lower()) for word in text)


def changed_words(source: str, text: str, language: str) -> float:
    """Return how many words of meaning a text lacks of its source, or has besides; others count
    a little.
    """
    words = word_classes(language)
    before, after = (_words(shortest_wording(said, language)) for said in (source, text))
    changed = (*_without(before, after), *_without(after, before))
    return sum(1.0 if _has_meaning(word.lower(), words) else _LITTLE for word in changed)


_LITTLE = 0.1
