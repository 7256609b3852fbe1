"""Every choice about translating a track is an option of ``translate``, with the same default."""

from __future__ import annotations

from dataclasses import fields

import pytest

from subfit.cli.commands.translate import translate
from subfit.cli.options import FIELDS
from subfit.fitting.options import DEFAULT_OPTIONS, Options

OF_NO_COMMAND = {"fitting", "guiding"}
"""What benchmarks and programs set."""
ELSEWHERE = {"dubbing": "dub_budget", "terms": "glossary", "people": "persons"}
"""Fields that are filled by options of other names, or found out where they are not given."""
PARAMETERS = {parameter.name: parameter for parameter in translate.params}


@pytest.mark.parametrize("name", [field.name for field in fields(Options)])
def test_every_field_has_its_option(name: str) -> None:
    option = ELSEWHERE.get(name, FIELDS.get(name, name))
    assert (option in PARAMETERS) != (name in OF_NO_COMMAND)


@pytest.mark.parametrize(
    "name",
    [
        *("sdh", "join", "alternatives", "strict_budget"),
        *("scene", "timing", "formality", "length_ratio"),
    ],
)
def test_the_command_s_default_is_the_library_s(name: str) -> None:
    command, values = translate, PARAMETERS[name]
    with command.make_context("translate", ["film.srt", "-t", "de"]) as context:
        assert context.params[values.name] == getattr(DEFAULT_OPTIONS, name)
