"""How PyTorch starts, and what there is to compute on.

It starts without what only compilers of models want, and with threads that sleep.

A quarter of the time that ``import torch`` takes goes into rules for the shapes of results, which
tracing and tensors without content need. A translation by one of subfit's own models needs neither.

The OpenMP runtime that PyTorch brings with it on Linux (GNU's libgomp) lets threads that have
nothing to do spin for milliseconds, in case work comes. Where another process wants the core, the
thread that does have work is put off meanwhile, at each of the many small steps of a search.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

SHAPE_RULES = "torch._meta_registrations"


WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0"}
"""Environment variables that libgomp reads, once, when PyTorch is imported."""


def wait_passively() -> None:
    """Make idle threads of PyTorch sleep, in this process and in those that it starts.

    Nothing changes where the user has set either variable, or PyTorch is imported already.
    """
    if "torch" not in sys.modules and not WAITING.keys() & os.environ.keys():
        os.environ.update(WAITING)


class _Deferred(ModuleType):
    """A module that is executed when one of its names is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _execute(self)
        return getattr(self, name)


def defer_shape_rules() -> None:
    """Let PyTorch's import leave the rules for shapes out, until one of them is asked for.

    Nothing changes where PyTorch is imported already, or has no such module.
    """
    torch = None if "torch" in sys.modules else find_spec("torch")
    if torch is None:
        return
    spec = PathFinder.find_spec(SHAPE_RULES, torch.submodule_search_locations)
    if spec is not None and spec.loader is not None:
        sys.modules[SHAPE_RULES] = _deferred(spec)


def load_shape_rules() -> None:
    """Execute what `defer_shape_rules` has put off, if anything: before others' models are made."""
    module = sys.modules.get(SHAPE_RULES)
    if isinstance(module, _Deferred):
        _execute(module)


def _deferred(spec: ModuleSpec) -> ModuleType:
    module = module_from_spec(spec)
    module.__class__ = _Deferred
    return module


def _execute(module: ModuleType) -> None:
    module.__class__ = ModuleType
    assert module.__spec__ is not None and module.__spec__.loader is not None
    module.__spec__.loader.exec_module(module)


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
