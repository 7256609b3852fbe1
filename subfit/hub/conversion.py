"""Weights that are no safetensors, converted once.

They are pickled, and a pickle may run any code. So they are read by PyTorch's restricted loader,
which makes tensors and plain containers and refuses all else, in a process of its own that has no
network (`convert_weights`, run as a program); here nothing of them is unpickled.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from subfit.errors import ModelError
from subfit.hub import convert_weights

PICKLED_FILE = "pytorch_model.bin"
SAFE_FILE = "model.safetensors"


def convert(pickled: Path, safe: Path) -> None:
    """Write pickled weights as safetensors.

    Args:
        pickled: A ``pytorch_model.bin``.
        safe: The file to write; it is there only when it is whole.

    Raises:
        ModelError: The restricted loader refuses it, it is damaged, or there is no room.
    """
    program = Path(convert_weights.__file__)
    partial = safe.with_name(f"{safe.name}.partial")
    partial.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-I", str(program), str(pickled), str(partial)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        partial.unlink(missing_ok=True)
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ModelError(f"{pickled}: cannot be converted to safetensors ({lines[-1][:200]})")
    partial.replace(safe)
