"""How much translations say twice, and how much they leave out: REP and DROP.

Ferreira and Martins, Improving the Quality of Neural Machine Translation, section III. Both are
per cent and the lower the better; both may pass 100. Words are those of sacreBLEU's tokenisation
``13a``, in lower case.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np

from subfit.errors import UsageError
from subfit.evaluation.metrics import Floats, Lines, Metric

ITERATIONS = 5


class FastAligner:
    """Aligns words by the tables that `learn_alignment` has learned."""

    def __init__(self, aligner: Any) -> None:
        self._aligner = aligner

    def links(self, source: Words, target: Words) -> list[tuple[int, int]]:
        """Return the pairs of a source word and a target word, by index, that are aligned."""
        if not source or not target:
            return []
        return list(self._aligner.align(list(source), list(target))["alignments"])

    def aligned_sources(self, source: Words, target: Words) -> frozenset[int]:
        """Return the indices of the source words that are aligned with any target word."""
        return frozenset(index for index, _ in self.links(source, target))


def learn_alignment(pairs: Iterable[tuple[Words, Words]], what: str = "DROP") -> FastAligner:
    """Learn alignment tables, in both directions, joined as grow-diag-final.

    Args:
        pairs: Words of sources and targets. What is to be aligned should be among them: all
            systems that are compared, and the references, so that none has words of its own.
        what: What it is learned for, to tell where it cannot be.

    Raises:
        UsageError: systran-align is not installed.
    """
    try:
        import systran_align
    except ImportError as error:
        raise UsageError(
            f"{what} needs the package systran-align; install subfit[adequacy]"
        ) from error
    with tempfile.TemporaryDirectory() as name:
        text, forward, backward = (Path(name) / part for part in ("text", "forward", "backward"))
        with text.open("w", encoding="utf-8", newline="\n") as file:
            for source, target in pairs:
                if source and target:
                    file.write(f"{_plain(source)} ||| {_plain(target)}\n")
        systran_align.generate_alignment_probabilities(
            str(text), str(forward), str(backward), iterations=ITERATIONS, favor_diagonal=True
        )
        return FastAligner(systran_align.Aligner(str(forward), str(backward)))


def _plain(words: Words) -> str:
    """The words in a line, with none that would read as the bar between the sides."""
    return " ".join("|" if word == "|||" else word for word in words)


REPEATED_BIGRAM = 1.0
"""λ1 of equation 10: a bigram that the hypothesis has more often than the reference."""
REPEATED_WORD = 2.0
"""λ2 of equation 10: a word that stands twice in a row."""

Words = tuple[str, ...]


def scored_words(text: str) -> Words:
    """Return the words of a text, as both scores count them."""
    return tuple(_tokenizer()(text.lower()).split())


@cache
def _tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return cast(Callable[[str], str], Tokenizer13a())


class Rep(Metric):
    """REP, how much is said more often than in the reference (equations 10 and 11).

    Of several references the one that a line repeats least beside counts, as in the authors'
    program; for length the one nearest in words.
    """

    name = "REP"
    best = "low"
    signature = "case:lc|tok:13a|ngram:2|weights:1,2|penalty:yes|refs:least"

    def statistics(self, lines: Lines) -> Floats:
        """Return σ, and the words of hypothesis and reference."""
        rows = []
        for text, line in zip(lines.hypotheses, lines.references, strict=True):
            words, references = scored_words(text), [scored_words(one) for one in line]
            least = min(repetition(words, reference) for reference in references)
            rows.append((least, len(words), _nearest(len(words), references)))
        return np.asarray(rows, dtype=float)

    def values(self, sums: Floats) -> Floats:
        """Return per cent of the references' words."""
        repeated, written, wanted = sums.T
        score = 100 * _penalty(wanted, written) * repeated / np.where(wanted, wanted, 1.0)
        return np.asarray(score)


class Drop(Metric):
    """DROP, how many source words the references say and the hypotheses do not (equation 12).

    The share is that of all lines together, as the authors' program has it; the paper prints a
    sum of the lines' shares. A source word counts where at least one reference says it.

    Args:
        learn: Learns to align from sources and targets, as `learn_alignment` does.
    """

    name = "DROP"
    best = "low"
    signature = "case:lc|tok:13a|penalty:yes|align:fast_align"

    def __init__(
        self, learn: Callable[[Iterable[tuple[Words, Words]]], FastAligner] | None = None
    ) -> None:
        if learn is None:
            from subfit.evaluation.adequacy import learn_alignment

            learn = learn_alignment
        self._learn = learn
        self._aligner: FastAligner | None = None

    def prepare(self, systems: Sequence[Lines]) -> None:
        """Learn one alignment for all systems, from the references and all translations."""
        first = systems[0]
        texts = [*zip(*first.references, strict=True), *(one.hypotheses for one in systems)]
        self._aligner = self._learn(
            (scored_words(source), scored_words(text))
            for targets in texts
            for source, text in zip(first.sources, targets, strict=True)
        )

    def statistics(self, lines: Lines) -> Floats:
        """Return dropped and said source words, and the words of hypothesis and reference."""
        if self._aligner is None:
            self.prepare([lines])
        assert self._aligner is not None
        aligned = self._aligner.aligned_sources
        rows = []
        for source, text, line in zip(
            map(scored_words, lines.sources), lines.hypotheses, lines.references, strict=True
        ):
            words, references = scored_words(text), [scored_words(one) for one in line]
            wanted = frozenset[int]().union(*(aligned(source, one) for one in references))
            dropped = wanted - aligned(source, words)
            rows.append((len(dropped), len(wanted), len(words), _nearest(len(words), references)))
        return np.asarray(rows, dtype=float)

    def values(self, sums: Floats) -> Floats:
        """Return per cent of the source words that the references say."""
        dropped, said, written, wanted = sums.T
        score = 100 * _penalty(written, wanted) * dropped / np.where(said, said, 1.0)
        return np.asarray(score)


def repetition(text: Words, reference: Words) -> float:
    """σ of equation 10, for one line and one reference."""
    bigrams, most = Counter(pairwise(text)), Counter(pairwise(reference))
    extra = {pair: max(0, count - most[pair]) for pair, count in bigrams.items()}
    too_often = sum(count for pair, count in extra.items() if bigrams[pair] >= 2)
    in_a_row = sum(count for (one, other), count in extra.items() if one == other)
    return REPEATED_BIGRAM * too_often + REPEATED_WORD * in_a_row


def _nearest(length: int, references: Sequence[Words]) -> int:
    return min((len(words) for words in references), key=lambda n: (abs(n - length), n))


def _penalty(longer: Floats, shorter: Floats) -> Floats:
    """e^(longer/shorter − 1) where the first is longer, else 1.

    REP's brevity penalty, since a short text repeats less; DROP's length penalty, since a long one
    has more words for the source to align with. Without any words there is nothing to punish.
    """
    ratios = longer / np.where(shorter > 0, shorter, np.maximum(longer, 1.0))
    return np.asarray(np.exp(np.maximum(ratios, 1.0) - 1))
