"""Times of day."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.clock_times import find_times, tidied_around


@pytest.mark.parametrize(
    ("text", "source_language", "language", "source", "read", "written"),
    [
        ("Come at 5:30 p.m.", "en", "de", "5:30 p.m", "9 o'clock", "17:30~Uhr"),
        ("Come at 5:30 p.m.", "en", "fr", "5:30 p.m", "9 o'clock", "17~h~30"),
        ("Um 15:30 Uhr.", "de", "en-GB", "15:30 Uhr", "9 Uhr", "15:30"),
    ],
)
def test_the_model_reads_what_it_knows_and_the_language_has_it_its_own_way(
    text: str, source_language: str, language: str, source: str, read: str, written: str
) -> None:
    (stand_in,) = find_times(text, language, source_language)
    assert (stand_in.source, stand_in.text) == (source, read)
    assert stand_in.written.replace("\u00a0", "~") == written


@pytest.mark.parametrize(
    ("text", "source_language", "language"),
    [
        ("Read John 3:16.", "en", "de"),
        ("Come at 5:30 p.m.", "en", "ja"),
    ],
)
def test_nothing_else_is_touched(text: str, source_language: str, language: str) -> None:
    assert list(find_times(text, language, source_language)) == []


def test_one_o_clock_has_an_article_of_its_own() -> None:
    assert tidied_around("Ven a las 1:30.", "es") == "Ven a la 1:30."
    assert tidied_around("Ven a las 2:30.", "es-MX") == "Ven a las 2:30."
