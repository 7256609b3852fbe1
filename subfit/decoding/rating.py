"""How probable translations are, as if no length had been asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from subfit.decoding.forced_decoding import ForcedDecoder
from subfit.decoding.hypotheses import Hypothesis, RatedPiece, Request
from subfit.decoding.network import Network
from subfit.decoding.source_tokens import SourceTokens
from subfit.model.tokenizer import AnyTokenizer


class Rating:
    """Rates texts as translations of texts, by forced decoding without a length signal.

    Args:
        network: The model.
        tokenizer: Its tokenizer.
        source_tokens: Makes what its encoder reads.
        length_penalty: Scores are divided by (tokens ** length_penalty), end token included.
    """

    def __init__(
        self,
        network: Network,
        tokenizer: AnyTokenizer,
        source_tokens: SourceTokens,
        length_penalty: float,
    ) -> None:
        self._network, self._tokenizer, self._source_tokens = network, tokenizer, source_tokens
        self.forced = ForcedDecoder(
            network, tokenizer.eos_id, tokenizer.piece_texts, length_penalty
        )

    def scores(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """See `subfit.decoding.any_translator.AnyTranslator.rate`."""
        spelt = [[self._spelt(hypothesis) for hypothesis in hypotheses] for hypotheses in nbest]
        return self.forced.score(self._free_tokens(texts, formalities), spelt)

    def pieces(
        self,
        texts: Sequence[str],
        hypotheses: Sequence[Hypothesis],
        formalities: Sequence[str | None] = (),
    ) -> list[list[RatedPiece]]:
        """See `subfit.decoding.any_translator.AnyTranslator.rate_pieces`."""
        token_ids = [hypothesis.token_ids for hypothesis in hypotheses]
        return self.rated_pieces(texts, token_ids, formalities)

    def rated_pieces(
        self,
        texts: Sequence[str],
        token_ids: Sequence[Sequence[int]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[RatedPiece]]:
        """Return how probable translations are, piece by piece, and where each piece ends.

        Args:
            texts: The sources.
            token_ids: The pieces of a translation of each, as `pieces_of` gives them.
            formalities: Per source the form of address that was asked for; empty if none was.
        """
        probabilities = self.log_probabilities(texts, token_ids, formalities)
        return list(map(self._rated, token_ids, probabilities))

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

    def _rated(self, pieces: Sequence[int], probabilities: Sequence[float]) -> list[RatedPiece]:
        printed = self._tokenizer.piece_texts
        ends = list(accumulate(len(printed[piece]) for piece in pieces))
        most = max(ends[-1] if ends else 0, 1)
        shares = [*(end / most for end in ends), 1.0]
        pairs = zip(shares, probabilities, strict=True)
        return [RatedPiece(share, -probability) for share, probability in pairs]

    def _free_tokens(
        self, texts: Sequence[str], formalities: Sequence[str | None]
    ) -> list[tuple[int, ...]]:
        """The source tokens of texts for which no length is asked."""
        forms = formalities or [None] * len(texts)
        return [
            self._source_tokens.of(Request(text, formality=form))
            for text, form in zip(texts, forms, strict=True)
        ]
