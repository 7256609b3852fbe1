"""What a shortened translation loses of what the natural one says.

A translation is a fit only if it says the thing. Each `Loss` is found by comparing it with the
natural translation of the same sentence, the best had nothing limited it: what that lacks too was
not lost by shortening, and is no reason to go over a budget.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache

from subfit.condensing.set_off_words import is_set_off_word
from subfit.condensing.words import word_classes
from subfit.fitting.scoring import in_doubt, score
from subfit.fitting.settings import FittingSettings
from subfit.fitting.state import Candidate, Fitted
from subfit.fitting.task import Task
from subfit.text.alignment import Word, WordScores, align
from subfit.text.formality import formality_of
from subfit.text.linebreak_lists import word_lists
from subfit.text.negation import is_negated

_SAID, _GONE = 0.6, 0.35
"""A source word counts as said from this evidence on, and as lost if it has so much less."""
_AROUND = " ,;:.!?…–—-"
_WORD = re.compile(r"\w+(?:[-.'’]\w+)*")
_POSSESSIVE = re.compile(r"['’]s\b")
_TITLES = {
    "Capt",
    "Col",
    "Dr",
    "Gen",
    "Lt",
    "Maj",
    "Miss",
    "Mister",
    "Mr",
    "Mrs",
    "Ms",
    "Prof",
    "Sgt",
}
"""Are one with the name behind them: ``Mrs. Hill`` is one word less, not two."""
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
    VERB = "verb"
    """It says none of the source's verbs, where the natural translation does."""
    WORDS = "words"
    """It lacks words of meaning that the natural translation says."""
    PART = "part"
    """A part of the source was left out that says more than can be spared."""
    END = "end"
    """It ends where the model would go on."""
    LIKELIHOOD = "likelihood"
    """It is far less likely than the natural translation."""
    ADDRESS = "address"
    """It addresses somebody in another form than was asked for and the natural translation has."""
    LENGTH = "length"
    """It is so much shorter than the natural translation that something must be missing."""


@dataclass(frozen=True)
class _Comparison:
    """A candidate beside the natural translation of its sentence."""

    task: Task
    candidate: Candidate
    natural: Candidate
    language: str
    settings: FittingSettings

    @cached_property
    def source(self) -> str:
        return self.task.sentence.spoken

    @cached_property
    def text(self) -> str:
        return self.candidate.hypothesis.text

    @cached_property
    def full(self) -> str:
        """The natural translation."""
        return self.natural.hypothesis.text

    @cached_property
    def said(self) -> list[tuple[Word, float, float]]:
        """Source words, each with the evidence that the natural one and the candidate say it."""
        words, full = _said(self.source, self.full, self.task.words)
        _, ours = _said(self.source, self.text, self.task.words)
        return list(zip(words, full, ours, strict=True))

    def left_out(self, word: Word) -> bool:
        """Whether the candidate's condensation leaves a source word out."""
        return any(start <= word.start < end for start, end in self._ranges)

    @property
    def _ranges(self) -> tuple[tuple[int, int], ...]:
        condensation = self.candidate.condensation
        return () if condensation is None else condensation.omitted

    @cached_property
    def omitted(self) -> list[str]:
        """The words that the candidate's condensation leaves out, but for whole fillers."""
        parts = (self.source[start:end].strip(_AROUND) for start, end in self._ranges)
        language = self.task.sentence.language
        fillers = _fillers(language)
        return [
            word
            for part in parts
            if part.casefold() not in fillers and not is_set_off_word(part, language)
            for word in _WORD.findall(part)
        ]

    @cached_property
    def set_off(self) -> int:
        """Characters of fillers and names of whom is spoken to that are left out, where English's
        lists are not known."""
        language = self.task.sentence.language
        parts = (self.source[start:end] for start, end in self._ranges)
        return sum(len(part) for part in parts if is_set_off_word(part, language))

    def has_meaning(self, word: str) -> bool:
        """Whether a source word is no function word, filler or adverb that can be spared."""
        return _has_meaning(word, self.task.sentence.language)


def losses_of(
    task: Task, candidate: Candidate, natural: Candidate, language: str, settings: FittingSettings
) -> frozenset[Loss]:
    """Return what a translation loses of what the natural one says.

    Args:
        task: The sentence.
        candidate: A translation of it, rated.
        natural: The best had nothing limited it, rated.
        language: Tag of the target language.
        settings: Say from when on something counts as lost.

    Returns:
        Nothing for the natural translation itself, nor for one that is not shorter, unless the
        form of address is lost.
    """
    compared = _Comparison(task, candidate, natural, language, settings)
    return frozenset(_losses_of(compared))


def loses_any(
    task: Task, candidate: Candidate, natural: Candidate, language: str, settings: FittingSettings
) -> bool:
    """Whether there are any `losses_of` a translation; the first that is found will do."""
    compared = _Comparison(task, candidate, natural, language, settings)
    return next(_losses_of(compared), None) is not None


def _losses_of(compared: _Comparison) -> Iterator[Loss]:
    """Yield what is lost, what is found out soonest first."""
    candidate = compared.candidate
    if candidate.hypothesis.characters >= compared.natural.hypothesis.characters:
        if _address(compared):
            yield Loss.ADDRESS
        return
    for loss, is_lost in _CHECKS.items():
        if (loss in _VERBATIM or not candidate.reworded) and is_lost(compared):
            yield loss


def _has_meaning(word: str, language: str) -> bool:
    spare = _spare_words(language)
    if spare is None:
        spare = word_lists(language).function_words
    return word.casefold() not in spare if spare else len(word) >= _SHORT


def losses_in(fitted: Fitted, language: str, settings: FittingSettings) -> frozenset[Loss]:
    """Return what the translation that was chosen for a sentence loses; see `losses_of`."""
    return losses_of(fitted.task, fitted.candidate, fitted.natural, language, settings)


def _negation(compared: _Comparison) -> bool:
    before = is_negated(compared.source, compared.task.sentence.language)
    full = is_negated(compared.full, compared.language)
    ours = is_negated(compared.text, compared.language)
    return before is not None and before == full and full is not None and ours != full


def _name(compared: _Comparison) -> bool:
    names = _names(compared.source, compared.task.sentence.language)
    if not names:
        return False
    ours, full = _without_possessives(compared.text), _without_possessives(compared.full)
    kept = (name for name in names if name in full)
    return any(name not in ours and not any(one.startswith(name) for one in ours) for name in kept)


@lru_cache(maxsize=1024)
def _names(source: str, language: str) -> tuple[str, ...]:
    """Words of a source that are written as names are, without what is elided before them."""
    return tuple(_each_name(source, language))


def _each_name(source: str, language: str) -> Iterator[str]:
    elided = word_lists(language).elided
    for word in _WORD.findall(_POSSESSIVE.sub("", source)):
        first, apostrophe, rest = word.replace("’", "'").partition("'")
        if apostrophe and first.lower() in elided:  # d'Anna
            word = rest
        if any(map(str.isupper, word)) and len(word) > 1 and _has_meaning(word, language):
            yield word


def _without_possessives(text: str) -> set[str]:
    """The words of a text, ``Anna's`` as ``Anna``."""
    return set(_WORD.findall(_POSSESSIVE.sub("", text)))


def _number(compared: _Comparison) -> bool:
    candidate, natural = compared.candidate, compared.natural
    digits = set(re.findall(r"\d+", compared.source)) & set(re.findall(r"\d+", compared.full))
    return (
        candidate.missing_terms > natural.missing_terms
        or candidate.missing_numbers > natural.missing_numbers
        or not digits <= set(re.findall(r"\d+", compared.text))
    )


def _verb(compared: _Comparison) -> bool:
    verbs = _verbs(compared.task.sentence.language)
    if verbs is None or compared.task.words is None:
        return False
    said = [(full, ours) for word, full, ours in compared.said if word.text.casefold() in verbs]
    return any(full > _SAID for full, _ in said) and all(ours < 1 - _SAID for _, ours in said)


def _words(compared: _Comparison) -> bool:
    lost = sum(
        full - ours
        for word, full, ours in compared.said
        if full > _SAID and full - ours > _GONE
        if compared.has_meaning(word.text) and not compared.left_out(word)
    )
    return lost > compared.settings.lost_words


def _part(compared: _Comparison) -> bool:
    """Whether more was left out than fillers, adverbs and whom somebody speaks to."""
    meaning = [word for word in compared.omitted if compared.has_meaning(word)]
    meaning = [word for word in meaning if word not in _TITLES]
    return len(meaning) > 1 or any(not word[0].isupper() for word in meaning)


def _end(compared: _Comparison) -> bool:
    ours, natural = compared.candidate.hypothesis, compared.natural.hypothesis
    return in_doubt(ours, natural, compared.settings.doubtful)


def _likelihood(compared: _Comparison) -> bool:
    if compared.natural.recalled:  # how likely what a memory has is says nothing of how good it is
        return False
    # Of what memories have a shortened translation says less, whatever it keeps of the source.
    ours, full = compared.candidate, compared.natural
    weights = replace(compared.settings.weights, channel=0.0)
    if ours.hypothesis.guided or full.hypothesis.guided:
        weights = replace(weights, guided=0.0)
    if ours.condensation is None:
        loss = score(full, weights) - score(ours, weights)
    else:  # what it lacks of the source by intention says nothing of how likely it is
        loss = full.hypothesis.score - ours.hypothesis.score
    return loss > compared.settings.much_worse


def _length(compared: _Comparison) -> bool:
    """Whether it is much shorter, for what of the source was translated."""
    ours, full = compared.candidate.hypothesis.characters, compared.natural.hypothesis.characters
    left = 1 - (sum(map(len, compared.omitted)) + compared.set_off) / len(compared.source)
    return ours > 0 and math.log(full * max(left, 0.1) / ours) > compared.settings.much_shorter


def _address(compared: _Comparison) -> bool:
    task, language = compared.task, compared.language
    if task.formality is None or compared.text == compared.full:
        return False
    source, spoken = compared.source, task.sentence.language
    texts = (compared.text, compared.full)
    ours, full = (formality_of(one, language, source, spoken) for one in texts)
    return full == task.formality and ours not in (None, full)


_CHECKS: Mapping[Loss, Callable[[_Comparison], bool]] = {
    Loss.END: _end,
    Loss.LIKELIHOOD: _likelihood,
    Loss.LENGTH: _length,
    Loss.NUMBER: _number,
    Loss.NEGATION: _negation,
    Loss.NAME: _name,
    Loss.PART: _part,
    Loss.WORDS: _words,
    Loss.VERB: _verb,
    Loss.ADDRESS: _address,
}


_VERBATIM = frozenset({Loss.NUMBER, Loss.NAME, Loss.ADDRESS})
"""What nobody says in other words. The rest cannot be told of models that are told to be brief."""


@lru_cache(maxsize=4096)
def _said(
    source: str, target: str, known: WordScores | None
) -> tuple[tuple[Word, ...], tuple[float, ...]]:
    """The words of a source, and from 0 to 1 the evidence that a translation says each."""
    aligned = align(source, target.replace("\n", " "), known)
    return aligned.source, aligned.source_sure


@lru_cache(maxsize=8)
def _verbs(language: str) -> frozenset[str] | None:
    """Words that are verbs; None in languages without lists of them."""
    words = word_classes(language)
    return None if words is None else words.verbs | words.be | words.auxiliaries


@lru_cache(maxsize=8)
def _fillers(language: str) -> frozenset[str]:
    """What says nothing that a viewer would miss, of one word or several: "you know"."""
    words = word_classes(language)
    if words is None:
        return frozenset()
    return words.fillers | words.tags | words.answers | words.hedges


@lru_cache(maxsize=8)
def _spare_words(language: str) -> frozenset[str] | None:
    """Single words that say little by themselves; None in languages without lists of them."""
    words = word_classes(language)
    if words is None:
        return None
    lists = (words.fillers, words.hedges, words.adverbs, words.end_adverbs, words.grading)
    single = {entry for one in (*lists, words.approximate) for entry in one if " " not in entry}
    return words.function | single
