"""How a run went, as a picture: ``curves.png``."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from subfit.files import write_bytes
from subfit.training.run.log import RunLog, read_log

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES_FILE = "curves.png"
NO_CURVES = "curves are not drawn: matplotlib is missing; pip install 'subfit[train]' brings it"
_PANELS = {
    "loss per token": {"loss": "training", "dev_loss": "dev", "dev_loss_free": "dev, no length"},
    "BLEU": {"bleu": "dev"},
    "length ratio": {"length_ratio": "dev, output / source"},
}
"""The panels, with the figures of the log that each shows."""


def can_draw() -> bool:
    """Tell whether matplotlib, which is optional, is there."""
    return find_spec("matplotlib") is not None


def draw_curves(folder: Path) -> None:
    """Draw losses, BLEU and length ratio over the steps of a run, if matplotlib is there.

    Args:
        folder: The run folder; its log is read and its picture replaced at once.

    Raises:
        OutputFileError: The picture cannot be written.
    """
    if can_draw():
        write_bytes(folder / CURVES_FILE, _picture(read_log(folder)), overwrite=True)


def _picture(log: RunLog) -> bytes:
    from matplotlib.figure import Figure  # without pyplot: no window, no global state

    figure = Figure(figsize=(12, 3.6), layout="constrained")
    for axes, (title, lines) in zip(figure.subplots(1, len(_PANELS)), _PANELS.items(), strict=True):
        _draw(axes, title, {label: log.series(name) for name, label in lines.items()})
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _draw(
    axes: Axes, title: str, lines: dict[str, tuple[tuple[int, ...], tuple[float, ...]]]
) -> None:
    axes.set_title(title)
    axes.set_xlabel("step")
    axes.grid(alpha=0.3)
    drawn = {label: line for label, line in lines.items() if line[0]}
    for label, (steps, values) in drawn.items():
        marker = "" if label == "training" else "."
        axes.plot(steps, values, marker=marker, label=label)
    if drawn:
        axes.legend()
