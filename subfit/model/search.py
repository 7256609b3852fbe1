"""Beam search that never passes a character budget.

Every hypothesis carries the characters it prints. A token that would pass the sentence's ceiling
is masked *after* the softmax: what is left keeps the probability the model gave it, so a
hypothesis that has to stop where the model would not is scored as badly as the model scores that
stop. Without a ceiling the search is Hugging Face's (``early_stopping=False``).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from subfit.model.config import SubfitConfig
from subfit.model.decoder import Decoder, Steps

NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class PieceTable:
    """What each piece of the vocabulary prints, by the rule budgets are counted in."""

    characters: Tensor
    """(vocab_size,) characters of each piece, its leading space included, float32."""
    lead: Tensor
    """(vocab_size,) what the piece's leading space counts; lost at the start of a sentence."""
    code_points: Tensor
    """(vocab_size,) code points of each piece, the unit of length encodings, int64."""
    leads: Tensor
    """(vocab_size,) whether the piece opens with a space."""
    inside_word: Tensor
    """(vocab_size,) whether the piece goes on with a word that has begun."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How wide and how long to search."""

    beams: int = 5
    nbest: int = 5
    """Hypotheses returned per sentence, at most ``beams``."""
    length_penalty: float = 1.0
    """Scores are divided by (tokens ** length_penalty), end token included."""
    max_steps: int = 256
    """Most target tokens, end token included; a vocabulary of single characters has no limit but
    the model's."""


@dataclass(frozen=True, slots=True)
class Found:
    """One finished hypothesis."""

    token_ids: tuple[int, ...]
    """Pieces without start and end token."""
    score: float
    """Log-probability over tokens ** length_penalty."""
    log_probability: float
    """Sum over all tokens, the end token included."""
    characters: float
    """As the table counts them."""


class BudgetedBeamSearch:
    """Batched beam search under one ceiling per sentence.

    Args:
        decoder: Steps the model.
        table: Characters per piece.
        settings: Width and length.
    """

    def __init__(self, decoder: Decoder, table: PieceTable, settings: SearchSettings) -> None:
        self.decoder, self.table, self.settings = decoder, table, settings
        self.widest = float(table.characters.max())
        opening = table.characters - table.lead  # (vocab_size,) what each piece prints at the start
        self.narrowest = float(opening[opening > 0].min())
        # All pieces but that for unknown text, which prints a mark, are of one character at most.
        single = bool(table.code_points.topk(2).values[-1] <= 1)
        self.longest = decoder.max_steps if single else min(settings.max_steps, decoder.max_steps)
        config = decoder.model.config
        self.end = int(config.eos_token_id)
        shared = isinstance(config, SubfitConfig) and config.share_encoder_decoder_embeddings
        before = config.source_token_ids if shared else ()
        # Tokens of length classes and the like stand before sources. In a target they would print
        # nothing and so allow a hypothesis to end after half a word. A vocabulary of the target's
        # own has none.
        self.barred = [config.pad_token_id, *before]

    @torch.inference_mode()
    def search(
        self, source: Tensor, source_mask: Tensor, asked: Tensor, ceilings: Tensor
    ) -> list[list[Found]]:
        """Translate a batch.

        Args:
            source: (batch_size, source_length) tokens.
            source_mask: (batch_size, source_length), 1 where there is a token.
            asked: (batch_size,) code points asked for, 0 for none.
            ceilings: (batch_size,) most characters a hypothesis may print, ``inf`` for no limit.

        Returns:
            Per sentence up to ``nbest`` finished hypotheses, best score first. The list is empty
            when no hypothesis could end within the ceiling.
        """
        beams = self.settings.beams
        memory = self.decoder.encode(source, source_mask)
        longest = self.longest
        steps = self.decoder.start(memory, source_mask, beams, longest)
        state = BeamState.fresh(self, asked, ceilings, longest)
        for _ in range(longest):
            live = state.advance(steps)
            if len(live) == 0:
                break
            if len(live) < len(state.sentences):
                state.keep(live)
                steps.keep(live)
        return [
            sorted(found, key=lambda each: -each.score)[: self.settings.nbest]
            for found in state.finished
        ]


@dataclass(slots=True)
class BeamState:
    """The running hypotheses of the sentences that are not done, and all finished ones."""

    search: BudgetedBeamSearch
    sentences: list[int]
    """Which sentence of the batch each row is."""
    asked: Tensor
    """(rows,) code points asked for."""
    ceilings: Tensor
    """(rows,) most characters."""
    tokens: Tensor
    """(rows, beams, max_steps) pieces so far."""
    newest: Tensor
    """(rows, beams) the last token of each hypothesis."""
    scores: Tensor
    """(rows, beams) summed log-probabilities; `NEVER` for a beam that has no hypothesis."""
    printed: Tensor
    """(rows, beams) characters by the table."""
    code_points: Tensor
    """(rows, beams) code points."""
    length: int
    """Tokens generated so far."""
    finished: list[list[Found]]
    """Per sentence of the batch, at most ``beams`` hypotheses."""

    @classmethod
    def fresh(
        cls, search: BudgetedBeamSearch, asked: Tensor, ceilings: Tensor, max_steps: int
    ) -> BeamState:
        """One hypothesis per sentence, the empty one; none where no piece at all fits."""
        rows, beams = len(asked), search.settings.beams
        scores = torch.full((rows, beams), NEVER)
        scores[:, 0] = torch.where(ceilings < search.narrowest, NEVER, 0.0)
        start = search.decoder.model.config.decoder_start_token_id
        return cls(
            search=search,
            sentences=list(range(rows)),
            asked=asked,
            ceilings=ceilings,
            tokens=torch.zeros(rows, beams, max_steps, dtype=torch.int64),
            newest=torch.full((rows, beams), start),
            scores=scores,
            printed=torch.zeros(rows, beams),
            code_points=torch.zeros(rows, beams, dtype=torch.int64),
            length=0,
            finished=[[] for _ in range(rows)],
        )

    def advance(self, steps: Steps) -> Tensor:
        """Add one token to every hypothesis; return the rows that are not done, (n,)."""
        beams = self.search.settings.beams
        log_probs = steps.next(self.newest, self.asked, self.code_points)
        log_probs[..., self.search.barred] = NEVER
        self._mask_over_budget(log_probs)
        totals = self.scores.unsqueeze(-1) + log_probs  # (rows, beams, vocab_size)
        best, flat = totals.flatten(1).topk(2 * beams, dim=1)  # (rows, 2 * beams)
        parents, pieces = flat // log_probs.shape[-1], flat % log_probs.shape[-1]
        self.length += 1
        ends = pieces == self.search.end
        self._finish(best, parents, ends)
        self._continue(best.masked_fill(ends, NEVER), parents, pieces, steps)
        return self._undone()

    def _mask_over_budget(self, log_probs: Tensor) -> None:
        """Mask, in place, the tokens that would pass a ceiling or leave a word unfinished."""
        room = self.ceilings.unsqueeze(1) - self.printed  # (rows, beams)
        tight = (room < self.search.widest) & (self.scores > NEVER)
        if not tight.any():
            return
        table = self.search.table
        rows = tight.nonzero(as_tuple=True)
        at_start = (self.code_points[rows] == 0).unsqueeze(1)  # (n, 1)
        cost = table.characters - at_start * table.lead  # (n, vocab_size)
        over = cost > room[rows].unsqueeze(1)
        chosen = log_probs[rows]  # (n, vocab_size)
        # Where the model would rather go on with the word than not, the word is not over: no end,
        # mark or other word may follow only because what does follow no longer fits. Nor may a
        # hypothesis end before its first word.
        going_on = chosen.exp() @ table.inside_word.float()  # (n,)
        forced = over.any(dim=1)
        unfinished = forced & (going_on > 0.5) & ~at_start.squeeze(1)
        chosen = chosen.masked_fill(over | (unfinished.unsqueeze(1) & ~table.inside_word), NEVER)
        chosen[:, self.search.end].masked_fill_(forced & at_start.squeeze(1), NEVER)
        log_probs[rows] = chosen

    def _finish(self, best: Tensor, parents: Tensor, ends: Tensor) -> None:
        """File the hypotheses among the best that just ended."""
        beams = self.search.settings.beams
        ended = (ends & (best > NEVER))[:, :beams]
        for row, rank in ended.nonzero().tolist():
            parent = int(parents[row, rank])
            log_probability = float(best[row, rank])
            found = Found(
                token_ids=tuple(self.tokens[row, parent, : self.length - 1].tolist()),
                score=log_probability / self.length**self.search.settings.length_penalty,
                log_probability=log_probability,
                characters=float(self.printed[row, parent]),
            )
            pool = self.finished[self.sentences[row]]
            pool.append(found)
            pool.sort(key=lambda each: -each.score)
            del pool[beams:]

    def _continue(self, best: Tensor, parents: Tensor, pieces: Tensor, steps: Steps) -> None:
        """Let the best unfinished hypotheses run on."""
        self.scores, order = best.topk(self.search.settings.beams, dim=1)
        parents, pieces = parents.gather(1, order), pieces.gather(1, order)
        steps.reorder(parents)
        kept = parents.unsqueeze(-1).expand(-1, -1, self.tokens.shape[-1])
        self.tokens = self.tokens.gather(1, kept)
        self.tokens[:, :, self.length - 1] = pieces
        self.newest = pieces
        printed, points = self.printed.gather(1, parents), self.code_points.gather(1, parents)
        table = self.search.table
        first = points == 0
        self.printed = printed + table.characters[pieces] - first * table.lead[pieces]
        self.code_points = points + table.code_points[pieces] - (first & table.leads[pieces]).long()

    def _undone(self) -> Tensor:
        """Rows whose running hypotheses may still beat the worst finished one."""
        settings = self.search.settings
        hopes = (self.scores[:, 0] / self.length**settings.length_penalty).tolist()
        live = [
            row
            for row, (sentence, hope) in enumerate(zip(self.sentences, hopes, strict=True))
            if hope > NEVER
            and (
                len(self.finished[sentence]) < settings.beams
                or hope > self.finished[sentence][-1].score
            )
        ]
        return torch.tensor(live, dtype=torch.int64)

    def keep(self, rows: Tensor) -> None:
        """Drop the rows that are done."""
        self.sentences = [self.sentences[row] for row in rows.tolist()]
        for name in ("asked", "ceilings", "tokens", "newest", "scores", "printed", "code_points"):
            setattr(self, name, getattr(self, name).index_select(0, rows))
