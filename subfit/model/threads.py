"""How threads wait for each other: asleep, so that they take no core from what else runs.

The OpenMP runtime that PyTorch brings with it on Linux (GNU's libgomp) lets threads that have
nothing to do spin for milliseconds, in case work comes. Where another process wants the core, the
thread that does have work is put off meanwhile, at each of the many small steps of a search.
"""

from __future__ import annotations

import os
import sys

WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0"}
"""Environment variables that libgomp reads, once, when PyTorch is imported."""


def wait_passively() -> None:
    """Make idle threads of PyTorch sleep, in this process and in those that it starts.

    Nothing changes where the user has set either variable, or PyTorch is imported already.
    """
    if "torch" not in sys.modules and not WAITING.keys() & os.environ.keys():
        os.environ.update(WAITING)
