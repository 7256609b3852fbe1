"""How well a second model gives a source back, from translations of it.

A translation that leaves something out, or says something else, makes its source improbable to a
model that translates the other way. Ranked by both models, the better of many hypotheses wins: the
noisy channel of Brown et al. 1993 (equation 2), as neural models have it (Yee et al. 2019), each
probability per token of its own text, less the language model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from subfit.decoding.hypotheses import Hypothesis, RatedPiece
from subfit.decoding.rating import Rating

UNREAD = -10.0
"""What a translation is worth that the second model cannot read, in nats per token: less than any
other that says something."""
MOST_KNOWN = 50_000
"""Readings that are remembered; the passes of fitting find the same translations again."""


class Probability(NamedTuple):
    """How probable a source is as a translation of its translation."""

    log_probability: float
    """Natural logarithm, end token included."""
    tokens: int
    """What it is the sum over."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A model that translates the other way, to rate translations by."""

    name: str
    """The model's, for reports."""
    rating: Rating
    accepts: Callable[[str], bool]
    """Whether a text is short enough for it."""
    _known: dict[tuple[str, str], Probability | None] = field(
        default_factory=dict, compare=False, repr=False
    )
    """What has been read, by source and translation."""

    def log_probabilities(
        self, sources: Sequence[str], translations: Sequence[str]
    ) -> list[Probability | None]:
        """Return how probable each source is as a translation of its translation.

        Args:
            sources: The texts that were translated.
            translations: One for each.

        Returns:
            None where the model cannot read the one or write the other.
        """
        pairs = list(zip(sources, translations, strict=True))
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if len(self._known) + len(new) > MOST_KNOWN:
            self._known.clear()
            new = list(dict.fromkeys(pairs))
        read = self.pieces([source for source, _ in new], [text for _, text in new])
        self._known.update(zip(new, map(_probability, read), strict=True))
        return [self._known[pair] for pair in pairs]

    def pieces(
        self, sources: Sequence[str], translations: Sequence[str]
    ) -> list[list[RatedPiece] | None]:
        """Return how probable each source is, piece by piece; see `log_probabilities`."""
        known: list[list[RatedPiece] | None] = [None] * len(sources)
        asked = []
        for number, (source, text) in enumerate(zip(sources, translations, strict=True)):
            pieces = self.rating.pieces_of(source)
            if pieces and text.strip() and self.accepts(text):
                asked.append((number, pieces))
        texts = [translations[number] for number, _ in asked]
        rated = self.rating.rated_pieces(texts, [pieces for _, pieces in asked])
        for (number, _), own in zip(asked, rated, strict=True):
            known[number] = own
        return known

    def of(
        self, sources: Sequence[str], nbest: Sequence[Sequence[Hypothesis]]
    ) -> list[list[float]]:
        """Return how probable sources are given each of their translations, in nats per token.

        Args:
            sources: The texts that were translated.
            nbest: Per source its hypotheses.

        Returns:
            Per hypothesis the mean log-probability of the source's tokens, `UNREAD` at the least;
            0 for all hypotheses of a source that the model cannot write.
        """
        pairs = [
            (source, hypothesis.text)
            for source, own in zip(sources, nbest, strict=True)
            for hypothesis in own
        ]
        texts = [source for source, _ in pairs], [text for _, text in pairs]
        means = iter(map(_mean, self.log_probabilities(*texts)))
        writes = [bool(self.rating.pieces_of(source)) for source in sources]
        return [
            [mean if written else 0.0 for _, mean in zip(own, means, strict=False)]
            for own, written in zip(nbest, writes, strict=True)
        ]


def _probability(rated: Sequence[RatedPiece] | None) -> Probability | None:
    return None if rated is None else Probability(-sum(one.nats for one in rated), len(rated))


def _mean(known: Probability | None) -> float:
    """Nats per token; `UNREAD` where nothing is known."""
    return UNREAD if known is None else max(known.log_probability / known.tokens, UNREAD)
