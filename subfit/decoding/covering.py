"""What the hypotheses of a search have spent of their attention to the source.

The attention of every token that was fed is kept where it was written and never moved, as keys and
values are (`subfit.decoding.decoder_cache`); a hypothesis sums what stands where it came from.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from subfit.decoding.attention import attention_scores, weighted_sum
from subfit.decoding.parts import AttentionParts
from subfit.model.source_attention import SourceAttention

PLAIN = SourceAttention()


@dataclass(slots=True)
class Spending:
    """The attention of the last layer to the sources of a running search."""

    steps: Tensor
    """(rows, steps, beams, places): of each token that was fed, the mean over heads."""
    before: Tensor
    """(rows, beams, steps * beams): 1 for the tokens of each hypothesis before its newest."""
    bounds: Tensor | None
    """(rows, places) fertilities, where the model has any."""
    spent: Tensor | None = None
    """(rows, beams, places): of each hypothesis, its newest token included."""


def attend_and_spend(
    parts: AttentionParts,
    query: Tensor,
    memory: tuple[Tensor, Tensor, Tensor],
    rows: Tensor,
    positions: Tensor,
    spending: Spending,
) -> Tensor:
    """Return the context of the newest tokens, and note what they attend to.

    Args:
        parts: The attention.
        query: (rows, heads, beams, head_width), float32.
        memory: Keys and values, (rows, heads, places, head_width), and their mask.
        rows: (rows,) 0, 1, 2, …
        positions: (rows,) of the newest tokens.
        spending: What was spent before; changed in place.

    Returns:
        (rows, beams, heads * head_width), float32.
    """
    keys, values, mask = memory
    way = parts.way or PLAIN
    scaled = (query * parts.scale).to(keys.dtype)
    scores = attention_scores(scaled, keys).float() + mask
    spent = spending.before @ spending.steps.flatten(1, 2)  # (rows, beams, places)
    shares = way.share(scores, spent, spending.bounds, way.lean(scaled))
    now = shares.mean(1)
    spending.steps[rows, positions] = now
    spending.spent = spent + now
    return weighted_sum(shares.to(values.dtype), values)


def attend_whole(
    parts: AttentionParts,
    query: Tensor,
    memory: tuple[Tensor, Tensor, Tensor],
    bounds: Tensor | None,
) -> Tensor:
    """Return the context of all tokens of some texts; arguments are as above."""
    keys, values, mask = memory
    way = parts.way or PLAIN
    scaled = (query * parts.scale).to(keys.dtype)
    scores = attention_scores(scaled, keys).float() + mask
    shares = way.share_all(scores, bounds, way.lean(scaled))
    return weighted_sum(shares.to(values.dtype), values)


LEAST = 0.01
"""Coverage below this counts as this: sparse attention gives many places exactly none."""


def coverage_penalty(spent: Tensor, counted: Tensor) -> Tensor:
    """Return the sum over the source of ``ln(min(coverage, 1))`` (Wu et al. 2016, eq. 14).

    Args:
        spent: (n, places) coverage of finished hypotheses.
        counted: (n, places) which places are source tokens.

    Returns:
        (n,), 0 or less.
    """
    return (spent.clamp(min=LEAST, max=1.0).log() * counted).sum(-1)
