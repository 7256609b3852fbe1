"""Measures with the sign of their unit."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.measures import find_measures


@pytest.mark.parametrize(
    ("text", "source_language", "language", "source", "read", "written"),
    [
        ("It is 3 km away.", "en", "de", "3 km", "3 kilometers", "3~km"),
        ("Drive 50 mph.", "en", "fr", "50 mph", "50 kilometers per hour", "50~mph"),
        ("It is 20°C.", "en", "es", "20°C", "20 degrees", "20~°C"),
        ("5 kg schwer", "de", "en", "5 kg", "5 Kilo", "5~kg"),
    ],
)
def test_the_model_reads_what_it_knows_and_the_language_has_it_its_own_way(
    text: str, source_language: str, language: str, source: str, read: str, written: str
) -> None:
    (stand_in,) = find_measures(text, language, source_language)
    assert (stand_in.source, stand_in.text) == (source, read)
    assert stand_in.written.replace("\u00a0", "~") == written


@pytest.mark.parametrize(
    ("text", "source_language", "language"),
    [
        ("We have 3 boats.", "en", "de"),
        ("It is 3 km away.", "en", "ja"),
    ],
)
def test_nothing_else_is_touched(text: str, source_language: str, language: str) -> None:
    assert list(find_measures(text, language, source_language)) == []
