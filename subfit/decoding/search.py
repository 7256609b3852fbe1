"""Beam search that never passes a character budget, one token of every hypothesis at a time.

Every hypothesis carries the characters it prints. A token that would pass the sentence's ceiling
is masked *after* the softmax: what is left keeps the probability the model gave it, so a
hypothesis that has to stop where the model would not is scored as badly as the model scores that
stop. Without a ceiling, and processors that change scores, the search is Hugging Face's
(``early_stopping=False``).

Sentences that are done leave, and waiting ones take their rows, so that every step has its rows
full for as long as there is something to translate.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import torch
from torch import Tensor

from subfit.decoding.attention import NEVER
from subfit.decoding.cache import DecoderCache
from subfit.decoding.guide import MemoryGuide
from subfit.decoding.hypotheses import Hypothesis, SearchSettings, TokenRequest
from subfit.decoding.network import Memory, Network
from subfit.decoding.pieces import Choices, PieceTable, top_k
from subfit.decoding.processors import BannedTokens, CharacterCeiling, ScoreProcessor
from subfit.decoding.terms import Terms
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


class Beams:
    """Rows of sentences, each with its hypotheses.

    Args:
        network: Gives the probabilities.
        choices: The pieces to choose among.
        settings: How many hypotheses to find, and how they are scored.
        rows: Sentences at once.
        longest: Most tokens of a hypothesis, the end token included.
        processors: What else changes scores, behind all that subfit has of its own.
        terms: How many terms each sentence has.
    """

    def __init__(
        self,
        network: Network,
        choices: Choices,
        settings: SearchSettings,
        rows: int,
        longest: int,
        processors: Sequence[type[ScoreProcessor]] = (),
        terms: int = 0,
    ) -> None:
        self._network, self._choices, self._settings = network, choices, settings
        self._longest = longest
        self._beams = beams = Terms.width(settings.beams, terms) if terms else settings.beams
        self._ceiling = CharacterCeiling(choices, rows, beams)
        self._terms = Terms(choices, rows, beams, terms) if terms else None
        self._processors: list[ScoreProcessor] = [
            BannedTokens(choices, rows, beams),
            self._ceiling,
            MemoryGuide(choices, rows, beams),
            *(kind(choices, rows, beams) for kind in processors),
        ]
        if self._terms is not None:
            self._processors.append(self._terms)
        watched = bool(settings.coverage_penalty)
        self._caches = [
            DecoderCache(decoder, rows, beams, network.device, watched=watched)
            for decoder in network.decoders
        ]
        self._numbers: list[int | None] = [None] * rows
        """Which sentence each row holds; None if it is free."""
        self._pools: list[list[Hypothesis]] = [[] for _ in range(rows)]
        """Finished hypotheses of each row, best first, at most ``settings.beams``."""
        device = network.device
        self._start = int(network.config.decoder_start_token_id)
        self.positions = torch.zeros(rows, dtype=torch.int64, device=device)
        """(rows,) of the newest tokens."""
        self.asked = torch.zeros_like(self.positions)
        """(rows,) lengths asked for, in the model's unit."""
        self.scores = torch.full((rows, beams), NEVER, device=device)
        """(rows, beams) summed log-probabilities, `NEVER` where there is no hypothesis."""
        self.worst = torch.full((rows,), NEVER, device=device)
        """(rows,) score of the worst finished hypothesis, once there are enough of them."""
        self.newest = torch.full((rows, beams), self._start, device=device)
        """(rows, beams) the last token of each hypothesis."""
        self.tokens = torch.zeros(rows, beams, longest, dtype=torch.int64, device=device)
        """(rows, beams, longest) what was fed of each hypothesis."""
        self.origins = torch.full_like(self.tokens, -1)
        """(rows, beams, longest) the beams in which it was fed; -1 for none."""

    @property
    def running(self) -> int:
        """Sentences that are not done."""
        return len(self._numbers) - len(self.free)

    @property
    def free(self) -> list[int]:
        """Rows without a sentence."""
        return [row for row, number in enumerate(self._numbers) if number is None]

    @property
    def worth_filling(self) -> int:
        """How many free rows it takes for letting others in to be worth its while."""
        return max(1, len(self._numbers) // 8) if self.running else 1

    def admit(
        self, numbers: Sequence[int], requests: Sequence[TokenRequest], memories: Sequence[Memory]
    ) -> None:
        """Let sentences into free rows, each with one hypothesis, the empty one.

        Args:
            numbers: By which they are told apart.
            requests: What to translate.
            memories: Their encoded sources.
        """
        rows = self.free[: len(numbers)]
        for row, number, request in zip(rows, numbers, requests, strict=True):
            self._numbers[row], self._pools[row] = number, []
            for processor in self._processors:
                processor.admit(row, request)
        where = torch.tensor(rows, device=self._network.device)
        for number, cache in enumerate(self._caches):
            cache.admit(where, [memory[number] for memory in memories])
        self.asked[where] = self.asked.new_tensor([request.asked for request in requests])
        self.scores[where] = NEVER
        self.scores[where, 0] = 0.0
        self.worst[where] = NEVER
        starts = [self._start if one.start is None else one.start for one in requests]
        self.newest[where] = self.newest.new_tensor(starts).unsqueeze(1)
        self.origins[where] = -1
        self.positions[where] = 0

    def advance(self) -> list[tuple[int, list[Hypothesis]]]:
        """Add one token to every hypothesis.

        Returns:
            The sentences that got done by it, by number, with their finished hypotheses.
        """
        # 1. Feed the newest tokens.
        log_probs = self._next()  # (rows, beams, pieces)
        # 2. Let the processors change and forbid scores.
        for processor in self._processors:
            processor.adjust(log_probs, self.scores)
        # 3. Choose twice as many continuations as run on, so that as many as may end can.
        best, parents, columns = self._best(log_probs)
        # 4. File those that end, if they are among the first half.
        ends = columns == self._choices.end
        self._finish(best, parents, ends)
        # 5. Let the best of the others run on, and tell the processors.
        parents, columns = self._continue(best.masked_fill(ends, NEVER), parents, columns)
        for processor in self._processors:
            processor.advance(parents, columns)
        # 6. Free the rows whose running hypotheses cannot beat the worst finished one.
        return self._done()

    def _next(self) -> Tensor:
        """Feed the newest tokens; what a finished row holds is fed again, to no effect."""
        rows = torch.arange(len(self.positions), device=self.positions.device)
        self.tokens[rows, :, self.positions] = self.newest
        self.origins[rows, :, self.positions] = torch.arange(self._beams, device=rows.device)
        written = self._ceiling.code_points
        if getattr(self._network.config, "length_unit", "characters") != "characters":
            written = self.positions.unsqueeze(1).expand_as(written)
        states = [
            cache.next(self.newest, self.origins, self.positions, self.asked, written)
            for cache in self._caches
        ]
        return self._network.log_probabilities(states).view(*self.newest.shape, -1)

    def _best(self, log_probs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Choose among all hypotheses with one piece more.

        Returns:
            (rows, 2 * beams) each: scores, best first; the beams they come from; their new pieces.
        """
        if self._terms is not None:
            return self._terms.choose(log_probs, self.scores, self._ceiling.room)
        best, places = top_k(log_probs, self.scores, 2 * self._beams)
        return best, places // log_probs.shape[2], places % log_probs.shape[2]

    def _finish(self, best: Tensor, parents: Tensor, ends: Tensor) -> None:
        """File the hypotheses among the best that just ended."""
        rows, ranks = (ends & (best > NEVER))[:, : self._beams].nonzero(as_tuple=True)
        if not len(rows):
            return
        ended = parents[rows, ranks]
        uncovered = [0.0] * len(rows)
        if weight := self._settings.coverage_penalty:
            penalties = torch.stack([cache.penalty(rows, ended) for cache in self._caches])
            uncovered = (weight * penalties.mean(0)).tolist()
        figures = zip(
            rows.tolist(),
            ended.tolist(),
            self.tokens[rows, ended].tolist(),
            self.positions[rows].tolist(),
            self._ceiling.printed[rows, ended].tolist(),
            best[rows, ranks].tolist(),
            uncovered,
            strict=True,
        )
        for row, beam, fed, position, characters, total, penalty in figures:
            bonuses = {
                processor.name: bonus
                for processor in self._processors
                if (bonus := processor.bonus(row, beam))
            }
            hypothesis = Hypothesis(
                "",
                characters,
                total / self._settings.length(position + 1.0) + penalty,
                total - sum(bonuses.values()),
                tuple(fed[self._network.prefix : position + 1]),
                bonuses=bonuses,
                uncovered=penalty,
                missed=0 if self._terms is None else self._terms.missed(row, beam),
            )
            self._file(row, hypothesis)

    def _file(self, row: int, hypothesis: Hypothesis) -> None:
        pool, kept = self._pools[row], self._settings.beams
        pool.append(hypothesis)
        pool.sort(key=lambda finished: (finished.missed, -finished.score))
        del pool[kept:]
        if len(pool) == kept and not pool[-1].missed:
            self.worst[row] = pool[-1].score

    def _continue(self, best: Tensor, parents: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
        """Let the best unfinished hypotheses run on.

        Returns:
            (rows, beams) each: the beams that they come from, the columns of their new pieces.
        """
        self.scores, order = best.topk(self._beams, dim=1)
        parents, columns = parents.gather(1, order), columns.gather(1, order)
        followed = parents.unsqueeze(2).expand_as(self.tokens)
        self.tokens = self.tokens.gather(1, followed)
        self.origins = self.origins.gather(1, followed)
        self.newest = self._choices.token_ids[columns]
        return parents, columns

    def _done(self) -> list[tuple[int, list[Hypothesis]]]:
        """Free the rows that are done, and say which."""
        lengths = self.positions + 1
        hopes = self.scores[:, 0] / self._settings.length(lengths)
        over = (hopes == NEVER) | (hopes <= self.worst) | (lengths >= self._longest)
        done = []
        for row, is_over in enumerate(over.tolist()):
            number = self._numbers[row]
            if is_over and number is not None:
                done.append((number, self._pools[row]))
                self._numbers[row] = None
                for processor in self._processors:
                    processor.admit(row, None)
        self.scores.masked_fill_(over.unsqueeze(1), NEVER)
        self.positions = lengths.masked_fill(over, 0)
        return done

    def compact(self) -> None:
        """Give up half of the rows, once so many are free.

        Always by halves, since code is generated for every new number of rows.
        """
        half = len(self._numbers) // 2
        if not 0 < self.running <= half:
            return
        in_use = [row for row, number in enumerate(self._numbers) if number is not None]
        kept = sorted([*in_use, *self.free[: half - len(in_use)]])
        where = torch.tensor(kept, device=self.scores.device)
        for cache in self._caches:
            cache.keep(where)
        for name in ("positions", "asked", "scores", "worst", "newest", "tokens", "origins"):
            setattr(self, name, getattr(self, name).index_select(0, where))
        self._numbers = [self._numbers[row] for row in kept]
        self._pools = [self._pools[row] for row in kept]
        for processor in self._processors:
            processor.keep(kept)
