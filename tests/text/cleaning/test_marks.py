"""Doubled marks, and the inverted ones of Spanish."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.marks import find_doubled, find_openers, places_of, with_both_marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("What?!", [("?!", "?", "?!")]),
        ("No!!", [("!!", "!", "!!")]),
        ("Go!.. Now?", [("!..", "!", "!")]),
        ("What? No!", []),
    ],
)
def test_the_model_reads_one_mark_for_several(text: str, marks: list[tuple[str, str, str]]) -> None:
    found = [(mark.source, mark.plain, mark.written) for mark in find_doubled(text)]
    assert found == marks


def test_several_spanish_marks_open_as_one() -> None:
    assert find_openers("¡¿Qué?! ¿Sí?") == [(0, 2, "¿")]


def test_marks_stand_where_as_many_do_in_the_translation() -> None:
    assert places_of("Stop! Why?", [9], "Halt! Warum?") == [(11, 12)]
    assert places_of("Stop! Why?", [4, 9], "Halt, warum?") == [None, (11, 12)]
    assert places_of("Stop!", [4], "Halt.") == [None]


@pytest.mark.parametrize(
    ("text", "language", "both"),
    [
        ("Qué haces?", "es", "¿Qué haces?"),
        ("Ana, vienes?", "es-MX", "Ana, ¿vienes?"),
        ("Es tarde, no?", "es", "Es tarde, ¿no?"),
        ("¡Vete.", "es", "Vete."),
        ("Was?", "de", "Was?"),
    ],
)
def test_spanish_opens_what_it_closes(text: str, language: str, both: str) -> None:
    assert with_both_marks(text, language) == both
