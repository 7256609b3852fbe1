"""A search that is made once more where its best hypothesis lacks a rare word or a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import TokenHypothesis, TokenRequest


def search_led(
    search: BudgetedBeamSearch,
    requests: Sequence[TokenRequest],
    text_of: Callable[[TokenHypothesis], str],
    on_done: Callable[[int], None] | None = None,
) -> list[list[TokenHypothesis]]:
    """Search, and once more where the best hypothesis lacks what translates a rare word.

    Only what is lacking is rewarded then: what a model knows by itself it says better unled.

    Args:
        search: The search.
        requests: What to search for.
        text_of: Returns what a hypothesis prints.
        on_done: Called with the number of requests that the first search has done.

    Returns:
        Per request its hypotheses, the best first; where it was searched twice, those of both.
    """
    plain = [replace(request, rare_words=()) for request in requests]
    results = search.search(plain, on_done)
    texts = [text_of(result[0]) if result else "" for result in results]
    led = {
        number: replace(request, rare_words=lacking)
        for number, (request, text) in enumerate(zip(requests, texts, strict=True))
        if (lacking := tuple(word for word in request.rare_words if not word.is_in(text)))
    }
    for number, more in zip(led, search.search(list(led.values())), strict=True):
        results[number] = best_of([*more, *results[number]])
    return results


def best_of(results: Sequence[TokenHypothesis]) -> list[TokenHypothesis]:
    """Return hypotheses of two searches, each once, the best first; of the same the first."""
    found: dict[tuple[int, ...], TokenHypothesis] = {}
    for result in results:
        found.setdefault(result.token_ids, result)
    return sorted(found.values(), key=lambda result: (result.missed, -result.score))
