"""Numbers as languages write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from subfit.text.cleaning.figures import (
    english_figure,
    places_of,
    read_figure,
    value_of,
    written_figure,
)


@pytest.mark.parametrize(
    ("figure", "language", "english"),
    [
        ("12.500", "de", "12,500"),
        ("3,5", "de", "3.5"),
        ("1.234,50", "it", "1,234.50"),
        ("1 250", "fr", "1,250"),
        ("250", "es", "250"),
    ],
)
def test_numbers_of_other_languages_as_english_has_them(
    figure: str, language: str, english: str
) -> None:
    assert english_figure(figure, language) == english


@pytest.mark.parametrize(
    ("figure", "language", "written"),
    [
        ("12,500", "de", "12.500"),
        ("3.50", "de", "3,50"),
        ("1200", "de", "1200"),
        ("12,500", "en", "12,500"),
    ],
)
def test_a_number_as_a_language_writes_it(figure: str, language: str, written: str) -> None:
    assert written_figure(figure, language) == written


def test_values_and_decimals() -> None:
    assert (value_of("12,500.25"), places_of("12,500.25")) == (Decimal("12500.25"), 2)
    assert (read_figure("3.5"), read_figure("1,000.5"), read_figure("7")) == ("3,5", "1,000.5", "7")
