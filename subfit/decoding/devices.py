"""Putting a loaded model where it computes."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import replace

import torch

from subfit.decoding.linears import choose_precision, multiplies_bfloat16
from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import Computing, Precision

SMALL = 50_000_000
"""Parameters below which one thread is faster than two, in int8: with 16 million a film took 1.3
times as long on two (``benchmarks/busy.py``)."""


def set_up(checkpoint: Checkpoint, computing: Computing) -> Checkpoint:
    """Return a checkpoint that computes as asked for; its model is moved to the device.

    Args:
        checkpoint: As loaded.
        computing: Where and how.

    Raises:
        UsageError: This machine has no such device, or the device no such precision.
    """
    if computing.threads is not None:
        torch.set_num_threads(computing.threads)
    keep_freed_memory()
    device = choose_device(computing.device)
    precision = choose_precision(computing.precision, device)
    return replace(checkpoint, model=checkpoint.model.to(device), precision=precision)


def is_small(checkpoint: Checkpoint) -> bool:
    """Whether a model, as set up, has products so small that sharing them out costs more."""
    few = sum(each.numel() for each in checkpoint.model.parameters()) < SMALL
    return few and checkpoint.precision == "int8"


def choose_causal(computing: Computing) -> tuple[torch.device, Precision]:
    """Return device and arithmetic for a decoder-only model.

    Unasked it is bfloat16 where the device multiplies that fast, else float32; int8 only where it
    is asked for.

    Raises:
        UsageError: This machine has no such device, or the device no such precision.
    """
    if computing.threads is not None:
        torch.set_num_threads(computing.threads)
    keep_freed_memory()
    device = choose_device(computing.device)
    if computing.precision == "auto" and device.type == "cpu":
        return device, "bf16" if multiplies_bfloat16() else "fp32"
    if computing.precision == "int8" and device.type == "cuda":
        return device, "int8"
    return device, choose_precision(computing.precision, device)


def choose_device(wish: str) -> torch.device:
    """Return the device for a wish, one of `subfit.model.config.DEVICES`.

    Raises:
        UsageError: There is no GPU that PyTorch can use, but one was asked for.
    """
    if wish == "auto":
        wish = "cuda" if torch.cuda.is_available() else "cpu"
    if wish == "cuda" and not torch.cuda.is_available():
        raise UsageError(
            "--device cuda: PyTorch finds no GPU here; leave it out, or install PyTorch for CUDA"
        )
    return torch.device(wish)


def keep_freed_memory(*, of_all_sizes: bool = False) -> None:
    """Let the C library reuse what it frees, where it is glibc.

    By default it gives large blocks back to the system at once, and every large tensor of the next
    step is mapped in again, page by page.

    Args:
        of_all_sizes: Also blocks of over 32 MiB, as the steps of a training have them.
    """
    trim_threshold, mmap_threshold, mmap_max = -1, -3, -4  # of malloc.h
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(mmap_threshold, 32 << 20)
        mallopt(trim_threshold, 512 << 20)
        if of_all_sizes:
            mallopt(mmap_max, 0)
            mallopt(trim_threshold, 2047 << 20)
