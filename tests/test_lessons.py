"""Training pairs made by `recipes/data/lessons.py`: every language writes things its own way."""

from __future__ import annotations

import importlib.util
import random
import re
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "recipes" / "data" / "lessons.py"
spec = importlib.util.spec_from_file_location("lessons", SCRIPT)
assert spec is not None and spec.loader is not None
lessons = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lessons)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1_000_000, ("1,000,000", "1.000.000", "1.000.000", "1 000 000", "1.000.000")),
        (2_500, ("2,500", "2.500", "2500", "2 500", "2.500")),
        (17, ("17", "17", "17", "17", "17")),
    ],
)
def test_numbers_are_grouped_as_each_language_does(value: int, said: tuple[str, ...]) -> None:
    assert tuple(lessons.number(value).values()) == said


def test_german_genitives_of_names_in_s_x_z_have_an_apostrophe() -> None:
    said = [lessons.first_name(random.Random(n)) for n in range(200)]
    forms = {one["en"]: one["de:gen"] for one in said}
    assert forms["Max"] == "Max'"
    assert forms["Ada"] == "Adas"


def test_the_same_seed_makes_the_same_pairs_and_every_slot_is_filled() -> None:
    made = lessons.lessons(3, seed=5)
    assert made == lessons.lessons(3, seed=5) != lessons.lessons(3, seed=6)
    for pairs in made.values():
        assert not [pair for pair in pairs if "{n}" in pair[1] or "{first" in pair[2]]
        assert all(text == text.strip() and text for pair in pairs for text in pair)


def test_both_sides_of_a_pair_hold_the_same_strings_to_copy() -> None:
    for pairs in lessons.lessons(5).values():
        for kind, english, target in pairs:
            if kind == "lesson_copy" and "@" in english:
                address = next(word for word in english.split() if "@" in word)
                assert address.strip(".") in target


def test_what_was_written_stands_once_and_french_marks_stand_off_their_words() -> None:
    for code, pairs in lessons.written().items():
        assert len(set(pairs)) == len(pairs)
        assert all(text == text.strip() and text for pair in pairs for text in pair)
        if code == "fr":
            assert not [target for *_, target in pairs if re.search(r"[^\s?!][?!](?!\w)", target)]
