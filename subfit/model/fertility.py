"""How much attention each source piece may have: its fertility (Malaviya et al. 2018, §3)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import init
from torch.nn.functional import cross_entropy

from subfit.model.config import Fertility

MOST = 7
"""Most target pieces of one source piece that are told apart; what has more counts as this."""
SLACK = 1.0
"""What is added to a predicted fertility: it is an upper bound, and aligners miss links."""


class FertilityBounds(nn.Module):
    """Gives every source piece its fertility.

    Args:
        way: ``constant``, the same for all; ``max-align``, the most target pieces that were ever
            aligned with the piece; ``predicted``, by a head on the encoder's states.
        constant: The fertility of the first way.
        pieces: Size of the vocabulary.
        width: d_model.
        sink: Token id of the piece that has no bound.
    """

    table: Tensor
    hidden: nn.Linear | None

    def __init__(self, way: Fertility, constant: float, pieces: int, width: int, sink: int) -> None:
        super().__init__()
        self.way, self.constant, self.sink = way, constant, sink
        self.hidden = self.out = None
        if way == "max-align":
            self.register_buffer("table", torch.ones(pieces))
        elif way == "predicted":
            self.hidden = nn.Linear(width, width)
            self.out = nn.Linear(width, MOST + 1)

    def start(self) -> None:
        """Give all pieces the same fertility, as before training."""
        if self.way == "max-align":
            init.ones_(self.table)
        if self.out is not None:
            init.zeros_(self.out.weight)
            init.zeros_(self.out.bias)

    @torch.no_grad()
    def set_table(self, most: Sequence[int]) -> None:
        """Store the most target pieces that were aligned with each source piece, at least 1."""
        self.table[: len(most)] = torch.tensor(most, dtype=self.table.dtype).clamp(min=1)

    @torch.no_grad()
    def set_frequencies(self, counts: Sequence[int]) -> None:
        """Begin with how often each fertility from 0 to `MOST` occurs, whatever the piece."""
        assert self.out is not None
        shares = torch.tensor(counts, dtype=torch.float32) + 1
        self.out.bias.copy_((shares / shares.sum()).log())

    def logits(self, states: Tensor) -> Tensor:
        """Return the scores of fertilities 0 to `MOST`, (…, MOST + 1), for states (…, width)."""
        assert self.hidden is not None and self.out is not None
        return self.out(torch.relu(self.hidden(states))).float()  # type: ignore[no-any-return]

    def forward(self, source: Tensor, states: Tensor) -> Tensor:
        """Return the fertility of every source token, inf for the sink.

        Args:
            source: (…) token ids.
            states: (…, width) of the encoder's last layer.

        Returns:
            (…) in float32, without a gradient.
        """
        if self.way == "constant":
            bounds = torch.full(source.shape, float(self.constant), device=source.device)
        elif self.way == "max-align":
            bounds = self.table[source].float()
        else:
            with torch.no_grad():
                shares = self.logits(states.detach()).softmax(-1)
            counts = torch.arange(MOST + 1, device=source.device, dtype=shares.dtype)
            bounds = SLACK + (shares * counts).sum(-1)
        return bounds.masked_fill(source == self.sink, float("inf"))

    def loss(self, states: Tensor, fertilities: Tensor) -> Tensor:
        """Return the mean cross-entropy of the head, a scalar; the encoder gets no gradient of it.

        Args:
            states: (batch_size, source_length, width) of the encoder's last layer.
            fertilities: (batch_size, source_length) aligned target pieces of each source token,
                negative where they are not known.
        """
        logits = self.logits(states.detach()).flatten(0, 1)
        targets = fertilities.clamp(max=MOST).flatten()
        known = targets >= 0
        total = cross_entropy(logits, targets.masked_fill(~known, -100), reduction="sum")
        return total / known.sum().clamp(min=1)
