"""Options about out-times, handed to the command as one value."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any

import click

from subfit.batch.settings import Timing
from subfit.cli.options.shared import Command
from subfit.errors import UsageError


def timing_options(command: Command) -> Command:
    """Add ``--timing`` and what goes with it; the command gets ``timing`` and ``shot_changes``."""

    @click.option(
        "--timing",
        type=click.Choice(["keep", "extend"]),
        default="keep",
        show_default=True,
        help="Keep all times; or let a cue that its translation does not fit end later, as far as "
        "the guideline allows, before it is shortened. In-times are always kept.",
    )
    @click.option(
        "--out-slack",
        type=click.FloatRange(0, 10),
        metavar="SECONDS",
        help="With --timing extend, how much later a cue may end.  [default: the guideline's]",
    )
    @click.option(
        "--shot-changes",
        type=click.Path(path_type=Path),
        metavar="FILE|FOLDER",
        help="With --timing extend, where shots begin: a time or frame a line. Of several inputs, "
        "a folder with e01.shots.txt for e01.srt.",
    )
    @wraps(command)
    def collected(
        *args: Any,
        timing: str,
        out_slack: float | None,
        shot_changes: Path | None,
        **options: Any,
    ) -> Any:
        extend = timing == "extend"
        if not extend and (out_slack is not None or shot_changes is not None):
            raise UsageError("--out-slack and --shot-changes are for --timing extend")
        slack = None if out_slack is None else round(out_slack * 1000)
        return command(*args, timing=Timing(extend, slack), shot_changes=shot_changes, **options)

    return collected  # type: ignore[return-value]
