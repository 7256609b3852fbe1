"""Names that a file has again and again: unfamiliar words that never come without a capital.

A name that stands in two sentences is kept in both, lest "Marya" be "Maria" in one cue and "Mary"
in the next. Which words are names the model's own training text tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

import regex

LEAST_TEXTS = 2
"""So many texts of a file have a name that is kept throughout."""

NAME = r"\p{Lu}(?:[’']\p{Lu})?\p{Ll}(?:[’'](?!s\b)|[\p{L}-])*\p{L}"
"""A word with a capital: O'Neil; Finch of Finch's."""

_CAPITALISED = regex.compile(rf"(?<![\p{{L}}\p{{N}}'’.@#/-]){NAME}(?![\p{{L}}\p{{N}}@/]|\.\p{{L}})")
_ELIDED = regex.compile(r"[’']\p{Ll}")
"""Of two words that have grown together: You're, D'accord."""
SMALL = regex.compile(r"(?<![\p{L}'’.@#/-])\p{Ll}[\p{L}’'-]*")
"""A word without a capital."""


class NameJudge(Protocol):
    """Tells names from other words of a language."""

    def is_name(self, word: str, *, opening: bool) -> bool:
        """Whether a word is a name, which translations have as it is.

        Args:
            word: As it stands.
            opening: Whether it opens a sentence, where every word has a capital.
        """


def repeated_names(texts: Iterable[str], judge: NameJudge) -> tuple[str, ...]:
    """Return the names that several texts of a file have and that nothing else can be meant by.

    Args:
        texts: All that is said in the file.
        judge: Of words of its language.

    Returns:
        In the order in which the file has them.
    """
    counts: Counter[str] = Counter()
    small: set[str] = set()
    for text in texts:
        small.update(SMALL.findall(text))
        counts.update(dict.fromkeys(_CAPITALISED.findall(text), 1))
    return tuple(
        word
        for word, texts_with in counts.items()
        if texts_with >= LEAST_TEXTS
        and word.lower() not in small
        and not _ELIDED.search(word)
        and judge.is_name(word, opening=True)
    )
