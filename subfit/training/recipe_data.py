"""What is trained on: the sections ``data`` and ``vocabulary`` of a recipe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from subfit.training.contradictions import positive, require


@dataclass(frozen=True, slots=True)
class Data:
    """Which sentence pairs are trained and validated on."""

    root: str = "data"
    """Folder the paths below are relative to."""
    train: tuple[str, ...] = ()
    """Files of ``corpus <TAB> source <TAB> target`` lines, plain or ``.xz``/``.gz``."""
    dev: str = ""
    """The validation set, in the same form."""
    weights: dict[str, float] = field(default_factory=dict)
    """How often a corpus is seen per epoch; 1 where it is not named, 0 leaves it out."""
    join: float = 0.0
    """Share of the short pairs that are shown two at a time as one text, since a cue often holds
    more than one sentence."""
    join_characters: int = 50
    """A pair is short when neither side is longer."""
    max_characters: int = 400
    """Pairs with a longer side are left out."""
    max_ratio: float = 3.0
    """Pairs whose sides differ by more than this factor (plus ten characters) are left out."""

    def __post_init__(self) -> None:
        require(
            *positive("data", self, "max_characters"),
            (self.train, "train", "data.train must name at least one file"),
            (self.dev, "dev", "data.dev must name a file"),
            (
                min(self.weights.values(), default=0) >= 0,
                "weights",
                "data.weights must be 0 or more",
            ),
            (0 <= self.join <= 1, "join", "data.join is a share: 0 <= join <= 1"),
            (self.max_ratio >= 1, "max_ratio", "data.max_ratio must be 1 or more"),
        )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The SentencePiece model, trained on both sides of the training pairs."""

    type: Literal["unigram", "bpe", "char"] = "unigram"
    pieces: int = 8000
    character_coverage: float = 0.9999
    """Share of the characters that get a piece; the rest is spelt in bytes."""
    sentences: int = 500_000
    """At most this many lines, drawn at random, are read to train it."""

    def __post_init__(self) -> None:
        require(
            *positive("vocabulary", self, "pieces"),
            (
                0.9 <= self.character_coverage <= 1,
                "character_coverage",
                "vocabulary.character_coverage is 0.9 to 1",
            ),
            (self.sentences > 100, "sentences", "vocabulary.sentences must be more than 100"),
        )
