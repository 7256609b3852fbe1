"""How probable translations are, as if no length had been asked for; and sources, given them.

A translation that leaves something out, or says something else, makes its source improbable to a
model that translates the other way. Ranked by both models, the better of many hypotheses wins: the
noisy channel of Brown et al. 1993 (equation 2), as neural models have it (Yee et al. 2019), each
probability per token of its own text, less the language model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.network import ForcedDecoder, Network
from subfit.decoding.search_types import SearchSettings
from subfit.decoding.source_tokens import SourceTokens
from subfit.model.tokenizer import AnyTokenizer


class Rating:
    """Rates texts as translations of texts, by forced decoding without a length signal.

    Args:
        network: The model.
        tokenizer: Its tokenizer.
        source_tokens: Makes what its encoder reads.
        settings: How scores are normalised.
    """

    def __init__(
        self,
        network: Network,
        tokenizer: AnyTokenizer,
        source_tokens: SourceTokens,
        settings: SearchSettings,
    ) -> None:
        self._network, self._tokenizer, self._source_tokens = network, tokenizer, source_tokens
        self.forced = ForcedDecoder(network, tokenizer.eos_id, tokenizer.piece_texts, settings)

    def scores(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """See `subfit.decoding.any_translator.AnyTranslator.rate`."""
        spelt = [[self._spelt(hypothesis) for hypothesis in hypotheses] for hypotheses in nbest]
        return self.forced.score(self._free_tokens(texts, formalities), spelt)

    def log_probabilities(
        self,
        texts: Sequence[str],
        token_ids: Sequence[Sequence[int]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[float]]:
        """Return how probable translations are, piece by piece.

        Args:
            texts: The sources.
            token_ids: The pieces of a translation of each, as `pieces_of` gives them.
            formalities: Per source the form of address that was asked for; empty if none was.

        Returns:
            Per translation the log-probability of each of its pieces, and of its end.
        """
        sources = self._free_tokens(texts, formalities)
        pairs = zip(sources, map(tuple, token_ids), strict=True)
        return self.forced.log_probabilities(list(pairs))

    def pieces_of(self, text: str) -> tuple[int, ...]:
        """Return the pieces that print a translation; none if the model cannot write them all."""
        (pieces,) = self._tokenizer.target.encode_all([text])
        usable = self._network.usable is None or self._network.usable.issuperset(pieces)
        return tuple(pieces) if usable and len(pieces) < self._network.max_steps else ()

    def _spelt(self, hypothesis: Hypothesis) -> Hypothesis:
        """A hypothesis with its pieces, also where it is from a translation memory."""
        if hypothesis.token_ids:
            return hypothesis
        return replace(hypothesis, token_ids=self.pieces_of(hypothesis.text))

    def _free_tokens(
        self, texts: Sequence[str], formalities: Sequence[str | None]
    ) -> list[tuple[int, ...]]:
        """The source tokens of texts for which no length is asked."""
        forms = formalities or [None] * len(texts)
        return [
            self._source_tokens.of(Request(text, formality=form))
            for text, form in zip(texts, forms, strict=True)
        ]


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
        self._known.update(zip(new, self._read(new), strict=True))
        return [self._known[pair] for pair in pairs]

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[Probability | None]:
        read: list[Probability | None] = [None] * len(pairs)
        asked = []
        for number, (source, text) in enumerate(pairs):
            pieces = self.rating.pieces_of(source)
            if pieces and text.strip() and self.accepts(text):
                asked.append((number, text, pieces))
        rated = self.rating.log_probabilities(
            [text for _, text, _ in asked], [ids for *_, ids in asked]
        )
        for (number, *_), tokens in zip(asked, rated, strict=True):
            read[number] = Probability(sum(tokens), len(tokens))
        return read

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


def _mean(known: Probability | None) -> float:
    """Nats per token; `UNREAD` where nothing is known."""
    return UNREAD if known is None else max(known.log_probability / known.tokens, UNREAD)
