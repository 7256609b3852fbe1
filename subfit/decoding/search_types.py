"""What a search takes, in token ids: settings, requests, constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:  # it takes seconds to import
    from torch import Tensor

Length = TypeVar("Length", float, "Tensor")
Normalization = Literal["mean", "wu"]
Ensemble = Literal["log-probability", "probability"]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How wide and how long to search."""

    beams: int = 5
    nbest: int = 5
    """Hypotheses returned per sentence, at most ``beams``."""
    length_penalty: float = 1.0
    """α: scores are divided by a length to this power."""
    length_normalization: Normalization = "mean"
    """What this length is of n tokens, the end token included: n, or (5 + n) / 6 as with Wu et al.
    2016, equation 14."""
    ensemble: Ensemble = "log-probability"
    """What is averaged of models that vote."""
    coverage_penalty: float = 0.0
    """β of Wu et al. 2016, §7: to the scores of finished hypotheses is added β times the sum over
    the source of ``ln(min(attention it has had, 1))``; 0 for none."""
    max_steps: int = 256
    """Most target tokens, end token included; a vocabulary of single characters has no limit but
    the model's."""
    batch_size: int = 64
    """Sentences that are translated at once."""

    def length(self, tokens: Length) -> Length:
        """Return what scores are divided by.

        Args:
            tokens: How many a hypothesis has, the end token included; one number or a tensor.
        """
        of_wu = self.length_normalization == "wu"
        normal: Length = ((5 + tokens) / 6 if of_wu else tokens) ** self.length_penalty
        return normal


@dataclass(frozen=True, slots=True)
class Spelling:
    """The pieces of one way to write a term, and where in a translation they may stand."""

    token_ids: tuple[int, ...]
    behind: frozenset[int] | None = None
    """The pieces it may stand behind; None for any."""
    opens: bool = True
    """Whether it may stand at the start of a translation."""
    goes_on: bool = False
    """Whether letters may follow."""


@dataclass(frozen=True, slots=True)
class TokenConstraint:
    """A terminology constraint: a term that a translation is to have, in any of its spellings."""

    spellings: tuple[Spelling, ...]
    rivals: tuple[int, ...] = ()
    """Pieces that begin the words which the model would use for it, as far as known."""


@dataclass(frozen=True, slots=True)
class Guide:
    """Translation pieces: n-grams of translations of like sources, for which a search is rewarded.

    `subfit.decoding.guide` makes it.
    """

    rewards: Mapping[tuple[int, ...], float]
    """What it is worth, in nats, to say an n-gram for the first time."""
    similarity: float
    """How like the sentence the source is that is most like it."""


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """One sentence to translate, with its limits."""

    source: tuple[int, ...]
    """Its token ids."""
    asked: int = 0
    """The length asked for in the model's unit (code points, or tokens), 0 for none."""
    ceiling: float = float("inf")
    """Most characters a hypothesis may print."""
    terms: tuple[TokenConstraint, ...] = ()
    """What hypotheses are to have, each in one of its spellings."""
    guide: Guide | None = None
    """What they are rewarded for."""
    dense: float = float("inf")
    """Most characters that are no spaces."""
    start: int | None = None
    """What the decoder starts from, if not from the model's own token for it."""
