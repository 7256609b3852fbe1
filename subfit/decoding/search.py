"""Beam search that never passes a character budget.

Every hypothesis carries the characters it prints. A token that would pass the sentence's ceiling
is masked *after* the softmax: what is left keeps the probability the model gave it, so a
hypothesis that has to stop where the model would not is scored as badly as the model scores that
stop. Without a ceiling the search is Hugging Face's (``early_stopping=False``).

Sentences that are done leave, and waiting ones take their rows, so that every step has its rows
full for as long as there is something to translate.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import torch

from subfit.decoding.beams import Beams
from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.network import Memory, Network
from subfit.decoding.pieces import Choices, PieceTable
from subfit.decoding.processors import ScoreProcessor
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.model.config import LengthConfig

_AHEAD = 4
"""Batches of sources that are encoded together."""


class BudgetedBeamSearch:
    """Beam search under one ceiling per sentence.

    Args:
        network: Gives the probabilities.
        table: Characters per piece.
        settings: Width and length.
        special: Token ids that no translation is made of, beside those of the configuration.
        processors: What changes scores beside what subfit has of its own.
    """

    def __init__(
        self,
        network: Network,
        table: PieceTable,
        settings: SearchSettings,
        special: Iterable[int] = (),
        processors: Sequence[type[ScoreProcessor]] = (),
    ) -> None:
        self.network, self.settings, self.processors = network, settings, tuple(processors)
        # All pieces but that for unknown text, which prints a mark, are of one character at most.
        single = bool(table.code_points.topk(2).values[-1] <= 1)
        most = network.max_steps
        self.longest = most if single else min(settings.max_steps, most)
        config = network.config
        shared = (
            isinstance(config, LengthConfig) and network.config.share_encoder_decoder_embeddings
        )
        before = config.source_token_ids if shared else ()
        # Tokens of length classes and the like stand before sources. In a target they would print
        # nothing and so allow a hypothesis to end after half a word. A vocabulary of the target's
        # own has none.
        end = int(config.eos_token_id)
        barred = sorted({int(config.pad_token_id), *before, *special} - {end})
        everything = torch.arange(len(table.characters), device=network.device)
        token_ids = everything if network.pieces is None else network.pieces
        self.choices = Choices(table, token_ids, end, barred, network.first)

    @torch.inference_mode()
    def search(
        self, requests: Sequence[TokenRequest], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        """Translate sentences.

        Args:
            requests: What to translate; those of one source are cheapest together.
            on_done: Called with the number of sentences that got done since it was last called.

        Returns:
            Per sentence up to ``nbest`` finished hypotheses, those that lack the fewest terms
            first, and of these the best score. The list is empty when no hypothesis could end
            within the ceiling.
        """
        results: list[list[Hypothesis]] = [[] for _ in requests]
        hopeless = sum(not self.has_room(request) for request in requests)
        if on_done and hopeless:
            on_done(hopeless)
        for terms in sorted({len(request.terms) for request in requests}):
            self._search(terms, requests, results, on_done)
        return results

    def has_room(self, request: TokenRequest) -> bool:
        """Whether anything at all may be printed."""
        return request.ceiling >= self.choices.narrowest

    def _search(
        self,
        terms: int,
        requests: Sequence[TokenRequest],
        results: list[list[Hypothesis]],
        on_done: Callable[[int], None] | None,
    ) -> None:
        """Search for all requests of so many terms."""
        waiting = _Queue(self, requests, terms)
        if not waiting:
            return
        rows = min(max(1, self.settings.batch_size // (terms + 1)), len(waiting))
        what = self.network, self.choices, self.settings
        beams = Beams(*what, rows, self.longest, self.processors, terms)
        while waiting or beams.running:
            if waiting and len(beams.free) >= beams.worth_filling:
                beams.admit(*waiting.take(len(beams.free)))
            done = beams.advance()
            for number, hypotheses in done:
                results[number] = list(hypotheses[: self.settings.nbest])
            if not waiting:
                beams.compact()
            if on_done and done:
                on_done(len(done))


class _Queue:
    """The requests of so many terms that wait, and some encoded sources.

    The longest source comes first, so that none is left to run alone in the end. Where there are
    several batches, the very first is of the shortest, so that something is done soon.
    """

    def __init__(
        self, search: BudgetedBeamSearch, requests: Sequence[TokenRequest], terms: int
    ) -> None:
        self._search, self._requests = search, requests
        self._ahead = max(1, search.settings.batch_size // (terms + 1))
        """How many sources to encode at once, if there are so many."""
        possible = [
            number
            for number, request in enumerate(requests)
            if search.has_room(request) and len(request.terms) == terms
        ]
        order = sorted(  # stable, and those of one source stand together
            possible, key=lambda number: (-len(requests[number].source), requests[number].source)
        )
        self._numbers = deque(order)
        if len(order) > _AHEAD * self._ahead:
            self._numbers.rotate(self._ahead)
        self._encoded: deque[Memory] = deque()

    def __len__(self) -> int:
        return len(self._numbers)

    def take(self, count: int) -> tuple[list[int], list[TokenRequest], list[Memory]]:
        """Return the next requests, at most ``count``, with their numbers and encoded sources."""
        count = min(count, len(self._numbers))
        if len(self._encoded) < count:
            ahead = islice(self._numbers, len(self._encoded), max(count, self._ahead))
            sources = [self._requests[number].source for number in ahead]
            self._encoded.extend(self._search.network.encode(sources))
            self._ahead = _AHEAD * self._search.settings.batch_size
        numbers = [self._numbers.popleft() for _ in range(count)]
        memories = [self._encoded.popleft() for _ in range(count)]
        return numbers, [self._requests[number] for number in numbers], memories
