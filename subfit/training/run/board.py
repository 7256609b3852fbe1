"""A run's log as TensorBoard shows it, where ``run.tensorboard`` is set."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from subfit.errors import RecipeError

BOARD_FOLDER = "tensorboard"
"""Where the events lie, in the run folder."""


def check_board() -> None:
    """Check before the work that the package is there.

    Raises:
        RecipeError: It is not.
    """
    if find_spec("tensorboard") is None:
        raise RecipeError(
            "run.tensorboard needs the package tensorboard: install subfit[tensorboard],"
            " or set run.tensorboard: false"
        )


def _writer(folder: str, purge_step: int) -> Any:
    from torch.utils.tensorboard import SummaryWriter  # takes seconds to import

    return SummaryWriter(folder, purge_step=purge_step)


class Board:
    """Writes what a run logs as events.

    Args:
        folder: The run folder.
        step: Steps done so far; events of later ones, which a kill undid, are taken back.
    """

    def __init__(self, folder: Path, step: int) -> None:
        self._writer = _writer(str(folder / BOARD_FOLDER), step + 1)

    def record(self, line: Mapping[str, Any]) -> None:
        """Write the figures of a line of the log."""
        for name, value in line.items():
            if name != "step":
                self._writer.add_scalar(name, value, line["step"])
        self._writer.flush()

    def close(self) -> None:
        """Let go of the file."""
        self._writer.close()
