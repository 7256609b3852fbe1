"""The cache of a search over a language model: it gives what the model gives of the whole text."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from subfit.decoding.causal.forward import CausalForward
from subfit.decoding.causal.network import CausalNetwork
from subfit.decoding.causal.token_texts import TokenTexts
from tests.tiny_causal import FAMILIES, tiny_causal

SIZE, END = 40, 0
TEXTS = TokenTexts(("", *["a"] * (SIZE - 1)), frozenset({END}), frozenset({END}))
LONG, SHORT, MIDDLE = tuple(range(3, 15)), (7, 9), (5, 6, 7, 8, 9)
BEAMS, STEPS = 2, 16


class Running:
    """Prompts whose answers are fed token by token, and what each hypothesis has said."""

    def __init__(self, model: Any, rows: int) -> None:
        self.network = CausalNetwork(CausalForward(model, TEXTS), 64, STEPS)
        self.cache = self.network.open(rows, BEAMS)
        self.prompts: list[tuple[int, ...]] = [()] * rows
        self.said: list[list[list[int]]] = [[[] for _ in range(BEAMS)] for _ in range(rows)]
        self.origins = torch.zeros(rows, BEAMS, STEPS, dtype=torch.int64)
        self.positions = torch.zeros(rows, dtype=torch.int64)
        self.draw = torch.Generator().manual_seed(4)

    def admit(self, row: int, prompt: tuple[int, ...]) -> None:
        """Let a prompt into a row."""
        self.cache.admit(torch.tensor([row]), self.network.encode([prompt]))
        self.prompts[row], self.said[row] = prompt, [[] for _ in range(BEAMS)]
        self.positions[row] = 0

    def keep(self, rows: list[int]) -> None:
        """Go on with some rows alone."""
        where = torch.tensor(rows)
        self.cache.keep(where)
        self.origins, self.positions = self.origins[where], self.positions[where]
        self.prompts = [self.prompts[row] for row in rows]
        self.said = [self.said[row] for row in rows]

    def step(self, parents: tuple[int, int] = (0, 1)) -> None:
        """Feed what was said last, compare with the model, and say something more.

        Args:
            parents: The hypotheses of each row that both of its next ones go on from.
        """
        last = [[said[-1] if said else END for said in row] for row in self.said]
        found = self.cache.next(
            torch.tensor(last),
            self.positions,
            self.origins,
            torch.zeros_like(self.positions),
            torch.tensor([[len(said) for said in row] for row in self.said]),
        )
        for row, prompt in enumerate(self.prompts):
            for beam, said in enumerate(self.said[row]):
                logits = self.network._model._model(torch.tensor([[*prompt, *said]])).logits[0, -1]
                torch.testing.assert_close(
                    found[row, beam], logits.log_softmax(-1), atol=1e-4, rtol=1e-4
                )
        for row, position in enumerate(self.positions.tolist()):
            self.origins[row, :, position] = torch.arange(BEAMS)
            self.origins[row] = self.origins[row, list(parents)]
            tokens = torch.randint(1, SIZE, (BEAMS,), generator=self.draw).tolist()
            self.said[row] = [
                [*self.said[row][parent], token]
                for parent, token in zip(parents, tokens, strict=True)
            ]
        self.positions += 1


@pytest.mark.parametrize("family", FAMILIES)
@torch.inference_mode()
def test_token_by_token_it_gives_the_probabilities_of_whole_texts(family):
    running = Running(tiny_causal(family, SIZE, END), 2)
    running.admit(0, SHORT)
    running.admit(1, LONG)
    for parents in ((0, 1), (1, 0), (1, 1), (0, 0), (0, 1)):
        running.step(parents)


@torch.inference_mode()
def test_prompts_that_come_and_go_change_nothing():
    running = Running(tiny_causal("llama", SIZE, END), 3)
    for row, prompt in enumerate([LONG, SHORT, MIDDLE]):
        running.admit(row, prompt)
    running.step()
    running.step((1, 0))
    running.admit(0, SHORT)  # where the longest stood
    running.step((1, 1))
    running.keep([0, 2])
    running.step()
    running.admit(1, LONG)
    running.step((1, 0))
    running.step()
