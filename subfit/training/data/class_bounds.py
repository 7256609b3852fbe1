"""Length classes of equal shares of the training pairs: quantiles of their length ratios."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from subfit.configuration.checking import ContradictionsError
from subfit.errors import RecipeError
from subfit.evaluation.corpus import Pair
from subfit.training.recipe.recipe import Recipe


def with_class_bounds(recipe: Recipe, pairs: Sequence[Pair]) -> Recipe:
    """Replace quantiles in ``length.classes`` by the ratios they stand for.

    Args:
        recipe: Any recipe; one whose classes are bounded by numbers comes back as it is.
        pairs: The training pairs, of which each counts as one whatever the weight of its corpus.

    Returns:
        The recipe with the target/source character ratios that part the pairs at the quantiles,
        rounded to four decimals.

    Raises:
        RecipeError: Two quantiles have the same ratio, so that a class would be empty.
    """
    if not recipe.length.by_quantile:
        return recipe
    ratios = sorted(len(pair.target) / len(pair.source) for pair in pairs)
    bounds: dict[str, float | str | None] = {
        name: None if share is None else _quantile(ratios, share)
        for name, share in recipe.length.bounds.items()
    }
    try:
        return replace(recipe, length=replace(recipe.length, classes=bounds))
    except ContradictionsError as error:
        shown = ", ".join(f"{name}: {bound}" for name, bound in bounds.items())
        raise RecipeError(
            f"length.classes: the quantiles part the training pairs at {shown}, which leaves a"
            " class empty; choose others or give ratios"
        ) from error


def _quantile(ascending: Sequence[float], share: float) -> float:
    """Return the least value that at least this share of the values do not exceed."""
    rank = max(math.ceil(share * len(ascending)), 1)
    return round(ascending[rank - 1], 4)
