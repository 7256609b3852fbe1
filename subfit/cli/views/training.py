"""How a training run is followed: a live view on a terminal, lines of text elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from subfit.cli.views.console import LiveBar
from subfit.cli.views.text import one_line

if TYPE_CHECKING:
    from subfit.training.run.trainer import Progress

_SHOWN = {"dev_loss": "dev loss", "bleu": "BLEU"}


class TrainingView:
    """Shows the progress of a run; drawn anew only when the run has something to tell.

    Args:
        steps: Steps of the whole run.
        minutes: Minutes after which it ends all the same, if there is such a limit.
    """

    def __init__(self, steps: int, minutes: float | None = None) -> None:
        self._steps, self._minutes = steps, minutes
        self._bar = LiveBar(steps)
        self._dev: dict[str, float] = {}

    def __enter__(self) -> TrainingView:
        self._bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(*error)

    def progress(self, progress: Progress) -> None:
        """Show a line of the log."""
        if self._bar.shown:
            self._bar.update(progress.step, "\n".join(self._figures(progress)))
        if not (self._bar.shown and sys.stdout.isatty()):
            self._bar.say(self._line(progress))

    def measured(self, _step: int, figures: Mapping[str, float]) -> None:
        """Keep what was measured on the dev set, for the lines to come."""
        self._dev.update(figures)

    def announce(self, text: str) -> None:
        """Print anything else worth knowing."""
        self._bar.say(one_line(text))

    def _figures(self, progress: Progress) -> tuple[str, str]:
        dev = (f"{_SHOWN[name]} {self._dev[name]:.3f}" for name in _SHOWN if name in self._dev)
        quality = "  ".join((f"epoch {progress.epoch + 1}", f"loss {progress.loss:.3f}", *dev))
        return quality, self._speed(progress)

    def _line(self, progress: Progress) -> str:
        return (
            f"step {progress.step}/{self._steps}  epoch {progress.epoch + 1}"
            f"  loss {progress.loss:.3f}  {self._speed(progress)}"
        )

    def _speed(self, progress: Progress) -> str:
        left = (self._steps - progress.step) * progress.seconds / progress.step
        if self._minutes is not None:
            left = max(0.0, min(left, 60 * self._minutes - progress.seconds))
        return (
            f"{progress.tokens_per_second:.0f} tokens/s  {_clock(progress.seconds)} done"
            f"  {_clock(left)} left"
        )


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
