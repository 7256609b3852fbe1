"""What values on the command line become, and the dataclasses that they fill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import click
import pytest

from subfit.cli.parameters import REPORT, language_in_name, language_tag, takes, whole_numbers


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


def test_lists_of_numbers_are_read() -> None:
    assert whole_numbers("10,20,40") == (10, 20, 40)


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


def test_a_report_has_a_suffix_that_is_known() -> None:
    assert REPORT.convert("r.HTML", None, None).name == "r.HTML"
    with pytest.raises(click.BadParameter, match=r"must end in \.html, \.xlsx, \.csv or \.json"):
        REPORT.convert("r.pdf", None, None)


@dataclass
class Inner:
    """Settings within others."""

    beams: int = 4


@dataclass
class Outer:
    """What a command takes."""

    language: str
    strict: bool = False
    inner: Inner = field(default_factory=Inner)


def test_fields_are_filled_by_options_of_their_names() -> None:
    @takes({"language": "target_language"}, outer=Outer)
    def command(outer: Outer, quiet: bool, strict: bool) -> Any:
        return outer, quiet, strict

    made = command(target_language="de", strict=True, beams=8, quiet=False)
    assert made == (Outer("de", True, Inner(8)), False, True)


def test_fields_without_an_option_keep_their_default() -> None:
    @takes(outer=Outer)
    def command(outer: Outer) -> Outer:
        return outer

    assert command(language="fr") == Outer("fr")
