"""Options for how models search, compute and are asked, which several commands share."""

from __future__ import annotations

from collections.abc import Callable

import click

from subfit.cli.options.shared import Command, all_of
from subfit.cli.options.types import NAME_OR_PATH
from subfit.fitting.options import DEFAULT_OPTIONS
from subfit.model.bundled import NONE
from subfit.model.config import DEFAULT_COMPUTING, DEVICES, MEASURING, PRECISIONS, Computing
from subfit.servers.settings import DEFAULT_SERVER_SETTINGS, Price

search_options = all_of(
    click.option(
        "--beam", type=click.IntRange(1, 64), metavar="N", help="Hypotheses kept while searching."
    ),
    click.option(
        "--length-penalty",
        type=click.FloatRange(0, 10),
        metavar="X",
        help="Divide scores by tokens to the power of X: below 1, shorter translations win.  "
        "[default: 1]",
    ),
    click.option(
        "--coverage-penalty",
        type=click.FloatRange(0, 10),
        metavar="X",
        help="Lower the scores of translations that hardly attend to parts of their source, by X "
        "times what Wu et al. 2016 take.  [default: 0]",
    ),
)
channel_option = click.option(
    "--channel-model",
    type=NAME_OR_PATH,
    default=NONE,
    metavar="NAME|FOLDER",
    help="Rank translations by how well this model, which translates the other way, gives their "
    "sources back: slower, and a little better; auto for the one that a model comes with.",
)
threads_option = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="CPU cores to use."
)


def _computing_options(default: Computing) -> Callable[[Command], Command]:
    """Return the options for where and how precisely a model computes."""
    return all_of(
        click.option(
            "--device",
            type=click.Choice(DEVICES),
            default=default.device,
            help="What to compute on; auto is a GPU where there is one.",
        ),
        click.option(
            "--precision",
            type=click.Choice(PRECISIONS),
            default=default.precision,
            help="Arithmetic of the model; auto is int8 on processors made for it, bf16 on GPUs.",
        ),
        threads_option,
    )


computing_options = _computing_options(DEFAULT_COMPUTING)
measuring_options = _computing_options(MEASURING)
"""Computing options where systems are measured: in float32, unless something else is asked for."""

prompt_option = click.option(
    "--prompt",
    type=NAME_OR_PATH,
    metavar="NAME|FILE",
    help="What language models are told: a template (docs/models.md) or a YAML file.  "
    "[default: the one for the model]",
)
context_option = click.option(
    "--context",
    type=click.IntRange(0, 20),
    default=DEFAULT_OPTIONS.context,
    metavar="N",
    help="Show language models the N sentences before each one.",
)
server_options = all_of(
    click.option(
        "--concurrency",
        type=click.IntRange(1, 256),
        default=DEFAULT_SERVER_SETTINGS.concurrency,
        metavar="N",
        help="Ask a server so many things at once.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True, max=86_400),
        default=DEFAULT_SERVER_SETTINGS.timeout,
        metavar="SECONDS",
        help="Give a server so long for each answer; it is asked again if it takes longer.",
    ),
    click.option(
        "--price",
        type=Price.parse,
        metavar="SENT:ANSWERED",
        help="What a million tokens cost that are sent to a server and answered; the report has "
        "the cost then.",
    ),
)
talk_options = all_of(prompt_option, context_option, server_options)
