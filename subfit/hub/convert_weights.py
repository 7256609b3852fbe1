"""The program that converts weights: ``python -I convert_weights.py PICKLED SAFETENSORS``.

It imports nothing of subfit, opens no connection, and unpickles by ``weights_only`` alone. What is
wrong is its last line on stderr, with exit code 1.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

_REFUSED = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork")
"""Audit events of Python that converting weights has no part in."""


def main(pickled: str, safe: str) -> None:
    """Convert one file."""
    import torch
    from safetensors.torch import save_file

    confine()
    try:
        weights = torch.load(pickled, map_location="cpu", weights_only=True)
        if not isinstance(weights, Mapping):
            raise ValueError("it holds no weights by name")
        save_file(plain(weights), safe, metadata={"format": "pt"})
    except Exception as error:
        reason = " ".join(str(error).split())
        if "weights_only" in reason or "Unsupported" in reason:
            reason = "it holds more than tensors, which subfit does not load"
        print(reason[:160] or type(error).__name__, file=sys.stderr)
        raise SystemExit(1) from None


def plain(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tensors of a state dict, each once: tied weights share their memory.

    Hugging Face ties them again when it loads the model.
    """
    import torch

    seen: set[tuple[int, tuple[int, ...]]] = set()
    kept = {}
    for name, value in weights.items():
        if not isinstance(value, torch.Tensor):
            raise ValueError(f"{name} is no tensor")
        place = value.untyped_storage().data_ptr(), tuple(value.shape)
        if place not in seen or not value.numel():
            kept[name] = value.detach().clone().contiguous()
        seen.add(place)
    return kept


def confine() -> None:
    """Let no code of this process open a connection or start a program, whatever it is."""

    def refuse(event: str, _: object) -> None:
        if event.startswith(_REFUSED):
            raise OSError(f"{event} is not allowed here")

    sys.addaudithook(refuse)


if __name__ == "__main__":
    main(*sys.argv[1:])
