"""Forced decoding: how probable given translations are, as if no length had been asked for.

A search that aims at a length takes an ending at that length for a good one, and so scores a
sentence that merely stops there too well. Without the length signal its scores compare, whatever
was asked for when they were found.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.network import Network

TOKENS_AT_ONCE = 1024
"""Target tokens, padding included, that go through the decoder together."""
REMEMBERED = 8192
"""Translations whose probabilities are kept: searches under several ceilings find the same ones."""

Pair = tuple[tuple[int, ...], tuple[int, ...]]
"""Token ids of a source, its end token included, and of a translation without it."""


class ForcedDecoder:
    """Gives the probabilities of translations, and the scores that follow from them.

    Args:
        network: The model.
        end: Token id of the end.
        piece_texts: What each target piece prints.
        length_penalty: Scores are divided by (tokens ** length_penalty), end token included.
    """

    def __init__(
        self, network: Network, end: int, piece_texts: Sequence[str], length_penalty: float
    ) -> None:
        self._network, self._end = network, end
        self._texts, self._penalty = piece_texts, length_penalty
        self._known: OrderedDict[Pair, list[float]] = OrderedDict()

    def log_probabilities(self, pairs: Sequence[Pair]) -> list[list[float]]:
        """Return for every pair the log-probability of each target token, and of the end."""
        known = {pair: self._known[pair] for pair in pairs if pair in self._known}
        for part in _parts([pair for pair in dict.fromkeys(pairs) if pair not in known]):
            memories = self._network.encode([source for source, _ in part])
            targets = [[*target, self._end] for _, target in part]
            known |= zip(part, self._network.rate(targets, memories), strict=True)
        self._known |= known
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return [known[pair] for pair in pairs]

    def score(
        self, sources: Sequence[Sequence[int]], nbest: Sequence[Sequence[Hypothesis]]
    ) -> list[list[Hypothesis]]:
        """Return hypotheses with the scores of forced decoding.

        Args:
            sources: Token ids of each source, its end token included.
            nbest: The hypotheses of each.
        """
        pairs = [
            (tuple(source), hypothesis.token_ids)
            for source, hypotheses in zip(sources, nbest, strict=True)
            for hypothesis in hypotheses
        ]
        token_scores = iter(self.log_probabilities(pairs))
        return [
            [self._scored(hypothesis, next(token_scores)) for hypothesis in hypotheses]
            for hypotheses in nbest
        ]

    def _scored(self, hypothesis: Hypothesis, tokens: Sequence[float]) -> Hypothesis:
        """A hypothesis with the scores that follow from its tokens' log-probabilities."""
        length = self._network.prefix - 1 + len(tokens)  # as the search counts
        first = len(tokens) - 1  # the end token
        while first and not any(map(str.isalnum, self._texts[hypothesis.token_ids[first - 1]])):
            first -= 1
        return replace(
            hypothesis,
            score=(sum(tokens) + hypothesis.credit) / length**self._penalty + hypothesis.uncovered,
            log_probability=sum(tokens),
            closing=sum(tokens[first:]),
        )


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
