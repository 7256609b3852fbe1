"""Lexical tables of a model, learnt from sentence pairs: IBM Model 1, drawn to the diagonal.

Every target piece is taken to come from one source piece of its sentence, or from none ("null").
Expectation maximisation finds P(target piece | source piece) (Brown et al. 1993). That words keep
their order roughly is the prior of Dyer, Chahuneau & Smith 2013 with its tension fixed, and a
sparse Dirichlet prior keeps rare pieces from claiming everything in their few sentences (ibid.).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import torch
from torch import Tensor

from subfit.evaluation.corpus import Pair
from subfit.evaluation.metrics import learn_alignment
from subfit.model.attention import MOST
from subfit.model.lexicon import LexicalTable
from subfit.model.tokenizer import AnyTokenizer
from subfit.training.dataset import Example

TENSION = 4.0
"""How strongly a piece is drawn to the place in the source that its own place corresponds to."""
NULL_SHARE = 0.08
"""Prior probability that a target piece comes from no source piece."""
CONCENTRATION = 0.01
"""α of the Dirichlet prior over the translations of a source piece; less is sparser."""


ROUNDS = 5
"""Iterations of expectation maximisation."""
TRANSLATIONS, LEAST_PROBABILITY = 30, 0.001
"""Target pieces kept for each source piece, at most; less probable ones are dropped."""
MOST_PIECES = 40
"""Pairs with a longer side align poorly, cost much, and are left out."""


def learn_lexicon(
    pairs: Sequence[Pair], tokenizer: AnyTokenizer, only: str, most: int, seed: int
) -> dict[str, LexicalTable]:
    """Learn a table for each language that pairs name.

    Args:
        pairs: Those of a training.
        tokenizer: The model's.
        only: The target language of pairs that name none.
        most: Pairs of each language, at most, that are drawn.
        seed: Of the draw.
    """
    chooser = random.Random(seed)
    sizes = len(tokenizer.source), len(tokenizer.target)
    tables = {}
    for language in dict.fromkeys(pair.language for pair in pairs):
        own = [pair for pair in pairs if pair.language == language]
        drawn = chooser.sample(own, min(most, len(own)))
        tables[language or only] = learn_table(
            tokenizer.source.encode_all([pair.source for pair in drawn]),
            tokenizer.target.encode_all([pair.target for pair in drawn]),
            sizes,
        )
    return tables


def learn_table(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]], sizes: tuple[int, int]
) -> LexicalTable:
    """Learn which target pieces translate each source piece.

    Args:
        sources: Pieces of the source of each pair.
        targets: Likewise of its target.
        sizes: Of the vocabularies of source and target.

    Returns:
        A table; pieces that never occur have no translations.
    """
    source_size, target_size = sizes
    counts = torch.tensor(list(chain.from_iterable(targets))).long().bincount(minlength=target_size)
    keys, positions, priors = _links(sources, targets, sizes)
    cells, of_link = torch.unique(keys, return_inverse=True)
    rows = cells // target_size
    probabilities = torch.ones(len(cells))
    for number in range(ROUNDS):
        weights = probabilities[of_link] * priors
        sums = torch.zeros(int(positions[-1:].sum()) + 1).scatter_add_(0, positions, weights)
        weights /= sums[positions].clamp(min=torch.finfo(torch.float32).tiny)
        expected = torch.zeros(len(cells)).scatter_add_(0, of_link, weights)
        concentration = 0.0 if number == ROUNDS - 1 else CONCENTRATION
        probabilities = _normalized(expected, rows, source_size + 1, concentration)
    real = rows < source_size  # null is no piece
    table = rows[real], cells[real] % target_size, probabilities[real]
    return _pruned(table, source_size, counts)


def _links(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]], sizes: tuple[int, int]
) -> tuple[Tensor, Tensor, Tensor]:
    """Set every target piece beside null and every source piece of its sentence, (links,) each:
    source piece * target_size + target piece, null being the piece behind the last; which target
    piece of the corpus it belongs to; and what it is worth before anything is known of its pieces,
    which sums to 1 over those of a target piece."""
    pairs = [
        pair
        for pair in zip(sources, targets, strict=True)
        if min(map(len, pair)) > 0 and max(map(len, pair)) <= MOST_PIECES
    ]
    ours, theirs = (
        torch.tensor([piece for pair in pairs for piece in pair[side]]).long() for side in (0, 1)
    )
    our_lengths, their_lengths = (
        torch.tensor([len(pair[side]) for pair in pairs]).long() for side in (0, 1)
    )
    of_target = torch.arange(len(pairs)).repeat_interleave(their_lengths)
    fan = our_lengths[of_target] + 1  # (target_pieces,) links of each, null included
    positions = torch.arange(len(theirs)).repeat_interleave(fan)
    place = torch.arange(len(positions)) - (fan.cumsum(0) - fan)[positions]  # 0 for null
    of_link = of_target[positions]
    starts = our_lengths.cumsum(0) - our_lengths
    pieces = ours[(starts[of_link] + place - 1).clamp(min=0)].masked_fill(place == 0, sizes[0])
    starts = their_lengths.cumsum(0) - their_lengths
    target_share = (torch.arange(len(theirs)) - starts[of_target] + 0.5) / their_lengths[of_target]
    source_share = (place - 0.5) / our_lengths[of_link]
    near = torch.exp(-TENSION * (source_share - target_share[positions]).abs())
    near.masked_fill_(place == 0, 0.0)
    sums = torch.zeros(len(theirs)).scatter_add_(0, positions, near)
    priors = torch.where(place == 0, NULL_SHARE, (1 - NULL_SHARE) * near / sums[positions])
    return pieces * sizes[1] + theirs[positions], positions, priors


def _normalized(expected: Tensor, rows: Tensor, size: int, concentration: float) -> Tensor:
    """P(target | source) of expected counts; under a Dirichlet prior its geometric mean."""
    sums = torch.zeros(size).scatter_add_(0, rows, expected)
    if not concentration:
        return expected / sums[rows]
    sums += concentration * rows.bincount(minlength=size)
    return torch.exp(torch.digamma(expected + concentration) - torch.digamma(sums)[rows])


def _pruned(table: tuple[Tensor, Tensor, Tensor], source_size: int, counts: Tensor) -> LexicalTable:
    """Keep the best translations of each source piece; the table is (source, target, P) cells."""
    order = table[2].argsort(descending=True, stable=True)
    order = order[table[0][order].argsort(stable=True)]
    rows, targets, probabilities = (column[order] for column in table)
    lengths = rows.bincount(minlength=source_size)
    rank = torch.arange(len(rows)) - (lengths.cumsum(0) - lengths)[rows]
    kept = (rank < TRANSLATIONS) & (probabilities >= LEAST_PROBABILITY)
    lengths = rows[kept].bincount(minlength=source_size)
    offsets = torch.cat([torch.zeros(1, dtype=torch.int64), lengths.cumsum(0)])
    return LexicalTable(offsets, targets[kept], probabilities[kept], counts)


SEED = 26
"""Draws the pairs that the aligner learns from."""


def aligned_fertilities(examples: Sequence[Example], most: int) -> list[tuple[int, ...]]:
    """Count, for each pair and each source piece, the target pieces that are aligned with it.

    Args:
        examples: The training pairs, in pieces.
        most: Pairs, drawn at random, that the aligner learns from.

    Raises:
        UsageError: systran-align is not installed.
    """
    texts = [(_words(example.source), _words(example.target)) for example in examples]
    drawn = random.Random(SEED).sample(range(len(texts)), min(most, len(texts)))
    aligner = learn_alignment((texts[index] for index in drawn), "attention.fertility")
    fertilities = []
    for source, target in texts:
        counts = Counter(index for index, _ in aligner.links(source, target))
        fertilities.append(tuple(counts[index] for index in range(len(source))))
    return fertilities


def _words(pieces: Sequence[int]) -> tuple[str, ...]:
    """Pieces as words of an aligner: their numbers."""
    return tuple(map(str, pieces))


def most_aligned(examples: Sequence[Example], pieces: int) -> list[int]:
    """Return, for every source piece, the most target pieces it was ever aligned with."""
    most = [0] * pieces
    for example in examples:
        for piece, fertility in zip(example.source, example.fertilities or (), strict=False):
            most[piece] = max(most[piece], fertility)
    return most


def fertility_counts(examples: Sequence[Example]) -> list[int]:
    """Return how often each fertility from 0 to `MOST` occurs; more than that counts as that."""
    counts = Counter(min(one, MOST) for example in examples for one in example.fertilities or ())
    return [counts[fertility] for fertility in range(MOST + 1)]
