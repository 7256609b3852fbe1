"""Options for what cues and translations must keep to, which several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import click

from subfit.cli.options.shared import Command, all_of
from subfit.cli.options.types import FILE, NAME_OR_PATH, milliseconds
from subfit.limits.budget import LengthRatio
from subfit.limits.dubbing_budgets import DEFAULT_DUBBING, DubBudget

guideline_option = click.option(
    "--guideline",
    type=NAME_OR_PATH,
    metavar="NAME|FILE",
    help="A preset ('subfit guidelines' lists them) or a YAML file.  [default: netflix for "
    "subtitles, none for plain text]",
)
line_options = all_of(
    click.option("--cpl", type=float, metavar="N", help="Most characters per line."),
    click.option("--lines", type=int, metavar="N", help="Most lines per cue."),
)
limit_options = all_of(
    guideline_option,
    click.option("--cps", type=float, metavar="N", help="Most characters per second."),
    line_options,
)
length_ratio_option = click.option(
    "--length-ratio",
    type=LengthRatio.parse,
    metavar="MIN:MAX",
    help="Length of a translation as a multiple of its source's; 0.9:1.1 is the isometric rule. "
    "MAX is kept, MIN is reached if possible; either may be left out.",
)
isometric_option = click.option(
    "--isometric",
    "length_ratio",
    flag_value="isometric",
    type=LengthRatio.parse,
    help="The length of the source, ±10 %, by the rule of IWSLT 2022: spaces are not counted, and "
    "sources of at most ten characters are free.",
)
line_shape_option = click.option(
    "--bottom-heavy/--no-bottom-heavy",
    default=None,
    help="Of two lines, like the lower one longer, or both alike.  [default: the guideline's]",
)

dubbing_options = all_of(
    click.option(
        "--dub-budget",
        type=click.Choice(get_args(DubBudget)),
        default=DEFAULT_DUBBING.budget,
        help="What lines of dubbing scripts must keep: the time they take to say, 0.9 to 1.1 times "
        "the characters of their source, or both. Lines without times keep the characters.",
    ),
    click.option(
        "--speed-factor",
        type=float,
        default=DEFAULT_DUBBING.speed_factor,
        metavar="X",
        help="How much faster than usual a line of a dubbing script may be spoken to fit its time, "
        "and how much slower.",
    ),
)

timing_options = all_of(
    click.option(
        "--timing",
        type=click.Choice(["keep", "extend"]),
        default="keep",
        help="Keep all times; or let a cue that its translation does not fit end later, as far as "
        "the guideline allows, before it is shortened. In-times are always kept.",
    ),
    click.option(
        "--out-slack",
        type=click.FloatRange(0, 10),
        callback=milliseconds,
        metavar="SECONDS",
        help="With --timing extend, how much later a cue may end.  [default: the guideline's]",
    ),
    click.option(
        "--shot-changes",
        type=FILE,
        metavar="FILE|FOLDER",
        help="With --timing extend, where shots begin: a time or frame a line. Of several inputs, "
        "a folder with e01.shots.txt for e01.srt.",
    ),
)

condense_option = click.option(
    "--condense/--no-condense",
    default=True,
    help="Leave out words of a source that can be spared, where it cannot be said whole in its "
    "budget; see docs/condensing.md.",
)


def strict_budget_option(default: bool) -> Callable[[Command], Command]:
    """Return the option to keep to budgets at any price."""
    return click.option(
        "--strict-budget/--no-strict-budget",
        default=default,
        help="Keep to budgets also with a translation that loses what a longer one says: its end, "
        "a name, a number, words of meaning. Otherwise it stays whole, over its budget, marked.",
    )
