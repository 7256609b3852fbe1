"""Where and how precisely a model computes, as asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

DEVICES = ("auto", "cpu", "cuda")
Precision = Literal["fp32", "int8", "bf16", "fp16"]
"""What a model computes in."""
PRECISIONS = ("auto", *get_args(Precision))


@dataclass(frozen=True, slots=True)
class Computing:
    """What a model computes on and in."""

    device: str = "auto"
    """One of `DEVICES`; ``auto`` is a GPU where there is one."""
    precision: str = "auto"
    """One of `PRECISIONS`; ``auto`` is the fastest that the device is good at."""
    threads: int | None = None
    """CPU threads, or in commands, of a small model, processes of one thread each; None for as many
    as there are cores."""


DEFAULT_COMPUTING = Computing()
MEASURING = Computing(precision="fp32")
"""What systems are measured in unless something else is asked for: not the fastest arithmetic of
each machine."""
EXACT = Computing(device="cpu", precision="fp32")
"""What is the same on all machines, but for rounding."""
