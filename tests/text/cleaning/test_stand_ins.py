"""What stands in for something that a model cannot write."""

from __future__ import annotations

from subfit.text.cleaning.stand_ins import StandIn, known_languages


def test_a_stand_in_is_found_in_the_translation_as_a_whole_word() -> None:
    one = StandIn("amount", "$20", 8, "20 dollars", r"20 (?:Dollar|Dollars)", "20 Dollar", "20 $")
    assert one.places_in("Es sind 20 dollar, nicht 120 Dollar.") == [(8, 17)]
    assert (one.end, one.as_written("20 Dollar")) == (11, "20 $")


def test_what_may_stand_for_it_besides_is_told_once() -> None:
    one = StandIn("time", "9:00", 0, "9", "9", "9", "9 Uhr", accepted=("9:00", "9 Uhr"))
    assert one.targets == ("9 Uhr", "9:00")


def test_a_time_keeps_the_hyphen_of_its_word() -> None:
    one = StandIn("time", "9:00", 0, "9", "9", "9", "9:00\u00a0Uhr")
    assert one.as_written("3-Uhr") == "9:00-Uhr"


def test_both_languages_must_be_known() -> None:
    assert known_languages("en-GB", "de-AT") == ("en", "de")
    assert known_languages("en", "ja") is None
