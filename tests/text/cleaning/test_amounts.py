"""Amounts of money with the sign of their currency."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.amounts import find_amounts


@pytest.mark.parametrize(
    ("text", "source_language", "language", "source", "read", "written"),
    [
        ("It cost $20.", "en", "de", "$20", "20 dollars", "20~$"),
        ("It cost £3.50.", "en", "fr", "£3.50", "3,50 dollars", "3,50~£"),
        ("Es kostet 12.500 €.", "de", "en", "12.500 €", "12.500 Dollar", "€12,500"),
        (
            "It cost $2 million.",
            "en",
            "es",
            "$2 million",
            "2 million dollars",
            "2~millones de dólares",
        ),
    ],
)
def test_the_model_reads_what_it_knows_and_the_language_has_it_its_own_way(
    text: str, source_language: str, language: str, source: str, read: str, written: str
) -> None:
    (stand_in,) = find_amounts(text, language, source_language)
    assert (stand_in.source, stand_in.text) == (source, read)
    assert stand_in.written.replace("\u00a0", "~") == written


@pytest.mark.parametrize(
    ("text", "source_language", "language"),
    [
        ("He has 20 boats.", "en", "de"),
        ("It cost $20.", "en", "ja"),
    ],
)
def test_nothing_else_is_touched(text: str, source_language: str, language: str) -> None:
    assert list(find_amounts(text, language, source_language)) == []
