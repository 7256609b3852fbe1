"""The pieces of a vocabulary that are a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

HYPHEN = "-"


class WholeWords:
    """Finds the pieces that are a word, or begin one that is longer.

    Args:
        texts: Of each piece, spaces as spaces.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._pieces: dict[str, list[int]] = {}
        for number, text in enumerate(texts):
            word = text.lstrip(HYPHEN)
            if word.startswith(" "):
                self._pieces.setdefault(word[1:], []).append(number)
            elif word:
                self._pieces.setdefault(HYPHEN + word, []).append(number)

    def pieces_of(self, words: Iterable[str]) -> tuple[int, ...]:
        """Return the token ids of words that are one piece each; of others there are none.

        Args:
            words: As they are written; one that opens with a hyphen is a word behind a hyphen.
        """
        return tuple(number for word in words for number in self._pieces.get(word, ()))
