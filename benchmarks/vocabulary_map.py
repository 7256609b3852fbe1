"""Makes a vocabulary map for CTranslate2: which target pieces a source piece may become.

The table of IBM model 1 is learned from parallel text, piece by piece (Brown et al. 1993, §4.1);
of every source piece the likeliest target pieces are written, as Marian's shortlists have them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from subfit.tokenizer import TOKENIZER_FILE, Tokenizer

ROUNDS = 4
"""Of expectation and maximisation."""
LONGEST = 60
"""Pairs with more pieces on a side tell little of single words."""

CANDIDATES = 40
"""Target pieces of each source piece, at most."""
COMMON = 100
"""Most frequent target pieces, which are always allowed."""

Pieces = Sequence[int]


def make_map(path: Path, corpus: Path, model_folder: Path, most: int) -> None:
    """Write the vocabulary map of a model.

    Args:
        path: To write to.
        corpus: Sentences with their translations.
        model_folder: For its tokenizer.
        most: Pairs to learn from.
    """
    tokenizer = Tokenizer(model_folder / TOKENIZER_FILE)
    pairs = read_pieces(corpus, tokenizer, most)
    table = translation_table(pairs, len(tokenizer))
    common = frequent_pieces((target for _, target in pairs), COMMON)
    write_map(path, table, common, tokenizer.pieces)


def read_pieces(path: Path, tokenizer: Tokenizer, most: int) -> list[tuple[Pieces, Pieces]]:
    """Read the pairs of a corpus, evenly over the whole file.

    Args:
        path: Lines as `subfit.training.corpus.read_pairs` takes them.
        tokenizer: The model's.
        most: How many pairs, at most.
    """
    from subfit.training.corpus import read_pairs

    count = sum(1 for _ in read_pairs(path))
    pairs = list(islice(read_pairs(path), 0, None, max(1, -(-count // most))))
    sources = tokenizer.encode_all([pair.source for pair in pairs])
    targets = tokenizer.encode_all([pair.target for pair in pairs])
    both = zip(sources, targets, strict=True)
    return [pair for pair in both if max(map(len, pair)) <= LONGEST]


def translation_table(
    pairs: Sequence[tuple[Pieces, Pieces]], vocab_size: int
) -> dict[int, list[tuple[int, float]]]:
    """Learn how likely each source piece becomes each target piece.

    Args:
        pairs: Sentences with their translations.
        vocab_size: Above every piece.

    Returns:
        Per source piece that occurs the target pieces, likeliest first, with t(target | source).
    """
    links, targets = [], []  # of every pair of pieces in a sentence: which two, which occurrence
    seen = 0
    for source, target in pairs:
        width, height = len(source), len(target)
        links.append(np.repeat(source, height) * vocab_size + np.tile(target, width))
        targets.append(np.tile(np.arange(seen, seen + height), width))
        seen += height
    kinds, link = np.unique(np.concatenate(links), return_inverse=True)
    occurrence = np.concatenate(targets)
    source_of = kinds // vocab_size
    chance = np.ones(len(kinds))
    for _ in range(ROUNDS):
        share = chance[link]
        share /= np.bincount(occurrence, share)[occurrence]
        counts = np.bincount(link, share)
        chance = counts / np.bincount(source_of, counts)[source_of]
    table: dict[int, list[tuple[int, float]]] = {}
    for place in np.lexsort((-chance, source_of)).tolist():
        source_piece, target_piece = divmod(int(kinds[place]), vocab_size)
        table.setdefault(source_piece, []).append((target_piece, float(chance[place])))
    return table


def frequent_pieces(targets: Iterable[Pieces], most: int) -> list[int]:
    """Return the pieces that occur most, which any sentence may need."""
    counts = Counter(piece for target in targets for piece in target)
    return [piece for piece, _ in counts.most_common(most)]


def write_map(
    path: Path,
    table: Mapping[int, Sequence[tuple[int, float]]],
    common: Sequence[int],
    names: Sequence[str],
) -> None:
    """Write the file CTranslate2 reads: a source piece, a tab, target pieces between spaces.

    Args:
        path: To write to.
        table: From `translation_table`.
        common: Target pieces that are always allowed; the line without a source piece.
        names: How the vocabulary spells its pieces.
    """
    lines = ["\t" + " ".join(names[each] for each in common)]
    for source, targets in sorted(table.items()):
        best = " ".join(names[target] for target, _ in targets[:CANDIDATES])
        lines.append(f"{names[source]}\t{best}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
