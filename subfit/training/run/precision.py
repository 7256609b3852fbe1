"""What training computes in: bfloat16 where that is asked for and the machine has it."""

from __future__ import annotations

import torch

from subfit.training.recipe.recipe import Recipe

NO_BFLOAT16 = (
    "this processor has no arithmetic for bfloat16, and would take many times as long by other"
    " means: computing in float32"
)


def has_bfloat16(device: torch.device) -> bool:
    """Whether a device computes products in bfloat16 faster than one by one."""
    if device.type != "cpu":
        return True
    if not torch._C._has_mkldnn:
        return False
    supported: bool = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return supported


def lacks_bfloat16(recipe: Recipe, device: torch.device) -> bool:
    """Whether a recipe asks for bfloat16 of a device that has none."""
    return recipe.run.dtype == "bfloat16" and not has_bfloat16(device)


def autocast(recipe: Recipe, device: torch.device) -> torch.autocast:
    """Return the context in which losses are computed, by ``run.dtype`` and the device."""
    enabled = recipe.run.dtype == "bfloat16" and not lacks_bfloat16(recipe, device)
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=enabled)
