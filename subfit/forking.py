"""Whether this process may be forked, and what it has to compute on."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""What a container may use of its cores, as Linux tells it."""


def can_fork() -> bool:
    """Whether a process that has models may be forked here: on Linux it is known to go well."""
    return sys.platform == "linux" and hasattr(os, "fork")


def cores() -> int:
    """Return how many cores this process may use, those of its container if it is in one."""
    allowed = len(os.sched_getaffinity(0)) if can_fork() else os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        return max(1, min(allowed, int(quota) // int(period)))
    except (OSError, ValueError):  # there is none, or it says "max"
        return allowed
