"""What values on the command line become, and the dataclasses that they fill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import pytest

from subfit.cli.parameters import language_in_name, language_tag, whole_numbers


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


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (language_tag, "../de"),
        (whole_numbers, "20,10"),
        (whole_numbers, "0,10"),
        (whole_numbers, "a"),
    ],
)
def test_wrong_ones_are_usage_errors(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(click.BadParameter):
        read(text)
