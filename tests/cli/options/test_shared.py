"""Options that several commands share: one name, one meaning."""

from __future__ import annotations

import click
import pytest

from subfit.cli.options.shared import (
    SUBTITLE_FORMATS,
    all_of,
    keep_options,
    reading_options,
    target_languages_option,
    term_options,
)
from subfit.errors import UsageError
from tests.cli.options.parsing import parsed


def test_options_are_added_in_their_order() -> None:
    both = all_of(click.option("--one"), click.option("--two"))
    command = click.command()(both(lambda **_: None))
    assert [option.name for option in command.params] == ["one", "two"]


@pytest.mark.parametrize(
    ("arguments", "languages"),
    [
        (("-t", "de"), ("de",)),
        (("-t", "de,fr"), ("de", "fr")),
        (("-t", "de, fr", "-t", "es"), ("de", "fr", "es")),
        (("-t", "pt-br"), ("pt-br",)),
        (("-t", "de", "-t", "de"), ("de",)),
        (("-t", "pt-BR,de", "-t", "DE,pt-br"), ("pt-BR", "de")),
    ],
)
def test_languages_are_a_list_however_they_are_given(arguments, languages) -> None:
    assert parsed(target_languages_option, *arguments) == {"target_language": languages}


@pytest.mark.parametrize("arguments", [(), ("-t", ""), ("-t", "klingonese9")])
def test_a_language_must_be_named_and_be_one(arguments) -> None:
    with pytest.raises((click.UsageError, UsageError)):
        parsed(target_languages_option, *arguments)


def test_only_formats_of_scripts_bring_options_about_columns() -> None:
    assert {"columns", "sheet"} <= parsed(reading_options()).keys()
    assert not {"columns", "sheet"} & parsed(reading_options(SUBTITLE_FORMATS)).keys()
    with pytest.raises(click.UsageError):
        parsed(reading_options(SUBTITLE_FORMATS), "--input-format", "xlsx")


def test_frames_are_counted_only_where_that_is_said() -> None:
    assert "fps" not in parsed(reading_options())
    for text in ("25", "23.976", "30000/1001"):
        assert parsed(reading_options(frames="of the film"), "--fps", text)["fps"] > 23
    with pytest.raises((click.UsageError, UsageError)):
        parsed(reading_options(frames="of the film"), "--fps", "0")


def test_what_is_kept_may_be_named_many_times() -> None:
    given = ("--keep", "Ann", "--keep", "Bob", "--keep-list", "names.txt")
    assert parsed(keep_options, *given) == {"keep": ("Ann", "Bob"), "keep_list": ("names.txt",)}
    assert parsed(term_options)["glossary"] == ()
