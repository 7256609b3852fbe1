"""What a search is asked, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How wide and how long to search."""

    beams: int = 5
    nbest: int = 5
    """Hypotheses returned per sentence, at most ``beams``."""
    length_penalty: float = 1.0
    """Scores are divided by (tokens ** length_penalty), end token included."""
    max_steps: int = 256
    """Most target tokens, end token included; a vocabulary of single characters has no limit but
    the model's."""
    batch_size: int = 64
    """Sentences that are translated at once."""


@dataclass(frozen=True, slots=True)
class Query:
    """One sentence to search for."""

    source: tuple[int, ...]
    """Its token ids."""
    asked: int = 0
    """Code points asked for, 0 for none."""
    ceiling: float = float("inf")
    """Most characters a hypothesis may print."""


@dataclass(frozen=True, slots=True)
class Found:
    """One finished hypothesis."""

    token_ids: tuple[int, ...]
    """Pieces without start and end token."""
    score: float
    """Log-probability over tokens ** length_penalty."""
    log_probability: float
    """Sum over all tokens, the end token included."""
    characters: float
    """As the table counts them."""
