"""One training pair in pieces."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """One pair in pieces, with its lengths in characters."""

    corpus: str
    source: list[int]
    target: list[int]
    source_characters: int
    target_characters: int
    language: str = ""
    """Of the target, where a model has several target languages."""
    group: int = 0
    """The same number for all translations of one source into one language."""
    weight: float = 1.0
    """How often it is shown for its length, see `subfit.training.data.sampling`."""

    @property
    def bucket(self) -> tuple[int, int]:
        """Sorting by it puts examples side by side whose sources *and* targets are as long."""
        return self.tokens // 2, len(self.source)

    @property
    def tokens(self) -> int:
        """Pieces of the longer side."""
        return max(len(self.source), len(self.target))

    def followed_by(self, other: Example) -> Example:
        """This example and another as one text, with a space between them."""
        return Example(
            self.corpus,
            self.source + other.source,
            self.target + other.target,
            self.source_characters + 1 + other.source_characters,
            self.target_characters + 1 + other.target_characters,
            self.language,
            weight=self.weight * other.weight,
        )
