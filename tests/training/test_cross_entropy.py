"""The projected cross-entropy against PyTorch's own."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import cross_entropy, linear

from subfit.training.loss import CPU_ROWS, projected_cross_entropy

ROWS = (1, CPU_ROWS, 2 * CPU_ROWS + 5)


def inputs(rows: int) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(rows)
    states = torch.randn(rows, 8, generator=generator).requires_grad_()
    weight = torch.randn(50, 8, generator=generator).requires_grad_()
    bias = torch.randn(50, generator=generator)
    return states, weight, bias, torch.randint(50, (rows,), generator=generator)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_it_has_the_value_and_the_gradients_of_pytorchs(rows, smoothing):
    states, weight, bias, labels = inputs(rows)
    found = projected_cross_entropy(states, (weight, bias), labels, smoothing=smoothing)
    gradients = torch.autograd.grad(3 * found, (states, weight))
    wanted = cross_entropy(
        linear(states, weight, bias), labels, label_smoothing=smoothing, reduction="sum"
    )
    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-4)
    expected = torch.autograd.grad(3 * wanted, (states, weight))
    torch.testing.assert_close(gradients, expected, rtol=1e-4, atol=1e-4)


def test_in_half_precision_only_the_products_are_rounded():
    states, weight, bias, labels = inputs(70)
    exact = projected_cross_entropy(states, (weight, bias), labels)
    exact_gradient = torch.autograd.grad(exact, weight)[0]
    rounded = projected_cross_entropy(states.bfloat16(), (weight, bias), labels)
    gradient = torch.autograd.grad(rounded, weight)[0]
    assert rounded.dtype == gradient.dtype == torch.float32
    assert rounded.item() == pytest.approx(exact.item(), rel=0.01)
    assert rounded.item() != exact.item()
    torch.testing.assert_close(gradient, exact_gradient, rtol=0.05, atol=0.1)
