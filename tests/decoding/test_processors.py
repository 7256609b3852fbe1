"""A processor of one's own is one class, and changes scores without an edit elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from subfit.decoding.attention import NEVER
from subfit.decoding.hypotheses import Request
from subfit.decoding.pieces import Choices
from subfit.decoding.processors import ScoreProcessor
from subfit.decoding.search_types import TokenRequest
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import load_checkpoint


class NoRepeats(ScoreProcessor):
    """Forbids every piece that a hypothesis has already."""

    def __init__(self, choices: Choices, rows: int, beams: int) -> None:
        super().__init__(choices, rows, beams)
        self._said: list[list[list[int]]] = [[[]] * beams for _ in range(rows)]

    def admit(self, row: int, request: TokenRequest | None) -> None:
        self._said[row] = [[]] * self.beams

    def adjust(self, log_probs: Tensor, scores: Tensor) -> None:
        for row, hypotheses in enumerate(self._said):
            for beam, said in enumerate(hypotheses):
                log_probs[row, beam, said] = NEVER

    def advance(self, parents: Tensor, columns: Tensor) -> None:
        for row, said in enumerate(self._said):
            pairs = zip(parents[row].tolist(), columns[row].tolist(), strict=True)
            self._said[row] = [[*said[beam], column] for beam, column in pairs]

    def keep(self, rows: Sequence[int]) -> None:
        self._said = [self._said[row] for row in rows]


def test_a_new_processor_is_one_class(tiny_model_folder) -> None:
    checkpoint = load_checkpoint(str(tiny_model_folder))
    requests = [Request(text) for text in ("The door is open.", "Who is there?", "I hear music.")]
    plain = Translator(checkpoint).translate(requests)
    changed = Translator(checkpoint, processors=[NoRepeats]).translate(requests)
    pieces = [one.token_ids for nbest in changed for one in nbest]
    assert pieces and all(len(set(own)) == len(own) for own in pieces)
    assert any(len(set(one.token_ids)) < len(one.token_ids) for nbest in plain for one in nbest)
