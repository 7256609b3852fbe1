"""How probable translations are, as if no length had been asked for, by forced decoding."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import Hypothesis, Request, SearchSettings, with_scores
from subfit.decoding.network import Network
from subfit.decoding.source_tokens import SourceTokens
from subfit.model.tokenizer import AnyTokenizer

TOKENS_AT_ONCE = 1024
"""Target tokens, padding included, that go through the decoder together."""
REMEMBERED = 8192
"""Translations whose probabilities are kept: searches under several ceilings find the same ones."""

Pair = tuple[tuple[int, ...], tuple[int, ...]]
"""Token ids of a source, its end token included, and of a translation without it."""


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
        self._settings = settings
        self._known: OrderedDict[Pair, list[float]] = OrderedDict()

    def scores(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """See `subfit.decoding.any_translator.AnyTranslator.rate`."""
        spelt = [list(map(self._spelt, hypotheses)) for hypotheses in nbest]
        pairs = [
            (source, hypothesis.token_ids)
            for source, hypotheses in zip(self._sources(texts, formalities), spelt, strict=True)
            for hypothesis in hypotheses
        ]
        printed, before = self._tokenizer.piece_texts, self._network.prefix - 1  # as it is searched
        rated = iter(self._log_probabilities(pairs))
        return [
            [with_scores(one, next(rated), printed, self._settings, before) for one in hypotheses]
            for hypotheses in spelt
        ]

    def _log_probabilities(self, pairs: Sequence[Pair]) -> list[list[float]]:
        known = {pair: self._known[pair] for pair in pairs if pair in self._known}
        for part in _parts([pair for pair in dict.fromkeys(pairs) if pair not in known]):
            memories = self._network.encode([source for source, _ in part])
            targets = [[*target, self._tokenizer.eos_id] for _, target in part]
            known |= zip(part, self._network.rate(targets, memories), strict=True)
        self._known |= known
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return [known[pair] for pair in pairs]

    def _pieces_of(self, text: str) -> tuple[int, ...]:
        """Return the pieces that print a translation; none if the model cannot write them all."""
        (pieces,) = self._tokenizer.target.encode_all([text])
        usable = self._network.usable is None or self._network.usable.issuperset(pieces)
        return tuple(pieces) if usable and len(pieces) < self._network.max_steps else ()

    def _spelt(self, hypothesis: Hypothesis) -> Hypothesis:
        """A hypothesis with its pieces, also where it is from a translation memory."""
        if hypothesis.token_ids:
            return hypothesis
        return replace(hypothesis, token_ids=self._pieces_of(hypothesis.text))

    def _sources(
        self, texts: Sequence[str], formalities: Sequence[str | None]
    ) -> list[tuple[int, ...]]:
        """The source tokens of texts for which no length is asked."""
        forms = formalities or [None] * len(texts)
        return [
            self._source_tokens.of(Request(text, formality=form))
            for text, form in zip(texts, forms, strict=True)
        ]


def _parts(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Cut pairs into parts of a bounded number of target tokens, short targets first."""
    part: list[Pair] = []
    for pair in sorted(pairs, key=lambda pair: len(pair[1])):
        if part and (len(pair[1]) + 1) * (len(part) + 1) > TOKENS_AT_ONCE:
            yield part
            part = []
        part.append(pair)
    if part:
        yield part
