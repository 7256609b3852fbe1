"""Where a model computes: what is asked for, what there is, and one line where that differs."""

from __future__ import annotations

import pytest
import torch

from subfit.decoding import loading as devices
from subfit.decoding.loading import choose_computing, choose_device
from subfit.errors import UsageError
from subfit.model.config import Computing

CPU = torch.device("cpu")


def test_without_a_gpu_auto_is_the_cpu_and_a_gpu_cannot_be_had(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device("auto") == choose_device("cpu") == CPU
    with pytest.raises(UsageError) as caught:
        choose_device("cuda")
    assert str(caught.value).startswith("--device cuda: PyTorch finds no GPU here")
    assert "\n" not in str(caught.value)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device("auto").type == "cuda"


@pytest.mark.parametrize("fast", [True, False])
def test_a_language_model_computes_in_bfloat16_only_where_that_is_fast(monkeypatch, fast):
    monkeypatch.setattr(devices, "multiplies_bfloat16", lambda: fast)
    assert choose_computing(Computing("cpu"), causal=True) == (CPU, "bf16" if fast else "fp32")
    assert choose_computing(Computing("cpu", "fp32"), causal=True) == (CPU, "fp32")
