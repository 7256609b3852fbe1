"""Optimisers and learning rates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import nn
from torch.optim import AdamW, Optimizer

from subfit.training.recipe.run import Optimizer as OptimizerSettings
from subfit.training.recipe.run import Schedule
from subfit.training.run.muon import Muon


def build_optimizers(model: nn.Module, settings: OptimizerSettings) -> list[Optimizer]:
    """Return the optimisers that together move every trainable weight.

    ``muon`` takes the matrices of the encoder's and decoder's layers; embeddings, biases and norms
    stay with Adam. Every parameter group keeps its peak rate as ``peak``.
    """
    rest = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
    optimizers: list[Optimizer] = []
    if settings.name == "muon":
        chosen = [name for name, weight in rest.items() if _is_of_layer(name) and weight.ndim == 2]
        optimizers.append(
            Muon(
                [rest.pop(name) for name in chosen],
                lr=settings.learning_rate,
                weight_decay=settings.weight_decay,
            )
        )
    optimizers.append(
        AdamW(_adam_groups(rest, settings), betas=settings.betas, eps=1e-9, fused=True)
    )
    for group in _groups(optimizers):
        group["peak"] = group["lr"]
    return optimizers


def _is_of_layer(name: str) -> bool:
    """Whether a weight is of a layer; T5's first ones also have a table of distances."""
    return (".layers." in name or ".block." in name) and "relative_attention_bias" not in name


def _adam_groups(
    weights: dict[str, nn.Parameter], settings: OptimizerSettings
) -> list[dict[str, Any]]:
    rate = settings.learning_rate
    if settings.name == "muon" and settings.adam_learning_rate is not None:
        rate = settings.adam_learning_rate
    return [{"params": list(weights.values()), "lr": rate, "weight_decay": settings.weight_decay}]


def clip_gradients(model: nn.Module, norm: float) -> None:
    """Clip the gradient of a translator, and that of its length predictor by itself."""
    named = list(model.named_parameters())
    head = [weight for name, weight in named if name.startswith("length_head.")]
    rest = [weight for name, weight in named if not name.startswith("length_head.")]
    for weights in (rest, head):
        nn.utils.clip_grad_norm_(weights, norm)


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
        group["lr"] = share * group["peak"]


def _groups(optimizers: list[Optimizer]) -> Iterator[dict[str, Any]]:
    for optimizer in optimizers:
        yield from optimizer.param_groups
