"""Options that several commands share: what they are read as, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import pytest

from subfit.cli import options
from subfit.errors import UsageError
from subfit.servers.settings import Price, ServerSettings

RATIOS = options.all_of(options.length_ratio_option, options.isometric_option)


def parsed(added: Callable[[Any], Any], *arguments: str) -> dict[str, Any]:
    """What a command with these options is given."""

    def command(**values: Any) -> dict[str, Any]:
        return values

    made = click.command()(added(command))
    values: dict[str, Any] = made.main(list(arguments), standalone_mode=False)
    return values


@pytest.mark.parametrize(
    ("arguments", "languages"),
    [
        (("-t", "de"), ("de",)),
        (("-t", "de, fr", "-t", "es"), ("de", "fr", "es")),
        (("-t", "pt-BR,de", "-t", "DE,pt-br"), ("pt-BR", "de")),
    ],
)
def test_languages_are_a_list_however_they_are_given(arguments, languages) -> None:
    assert parsed(options.target_languages_option, *arguments) == {"target_language": languages}


def test_users_get_the_fastest_arithmetic_and_measurements_float32() -> None:
    assert parsed(options.computing_options)["precision"] == "auto"
    assert parsed(options.measuring_options)["precision"] == "fp32"
    server = parsed(options.server_option, "--server", "price=0.5:1.5,concurrency=8")["server"]
    assert server == ServerSettings(concurrency=8, price=Price(0.5, 1.5))


@pytest.mark.parametrize(
    ("added", "arguments"),
    [
        (options.target_languages_option, ()),
        (options.target_languages_option, ("-t", "klingonese9")),
        (options.reading_options(options.SUBTITLE_FORMATS), ("--input-format", "xlsx")),
        (options.reading_options(frames="of the film"), ("--fps", "0")),
        (RATIOS, ("--length-ratio", "1.1:0.9")),
        (RATIOS, ("--length-ratio", "1")),
        (options.timing_options, ("--out-slack", "11")),
        (options.dubbing_options, ("--dub-budget", "words")),
        (options.beam_option, ("--beam", "65")),
        (options.penalty_options, ("--length-penalty", "-1")),
        (options.computing_options, ("--threads", "0")),
        (options.computing_options, ("--precision", "int4")),
        (options.server_option, ("--server", "timeout=0")),
        (options.server_option, ("--server", "price=-1:2")),
    ],
)
def test_values_that_cannot_be_are_refused(added, arguments) -> None:
    with pytest.raises((click.UsageError, UsageError)):
        parsed(added, *arguments)
