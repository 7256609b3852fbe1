"""The cache of a search: fed token by token, it gives what the decoder gives of whole texts."""

from __future__ import annotations

import torch

from subfit.decoding.cache import DecoderCache
from subfit.decoding.network import Network
from tests.tiny import tiny_marian

CPU = torch.device("cpu")
SIZE, END, PAD = 40, 0, 39
LONG, SHORT, MIDDLE = tuple(range(1, 36)), (7, END), (*range(3, 20), END)
BEAMS, STEPS = 2, 16


class Running:
    """Sentences that are fed one token after the other, with what each hypothesis has said."""

    def __init__(self, network: Network, rows: int) -> None:
        self.network, (self.decoder,) = network, network.decoders
        self.cache = DecoderCache(self.decoder, rows, BEAMS, CPU)
        self.sources: list[tuple[int, ...]] = [(END,)] * rows
        self.said = [[[] for _ in range(BEAMS)] for _ in range(rows)]
        self.origins = torch.full((rows, BEAMS, STEPS), -1)
        self.positions = torch.zeros(rows, dtype=torch.int64)
        self.draw = torch.Generator().manual_seed(4)

    def admit(self, row: int, source: tuple[int, ...]) -> None:
        """Let a source into a row."""
        ((memory,),) = self.network.encode([source])
        self.cache.admit(torch.tensor([row]), [memory])
        self.sources[row], self.said[row] = source, [[] for _ in range(BEAMS)]
        self.origins[row], self.positions[row] = -1, 0

    def keep(self, rows: list[int]) -> None:
        """Go on with some rows alone."""
        where = torch.tensor(rows)
        self.cache.keep(where)
        self.origins, self.positions = self.origins[where], self.positions[where]
        self.sources = [self.sources[row] for row in rows]
        self.said = [self.said[row] for row in rows]

    def feed(self) -> torch.Tensor:
        """Feed a random token of every hypothesis; return (rows, beams, d) states."""
        tokens = torch.randint(1, PAD, (len(self.sources), BEAMS), generator=self.draw)
        for row, position in enumerate(self.positions.tolist()):
            self.origins[row, :, position] = torch.arange(BEAMS)
            for beam in range(BEAMS):
                self.said[row][beam].append(int(tokens[row, beam]))
        none = torch.zeros_like(self.positions)
        states = self.cache.next(
            tokens, self.positions, self.origins, none, torch.zeros_like(tokens)
        )
        return states.view(*tokens.shape, -1)

    def cross(self, row: int) -> None:
        """Let both hypotheses of a row go on from the second."""
        self.origins[row, 0] = self.origins[row, 1]
        self.said[row][0] = list(self.said[row][1])

    def check(self, states: torch.Tensor) -> None:
        """Compare the newest states with those of the decoder over all that was said."""
        for row, source in enumerate(self.sources):
            ((memory,),) = self.network.encode([source])
            for beam, said in enumerate(self.said[row]):
                whole = self.decoder.whole([said], [memory])
                torch.testing.assert_close(states[row, beam], whole[-1], atol=1e-4, rtol=1e-4)


@torch.inference_mode()
def test_token_by_token_it_gives_the_states_of_whole_texts():
    running = Running(Network([tiny_marian(SIZE)]), 2)
    running.admit(0, SHORT)
    running.admit(1, LONG)
    for step in range(6):
        running.check(running.feed())
        running.positions += 1
        if step == 2:
            running.cross(1)


@torch.inference_mode()
def test_rows_that_come_and_go_and_padding_that_is_forgotten_change_nothing():
    running = Running(Network([tiny_marian(SIZE)]), 3)
    for row, source in enumerate([LONG, SHORT, MIDDLE]):
        running.admit(row, source)
    for _ in range(3):
        running.check(running.feed())
        running.positions += 1
    running.admit(0, SHORT)  # where the longest stood
    running.cache.narrow(len(MIDDLE))
    running.check(running.feed())
    running.positions += 1
    running.keep([0, 2])
    running.check(running.feed())
    running.positions += 1
    running.admit(1, LONG)
    running.check(running.feed())
