"""Numbers as they are said."""

from __future__ import annotations

import pytest

from subfit.speech.spoken_numbers import number_syllables


@pytest.mark.parametrize(
    ("digits", "language", "said"),
    [
        ("21", "de", "ein-und-zwan-zig"),
        ("100", "de", "ein-hun-dert"),
        ("1984", "de", "ein-tau-send-neun-hun-dert-vier-und-acht-zig"),
        ("17", "en", "se-ven-teen"),
        ("342", "en", "three-hun-dred-for-ty-two"),
        ("16", "es", "die-ci-séis"),
        ("1000", "es", "mil"),
        ("75", "fr", "soi-xante-quinze"),
        ("98", "fr", "qua-tre-vingt-dix-huit"),
        ("100", "fr", "cent"),
        ("0", "it", "ze-ro"),
        ("2019", "it", "du-e-mi-la-di-cian-no-ve"),
        ("007", "de", "null-null-sie-ben"),
    ],
)
def test_numbers_are_said_as_words(digits: str, language: str, said: str) -> None:
    assert number_syllables(digits, language) == said.count("-") + 1
