"""Muon, whose costly part several processes share, in what the machine computes fast.

`torch.optim.Muon` orthogonalises in bfloat16 whatever the processor, and every process does all of
it: on processors without arithmetic for bfloat16 one step takes longer than all else together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from subfit.training.run.distributed import process_count, process_rank, sum_in_place
from subfit.training.run.precision import has_bfloat16

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Of the quintic iteration (Jordan 2024)."""
ITERATIONS = 5


class Muon(Optimizer):
    """Momentum, orthogonalised: equal to `torch.optim.Muon`, its updates scaled to Adam's size.

    Jordan 2024; Liu et al. 2025, "Muon is scalable", §2.2.

    Args:
        weights: Matrices.
        lr: Learning rate.
        weight_decay: Share of the weights, times the rate, that each step takes off.
        momentum: Of Nesterov's kind.
    """

    def __init__(
        self,
        weights: Iterable[nn.Parameter],
        *,
        lr: float,
        weight_decay: float,
        momentum: float = 0.95,
    ) -> None:
        super().__init__(weights, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Move the weights by their gradients, which all processes must have alike."""
        for group in self.param_groups:
            weights = [weight for weight in group["params"] if weight.grad is not None]
            directions = (self._with_momentum(weight, group["momentum"]) for weight in weights)
            rate = group["lr"]
            if not weights:
                continue
            updates = _all_orthogonal(directions, weights[0].device)
            for weight, update in zip(weights, updates, strict=True):
                weight.mul_(1 - rate * group["weight_decay"])
                weight.add_(update, alpha=-rate * 0.2 * max(weight.shape) ** 0.5)

    def _with_momentum(self, weight: nn.Parameter, momentum: float) -> Tensor:
        gradient, state = weight.grad, self.state[weight]
        assert gradient is not None
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(gradient)
        mean = state["momentum_buffer"].lerp_(gradient, 1 - momentum)
        return gradient.lerp(mean, momentum)


def _all_orthogonal(directions: Iterable[Tensor], device: torch.device) -> Iterable[Tensor]:
    """Orthogonalise matrices, each in one of the processes; all get all.

    A process by itself does one after the other, as they are asked for; on a GPU, which they are
    too small for, all of one shape at once.
    """
    if process_count() == 1 and device.type == "cpu":
        return map(orthogonal, directions)
    matrices = list(directions)
    if process_count() == 1:
        return orthogonal_together(matrices)
    shared = torch.zeros(sum(map(Tensor.numel, matrices)), dtype=_type_of(device), device=device)
    pieces = torch.split(shared, [matrix.numel() for matrix in matrices])
    parts = [piece.view_as(matrix) for piece, matrix in zip(pieces, matrices, strict=True)]
    order = sorted(range(len(matrices)), key=lambda number: -matrices[number].numel())
    for number in order[process_rank() :: process_count()]:
        parts[number].copy_(orthogonal(matrices[number]))
    sum_in_place(shared)
    return parts


def _type_of(device: torch.device) -> torch.dtype:
    """What is orthogonalised in, and sent in."""
    return torch.bfloat16 if has_bfloat16(device) else torch.float32


def orthogonal_together(matrices: Sequence[Tensor]) -> list[Tensor]:
    """Return what `orthogonal` does of each matrix: those of a shape, turned or not, at once."""
    by_shape: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, matrix in enumerate(matrices):
        by_shape[tuple(sorted(matrix.shape))].append(number)
    found: dict[int, Tensor] = {}
    for numbers in by_shape.values():
        wide = torch.stack([_wide(matrices[number]) for number in numbers])
        for number, update in zip(numbers, _orthogonal(wide), strict=True):
            found[number] = update.T if _is_tall(matrices[number]) else update
    return [found[number] for number in range(len(matrices))]


def orthogonal(matrix: Tensor) -> Tensor:
    """Return about the nearest matrix whose singular values are all 1 (0.7 to 1.2), (m, n)."""
    wide = _orthogonal(_wide(matrix).unsqueeze(0))[0]
    return wide.T if _is_tall(matrix) else wide


def _is_tall(matrix: Tensor) -> bool:
    return matrix.shape[0] > matrix.shape[1]


def _wide(matrix: Tensor) -> Tensor:
    return matrix.T if _is_tall(matrix) else matrix


def _orthogonal(matrices: Tensor) -> Tensor:
    """Orthogonalise (matrices, m, n), none of them taller than wide."""
    a, b, c = COEFFICIENTS
    wide = matrices.to(_type_of(matrices.device), copy=True)
    wide.div_(wide.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7))
    for _ in range(ITERATIONS):
        gram = wide @ wide.mT
        wide = torch.baddbmm(wide, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), wide, beta=a)
    return wide
