"""One training pair in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """One pair in pieces, with its lengths in characters."""

    corpus: str
    source: Sequence[int]
    target: Sequence[int]
    source_characters: int
    target_characters: int
    language: str = ""
    """The target's language, where a model has several."""
    group: int = 0
    """The same number for all translations of one source into one language."""
    weight: float = 1.0
    """How often it is shown for its length, see `subfit.training.data.sampling`."""
    formality: str | None = None
    """How the target addresses somebody, where that is known and the model has tokens for it."""
    fertilities: tuple[int, ...] | None = None
    """How many target pieces stand for each source piece, where the model wants to know."""

    @property
    def bucket(self) -> tuple[int, int]:
        """Sorting by it puts examples side by side whose sources *and* targets are as long.

        Of as many pieces on the longer side, those of like difference are like on the other.
        """
        return self.tokens // 2, len(self.source) - len(self.target)

    @property
    def tokens(self) -> int:
        """Pieces of the longer side."""
        return max(len(self.source), len(self.target))

    def followed_by(self, other: Example) -> Example:
        """This example and another as one text, with a space between them."""
        return Example(
            self.corpus,
            [*self.source, *other.source],
            [*self.target, *other.target],
            self.source_characters + 1 + other.source_characters,
            self.target_characters + 1 + other.target_characters,
            self.language,
            weight=self.weight * other.weight,
            formality=_common(self.formality, other.formality),
            fertilities=(
                self.fertilities + other.fertilities
                if self.fertilities is not None and other.fertilities is not None
                else None
            ),
        )


def _common(one: str | None, other: str | None) -> str | None:
    """The form of address of two texts as one: none where they have different ones."""
    return one or other if one is None or other is None or one == other else None
