"""What is asked of the translator, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from subfit.decoding.search_types import SearchSettings
from subfit.memory.recall import Recall

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
    channel: float = 0.0
    """How probable its source is as a translation of it, to a channel model, in nats per token
    (`subfit.decoding.rating`); 0 without one."""
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
