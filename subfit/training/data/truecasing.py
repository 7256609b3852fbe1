"""Giving lower-cased text its capitals back, by the case that words mostly have elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import regex

_WORD = regex.compile(r"\w+")
_OPENS_SENTENCE = regex.compile(r"[.!?…]\W*\s\W*$")


class Truecaser:
    """Writes every word as it is mostly written inside sentences, and capitals at their starts.

    (The classic truecaser of Lita et al. 2003 without its language model: unigrams alone, as Moses
    has it.)

    Args:
        texts: Cased text to learn from.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        counts: dict[str, Counter[str]] = {}
        for text in texts:
            for word, opens, _ in _words(text):
                if not opens:
                    counts.setdefault(word.lower(), Counter())[word] += 1
        self._forms = {
            lower: form
            for lower, forms in counts.items()
            # Of forms as frequent, the one with fewer capitals.
            for form in [max(forms, key=lambda form: (forms[form], form))]
            if form != lower
        }

    def recase(self, text: str) -> str:
        """Return a lower-cased text with capitals; words that have some already keep theirs."""
        parts, end = [], 0
        for word, opens, start in _words(text):
            form = self._forms.get(word, word)
            if opens:
                form = form[:1].upper() + form[1:]
            parts += [text[end:start], form]
            end = start + len(word)
        return "".join([*parts, text[end:]])


def _words(text: str) -> Iterator[tuple[str, bool, int]]:
    """Yield every word, whether it opens a sentence, and where it starts."""
    end = 0
    for match in _WORD.finditer(text):
        before = text[end : match.start()]
        opens = end == 0 or bool(_OPENS_SENTENCE.search(before))
        yield match.group(), opens, match.start()
        end = match.end()
