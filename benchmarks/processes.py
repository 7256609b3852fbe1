"""Runs commands and says what they took."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from subfit.model.startup import WAITING

ROOT = Path(__file__).parent.parent
PYTHON = (sys.executable, "-P")
"""Without the working folder on its path, as the installed command runs."""
SUBFIT = (*PYTHON, "-m", "subfit")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took."""

    wall: float
    """Seconds from its start to its end."""
    cpu: float
    """Seconds that its threads were running."""
    peak: float
    """Most MiB it held; at least what this process held when it started it."""
    output: str
    """What it wrote to stdout."""


def cost_of(
    command: Sequence[str],
    accepted: Sequence[int] = (0,),
    variables: Mapping[str, str] | None = None,
) -> Cost:
    """Run a command of this checkout to its end.

    Args:
        command: Program and arguments.
        accepted: Exit codes that are no failure.
        variables: Added to this process's environment. Where they are given, what
            `subfit.model.startup` set in it is left out.

    Raises:
        RuntimeError: It ended with another code; what it wrote to stderr is told.
    """
    inherited = {name: text for name, text in os.environ.items() if WAITING.get(name) != text}
    own = os.environ if variables is None else inherited | dict(variables)
    environment = {**own, "PYTHONPATH": str(ROOT)}
    # Installed programs are compiled already; this checkout is by what runs first.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
        )
        assert process.stdout is not None
        with process.stdout as stdout:
            output = stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accepted:
            errors.seek(0)
            said = errors.read()
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {said}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / unit, output)
