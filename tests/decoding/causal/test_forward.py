"""One pass of a decoder-only model beside the model itself."""

from __future__ import annotations

import pytest
import torch

from subfit.decoding.causal.forward import CausalForward
from subfit.decoding.causal.token_texts import TokenTexts
from tests.tiny_causal import FAMILIES, tiny_causal

SIZE = 12
TURN_END, LINE_END, SPECIAL = 0, 11, 5
LETTERS = ["\n" if number == LINE_END else "a" for number in range(SIZE)]
TEXTS = TokenTexts(tuple(LETTERS), frozenset({TURN_END}), frozenset({TURN_END, SPECIAL}))


@pytest.mark.parametrize("family", FAMILIES)
@torch.inference_mode()
def test_what_was_fed_before_need_not_be_fed_again(family: str) -> None:
    model = tiny_causal(family, SIZE, TURN_END)
    forward = CausalForward(model, TEXTS)
    text = torch.tensor([[3, 1, 4, 1, 6], [2, 7, 1, 8, 2]])
    places, seen = torch.arange(5).expand(2, -1), torch.ones(2, 5, dtype=torch.int64)
    whole, _ = forward.run(text, places, seen, [])
    torch.testing.assert_close(whole, model(text).logits)
    _, kept = forward.run(text[:, :3], places[:, :3], seen[:, :3], [])
    rest, _ = forward.run(text[:, 3:], places[:, 3:], seen, kept, rated=1)
    torch.testing.assert_close(rest, whole[:, -1:], atol=1e-5, rtol=1e-4)


def test_ends_of_turns_and_lines_are_one_column() -> None:
    forward = CausalForward(tiny_causal("llama", SIZE, TURN_END), TEXTS)
    assert forward.end == TURN_END
    pieces = forward.pieces.tolist()
    assert SPECIAL not in pieces and LINE_END not in pieces
    logits = torch.randn(2, SIZE, generator=torch.Generator().manual_seed(1))
    opening = torch.tensor([True, False])
    log_probs = forward.log_probabilities(logits, opening)
    shares = logits.softmax(-1)
    at = int(forward.index(torch.tensor(TURN_END)))
    assert float(log_probs[0, at].exp()) == pytest.approx(float(shares[0, TURN_END]))
    both = float(shares[1, TURN_END] + shares[1, LINE_END])
    assert float(log_probs[1, at].exp()) == pytest.approx(both)
    usable = [piece for piece in pieces if piece != TURN_END]
    columns = forward.index(torch.tensor(usable))
    torch.testing.assert_close(log_probs[:, columns].exp(), shares[:, usable])
