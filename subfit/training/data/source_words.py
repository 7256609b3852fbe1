"""Which words of a training text are names: what translations have as it is, and never small.

What stands in small letters is a word, and so is what has a capital but is translated ("Germany",
German "Deutschland"). What opens a text has a capital in any case, and counts as a name only if its
translation has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from subfit.evaluation.corpus import Pair
from subfit.model.dictionary import words_of
from subfit.model.source_words import SourceWord

KEPT = 0.5
"""Share of its pairs in whose translations a word with a capital stands as it is, at least, for it
to be a name."""
SELDOM = 20
"""Times that training shows a word in small letters, at most, for it to be a name where it has a
capital within a sentence, though training never shows it with one: "Hugging Face"."""


def learn_source_words(pairs: Iterable[Pair]) -> list[SourceWord]:
    """Learn which words are no names, or not always; a word that is not among them is a name.

    Args:
        pairs: Sentences, and entries of dictionaries, in a source language that does not write
            every noun with a capital.
    """
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for pair in pairs:
        target: frozenset[str] | None = None
        for number, match in enumerate(words_of(pair.source)):
            word, lower = match[0], match[0].lower()
            if word == lower:
                small[lower] += 1
                continue
            if target is None:
                target = frozenset(other[0] for other in words_of(pair.target))
            if word in target:
                kept[lower] += 1
            elif number == 0:
                small[lower] += 1
                continue
            capital[lower] += 1
    found: list[SourceWord] = []
    for lower in sorted(small.keys() | capital.keys()):
        name = bool(capital[lower]) and kept[lower] >= KEPT * capital[lower]
        within = name and capital[lower] >= small[lower]
        within |= not capital[lower] and small[lower] <= SELDOM
        if small[lower] or not name:
            found.append(SourceWord(lower, within))
    return found
