"""How the figures of ``subfit evaluate`` are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subfit.evaluation.comparison import RowResult
    from subfit.evaluation.evaluation import Evaluation


def asked_of(other: Evaluation) -> str:
    """Say what another system was asked for."""
    return f", asked for {other.setup.ask}" if other.setup else ""


def figures_of(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Label the figures, each with its 95 % interval and the settings that made it."""
    from subfit.evaluation.tables import digits_of

    for name, figure in evaluation.figures.items():
        digits = digits_of(name)
        between = ""
        if figure.low is not None and figure.high is not None:
            between = f" [{figure.low:.{digits}f}, {figure.high:.{digits}f}]"
        yield name, f"{figure.value:.{digits}f}{between}  ({figure.signature})"
    if evaluation.asked_lines:
        yield "asked", f"{evaluation.asked_lines} lines were asked a length of"
    if evaluation.condensed:
        yield "condensed", f"{evaluation.condensed} lines lack words of their source"
    if evaluation.untranslated:
        yield "untranslated", f"{evaluation.untranslated} lines, kept as they are"
    if evaluation.setup is not None:
        setup = evaluation.setup
        seed = "" if setup.seed is None else f", trained with seed {setup.seed}"
        if setup.channel_model is not None:
            yield "ranked by", f"{setup.channel_model}, as it gives the sources back"
        yield "computed", f"in {setup.precision} on {setup.device}{seed}"
    yield "output", f"SHA-256 {evaluation.checksum[:12]}"
    yield "time", f"{evaluation.seconds:.1f} s, {evaluation.sentences_per_second:.1f} sentences/s"


def differences_of(row: RowResult, other: Evaluation) -> Iterator[tuple[str, str]]:
    """Label the differences to another system, each with its 95 % interval and p-value."""
    from subfit.evaluation.tables import digits_of

    for name, found in row.differences.items():
        digits = digits_of(name)
        here, there = (f"{one.value(name):.{digits}f}" for one in (row.evaluation, other))
        between = f"[{found.low:+.{digits}f}, {found.high:+.{digits}f}]"
        yield name, f"{here} and {there}, {found.value:+.{digits}f} {between}, p = {found.p:.4f}"
    yield "test", "paired approximate randomisation, intervals by paired bootstrap"
