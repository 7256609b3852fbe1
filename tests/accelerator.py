"""What needs an accelerator is marked ``gpu``, and skipped where there is none."""

from __future__ import annotations

from typing import Any

import pytest
import torch

NEEDS_GPU = (
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU"),
)


def on_gpu(*more: object) -> Any:
    """Return the parameters of a test that is for a GPU: its device, and what else it takes."""
    return pytest.param("cuda", *more, marks=NEEDS_GPU)


CUDA = on_gpu()
