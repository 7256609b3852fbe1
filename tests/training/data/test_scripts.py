"""Scripts: which letters a language is written in."""

from __future__ import annotations

import pytest
import regex

from subfit.training.data.scripts import SCRIPTS_OF_LANGUAGE, script_share, scripts_of


@pytest.mark.parametrize(
    ("text", "language", "share"),
    [
        ("Größe", "de", 1.0),
        ("1999 – 12 %", "ru", 1.0),
        ("Москва", "de", 0.0),
        ("Moskva", "ru", 0.0),
        ("Это iPhone", "uk", 3 / 9),
        ("ラーメンを食べる", "ja", 1.0),
        ("我喜欢拉面", "zh-Hant", 1.0),
        ("dobro добро", "sr", 1.0),
        ("ça va, Ωμέγα", "fr", 4 / 9),
    ],
)
def test_the_share_of_letters_in_a_languages_scripts(text, language, share):
    assert script_share(text, scripts_of(language)) == pytest.approx(share)


def test_languages_that_are_not_known_have_no_scripts():
    assert scripts_of("xx") == scripts_of("") == ()


def test_every_script_is_one_that_unicode_knows():
    for scripts in SCRIPTS_OF_LANGUAGE.values():
        for name in scripts:
            assert regex.compile(rf"\p{{Script={name}}}")
