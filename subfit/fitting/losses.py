"""What a shortened translation loses of what the natural one says.

A translation is a fit only if it says the thing. Each `Loss` is found by comparing it with the
natural translation of the same sentence, the best had nothing limited it: what that lacks too was
not lost by shortening, and is no reason to go over a budget.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

from subfit.fitting.plainer import spare_words
from subfit.fitting.task import Losses, Setup, Task, Translation, plain_score
from subfit.terms.glossary import missing_from
from subfit.text.alignment import Alignment, WordScores, align
from subfit.text.doubts import Doubt, doubts_of, is_negated
from subfit.text.linebreak_lists import word_lists

DOUBTFUL = -3.0
"""A shortened translation whose `Hypothesis.closing` is below this, in nats, may end too early."""
MUCH_WORSE = 0.4
"""By so many nats per token a lower score than the natural translation's, a shortened one is no
fit."""
LOST_WORDS = 0.5
"""From so many source words of meaning on that the natural translation says and a shortened one
does not, it has lost something."""
MUCH_SHORTER = 0.6
"""So many nats shorter than the natural translation, for as much of the source, a translation must
have lost something."""
SAID, GONE = 0.6, 0.35
"""A source word counts as said from this evidence on, and as lost if it has so much less."""
_LESS = 0.7
"""Another word for it is a worse one if less than this share of the evidence tells of it."""
_WORD = re.compile(r"\w+(?:[-.'’]\w+)*")
_POSSESSIVE = re.compile(r"['’]s\b")
_QUOTE = re.compile(r"[\"“”„«»]")
_DECADE = re.compile(r"\b\d{2,4}['’]?s\b")
_DECADES = re.compile(r"(?i)ann[ée]es|anni|años|\b\d{2,4}(?:ern?|['’]?s)\b")
"""What says that years are a decade, in English and in translations."""
_SHORT = 4
"""Letters: shorter words of languages without lists are taken for function words."""


class Loss(StrEnum):
    """What may be lost; the values stand in reports."""

    NEGATION = "negation"
    """It denies what the source states, or states what the source denies."""
    NAME = "name"
    """It lacks, or mangles, a name that the natural translation has as the source does."""
    NUMBER = "number"
    """It lacks a number, an address or a term that the natural translation has."""
    WORDS = "words"
    """It lacks words of meaning that the natural translation says, or puts others for them; or it
    is so much shorter that some must be missing."""
    END = "end"
    """It ends where the model would go on."""


def losses_of(task: Task, one: Translation, natural: Translation, setup: Setup) -> Losses:
    """Return what a translation loses of what the natural one says.

    Args:
        task: The sentence.
        one: A translation of it, rated.
        natural: The best had nothing limited it, rated.
        setup: Names the target language, and knows which words translate each other.

    Returns:
        `Loss` values, each with the place in the source's text that it is about; none for the
        natural translation itself, nor for one that is not shorter. Of models that are prompted
        also what speaks against it whatever its length (`subfit.text.doubts.Doubt`).
    """
    return tuple(_losses_of(task, one, natural, setup))


def is_whole(task: Task, one: Translation, natural: Translation, setup: Setup) -> bool:
    """Whether a translation loses nothing, and is not far less likely than the natural one."""
    if next(_losses_of(task, one, natural, setup), None) is not None:
        return False
    if natural.recalled or one.prompted or one.characters >= natural.characters:
        return True
    return plain_score(natural) - plain_score(one) <= MUCH_WORSE


def at_parts(task: Task, losses: Losses) -> list[tuple[str, ...]]:
    """Return for each part of a sentence the losses that are about it, each once."""
    parts: list[dict[str, None]] = [{} for _ in task.sentence.parts]
    for loss, place in losses:
        at = 0
        for number, part in enumerate(task.sentence.parts):
            at += len(part.text) + 1
            if place < at or number == len(parts) - 1:
                parts[number][loss] = None
                break
    return [tuple(own) for own in parts]


def _losses_of(
    task: Task, one: Translation, natural: Translation, setup: Setup
) -> Iterator[tuple[Loss | Doubt, int]]:
    """Yield what is lost and where, what is found out soonest first."""
    if one.prompted:
        spoken, languages = task.sentence.spoken, (task.sentence.language, setup.language)
        yield from ((doubt, 0) for doubt in doubts_of(one.text, spoken, languages))
    if one.characters >= natural.characters:
        return
    source, language = task.sentence.spoken, task.sentence.language
    unclosed = [len(_QUOTE.findall(text)) % 2 for text in (natural.text, one.text)]
    if (not one.prompted and one.hypothesis.closing < DOUBTFUL) or unclosed == [0, 1]:
        yield Loss.END, len(source)
    yield from ((Loss.NUMBER, at) for at in _numbers(task, one, natural, source))
    yield from ((Loss.NAME, at) for at in _names_lost(source, language, one.text, natural.text))
    if one.prompted:
        return  # the rest cannot be told of models that say things otherwise to be brief
    denied = [is_negated(source, language)]
    denied += [is_negated(text, setup.language) for text in (natural.text, one.text)]
    if denied[0] is not None and denied[0] == denied[1] and denied[2] == (not denied[0]):
        yield Loss.NEGATION, _first_negated(task)
    yield from _words_lost(task, one, natural, setup)


def _numbers(task: Task, one: Translation, natural: Translation, source: str) -> Iterator[int]:
    """Where numbers, addresses and terms stand that the natural translation has."""
    lacking = task.missing(one.text)
    if len(lacking) > len(missing_from(natural.text, task.terms)):
        yield lacking[0].start
    ours, full = (set(re.findall(r"\d+", text)) for text in (one.text, natural.text))
    for match in re.finditer(r"\d+", source):
        if match[0] in full and match[0] not in ours:
            yield match.start()
    decade = _DECADE.search(source)
    if decade and _DECADES.search(natural.text) and not _DECADES.search(one.text):
        yield decade.start()


def _names_lost(source: str, language: str, ours: str, full: str) -> Iterator[int]:
    """Where names stand that the natural translation has as the source does."""
    here, there = _without_possessives(ours), _without_possessives(full)
    for name, at in _names(source, language):
        if name in there and name not in here and not any(one.startswith(name) for one in here):
            yield at


@lru_cache(maxsize=1024)
def _names(source: str, language: str) -> tuple[tuple[str, int], ...]:
    """Words of a source that are written as names are, without what is elided before them."""
    elided, names = word_lists(language).elided, []
    for match in _WORD.finditer(source):
        word = _POSSESSIVE.sub("", match[0])
        first, apostrophe, rest = word.replace("’", "'").partition("'")
        if apostrophe and first.lower() in elided:  # d'Anna
            word = rest
        if any(map(str.isupper, word)) and len(word) > 1 and has_meaning(word, language):
            names.append((word, match.start()))
    return tuple(names)


def _without_possessives(text: str) -> set[str]:
    """The words of a text, ``Anna's`` as ``Anna``."""
    return set(_WORD.findall(_POSSESSIVE.sub("", text)))


def _first_negated(task: Task) -> int:
    """Where the first cue begins whose part of a sentence denies something."""
    at = 0
    for part in task.sentence.parts:
        if is_negated(part.text, task.sentence.language):
            return at
        at += len(part.text) + 1
    return 0


def _words_lost(
    task: Task, one: Translation, natural: Translation, setup: Setup
) -> Iterator[tuple[Loss, int]]:
    """Words that the natural translation says for sure, and this one does not."""
    source = task.sentence.spoken
    full, ours = (_aligned(source, text, setup.words) for text in (natural.text, one.text))
    lost: dict[int, float] = {}
    for number, word in enumerate(full.source):
        there, here = full.source_sure[number], ours.source_sure[number]
        if there <= SAID or not has_meaning(word.text, task.sentence.language):
            continue
        if there - here > GONE:
            lost[word.start] = there - here
        elif _is_put_worse(full, ours, number):
            lost[word.start] = 1.0
    shorter = math.log(natural.characters / max(one.characters, 1))
    if sum(lost.values()) > LOST_WORDS or shorter > MUCH_SHORTER:
        yield from ((Loss.WORDS, at) for at in lost or (len(source),))


@lru_cache(maxsize=4096)
def _aligned(source: str, target: str, known: WordScores | None) -> Alignment:
    return align(source, target, known)


def _best(aligned: Alignment, number: int) -> str:
    """The word of a translation that most tells to stand for a source word."""
    evidence = aligned.evidence[number]
    return aligned.target[max(range(len(evidence)), key=evidence.__getitem__)].text.casefold()


def _is_put_worse(full: Alignment, ours: Alignment, number: int) -> bool:
    """Whether a translation has another word for a source word, which less tells of."""
    less = max(ours.evidence[number]) < _LESS * max(full.evidence[number])
    return less and not same_word(_best(full, number), _best(ours, number))


def same_word(one: str, other: str) -> bool:
    """Whether two words are forms of one: most of the shorter one's letters begin both."""
    stem = max(_SHORT, min(len(one), len(other)) - 3)
    return one == other or one[:stem] == other[:stem]


def has_meaning(word: str, language: str) -> bool:
    """Tell whether a source word is no function word, nor one that can be spared."""
    empty = word_lists(language).function_words
    if not empty:
        return len(word) >= _SHORT
    return word.casefold() not in empty and word.casefold() not in spare_words(language)
