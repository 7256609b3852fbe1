"""Rare n-grams that translations have right, after Ferreira and Martins (section VI-B)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from subfit.evaluation.metrics import Words, scored_words


def rare_ngrams(
    hypotheses: Sequence[str],
    references: Sequence[str],
    training: Iterable[str],
    *,
    longest: int = 4,
    most: int = 10,
) -> dict[int, int]:
    """Count the correctly translated n-grams by how rare they were in training (section VI-B).

    Args:
        hypotheses: Detokenised translations.
        references: One for each.
        training: The target side of the training text.
        longest: n-grams of 1 to so many words.
        most: n-grams that training has more often than this are not counted.

    Returns:
        How often n-grams that both sides of the test have stand in the hypotheses (at most as often
        as in the references), by their count ψ in training, from 0 to ``most``.
    """
    ours, theirs = (
        Counter(ngram for text in side for ngram in _ngrams(scored_words(text), longest))
        for side in (hypotheses, references)
    )
    both = ours & theirs
    seen: Counter[Words] = Counter()
    for text in training:
        seen.update(ngram for ngram in _ngrams(scored_words(text), longest) if ngram in both)
    counts = dict.fromkeys(range(most + 1), 0)
    for ngram, count in both.items():
        if seen[ngram] <= most:
            counts[seen[ngram]] += count
    return counts


def _ngrams(words: Words, longest: int) -> Iterator[Words]:
    for size in range(1, longest + 1):
        for start in range(len(words) - size + 1):
            yield words[start : start + size]
