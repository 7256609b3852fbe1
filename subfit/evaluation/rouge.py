"""ROUGE recall: how much of a reference a shorter text says (Lin 2004).

For texts cut at 75 bytes, the setting of the DUC 2004 headlines that Takase and Okazaki 2019
report. Words are runs of letters and digits in lower case; nothing is stemmed and no word left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import regex

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


@dataclass(frozen=True, slots=True)
class Rouge:
    """Means over lines, from 0 to 100."""

    rouge_1: float
    """Recall of words."""
    rouge_2: float
    """Recall of pairs of words."""
    rouge_l: float
    """Share of the reference's words in the longest common subsequence."""
    bytes: int | None = None
    """What outputs were cut at, in bytes of UTF-8; None where they were not."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def rouge(hypotheses: Sequence[str], references: Sequence[str], cut: int | None = None) -> Rouge:
    """Return the mean recall of texts, each against one reference.

    Args:
        hypotheses: The texts, at least one.
        references: As many. Lines whose reference has no words, or of ROUGE-2 no two, do not count.
        cut: Take but so many bytes of each text in UTF-8; a character or word that stands across
            the cut is cut.

    Raises:
        ValueError: There is nothing to compare, or the numbers differ.
    """
    if not hypotheses or len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses and {len(references)} references")
    pairs = [
        (rouge_words(cut_at(ours, cut)), rouge_words(theirs))
        for ours, theirs in zip(hypotheses, references, strict=True)
    ]
    return Rouge(
        _mean([ngram_recall(*pair, 1) for pair in pairs]),
        _mean([ngram_recall(*pair, 2) for pair in pairs]),
        _mean([subsequence_recall(*pair) for pair in pairs]),
        cut,
    )


def cut_at(text: str, count: int | None) -> str:
    """Return the first bytes of a text, without a character that stands across the cut.

    Args:
        text: The text.
        count: How many bytes of UTF-8; None for all.
    """
    return text if count is None else text.encode()[:count].decode(errors="ignore")


def rouge_words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return [str(word) for word in _WORD.findall(text.lower())]


def ngram_recall(ours: Sequence[str], theirs: Sequence[str], size: int) -> float | None:
    """Return the share of a reference's n-grams that a text has, each as often as it has it.

    Returns:
        From 0 to 1; None if the reference has none.
    """
    wanted, matched = _ngrams(theirs, size), _ngrams(ours, size)
    total = wanted.total()
    return (wanted & matched).total() / total if total else None


def subsequence_recall(ours: Sequence[str], theirs: Sequence[str]) -> float | None:
    """Return the share of a reference's words in the longest common subsequence; as above."""
    if not theirs:
        return None
    before = [0] * (len(ours) + 1)
    for word in theirs:
        row = [0]
        for place, own in enumerate(ours):
            row.append(before[place] + 1 if own == word else max(before[place + 1], row[-1]))
        before = row
    return before[-1] / len(theirs)


def _ngrams(words: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def _mean(values: Sequence[float | None]) -> float:
    counted = [value for value in values if value is not None]
    return 100 * sum(counted) / len(counted) if counted else 0.0
