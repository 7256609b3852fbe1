"""How much of a source a translation says, by the lexical table.

Takase & Okazaki 2019 take, of many headlines, the one with most words of the source; between
languages a source piece counts as said where one of its translations stands in the hypothesis.
Shortened translations that lost their verb or object show by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from subfit.model.lexicon import LexicalTable

LEAST_PROBABILITY = 0.01
"""Least probability of a translation that counts."""
LEAST_LIFT = 30.0
"""How many times more frequent a translation must be beside its source piece than elsewhere. Little
words of the target stand beside everything, and say nothing of it."""
LEAST_CONTENT = 0.5
"""A source piece whose translations are less probable together has no fixed ones, and nothing is
expected of it: articles, particles, pieces of rare words."""
ENOUGH = 0.05
"""A source piece is said in full where its translations in a hypothesis are as probable as this."""


class Coverage:
    """Measures how much of a source its translations say, for one target language.

    Args:
        table: The language's lexical table.
        piece_texts: What each piece of the vocabulary, which both sides share, prints.
    """

    def __init__(self, table: LexicalTable, piece_texts: Sequence[str]) -> None:
        self._table, self._texts = table, piece_texts
        self._shares = (table.counts / table.counts.sum().clamp(min=1)).tolist()
        self._telling: dict[int, dict[int, float]] = {}

    def score(self, source: Sequence[int], targets: Sequence[Sequence[int]]) -> list[float]:
        """Return the share of a source's content that each of its translations says.

        Args:
            source: Its pieces; special tokens may stand behind them.
            targets: Pieces of each translation.

        Returns:
            Per translation from 0 to 1; 1 where nothing in the source has fixed translations.
        """
        expected = [
            self._translations(piece) or self._copy_of_name(piece, first=place == 0)
            for place, piece in enumerate(source)
        ]
        content = [translations for translations in expected if translations]
        return [_said(content, set(target)) for target in targets]

    def _translations(self, piece: int) -> dict[int, float]:
        """The translations of a source piece by which it can be told; none of little words."""
        if piece not in self._telling:
            self._telling[piece] = self._find(piece)
        return self._telling[piece]

    def _find(self, piece: int) -> dict[int, float]:
        text = self._texts[piece].strip() if piece < len(self._texts) else ""
        if text.isdigit():
            return {piece: 1.0} | dict(self._table.translations(piece))
        if not any(map(str.isalpha, text)):
            return {}
        telling = {
            target: probability
            for target, probability in self._table.translations(piece)
            if probability >= max(LEAST_PROBABILITY, LEAST_LIFT * self._shares[target])
        }
        return telling if sum(telling.values()) >= LEAST_CONTENT else {}

    def _copy_of_name(self, piece: int, *, first: bool) -> dict[int, float]:
        """The piece itself, where it looks like the start of a name."""
        text = self._texts[piece] if piece < len(self._texts) else ""
        looks = text.startswith(" ") and len(text) > 3 and text[1].isupper() and text[2].islower()
        return {piece: 1.0} if looks and not first else {}


def _said(content: Iterable[dict[int, float]], target: set[int]) -> float:
    shares = [
        min(1.0, sum(translations[piece] for piece in target & translations.keys()) / ENOUGH)
        for translations in content
    ]
    return sum(shares) / len(shares) if shares else 1.0
