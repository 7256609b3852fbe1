"""How much translations say twice, and how much they leave out: REP and DROP.

Ferreira and Martins, Improving the Quality of Neural Machine Translation, section III. Both are
per cent and the lower the better; both may pass 100. Words are those of sacreBLEU's tokenisation
``13a``, in lower case.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple, Protocol, cast

REPEATED_BIGRAM = 1.0
"""λ1 of equation 10: a bigram that the hypothesis has more often than the reference."""
REPEATED_WORD = 2.0
"""λ2 of equation 10: a word that stands twice in a row."""
SIGNATURE = "case:lc|tok:13a|ngram:2|weights:1,2|penalty:yes|align:fast_align"
"""What REP and DROP were made with."""

Words = tuple[str, ...]


class WordAligner(Protocol):
    """Tells which source words stand for some word of a target."""

    def aligned_sources(self, source: Words, target: Words) -> frozenset[int]:
        """Return the indices of the source words that are aligned with any target word."""


def scored_words(text: str) -> Words:
    """Return the words of a text, as both scores count them."""
    return tuple(_tokenizer()(text.lower()).split())


@cache
def _tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return cast(Callable[[str], str], Tokenizer13a())


def rep_score(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return REP, how much is said more often than in the references (equations 10 and 11).

    Args:
        hypotheses: Detokenised translations, one a line.
        references: The references of every line, one or more. A bigram may stand as often as in
            the reference that has it most often; the reference nearest in words counts for length.

    Returns:
        Per cent of the references' words; 0 where nothing is said too often.

    Raises:
        ValueError: The numbers differ, a line has no reference, or all references are empty.
    """
    texts = [scored_words(hypothesis) for hypothesis in hypotheses]
    allowed = [tuple(scored_words(text) for text in line) for line in references]
    lengths = _lengths(texts, allowed)
    repeated = sum(map(repetition, texts, allowed))
    return 100 * _penalty(lengths.reference, lengths.hypothesis) * repeated / lengths.reference


def drop_score(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    aligner: WordAligner,
) -> float:
    """Return DROP, how many source words the references say and the hypotheses do not (eq. 12).

    The share is that of all lines together, as the authors' program has it; the paper prints a
    sum of the lines' shares.

    Args:
        sources: One a line.
        hypotheses: Detokenised translations, one a line.
        references: The references of every line, one or more; a source word counts where at least
            one of them says it.
        aligner: Learned from text of the same languages, see `learn_alignment`.

    Returns:
        Per cent of the source words that the references say; 0 where nothing was dropped.

    Raises:
        ValueError: The numbers differ, a line has no reference, or all references are empty.
    """
    texts = [scored_words(hypothesis) for hypothesis in hypotheses]
    allowed = [tuple(scored_words(text) for text in line) for line in references]
    lengths = _lengths(texts, allowed)
    said = dropped = 0
    for source, text, line in zip(map(scored_words, sources), texts, allowed, strict=True):
        wanted = frozenset[int]().union(
            *(aligner.aligned_sources(source, reference) for reference in line)
        )
        said += len(wanted)
        dropped += len(wanted - aligner.aligned_sources(source, text))
    if not said:
        return 0.0
    return 100 * _penalty(lengths.hypothesis, lengths.reference) * dropped / said


class _Lengths(NamedTuple):
    """Words of all hypotheses, and of the references nearest to them in words."""

    hypothesis: int
    reference: int


def _lengths(texts: Sequence[Words], references: Sequence[Sequence[Words]]) -> _Lengths:
    if len(texts) != len(references) or not all(references):
        raise ValueError(f"{len(texts)} hypotheses and references of {len(references)} lines")
    nearest = [
        min((len(words) for words in line), key=lambda length: (abs(length - len(text)), length))
        for text, line in zip(texts, references, strict=True)
    ]
    if not sum(nearest):
        raise ValueError("the references have no words")
    return _Lengths(sum(map(len, texts)), sum(nearest))


def _penalty(longer: int, shorter: int) -> float:
    """e^(longer/shorter − 1) where the first is longer, else 1.

    REP's brevity penalty, since a short text repeats less; DROP's length penalty, since a long one
    has more words for the source to align with. Without any words there is nothing to punish.
    """
    return math.exp(longer / shorter - 1) if longer > shorter > 0 else 1.0


def repetition(text: Words, references: Sequence[Words]) -> float:
    """σ of equation 10, for one line."""
    bigrams = Counter(pairwise(text))
    most = _most([Counter(pairwise(words)) for words in references])
    too_often = {
        bigram: max(0, count - most[bigram]) for bigram, count in bigrams.items() if count >= 2
    }
    in_a_row = (
        max(0, count - most[bigram]) for bigram, count in bigrams.items() if bigram[0] == bigram[1]
    )
    return REPEATED_BIGRAM * sum(too_often.values()) + REPEATED_WORD * sum(in_a_row)


def _most(counts: Iterable[Counter[tuple[str, str]]]) -> Counter[tuple[str, str]]:
    """The counts that at least one of the references has."""
    union: Counter[tuple[str, str]] = Counter()
    for count in counts:
        union |= count
    return union


@dataclass(frozen=True, slots=True)
class Adequacy:
    """How much the translations of a system say twice, and how much they leave out."""

    rep: float
    """See `rep_score`."""
    drop: float
    """See `drop_score`."""
    signature: str = SIGNATURE


def adequacy_of(
    systems: Mapping[str, Sequence[str]],
    sources: Sequence[str],
    references: Sequence[str],
    learn: Callable[[Iterable[tuple[Words, Words]]], WordAligner],
) -> dict[str, Adequacy]:
    """Measure the translations of several systems by one alignment.

    Args:
        systems: Their translations of the sources, by their labels.
        sources: One a line.
        references: One for each source.
        learn: Learns to align words from sources and targets, as `learn_alignment` does; it gets
            the references and the translations of all systems.
    """
    words = [scored_words(source) for source in sources]
    aligner = learn(
        (source, scored_words(text))
        for texts in (references, *systems.values())
        for source, text in zip(words, texts, strict=True)
    )
    single = [[reference] for reference in references]
    return {
        label: Adequacy(rep_score(texts, single), drop_score(sources, texts, single, aligner))
        for label, texts in systems.items()
    }
