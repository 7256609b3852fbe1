"""PyTorch imported without what only compilers of models want of it, until something asks.

A quarter of the time that ``import torch`` takes goes into rules for the shapes of results, which
tracing and tensors without content need. A translation by one of subfit's own models needs neither.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

SHAPE_RULES = "torch._meta_registrations"


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
