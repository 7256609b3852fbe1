"""Names that a translation keeps in some sentences and not in others.

A word that always has a capital, also where no sentence begins, is taken for a name. Whether a name
stays as it is cannot be told from that (`Anna` does, `Vienna` does not), but that it stays here and
not there is worth a look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from subfit.reporting.lengths import joined_lines
from subfit.reporting.verdicts import CueVerdict
from subfit.terms.glossary import names_in, plain_characters

SHORTEST = 3
"""Characters of a name; shorter ones are hardly told from other words."""
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
_GENITIVE = re.compile(r"'s$")
_GOES_ON = re.compile(r"[^\W_][,;]? $")
"""What stands before a word that begins no sentence."""
_LOOK_BACK = 3
"""Characters that this takes."""


@dataclass(frozen=True, slots=True)
class InconsistentName:
    """A name that some sentences keep and others do not."""

    name: str
    sentences: int
    """How many have it in the source."""
    lost: tuple[int, ...]
    """Numbers of the cues where the others begin."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence as the report has it; of several in one cue, all of that cue."""

    number: int
    """The number of its first cue."""
    source: str
    target: str
    omitted: frozenset[str]
    """Words that were left out of the source before it was translated."""


@dataclass(slots=True)
class _Seen:
    """Where a word was seen, by the sentences' numbers."""

    small: bool = False
    """Whether it was seen without a capital."""
    within: list[int] = field(default_factory=list)
    """With a capital, where no sentence begins."""
    first: list[int] = field(default_factory=list)
    """With a capital elsewhere."""


def inconsistent_names(cues: Sequence[CueVerdict], language: str) -> tuple[InconsistentName, ...]:
    """Return the names that not all sentences keep, those that most sentences have first.

    A sentence does not have what was left out of it.

    Args:
        cues: The verdicts on all cues of a track.
        language: Of the translations, which may have endings of its own on names.
    """
    sentences = _sentences(cues)
    seen: dict[str, _Seen] = {}
    for index, sentence in enumerate(sentences):
        if not sentence.source.isupper():
            _note_words(sentence.source, index, seen)
    having: dict[str, list[int]] = {}
    words_of: dict[int, list[str]] = {}
    for word, places in seen.items():
        indices = sorted({*places.within, *places.first})
        if not places.within or places.small or len(indices) < 2:
            continue
        having[word] = [index for index in indices if word not in sentences[index].omitted]
        for index in having[word]:
            words_of.setdefault(index, []).append(word)
    kept = {n: names_in(sentences[n].target, words, language) for n, words in words_of.items()}
    names: list[InconsistentName] = []
    for word, indices in having.items():
        lost = [sentences[index].number for index in indices if word not in kept[index]]
        if 0 < len(lost) < len(indices):
            names.append(InconsistentName(word, len(indices), tuple(lost)))
    return tuple(sorted(names, key=lambda name: (-name.sentences, name.name)))


def _sentences(cues: Sequence[CueVerdict]) -> list[_Sentence]:
    sentences: list[_Sentence] = []
    for cue in cues:
        numbers = cue.joined or (cue.number,)
        if cue.translated and cue.number == numbers[0]:
            outcomes = [cues[number - 1].outcome for number in numbers]
            source = _plain(outcome.source for outcome in outcomes)
            target = _plain(outcome.target for outcome in outcomes)
            omitted = _plain(words for outcome in outcomes for words in outcome.omitted)
            sentences.append(_Sentence(cue.number, source, target, frozenset(_words(omitted))))
    return sentences


def _plain(texts: Iterable[str]) -> str:
    return plain_characters(" ".join(map(joined_lines, texts)))


def _words(text: str) -> Iterator[str]:
    return (_GENITIVE.sub("", match[0]) for match in _WORD.finditer(text))


def _note_words(source: str, index: int, seen: dict[str, _Seen]) -> None:
    for match in _WORD.finditer(source):
        word = _GENITIVE.sub("", match[0])
        if len(word) < SHORTEST:
            continue
        places = seen.setdefault(word[0].upper() + word[1:], _Seen())
        if word[0].islower():
            places.small = True
        elif word[1:2].islower():
            within = _GOES_ON.search(source[max(0, match.start() - _LOOK_BACK) : match.start()])
            (places.within if within else places.first).append(index)
