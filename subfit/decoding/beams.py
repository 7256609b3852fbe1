"""The rows of a running beam search: hypotheses that grow, end and make room for others."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from subfit.decoding.guidance import Guidance
from subfit.decoding.network import CACHED_ROWS, Memory, Network
from subfit.decoding.packing import NEVER, STRIDE
from subfit.decoding.pieces import Choices
from subfit.decoding.search_types import SearchSettings, TokenHypothesis, TokenRequest
from subfit.decoding.top_k import top_k


class Beams:
    """Rows of sentences, each with its hypotheses.

    Args:
        network: Gives the probabilities.
        choices: The pieces to choose among.
        settings: How many hypotheses.
        rows: Sentences at once.
        longest: Most tokens of a hypothesis, the end token included.
        kept: Finished hypotheses that a sentence needs to be done; as many as run by default.
    """

    def __init__(
        self,
        network: Network,
        choices: Choices,
        settings: SearchSettings,
        rows: int,
        longest: int,
        kept: int | None = None,
    ) -> None:
        self._kept = kept or settings.beams
        self._network, self._choices, self._settings = network, choices, settings
        self._longest, beams = longest, settings.beams
        open_cache = network.open_watched if settings.coverage_penalty else network.open
        self._running = open_cache(rows, beams)
        self._numbers: list[int | None] = [None] * rows
        """Which sentence each row holds; None if it is free."""
        self._pools: list[list[TokenHypothesis]] = [[] for _ in range(rows)]
        """Finished hypotheses of each row, best first, at most ``kept``."""
        self._lengths = [1] * rows
        """Source tokens of each row."""
        self._guidance = Guidance(choices, rows, beams)
        self._barred: list[Tensor | None] = [None] * rows
        """Columns that the sentence of each row may not have; None where it may have all."""
        device = network.device
        self._within = torch.arange(beams, device=device)
        counts = torch.zeros(rows, dtype=torch.int64, device=device)
        grid = torch.zeros(rows, beams, dtype=torch.int64, device=device)
        start = int(network.config.decoder_start_token_id)
        self.positions = counts.clone()
        """(rows,) of the newest tokens."""
        self.asked = counts.clone()
        """(rows,) lengths asked for, in the model's unit."""
        self.ceilings = torch.zeros(rows, device=device)
        """(rows,) most characters."""
        self.dense_ceilings = torch.zeros(rows, device=device)
        """(rows,) most characters that are no spaces."""
        self.scores = torch.full((rows, beams), NEVER, device=device)
        """(rows, beams) summed log-probabilities, `NEVER` where there is no hypothesis."""
        self.worst = torch.full((rows,), NEVER, device=device)
        """(rows,) score of the worst finished hypothesis, once there are enough of them."""
        self.newest = torch.full_like(grid, start)
        """(rows, beams) the last token of each hypothesis."""
        self.printed = torch.zeros(rows, beams, device=device)
        """(rows, beams) characters by the table."""
        self.dense = torch.zeros(rows, beams, device=device)
        """(rows, beams) those of them that are no spaces."""
        self.code_points = grid.clone()
        """(rows, beams) code points."""
        self.origins = torch.full((rows, beams, 0), -1, device=device)
        """(rows, beams, steps) the beam in which each token of a hypothesis was fed."""
        self.fed = torch.zeros(rows, 0, beams, dtype=torch.int64, device=device)
        """(rows, steps, beams) the tokens that were fed."""

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
            self._lengths[row] = len(request.source)
            self._guidance.admit(row, request.guide)
            self._barred[row] = self._choices.columns_of(request.barred) if request.barred else None
        device, where = self._network.device, torch.tensor(rows, device=self._network.device)
        self._running.admit(where, memories)
        self._narrow()
        self.asked[where] = torch.tensor([request.asked for request in requests], device=device)
        ceilings = [request.ceiling for request in requests]
        self.ceilings[where] = torch.tensor(ceilings, dtype=torch.float32, device=device)
        dense = [request.dense for request in requests]
        self.dense_ceilings[where] = torch.tensor(dense, dtype=torch.float32, device=device)
        self.scores[where] = NEVER
        self.scores[where, 0] = 0.0
        self.worst[where] = NEVER
        self.newest[where] = int(self._network.config.decoder_start_token_id)
        self.origins[where] = -1
        for tensor in (self.positions, self.printed, self.dense, self.code_points):
            tensor[where] = 0

    def advance(self) -> list[tuple[int, list[TokenHypothesis]]]:
        """Add one token to every hypothesis.

        Returns:
            The sentences that got done by it, by number, with their finished hypotheses.
        """
        log_probs = self._next()  # (rows, beams, pieces)
        log_probs[..., self._choices.barred] = NEVER
        for row, columns in enumerate(self._barred):
            if columns is not None:
                log_probs[row, :, columns] = NEVER
        self._begin(log_probs)
        self._mask_over_budget(log_probs)
        self._guidance.reward(log_probs, self.scores)
        best, parents, columns = self._best(log_probs)
        ends = columns == self._choices.end
        self._finish(best, parents, ends)
        going_on = self._continue(best.masked_fill(ends, NEVER), parents, columns)
        self._guidance.follow(*going_on)
        return self._done()

    def _best(self, log_probs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Choose among all hypotheses with one piece more.

        Args:
            log_probs: (rows, beams, pieces)

        Returns:
            (rows, 2 * beams) each: scores, best first; the beams they come from; the columns of
            their new pieces. Of those that end the ones among the first half count.
        """
        best, places = top_k(log_probs, self.scores, 2 * self._settings.beams)
        return best, places // log_probs.shape[2], places % log_probs.shape[2]

    def _terms_of(self, row: int, beam: int) -> tuple[int, float]:
        """How many terms a hypothesis would lack if it ended now, and its credit for others."""
        return 0, 0.0

    def _next(self) -> Tensor:
        """Feed the newest tokens; what a finished row holds is fed again, to no effect."""
        self._resize(int(self.positions.max()) + 1)
        # What nobody follows up has come from anywhere, as ties between impossibilities fell out.
        self.origins.masked_fill_((self.scores == NEVER).unsqueeze(2), -1)
        rows = torch.arange(len(self.positions), device=self.positions.device)
        self.origins[rows, :, self.positions] = self._within
        self.fed[rows, self.positions] = self.newest
        return self._running.next(
            self.newest, self.positions, self.origins, self.asked, self._written
        )

    @property
    def _written(self) -> Tensor:
        """(rows, beams) what each hypothesis has of the length that is asked for, in its unit."""
        if getattr(self._network.config, "length_unit", "characters") == "characters":
            return self.code_points
        return self.positions.unsqueeze(1).expand_as(self.code_points)

    def _begin(self, log_probs: Tensor) -> None:
        """Leave new hypotheses, in place, the one piece that all begin with, if there is one.

        As with `forced_bos_token_id` of Hugging Face it costs nothing, and counts as a token.
        """
        if self._choices.first is not None:
            new = self.positions == 0
            log_probs[new] = NEVER
            log_probs[new, :, self._choices.first] = 0.0

    def _resize(self, needed: int) -> None:
        """Make room for steps, some at a time, or give up what none needs."""
        wanted, now = -(-needed // STRIDE) * STRIDE, self.origins.shape[2]
        if now < wanted or wanted + STRIDE <= now:
            shape = (*self.origins.shape[:2], max(wanted - now, 0))
            more = self.origins.new_full(shape, -1)
            self.origins = torch.cat([self.origins[:, :, :wanted], more], dim=2)
            self.fed = torch.cat([self.fed[:, :wanted], more.transpose(1, 2)], dim=1)

    def _mask_over_budget(self, log_probs: Tensor) -> None:
        """Mask, in place, the tokens that would pass a ceiling or leave a word unfinished."""
        widest, opening = self._choices.widest, self._choices.widest_opening
        room = (self.ceilings.unsqueeze(1) - self.printed).flatten()  # (rows * beams,)
        dense_room = (self.dense_ceilings.unsqueeze(1) - self.dense).flatten()
        at_start = (self.code_points == 0).flatten()
        forced = (room < torch.where(at_start, opening, widest)) | (dense_room < opening)
        forced &= (self.scores > NEVER).flatten()
        flat = log_probs.view(len(room), -1)
        # A few rows at a time: what is done to them stays in the processor's cache.
        for rows in forced.nonzero().squeeze(1).split(CACHED_ROWS):  # type: ignore[no-untyped-call]
            own = flat.index_select(0, rows)
            self._mask_rows(own, room[rows], dense_room[rows], at_start[rows])
            flat.index_copy_(0, rows, own)

    def _mask_rows(
        self, log_probs: Tensor, room: Tensor, dense_room: Tensor, at_start: Tensor
    ) -> None:
        """Mask, in place, what is too long for hypotheses that some piece is too long for.

        Args:
            log_probs: (n, pieces)
            room: (n,) characters that each may still print.
            dense_room: (n,) those of them that may be no spaces.
            at_start: (n,) whether it has printed nothing.
        """
        choices, table = self._choices, self._choices.table
        over = table.characters > room.unsqueeze(1)
        if at_start.any():
            cost = table.characters - at_start.unsqueeze(1) * table.lead
            over = cost > room.unsqueeze(1)
        if dense_room.isfinite().any():
            over |= table.characters - table.lead > dense_room.unsqueeze(1)
        # Where the model would rather go on with the word than not, the word is not over: no end,
        # mark or other word may follow only because what does follow no longer fits. Nor may a
        # hypothesis end before its first word.
        going_on = log_probs.exp() @ choices.inside_word  # (n,)
        unfinished = (going_on > 0.5) & ~at_start
        if unfinished.any():
            over |= unfinished.unsqueeze(1) & ~table.inside_word
        log_probs.masked_fill_(over, NEVER)
        log_probs[:, choices.end].masked_fill_(at_start, NEVER)

    def _finish(self, best: Tensor, parents: Tensor, ends: Tensor) -> None:
        """File the hypotheses among the best that just ended."""
        beams, penalty = self._settings.beams, self._settings.length_penalty
        rows, ranks = (ends & (best > NEVER))[:, :beams].nonzero(as_tuple=True)
        if not len(rows):
            return
        ended = parents[rows, ranks]
        origins = self.origins[rows, ended].clamp(min=0)  # (n, steps)
        tokens = self.fed[rows].gather(2, origins.unsqueeze(2)).squeeze(2).tolist()
        last, characters = self.positions[rows].tolist(), self.printed[rows, ended].tolist()
        totals, beams_ended = best[rows, ranks].tolist(), ended.tolist()
        uncovered = [0.0] * len(rows)
        if self._settings.coverage_penalty:
            weight = self._settings.coverage_penalty
            penalties = self._running.coverage_penalty(rows, ended)
            uncovered = [weight * share for share in penalties]
        for number, row in enumerate(rows.tolist()):
            length, total = last[number] + 1, totals[number]
            missed, credit = self._terms_of(row, beams_ended[number])
            guided = self._guidance.earned(row, beams_ended[number])
            hypothesis = TokenHypothesis(
                tuple(tokens[number][self._network.prefix : length]),
                total / length**penalty + uncovered[number],
                total - credit - guided,
                characters[number],
                missed,
                credit,
                guided,
                uncovered[number],
            )
            pool = self._pools[row]
            pool.append(hypothesis)
            pool.sort(key=lambda finished: (finished.missed, -finished.score))
            del pool[self._kept :]
            if len(pool) == self._kept and not pool[-1].missed:
                self.worst[row] = pool[-1].score

    def _continue(self, best: Tensor, parents: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
        """Let the best unfinished hypotheses run on.

        Returns:
            (rows, beams) each: the beams that they come from, the columns of their new pieces.
        """
        self.scores, order = best.topk(self._settings.beams, dim=1)
        parents, columns = parents.gather(1, order), columns.gather(1, order)
        steps = self.origins.shape[2]
        self.origins = self.origins.gather(1, parents.unsqueeze(2).expand(-1, -1, steps))
        self.newest = self._choices.token_ids[columns]
        printed, points = self.printed.gather(1, parents), self.code_points.gather(1, parents)
        table, first = self._choices.table, points == 0
        self.printed = printed + table.characters[columns] - first * table.lead[columns]
        self.dense = self.dense.gather(1, parents) + (table.characters - table.lead)[columns]
        self.code_points = (
            points + table.code_points[columns] - (first & table.leads[columns]).long()
        )
        return parents, columns

    def _done(self) -> list[tuple[int, list[TokenHypothesis]]]:
        """Free the rows whose running hypotheses cannot beat the worst finished one."""
        lengths = self.positions + 1
        hopes = self.scores[:, 0] / lengths**self._settings.length_penalty
        over = (hopes == NEVER) | (hopes <= self.worst) | (lengths >= self._longest)
        done = []
        for row, is_over in enumerate(over.tolist()):
            number = self._numbers[row]
            if is_over and number is not None:
                done.append((number, self._pools[row]))
                self._numbers[row] = None
                self._guidance.admit(row, None)
                self._barred[row] = None
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
        self._keep(sorted([*in_use, *self.free[: half - len(in_use)]]))

    def _keep(self, kept: list[int]) -> None:
        """Keep only these rows."""
        where = torch.tensor(kept, device=self.scores.device)
        self._running.keep(where)
        for name, value in vars(self).items():
            if isinstance(value, Tensor) and name != "_within":
                setattr(self, name, value.index_select(0, where))
        self._numbers = [self._numbers[row] for row in kept]
        self._pools = [self._pools[row] for row in kept]
        self._lengths = [self._lengths[row] for row in kept]
        self._barred = [self._barred[row] for row in kept]
        self._guidance.keep(kept)
        self._narrow()

    def _narrow(self) -> None:
        in_use = zip(self._lengths, self._numbers, strict=True)
        self._running.narrow(max(length for length, number in in_use if number is not None))
