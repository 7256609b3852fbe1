"""Parting a translation that goes back into several cues."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from subfit.linebreak_rules import Piece, joined, split_pieces

_ROUGHNESS = ((-5.0, 0.0), (-1.0, 0.1), (10.0, 0.15), (999.0, 0.25), (math.inf, 0.5))
"""By the demerits of a line break there: after punctuation, before a conjunction or preposition,
anywhere, within a phrase, after an article."""


def cue_splits(
    text: str, lengths: Sequence[int], language: str
) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Yield every split of a text into one part per cue, with its demerits.

    They are the differences of the parts' shares of the text to those of the source, and for every
    cut its roughness as a share of the text's length.

    Args:
        text: Plain text in one line.
        lengths: Characters of the source's parts, one for each cue.
        language: The text's language tag.

    Yields:
        Demerits and parts, none of them empty; nothing if the text has fewer words than cues.
    """
    pieces, count = split_pieces(text, language), len(lengths)
    if count == 1:
        yield 0.0, (text,)
        return
    weights = [max(length, 1) for length in lengths]
    shares = [weight / sum(weights) for weight in weights]
    for cuts in combinations(range(1, len(pieces)), count - 1):
        bounds = (0, *cuts, len(pieces))
        parts = tuple(joined(pieces[a:b]) for a, b in pairwise(bounds))
        uneven = sum(
            abs(len(part) / len(text) - share) for part, share in zip(parts, shares, strict=True)
        )
        yield uneven + sum(_roughness(pieces[cut - 1]) for cut in cuts), parts


def _roughness(piece: Piece) -> float:
    """Say how bad it is to begin the next cue after a piece."""
    return next(cost for demerits, cost in _ROUGHNESS if piece.demerits <= demerits)
