"""Where a model computes: what is asked for, what there is, and one line where that differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.decoding import devices
from subfit.decoding.devices import choose_causal, choose_device, is_small, set_up
from subfit.errors import UsageError
from subfit.model.checkpoint import load_checkpoint
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
    assert choose_causal(Computing("cpu")) == (CPU, "bf16" if fast else "fp32")
    assert choose_causal(Computing("cpu", "fp32")) == (CPU, "fp32")


def test_a_model_is_put_where_it_is_wanted_with_as_many_threads(tiny_model_folder: Path):
    checkpoint, before = load_checkpoint(str(tiny_model_folder)), torch.get_num_threads()
    try:
        done = set_up(checkpoint, Computing("cpu", "fp32", threads=3))
        assert (done.model.device, done.precision, torch.get_num_threads()) == (CPU, "fp32", 3)
    finally:
        torch.set_num_threads(before)


def test_only_what_is_small_and_in_whole_numbers_is_slower_on_two_threads(
    tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    checkpoint = load_checkpoint(str(tiny_model_folder))
    whole = replace(checkpoint, precision="int8")
    assert is_small(whole) and not is_small(replace(checkpoint, precision="fp32"))
    monkeypatch.setattr(devices, "SMALL", 1000)
    assert not is_small(whole)
