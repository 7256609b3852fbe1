"""The pieces of work that measuring a model is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from subfit.localization import OnProgress
from subfit.training.release.measurements import Measurements, Slot
from subfit.training.run.results import ShowProgress


@dataclass(frozen=True, slots=True)
class Step:
    """One row of figures that can be measured."""

    slot: Slot
    key: Mapping[str, Any]
    """What the figures depend on besides the model."""
    command: str
    """Measures the same by itself."""
    size: int
    """Lines or cues."""
    run: Callable[[OnProgress], dict[str, Any]]
    """Measures, and returns JSON values."""


def take(steps: Iterable[Step], measurements: Measurements, show: ShowProgress) -> int:
    """Measure what is not known yet, and keep every row as soon as it is there.

    Args:
        steps: What to measure.
        measurements: What is known.
        show: Shows the progress of each step that is taken.

    Returns:
        How many steps were taken.

    Raises:
        OutputFileError: The measurements cannot be written.
    """
    taken = 0
    for step in steps:
        if measurements.knows(step.slot, step.key):
            continue
        with show(str(step.slot), step.size) as on_progress:
            figures = step.run(on_progress)
        measurements.add(step.slot, step.key, step.command, figures)
        taken += 1
    return taken
