"""What lengths are counted in: characters (Lakew, Takase) or tokens of the target side (Oka)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from subfit.model.config import LengthUnitName
from subfit.model.tokenizer import AnyTokenizer, normalize


@dataclass(frozen=True, slots=True)
class LengthUnit:
    """The unit that a model's length signals count in."""

    name: LengthUnitName
    characters: float
    """How many characters one of them has in the mean."""
    source_lengths: Callable[[Sequence[str]], list[int]]
    """Counts source texts."""
    target_lengths: Callable[[Sequence[str]], list[int]]
    """Counts target texts."""

    def of_characters(self, characters: float) -> int:
        """Return about how many units so many characters are, 1 or more."""
        return max(1, round(characters / self.characters))


def count_code_points(texts: Sequence[str]) -> list[int]:
    """Return the code points of each text."""
    return [len(text) for text in texts]


CHARACTERS = LengthUnit("characters", 1.0, count_code_points, count_code_points)
"""Code points, as everywhere inside models."""


def length_unit(config: Any, tokenizer: AnyTokenizer) -> LengthUnit:
    """Return the unit of a model's length signals; characters where it has none.

    Args:
        config: The model's.
        tokenizer: Likewise. Tokens are its pieces, without start and end token.
    """
    if getattr(config, "length_unit", "characters") == "characters":
        return CHARACTERS

    def pieces(side: Any) -> Callable[[Sequence[str]], list[int]]:
        return lambda texts: [
            len(pieces) for pieces in side.encode_all(list(map(normalize, texts)))
        ]

    source, target = pieces(tokenizer.source), pieces(tokenizer.target)
    return LengthUnit("tokens", float(config.token_characters), source, target)
