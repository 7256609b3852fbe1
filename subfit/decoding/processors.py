"""What changes or forbids scores while a search runs, each thing a processor of its own.

A search asks all its processors in turn, behind the softmax and before the best continuations are
chosen: what is left keeps the probability that the model gave it. A new one is a class with the
methods of `ScoreProcessor`; what it needs to know of a sentence stands in its `TokenRequest`.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from subfit.decoding.attention import NEVER
from subfit.decoding.hypotheses import TokenRequest
from subfit.decoding.network import CACHED_ROWS
from subfit.decoding.pieces import Choices, PieceTable


class ScoreProcessor:
    """Changes or forbids scores of a running search; this one does nothing.

    Args:
        choices: The pieces to choose among, in columns.
        rows: Sentences at once.
        beams: Hypotheses of each.
    """

    name = ""
    """Of what `bonus` gives, in `Hypothesis.bonuses`."""

    def __init__(self, choices: Choices, rows: int, beams: int) -> None:
        self.choices, self.rows, self.beams = choices, rows, beams

    def admit(self, row: int, request: TokenRequest | None) -> None:
        """Let a sentence into a row, with one empty hypothesis; None where its own is done."""

    def adjust(self, log_probs: Tensor, scores: Tensor) -> None:
        """Change log-probabilities (rows, beams, pieces) in place.

        Args:
            log_probs: Of each next piece; `NEVER` forbids it.
            scores: (rows, beams) of the hypotheses, `NEVER` where there is none.
        """

    def advance(self, parents: Tensor, columns: Tensor) -> None:
        """Take note of what runs on: (rows, beams) the beam each comes from, and its new piece."""

    def bonus(self, row: int, beam: int) -> float:
        """Return what a hypothesis has in its score beside its log-probability, if it ends now."""
        return 0.0

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only these rows."""


class BannedTokens(ScoreProcessor):
    """No hypothesis has a piece that the vocabulary bans.

    Where all translations begin with one piece, as a language's token, that one is forced. As with
    `forced_bos_token_id` of Hugging Face it costs nothing, and counts as a token.
    """

    def __init__(self, choices: Choices, rows: int, beams: int) -> None:
        super().__init__(choices, rows, beams)
        self._new = [False] * rows

    def admit(self, row: int, request: TokenRequest | None) -> None:
        """See `ScoreProcessor.admit`."""
        self._new[row] = request is not None and self.choices.first is not None

    def adjust(self, log_probs: Tensor, scores: Tensor) -> None:
        """See `ScoreProcessor.adjust`."""
        log_probs[..., self.choices.barred] = NEVER
        for row in (row for row, new in enumerate(self._new) if new):
            log_probs[row] = NEVER
            log_probs[row, :, self.choices.first] = 0.0

    def advance(self, parents: Tensor, columns: Tensor) -> None:
        """See `ScoreProcessor.advance`."""
        self._new = [False] * len(self._new)

    def keep(self, rows: Sequence[int]) -> None:
        """See `ScoreProcessor.keep`."""
        self._new = [self._new[row] for row in rows]


def over_ceiling(
    log_probs: Tensor,
    table: PieceTable,
    inside_word: Tensor,
    room: Tensor,
    dense_room: Tensor,
    at_start: Tensor,
) -> Tensor:
    """Return (n, pieces) what hypotheses may not go on with for want of room.

    Args:
        log_probs: (n, pieces)
        table: What the pieces print.
        inside_word: (pieces,) 1 for those that go on with a word, else 0.
        room: (n,) characters that each hypothesis may still print.
        dense_room: (n,) those of them that may be no spaces.
        at_start: (n,) whether it has printed nothing.
    """
    over = table.characters > room.unsqueeze(1)
    if at_start.any():
        over = table.characters - at_start.unsqueeze(1) * table.lead > room.unsqueeze(1)
    if dense_room.isfinite().any():
        over |= table.characters - table.lead > dense_room.unsqueeze(1)
    # Where the model would rather go on with the word than not, the word is not over: no end, mark
    # or other word may follow only because what does follow no longer fits.
    unfinished = (log_probs.exp() @ inside_word > 0.5) & ~at_start
    if unfinished.any():
        over |= unfinished.unsqueeze(1) & ~table.inside_word
    return over


class CharacterCeiling(ScoreProcessor):
    """No hypothesis prints more characters than its sentence may have.

    A hypothesis that has to stop where the model would not is scored as badly as the model scores
    that stop.
    """

    def __init__(self, choices: Choices, rows: int, beams: int) -> None:
        super().__init__(choices, rows, beams)
        device = choices.token_ids.device
        self._most = torch.zeros(rows, 1, device=device)
        self._most_dense = torch.zeros(rows, 1, device=device)
        self.printed = torch.zeros(rows, beams, device=device)
        """(rows, beams) characters of each hypothesis by the table."""
        self.dense = torch.zeros(rows, beams, device=device)
        """(rows, beams) those of them that are no spaces."""
        self.code_points = torch.zeros(rows, beams, dtype=torch.int64, device=device)
        """(rows, beams) code points."""

    def admit(self, row: int, request: TokenRequest | None) -> None:
        """See `ScoreProcessor.admit`."""
        if request is not None:
            self._most[row], self._most_dense[row] = request.ceiling, request.dense
            for tensor in (self.printed, self.dense, self.code_points):
                tensor[row] = 0

    @property
    def room(self) -> Tensor:
        """(rows, beams) characters that each hypothesis may still print."""
        return self._most - self.printed

    def adjust(self, log_probs: Tensor, scores: Tensor) -> None:
        """Mask what would pass a ceiling or leave a word unfinished."""
        choices = self.choices
        room = self.room.flatten()
        dense_room = (self._most_dense - self.dense).flatten()
        at_start = (self.code_points == 0).flatten()
        widest = torch.where(at_start, choices.widest_opening, choices.widest)
        tight = (room < widest) | (dense_room < choices.widest_opening)
        tight &= (scores > NEVER).flatten()
        flat = log_probs.view(len(room), -1)
        # A few rows at a time: what is done to them stays in the processor's cache.
        for rows in tight.nonzero().squeeze(1).split(CACHED_ROWS):  # type: ignore[no-untyped-call]
            own = flat.index_select(0, rows)
            self._mask(own, room[rows], dense_room[rows], at_start[rows])
            flat.index_copy_(0, rows, own)

    def _mask(self, log_probs: Tensor, room: Tensor, dense_room: Tensor, at_start: Tensor) -> None:
        """Mask, in place, (n, pieces) of hypotheses that some piece is too long for."""
        choices = self.choices
        over = over_ceiling(
            log_probs, choices.table, choices.inside_word, room, dense_room, at_start
        )
        log_probs.masked_fill_(over, NEVER)
        log_probs[:, choices.end].masked_fill_(at_start, NEVER)  # not before the first word

    def advance(self, parents: Tensor, columns: Tensor) -> None:
        """See `ScoreProcessor.advance`."""
        table = self.choices.table
        points = self.code_points.gather(1, parents)
        first = points == 0
        characters = table.characters[columns] - first * table.lead[columns]
        self.printed = self.printed.gather(1, parents) + characters
        self.dense = self.dense.gather(1, parents) + (table.characters - table.lead)[columns]
        self.code_points = points + table.code_points[columns]
        self.code_points -= (first & table.leads[columns]).long()

    def keep(self, rows: Sequence[int]) -> None:
        """See `ScoreProcessor.keep`."""
        where = torch.tensor(rows, device=self.printed.device)
        for name in ("_most", "_most_dense", "printed", "dense", "code_points"):
            setattr(self, name, getattr(self, name).index_select(0, where))
