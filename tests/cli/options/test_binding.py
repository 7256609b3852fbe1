"""Options become the dataclasses that the library takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from subfit.cli.options.binding import takes


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
