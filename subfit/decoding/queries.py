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
class Wording:
    """One way to write a term that a translation is to have."""

    token_ids: tuple[int, ...]
    behind: frozenset[int] | None = None
    """The pieces it may stand behind; None for any."""
    opens: bool = True
    """Whether it may stand at the start of a translation."""
    goes_on: bool = False
    """Whether letters may follow."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A term that a translation is to have."""

    wordings: tuple[Wording, ...]
    stand_ins: tuple[int, ...] = ()
    """Pieces that begin the words which the model would use for it, as far as known."""


@dataclass(frozen=True, slots=True)
class Query:
    """One sentence to search for."""

    source: tuple[int, ...]
    """Its token ids."""
    asked: int = 0
    """Code points asked for, 0 for none."""
    ceiling: float = float("inf")
    """Most characters a hypothesis may print."""
    terms: tuple[Demand, ...] = ()
    """What hypotheses are to have, each in one of its wordings."""


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
    missed: int = 0
    """How many of the query's terms it lacks."""
    credit: float = 0.0
    """What ``score`` gives it, in nats, for terms that stand in for more probable words; not part
    of ``log_probability``."""
