"""A search whose source has the words in the target language that were lacking.

What a reward does not bring into a translation (`subfit.decoding.led_search`) the model hardly
knows: it writes a name over, but "the owner of this mansion" becomes "der Besitzer dieser
Gewohnheit". So the word is put into the source as a dictionary translates it, "the owner of this
Villa", which the model takes over as it does names (Song et al. 2019, NAACL, "Code-Switching for
Enhancing NMT with Pre-Specified Translation"; Dinu et al. 2019, ACL, "replace").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import regex

from subfit.decoding.hypotheses import Request
from subfit.decoding.led_search import best_of
from subfit.decoding.rating import Rating
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import RareWord, TokenHypothesis, TokenRequest

GIVEN = 0.1
"""What it is worth, in nats per token, to say a word that a dictionary gave. (docs/methods.md)"""
LEAST = -7.0
"""Log-probability, given the source as it is, below which a token is all but impossible."""
SURE = -2.0
"""That of every token of a translation that the model is sure of, at least."""
BESIDE = -4.0
"""That of every token beside a word that belongs there, at least. (docs/methods.md)"""
_BEFORE = regex.compile(r"(?:^|[\s(\[\"'“”„«»¿¡‘’—–-])$")
_BEHIND = regex.compile(r"^(?:$|[\s)\]\"'“”«»’,;:!?…—–-]|\.(?:\W|$))")
"""What stands around words, other than those of addresses, names of files and code."""


class _Rated(NamedTuple):
    """A translation, and the log-probabilities of its tokens and of its end, in nats."""

    token_ids: tuple[int, ...]
    values: list[float]


class _Said(NamedTuple):
    """A translation that says the words which were put into its source."""

    request: Request
    switched: Request
    """With the words in its text."""
    before: _Rated
    """The best translation without."""
    result: TokenHypothesis


@dataclass(frozen=True, slots=True)
class SwitchedSearch:
    """Searches once more for what lacks words of its source.

    Args:
        token_request: Makes the request of the search for a request.
        text_of: Returns what a hypothesis prints.
        rating: Tells how probable translations are.
        length_penalty: Scores are divided by (tokens ** length_penalty).
    """

    token_request: Callable[[Request], TokenRequest]
    text_of: Callable[[TokenHypothesis], str]
    rating: Rating
    length_penalty: float

    def search(
        self,
        search: BudgetedBeamSearch,
        requests: Sequence[Request],
        token_requests: Sequence[TokenRequest],
        results: Sequence[list[TokenHypothesis]],
    ) -> list[list[TokenHypothesis]]:
        """Return what was found, and more of what lacks words.

        What is added says all of them, and they belong there (`_belongs`); it has for `credit` by
        how much it is more probable with them in its source: its other scores are of the source as
        it is.

        Args:
            search: The search.
            requests: What was searched for.
            token_requests: The same in pieces.
            results: What was found, per request its hypotheses.

        Returns:
            Per request its hypotheses, the best first.
        """
        found = [list(result) for result in results]
        lacking = {
            number: words
            for number, (request, own) in enumerate(zip(requests, token_requests, strict=True))
            if (words := self._lacking(request, own, found[number]))
        }
        switched = {number: _switched(requests[number], words) for number, words in lacking.items()}
        pieces = [replace(self.token_request(each), rare_words=()) for each in switched.values()]
        said = [
            (number, result)
            for number, more in zip(switched, search.search(pieces), strict=True)
            for result in more
            if self._says(result, lacking[number])
        ]
        numbers = list(dict.fromkeys(number for number, _ in said))
        former = self._rated([(requests[number], found[number][0]) for number in numbers])
        before = dict(zip(numbers, former, strict=True))
        credits = self._credits(
            [_Said(requests[each], switched[each], before[each], result) for each, result in said]
        )
        for (number, result), nats in zip(said, credits, strict=True):
            if nats is not None:
                found[number].append(self._with_credit(result, nats))
        return [best_of(each) if number in switched else each for number, each in enumerate(found)]

    def _lacking(
        self, request: Request, own: TokenRequest, result: Sequence[TokenHypothesis]
    ) -> list[RareWord]:
        """The words of a source that its best translation lacks, and that may be switched."""
        if not (result and own.rare_words):
            return []
        text = self.text_of(result[0])
        return [
            word
            for word in own.rare_words
            if word.translation and not word.is_in(text) and _stands_free(request.text, word)
        ]

    def _says(self, result: TokenHypothesis, words: Sequence[RareWord]) -> bool:
        text = self.text_of(result)
        return all(word.is_in(text) for word in words)

    def _credits(self, said: Sequence[_Said]) -> list[float | None]:
        """By how many nats translations are more probable with the words in their sources; None of
        those where the words do not belong."""
        own = self._rated([(each.request, each.result) for each in said])
        given = self._rated([(each.switched, each.result) for each in said])
        return [
            max(0.0, sum(more.values) - sum(less.values)) if _belongs(less, each.before) else None
            for each, less, more in zip(said, own, given, strict=True)
        ]

    def _rated(self, pairs: Sequence[tuple[Request, TokenHypothesis]]) -> list[_Rated]:
        """How probable translations of requests are, token by token."""
        ids = [result.token_ids for _, result in pairs]
        rated = self.rating.log_probabilities(
            [request.text for request, _ in pairs], ids, [request.formality for request, _ in pairs]
        )
        return [_Rated(*each) for each in zip(ids, rated, strict=True)]

    def _with_credit(self, result: TokenHypothesis, nats: float) -> TokenHypothesis:
        tokens = (len(result.token_ids) + 1) ** self.length_penalty
        return replace(
            result,
            score=result.score + GIVEN,
            log_probability=result.log_probability - nats,
            credit=result.credit + nats + GIVEN * tokens,
        )


def _belongs(found: _Rated, before: _Rated) -> bool:
    """Whether words that a dictionary gave belong into a translation, given the source as it is.

    They may be improbable: the model hardly knows them. But what stands beside them may not ("Das
    Boot Blätter in ...", of a tree, for "The boat leaves in ..."), and where the model was sure of
    another word it knows better. The bounds were chosen on development text (docs/methods.md).

    Args:
        found: The translation with the words.
        before: The best without.
    """
    kept = frozenset(before.token_ids)
    pieces = zip(found.token_ids, found.values, strict=False)  # without the end
    beside = [value for piece, value in pieces if piece in kept]
    if min([*beside, found.values[-1]]) < BESIDE:
        return False
    return min(found.values) >= LEAST or min(before.values) <= SURE


def _stands_free(text: str, word: RareWord) -> bool:
    start, end = word.span
    return bool(_BEFORE.search(text[:start]) and _BEHIND.search(text[end:]))


def _switched(request: Request, words: Sequence[RareWord]) -> Request:
    """A request whose text has the translations of words in their place."""
    text = request.text
    for word in sorted(words, key=lambda word: word.span, reverse=True):
        start, end = word.span
        text = text[:start] + word.translation + text[end:]
    return replace(request, text=text)
