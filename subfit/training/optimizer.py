"""Optimisers and learning rates.

Muon is one of our own: `torch.optim.Muon` orthogonalises in bfloat16 whatever the processor, which
takes longer than all else where there is no arithmetic for it, and cannot be recorded in a graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

from subfit.training.distributed import broadcast, process_count, process_rank
from subfit.training.loss import has_bfloat16
from subfit.training.sections import Optimizer as OptimizerSettings
from subfit.training.sections import Schedule

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
            directions = [self._with_momentum(weight, group["momentum"]) for weight in weights]
            rate = group["lr"]  # a tensor where a step is recorded as a graph
            for weight, update in zip(weights, _orthogonal_together(directions), strict=True):
                size = 0.2 * max(weight.shape) ** 0.5
                if group["weight_decay"]:
                    weight.mul_(1 - rate * group["weight_decay"])
                if isinstance(rate, Tensor):
                    weight.sub_(update * (rate * size))
                else:
                    weight.add_(update, alpha=-rate * size)

    def _with_momentum(self, weight: nn.Parameter, momentum: float) -> Tensor:
        gradient, state = weight.grad, self.state[weight]
        assert gradient is not None
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(gradient)
        mean = state["momentum_buffer"].lerp_(gradient, 1 - momentum)
        return gradient.lerp(mean, momentum)


def orthogonal(matrices: Sequence[Tensor]) -> list[Tensor]:
    """Return about the nearest matrices, (m, n), whose singular values are all 1 (0.7 to 1.2).

    Those of a shape, turned or not, are computed at once: one alone is too small for a GPU.
    """
    a, b, c = COEFFICIENTS
    by_shape: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, matrix in enumerate(matrices):
        by_shape[tuple(sorted(matrix.shape))].append(number)
    found = list(matrices)
    for shape, numbers in by_shape.items():
        tall = [matrices[number].shape != shape for number in numbers]
        some = zip(numbers, tall, strict=True)
        wide = torch.stack([matrices[n].T if is_tall else matrices[n] for n, is_tall in some])
        wide = wide.to(_precision(wide))
        wide.div_(wide.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7))
        for _ in range(ITERATIONS):
            gram = wide @ wide.mT
            gram = torch.baddbmm(gram, gram, gram, beta=b, alpha=c)
            wide = torch.baddbmm(wide, gram, wide, beta=a)
        for number, is_tall, update in zip(numbers, tall, wide, strict=True):
            found[number] = update.T if is_tall else update
    return found


def _precision(matrix: Tensor) -> torch.dtype:
    return torch.bfloat16 if has_bfloat16(matrix.device) else torch.float32


def _orthogonal_together(matrices: Sequence[Tensor]) -> list[Tensor]:
    """What `orthogonal` returns; on CPUs each process computes its share of each shape."""
    count = process_count()
    if count == 1 or not matrices or matrices[0].is_cuda:
        return orthogonal(matrices)
    order = sorted(range(len(matrices)), key=lambda number: sorted(matrices[number].shape))
    own = order[process_rank() :: count]
    found = [torch.empty_like(matrix, dtype=_precision(matrix)) for matrix in matrices]
    for number, update in zip(own, orthogonal([matrices[n] for n in own]), strict=True):
        found[number] = update
    for rank in range(min(count, len(order))):
        broadcast([found[number] for number in order[rank::count]], rank)
    return found


def build_optimizers(
    model: nn.Module, settings: OptimizerSettings, *, recorded: bool = False
) -> list[Optimizer]:
    """Return the optimisers that together move every trainable weight.

    ``muon`` takes the matrices of the encoder's and decoder's layers; embeddings, biases and norms
    stay with Adam. Every parameter group keeps its peak rate as ``peak``.

    Args:
        model: On its device.
        settings: Which, and their rates.
        recorded: Whether their steps are recorded as a CUDA graph: rates are tensors then.
    """
    rest = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
    optimizers: list[Optimizer] = []
    if settings.name == "muon":
        chosen = [name for name, weight in rest.items() if _is_of_layer(name) and weight.ndim == 2]
        matrices = [rest.pop(name) for name in chosen]
        decay = settings.weight_decay
        optimizers.append(Muon(matrices, lr=settings.learning_rate, weight_decay=decay))
    rate = settings.learning_rate
    if settings.name == "muon" and settings.adam_learning_rate is not None:
        rate = settings.adam_learning_rate
    how: Any = {"lr": rate, "weight_decay": settings.weight_decay, "capturable": recorded}
    optimizers.append(AdamW(rest.values(), betas=settings.betas, eps=1e-9, fused=True, **how))
    for group in _groups(optimizers):
        group["peak"] = group["lr"]
        if recorded:
            group["lr"] = torch.tensor(group["lr"], device=group["params"][0].device)
    return optimizers


def _is_of_layer(name: str) -> bool:
    """Whether a weight is of a layer; T5's first ones also have a table of distances."""
    return (".layers." in name or ".block." in name) and "relative_attention_bias" not in name


def rate_at(step: int, schedule: Schedule, minutes: float = 0.0) -> float:
    """Return the learning rate's share of its peak at a step, counted from 1.

    ``inverse-sqrt`` rises linearly and falls with the square root (Vaswani et al. 2017, §5.3);
    ``cooldown`` rises, stays, and falls linearly to 0 over the last steps, or over the same share
    of the minutes where the schedule has these.
    """
    if step < schedule.warmup:
        return step / schedule.warmup
    if schedule.shape == "inverse-sqrt":
        return float((max(schedule.warmup, 1) / step) ** 0.5)
    if not schedule.cooldown:
        return 1.0
    left = (schedule.steps - step) / schedule.cooldown
    if schedule.minutes is not None:
        in_time = 1 - minutes / schedule.minutes
        left = min(left, in_time * schedule.steps / schedule.cooldown)
    return max(0.0, min(1.0, left))


def set_rate(optimizers: list[Optimizer], share: float) -> None:
    """Set every parameter group to this share of its peak learning rate."""
    for group in _groups(optimizers):
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(share * group["peak"])
        else:
            group["lr"] = share * group["peak"]


def _groups(optimizers: list[Optimizer]) -> Iterator[dict[str, Any]]:
    for optimizer in optimizers:
        yield from optimizer.param_groups
