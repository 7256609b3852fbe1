"""How probable translations are that were put together clause by clause: each clause by itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from subfit.decoding.hypotheses import Hypothesis, RatedPiece
from subfit.decoding.in_parts import Mean
from subfit.decoding.rating import Rating

Rated = TypeVar("Rated")


class RatingInParts:
    """Rates hypotheses, those in parts by their parts.

    A hypothesis that was translated from another text (a shorter wording) is rated as a whole.

    Args:
        rating: Rates translations of whole texts.
        mean: Scores those in parts.
    """

    def __init__(self, rating: Rating, mean: Mean) -> None:
        self._rating, self._mean = rating, mean

    def scores(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """See `subfit.decoding.any_translator.AnyTranslator.rate`."""

        def rate(
            sources: Sequence[str], parts: Sequence[Hypothesis], forms: Sequence[str | None]
        ) -> list[Hypothesis]:
            rated = self._rating.scores(sources, [[part] for part in parts], forms)
            return [hypothesis for (hypothesis,) in rated]

        texts_of_all = [text for text, own in zip(texts, nbest, strict=True) for _ in own]
        every = [hypothesis for own in nbest for hypothesis in own]
        forms = formalities or [None] * len(texts)
        forms_of_all = [form for form, own in zip(forms, nbest, strict=True) for _ in own]
        rated = map(self._whole, every, _by_parts(rate, texts_of_all, every, forms_of_all))
        return [[next(rated) for _ in own] for own in nbest]

    def pieces(
        self,
        texts: Sequence[str],
        hypotheses: Sequence[Hypothesis],
        formalities: Sequence[str | None] = (),
    ) -> list[list[RatedPiece]]:
        """See `subfit.decoding.any_translator.AnyTranslator.rate_pieces`."""
        forms = formalities or [None] * len(texts)
        return list(map(_in_a_row, _by_parts(self._rating.pieces, texts, hypotheses, forms)))

    def _whole(self, hypothesis: Hypothesis, parts: Sequence[Hypothesis]) -> Hypothesis:
        """A hypothesis with what its parts are rated; one without parts as it is rated."""
        if len(parts) == 1:
            return parts[0]
        return replace(
            hypothesis,
            score=self._mean.of(parts, hypothesis.credit, hypothesis.uncovered),
            log_probability=math.fsum(part.log_probability for part in parts),
            closing=parts[-1].closing,
        )


def _by_parts(
    rate: Callable[[Sequence[str], Sequence[Hypothesis], Sequence[str | None]], Sequence[Rated]],
    texts: Sequence[str],
    hypotheses: Sequence[Hypothesis],
    forms: Sequence[str | None],
) -> Iterator[list[Rated]]:
    """Rate the parts of translations, all at once; yield per translation what its parts are rated.

    Args:
        rate: Rates translations of texts under forms of address, one of each.
        texts: The sources.
        hypotheses: A translation of each.
        forms: Per source the form of address that was asked for.
    """
    parts = list(map(_parts_of, hypotheses, texts))
    sources = [source for own in parts for source, _ in own]
    wanted = [form for form, own in zip(forms, parts, strict=True) for _ in own]
    rated = iter(rate(sources, [part for own in parts for _, part in own], wanted))
    for own in parts:
        yield [next(rated) for _ in own]


def _parts_of(hypothesis: Hypothesis, text: str) -> list[tuple[str, Hypothesis]]:
    """The clauses of a text, each with its translation; the text where it has not been parted."""
    parts = hypothesis.parts
    if not parts or " ".join(part.source for part in parts) != " ".join(text.split()):
        return [(text, hypothesis)]
    return [
        (part.source, replace(hypothesis, token_ids=part.token_ids, credit=0.0, uncovered=0.0))
        for part in parts
    ]


def _in_a_row(parts: Sequence[Sequence[RatedPiece]]) -> list[RatedPiece]:
    """The pieces of all parts, each end but the last left out, as pieces of one text."""
    whole = sum(len(part) - 1 for part in parts)
    if len(parts) == 1 or not whole:
        return list(parts[-1])
    pieces: list[RatedPiece] = []
    for part in parts:
        begin, share = len(pieces) / whole, (len(part) - 1) / whole
        pieces += [RatedPiece(begin + share * piece.end, piece.nats) for piece in part[:-1]]
    return [*pieces, RatedPiece(1.0, parts[-1][-1].nats)]
