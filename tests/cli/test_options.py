"""What values on the command line are read as, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import pytest

from subfit.cli import options
from subfit.cli.parameters import language_in_name, number_ranges, whole_numbers
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
        (options.target_languages_option, ""),
        *((options.target_languages_option, f"-t {tag}") for tag in ("klingonese9", "../de")),
        (options.reading_options(options.SUBTITLE_FORMATS), "--input-format xlsx"),
        (options.reading_options(frames="of the film"), "--fps 0"),
        *((RATIOS, f"--length-ratio {ratio}") for ratio in ("1.1:0.9", "1")),
        (options.timing_options, "--out-slack 11"),
        (options.dubbing_options, "--dub-budget words"),
        (options.beam_option, "--beam 65"),
        (options.penalty_options, "--length-penalty -1"),
        *((options.computing_options, wrong) for wrong in ("--threads 0", "--precision int4")),
        *((options.server_option, f"--server {wrong}") for wrong in ("timeout=0", "price=-1:2")),
        *((click.option("--n", type=whole_numbers), f"--n {n}") for n in ("20,10", "0,10", "a")),
        *((click.option("--n", type=number_ranges), f"--n {n}") for n in ("9-3", "0", "a")),
    ],
)
def test_values_that_cannot_be_are_refused(added: Callable[[Any], Any], arguments: str) -> None:
    with pytest.raises((click.UsageError, UsageError)):
        parsed(added, *arguments.split())


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("movie.de.srt", "de"),
        ("movie.de.sdh.srt", "de"),
        ("movie.pt-BR.vtt", "pt-BR"),
        ("de.srt", "und"),
        ("a.movie.srt", "und"),
    ],
)
def test_the_language_in_a_file_s_name(name: str, language: str) -> None:
    assert language_in_name(name) == language
