"""Beam search, one token of every hypothesis of many sentences at a time.

Without processors that change scores it is Hugging Face's (``early_stopping=False``).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from subfit.decoding.attention import NEVER
from subfit.decoding.cache import DecoderCache
from subfit.decoding.guide import MemoryGuide
from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.network import Memory, Network
from subfit.decoding.pieces import Choices, top_k
from subfit.decoding.processors import BannedTokens, CharacterCeiling, ScoreProcessor
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.decoding.terms import Terms


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
