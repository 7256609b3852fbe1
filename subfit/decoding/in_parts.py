"""Long sentences translated clause by clause, beside their translations as a whole.

A small model leaves out and makes up in long sentences what it says well in short ones. So these
are parted where clauses meet (`subfit.text.parting`), and what comes of the parts, put together, is
a hypothesis like others: the more probable one wins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import regex

from subfit.decoding.hypotheses import (
    FREE,
    Hypothesis,
    Request,
    TermConstraint,
    TranslatedPart,
)
from subfit.limits.budget import count_dense
from subfit.text.counting import Counting, count_characters
from subfit.text.parting import joined, parted

PARTED = 0.05
"""What a translation in parts has to be more probable than one as a whole, in nats per token: it
has been found without what stands around a part. (docs/methods.md)"""
_COVERED = 0.3
"""What it is worth, in nats per token, to say all of a source rather than nothing of it, where the
best of wholes and parts is chosen: what goes wrong in long sentences is left out."""
_ROOM = 1.1
"""How much more of the ceiling than its share a part may have; others may need less."""


Translate = Callable[[Sequence[Request], Callable[[int], None] | None], list[list[Hypothesis]]]


@dataclass(frozen=True, slots=True)
class Mean:
    """The score of translations in parts: as the search scores wholes, but over all parts.

    Args:
        prefix: Tokens that every translation begins with; see `subfit.decoding.network.Network`.
        length_penalty: Scores are divided by (tokens ** length_penalty), end tokens included.
    """

    prefix: int
    length_penalty: float

    def of(self, parts: Sequence[Hypothesis], credit: float, uncovered: float) -> float:
        """Return the score of parts, in nats per token.

        Args:
            parts: The translation of each clause.
            credit: See `Hypothesis.credit`, of the whole.
            uncovered: See `Hypothesis.uncovered`, of the whole.
        """
        nats = math.fsum(part.log_probability for part in parts) + credit
        tokens = sum(len(part.token_ids) + self.prefix for part in parts)
        return nats / float(tokens**self.length_penalty) + uncovered - PARTED


@dataclass(frozen=True, slots=True)
class InParts:
    """Parts long requests, and puts the translations of the parts together.

    Args:
        languages: Tags of the languages that are translated from and into.
        longest: Words of a source that is not parted.
        counting: What a character is, for ceilings.
        nbest: Translations to keep.
        mean: Scores them.
        coverage_of: Returns how much of a text translations say; None where nothing tells.
    """

    languages: tuple[str, str]
    longest: int
    counting: Counting
    nbest: int
    mean: Mean
    coverage_of: Callable[[str, Sequence[Hypothesis]], list[float] | None]

    def translate(
        self,
        requests: Sequence[Request],
        translate: Translate,
        on_done: Callable[[int], None] | None = None,
    ) -> list[list[Hypothesis]]:
        """Translate texts as wholes, and long ones also in parts.

        Args:
            requests: What to translate.
            translate: Translates any requests, each as a whole.
            on_done: Called with the number of requests that got done since it was last called.

        Returns:
            Per request its hypotheses, best first; those of long texts by what they cover, too.
        """
        parts = [self.parts_of(request) for request in requests]
        every = [*requests, *(part for own in parts for part in own)]
        found = iter(translate(every, in_proportion(on_done, len(requests), len(every))))
        nbest = [next(found) for _ in requests]
        for number, own in enumerate(parts):
            if own:
                more = self.joined(requests[number], own, [next(found) for _ in own])
                text = requests[number].text
                nbest[number] = self._best_first(text, [*nbest[number], *more])
        return nbest

    def parts_of(self, request: Request) -> list[Request]:
        """Return a request for each clause of a long source; none where it is not to be parted.

        A term has to be whole within one clause, and what a memory has is for all of the sentence.
        """
        if request.recall is not None:
            return []
        texts = parted(" ".join(request.text.split()), self.languages[0], self.longest)
        terms = _terms_of(texts, request.terms)
        if len(texts) == 1 or terms is None:
            return []
        spaces = len(texts) - 1  # between them
        left = replace(
            request,
            ceiling=request.ceiling - count_characters(" " * spaces, self.counting),
            asked=max(1, request.asked - spaces) if request.asked else FREE,
        )
        whole = sum(map(len, texts))
        return [
            _part(left, text, len(text) / whole, own)
            for text, own in zip(texts, terms, strict=True)
        ]

    def joined(
        self, request: Request, parts: Sequence[Request], nbests: Sequence[Sequence[Hypothesis]]
    ) -> list[Hypothesis]:
        """Put translations of clauses together.

        Args:
            request: The whole.
            parts: What was asked, clause by clause.
            nbests: What was found for each, best first.

        Returns:
            The most probable ones of the whole, best first, none over its ceilings; an empty list
            where there is a clause without a translation.
        """
        found: list[tuple[Hypothesis, ...]] = [()]
        for nbest in nbests:
            longer = [(*before, own) for before in found for own in nbest if own.text]
            short = [own for own in longer if self._characters(own) <= request.ceiling]
            found = sorted(short, key=self._score, reverse=True)[: self.nbest**2]
        whole = [self._whole(own, parts) for own in found if own]
        within = [hypothesis for hypothesis in whole if self._is_within(hypothesis, request)]
        return within[: self.nbest]

    def _whole(self, own: Sequence[Hypothesis], parts: Sequence[Request]) -> Hypothesis:
        sources = [part.text for part in parts]
        text = joined(sources, [each.text for each in own], self.languages[1])
        return Hypothesis(
            text,
            count_characters(text, self.counting),
            self._score(own),
            math.fsum(each.log_probability for each in own),
            tuple(piece for each in own for piece in each.token_ids),
            credit=_credit(own),
            uncovered=_uncovered(own),
            missed=sum(each.missed for each in own),
            parts=tuple(map(TranslatedPart, sources, (each.token_ids for each in own))),
        )

    def _characters(self, own: Sequence[Hypothesis]) -> float:
        """How many characters clauses have with spaces between them; put together perhaps less."""
        spaces = count_characters(" ", self.counting) * (len(own) - 1)
        return math.fsum(each.characters for each in own) + spaces

    def _score(self, own: Sequence[Hypothesis]) -> float:
        return self.mean.of(own, _credit(own), _uncovered(own))

    def _best_first(self, text: str, hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Translations of a text, each once; those that lack none of its terms come first."""
        covered = self.coverage_of(text, hypotheses) or [1.0] * len(hypotheses)

        def rank(ranked: tuple[Hypothesis, float]) -> tuple[int, float]:
            hypothesis, share = ranked
            return hypothesis.missed, -hypothesis.score - _COVERED * share

        found: dict[str, Hypothesis] = {}
        for hypothesis, _ in sorted(zip(hypotheses, covered, strict=True), key=rank):
            found.setdefault(hypothesis.text, hypothesis)
        return list(found.values())

    def _is_within(self, hypothesis: Hypothesis, request: Request) -> bool:
        dense = count_dense(hypothesis.text, self.counting, request.dense)
        return hypothesis.characters <= request.ceiling and dense <= request.dense


def _part(request: Request, text: str, share: float, terms: tuple[TermConstraint, ...]) -> Request:
    """What is asked of a clause that is a share of a source."""
    return replace(
        request,
        text=text,
        ceiling=request.ceiling * share * _ROOM,
        dense=request.dense * share * _ROOM,
        asked=_at_least_one(request.asked * share),
        asked_tokens=_at_least_one(request.asked_tokens * share),
        terms=terms,
    )


def _terms_of(
    texts: Sequence[str], terms: Sequence[TermConstraint]
) -> list[tuple[TermConstraint, ...]] | None:
    """The terms of each clause; None if one is in none of them.

    Of terms that have the same source each stands for another occurrence, as far as there are such.
    """
    owners: dict[str, list[int]] = {}
    found: list[list[TermConstraint]] = [[] for _ in texts]
    for term in terms:
        word = regex.compile(
            rf"(?<![\p{{L}}\p{{N}}]){regex.escape(term.source)}(?![\p{{L}}\p{{N}}])"
        )
        left = owners.setdefault(
            term.source, [number for number, text in enumerate(texts) for _ in word.finditer(text)]
        )
        if not left:
            return None
        found[left.pop(0) if len(left) > 1 else left[0]].append(term)
    return [tuple(own) for own in found]


def _credit(own: Sequence[Hypothesis]) -> float:
    return math.fsum(each.credit for each in own)


def _uncovered(own: Sequence[Hypothesis]) -> float:
    return math.fsum(each.uncovered for each in own) / len(own)


def _at_least_one(length: float) -> int:
    return max(1, round(length)) if length else FREE


def in_proportion(
    on_done: Callable[[int], None] | None, asked: int, searched: int
) -> Callable[[int], None] | None:
    """Return what takes counts of searches that got done, and passes on counts of requests.

    Args:
        on_done: Takes counts of requests; all of them come to ``asked``.
        asked: Requests.
        searched: Searches, which are more where some are made in parts.
    """
    if on_done is None or asked == searched:
        return on_done
    done = told = 0

    def advance(count: int) -> None:
        nonlocal done, told
        done += count
        now = asked * done // searched
        if now > told:
            on_done(now - told)
            told = now

    return advance
