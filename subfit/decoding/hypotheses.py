"""What is asked of the translator, in texts, and of a search, in tokens; and what they answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeVar

from subfit.memory.recall import Recall

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


FREE = 0
"""The asked length that asks for none."""
BROKEN_BYTES = "\ufffd"
"""What tokenizers print for a character spelt in bytes that is not whole."""


@dataclass(frozen=True, slots=True)
class TermConstraint:
    """A terminology constraint: a term that a translation is to have, in one of its forms."""

    source: str
    """What it stands for."""
    forms: tuple[str, ...]
    """It may have any of them; see `subfit.terms.glossary`."""
    language: str = ""
    """Tag of their language, as far as known: of the capital that one may begin a sentence with."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where in a film a text stands, for models that are told in words what to do."""

    scene: int = 0
    """Number of its scene, whose texts are asked for together; 0 to be asked for by itself."""
    before: tuple[str, ...] = ()
    """The sentences before it."""
    speaker: str = ""
    """Who says it, as far as known."""
    notes: str = ""
    """What there is to know of the film and its persons."""


NO_SETTING = Setting()


@dataclass(frozen=True, slots=True)
class Request:
    """One text to translate."""

    text: str
    """Plain source text, one line."""
    ceiling: float = math.inf
    """Most characters of the translation, in the counting the translator was made with."""
    asked: int = FREE
    """The length to aim at in characters; `FREE` for the length the model finds natural."""
    asked_tokens: int = FREE
    """Likewise in tokens, of models whose unit they are; `FREE` for about as many as ``asked`` has
    characters."""
    length_class: str | None = None
    """Name of the length token to use, whatever length is asked for (Lakew 2019, §3.3); None for
    the class that the asked length falls into."""
    terms: tuple[TermConstraint, ...] = ()
    """What the translation is to have."""
    formality: str | None = None
    """How the translation is to address somebody, ``formal`` or ``informal``; None as it comes."""
    dense: float = math.inf
    """Most characters of the translation that are no spaces."""
    setting: Setting = NO_SETTING
    recall: Recall | None = None
    """What translation memories have for it, which the translation had better follow."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One translation of a request, with what is known for and against it."""

    text: str
    """Empty while a search knows but its pieces."""
    characters: float
    """Its length in the translator's counting."""
    score: float
    """Length-normalised log-probability; higher is better."""
    log_probability: float
    token_ids: tuple[int, ...] = ()
    """Its pieces, without start and end token."""
    closing: float = 0.0
    """Log-probability, without a length signal, that the text closes where it does: of its last
    marks and of its end. 0 where it has not been rated."""
    rated: tuple[float, ...] = ()
    """Log-probability of each of its pieces and of its end, without a length signal; empty where it
    has not been rated."""
    bonuses: Mapping[str, float] = field(default_factory=dict)
    """What processors gave it, in nats of the whole text, by their names; not part of
    ``log_probability``."""
    guided: float = 0.0
    """How far it follows translation memories, 0 to 1: its share of the rewards that it could have
    had, times the similarity of the best match."""
    uncovered: float = 0.0
    """What ``score`` takes from it for source tokens that it hardly attends to; 0 or less."""
    missed: int = 0
    """How many of `Request.terms` it lacks."""

    @property
    def credit(self) -> float:
        """What ``score`` has for terms of a glossary that stand in for more probable words."""
        return self.bonuses.get("terms", 0.0)


def with_scores(
    hypothesis: Hypothesis,
    tokens: Sequence[float],
    piece_texts: Sequence[str],
    settings: SearchSettings,
    before: int = 0,
) -> Hypothesis:
    """Return a hypothesis with the scores that follow from forced decoding.

    Args:
        hypothesis: With its pieces.
        tokens: Log-probability of each piece, and of the end.
        piece_texts: What each piece of the vocabulary prints.
        settings: How scores are normalised.
        before: Tokens that count beside these.
    """
    length, total = before + len(tokens), sum(tokens)
    first = len(tokens) - 1  # the end token
    while first and not any(map(str.isalnum, piece_texts[hypothesis.token_ids[first - 1]])):
        first -= 1
    return replace(
        hypothesis,
        score=(total + hypothesis.credit) / settings.length(float(length)) + hypothesis.uncovered,
        log_probability=total,
        closing=sum(tokens[first:]),
        rated=tuple(tokens),
    )
