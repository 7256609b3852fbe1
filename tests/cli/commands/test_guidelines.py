"""``subfit guidelines``."""

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.limits.guideline import Guideline, list_guidelines
from tests.cli.conftest import Cli


def test_guidelines_are_listed_and_shown_for_a_language(cli: Cli) -> None:
    assert "netflix-children" in cli("guidelines").out
    assert "cps: 12" in cli("guidelines", "netflix", "-t", "ko").out
    assert cli("guidelines", "netflix", "-t", "ko", "--json").json["cpl"] == 16


LANGUAGES = ("und", "en", "de", "es-419", "pt", "pt-BR", "ja", "ko", "ar", "zh-Hant", "tlh")


@pytest.mark.parametrize("name", list_guidelines())
def test_what_is_printed_of_a_guideline_is_a_guideline_file_that_says_the_same(
    name: str, cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "my.yaml").write_bytes(cli("guidelines", name).stdout)
    for language in LANGUAGES:
        preset, mine = Guideline.load(name, language), Guideline.load("my.yaml", language)
        assert replace(mine, name=name) == preset, language
    (tmp_path / "ko.yaml").write_bytes(cli("guidelines", name, "-t", "ko").stdout)
    korean = Guideline.load(name, "ko")
    assert replace(Guideline.load("ko.yaml", "ko"), name=name, exact=korean.exact) == korean
    assert cli("budget", "scene.en.srt", "--guideline", "my.yaml", "-t", "de").code == 0
