"""Options for searching, computing and asking servers."""

from __future__ import annotations

import click
import pytest

from subfit.cli.options.inference import (
    computing_options,
    measuring_options,
    search_options,
    server_options,
)
from subfit.errors import UsageError
from subfit.servers.settings import Price
from tests.cli.options.parsing import parsed


def test_users_get_the_fastest_arithmetic_and_measurements_float32() -> None:
    assert parsed(computing_options)["precision"] == "auto"
    assert parsed(measuring_options)["precision"] == "fp32"
    assert parsed(measuring_options, "--precision", "int8")["precision"] == "int8"


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (search_options, ("--beam", "0")),
        (search_options, ("--beam", "65")),
        (search_options, ("--length-penalty", "-1")),
        (computing_options, ("--threads", "0")),
        (computing_options, ("--precision", "int4")),
        (server_options, ("--timeout", "0")),
        (server_options, ("--concurrency", "0")),
    ],
)
def test_values_out_of_range_are_refused(options, arguments) -> None:
    with pytest.raises(click.UsageError) as caught:
        parsed(options, *arguments)
    assert arguments[0] in caught.value.format_message()


def test_a_price_is_of_tokens_sent_and_answered() -> None:
    assert parsed(server_options, "--price", "0.5:1.5")["price"] == Price.parse("0.5:1.5")
    assert parsed(server_options)["price"] is None
    for wrong in ("1", "a:b", "-1:2"):
        with pytest.raises((click.UsageError, UsageError)):
            parsed(server_options, "--price", wrong)
