"""How probable translations are that were put together clause by clause: each clause by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import Hypothesis, RatedPiece
from subfit.decoding.in_parts import PARTED
from subfit.decoding.rating import Rating


class RatingInParts:
    """Rates hypotheses, those in parts by their parts.

    A hypothesis that was translated from another text (a shorter wording) is rated as a whole.

    Args:
        rating: Rates translations of whole texts.
        length_penalty: Scores are divided by (tokens ** length_penalty), end tokens included.
    """

    def __init__(self, rating: Rating, length_penalty: float) -> None:
        self._rating, self._length_penalty = rating, length_penalty

    def scores(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """See `subfit.decoding.any_translator.AnyTranslator.rate`."""
        forms = formalities or [None] * len(texts)
        rows = [
            (source, form, part)
            for text, form, hypotheses in zip(texts, forms, nbest, strict=True)
            for hypothesis in hypotheses
            for source, part in _parts_of(hypothesis, text)
        ]
        scored = self._rating.scores(
            [source for source, _, _ in rows],
            [[part] for _, _, part in rows],
            [form for _, form, _ in rows],
        )
        rest = iter(part for (part,) in scored)
        return [
            [self._whole(hypothesis, _next_parts(hypothesis, text, rest)) for hypothesis in own]
            for text, own in zip(texts, nbest, strict=True)
        ]

    def pieces(
        self,
        texts: Sequence[str],
        hypotheses: Sequence[Hypothesis],
        formalities: Sequence[str | None] = (),
    ) -> list[list[RatedPiece]]:
        """See `subfit.decoding.any_translator.AnyTranslator.rate_pieces`."""
        forms = formalities or [None] * len(texts)
        rows = [
            (source, form, part)
            for text, form, hypothesis in zip(texts, forms, hypotheses, strict=True)
            for source, part in _parts_of(hypothesis, text)
        ]
        rated = self._rating.pieces(
            [source for source, _, _ in rows],
            [part for _, _, part in rows],
            [form for _, form, _ in rows],
        )
        rest = iter(rated)
        return [
            _in_a_row([next(rest) for _ in _parts_of(hypothesis, text)])
            for text, hypothesis in zip(texts, hypotheses, strict=True)
        ]

    def _whole(self, hypothesis: Hypothesis, parts: Sequence[Hypothesis]) -> Hypothesis:
        """A hypothesis with what its parts are rated; one without parts as it is rated."""
        if len(parts) == 1:
            return parts[0]
        nats = math.fsum(part.log_probability for part in parts)
        tokens = sum(len(part.token_ids) + 1 for part in parts)
        score = (nats + hypothesis.credit) / float(tokens**self._length_penalty) - PARTED
        return replace(
            hypothesis,
            score=score + hypothesis.uncovered,
            log_probability=nats,
            closing=parts[-1].closing,
        )


def _parts_of(hypothesis: Hypothesis, text: str) -> list[tuple[str, Hypothesis]]:
    """The clauses of a text, each with its translation; the text where it has not been parted."""
    parts = hypothesis.parts
    if not parts or " ".join(part.source for part in parts) != " ".join(text.split()):
        return [(text, hypothesis)]
    return [
        (part.source, replace(hypothesis, token_ids=part.token_ids, credit=0.0, uncovered=0.0))
        for part in parts
    ]


def _next_parts(hypothesis: Hypothesis, text: str, rated: Iterator[Hypothesis]) -> list[Hypothesis]:
    return [next(rated) for _ in _parts_of(hypothesis, text)]


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
