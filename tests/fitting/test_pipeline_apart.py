"""What is done with a sentence that cannot be spread over its cues."""

from __future__ import annotations

import pytest

from subfit.limits.guideline import Guideline
from subfit.localization import Localization, localize
from subfit.subtitles.cues import Cue, Track
from tests.scripted import ScriptedTranslator

NETFLIX = Guideline.load("netflix", "de")
FIRST, SECOND = "We are going to close", "the lighthouse."
WHOLE = f"{FIRST} {SECOND}"


def localized(script: dict[str, str], *durations: int, dots: str = "") -> Localization:
    """Two cues of so many milliseconds, which are one sentence."""
    first, second = durations
    cues = (
        Cue(0, first, FIRST + dots),
        Cue(first + 100, first + 100 + second, dots + SECOND),
    )
    return localize(Track(cues, "srt"), ScriptedTranslator(script), NETFLIX)


def targets(done: Localization) -> list[str]:
    return [each.target for each in done.outcomes]


def test_a_sentence_that_can_be_spread_is() -> None:
    done = localized({WHOLE: "Wir schließen den Leuchtturm bald."}, 1500, 2000)
    assert targets(done) == ["Wir schließen", "den Leuchtturm bald."]
    assert [each.joined for each in done.outcomes] == [(0, 1), (0, 1)]


def test_its_dots_stay_in_their_cues() -> None:
    done = localized({WHOLE: "Wir schließen den Leuchtturm bald."}, 1500, 2000, dots="...")
    assert targets(done) == ["Wir schließen...", "...den Leuchtturm bald."]
    assert [each.status for each in done.outcomes] == ["fits", "fits"]


CUES_ALONE = {FIRST: "Wir schließen", SECOND: "den Turm."}


def test_one_that_cannot_be_is_translated_cue_by_cue() -> None:
    unspreadable = {WHOLE: "Leuchtturmschließungsankündigungen folgen", **CUES_ALONE}
    done = localized(unspreadable, 1000, 1000)
    assert targets(done) == ["Wir schließen", "den Turm."]
    assert not any(each.joined for each in done.outcomes)


def test_a_translation_with_fewer_words_than_cues_leaves_none_empty() -> None:
    done = localized({WHOLE: "Leuchtturmschließung", **CUES_ALONE}, 4000, 4000)
    assert targets(done) == ["Wir schließen", "den Turm."]


@pytest.mark.parametrize(
    ("whole", "joined"),
    [
        ("Wir schließen jetzt bald den alten Turm.", False),  # no cue has so much time
        ("Wir gehen dann.", True),
    ],
)
def test_where_neither_fits_the_way_with_fewer_cues_over_is_taken(whole: str, joined: bool) -> None:
    apart = {FIRST: "Wir schließen dann", SECOND: "d. Turm."}
    done = localized({WHOLE: whole, **apart}, 400, 480)
    assert all(bool(each.joined) == joined for each in done.outcomes)
    assert sum(each.status == "overflow" for each in done.outcomes) == 1


def test_a_sentence_too_long_for_the_model_is_translated_cue_by_cue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ScriptedTranslator, "accepts", lambda _, text: len(text) < len(WHOLE))
    assert targets(localized(CUES_ALONE, 4000, 4000)) == ["Wir schließen", "den Turm."]
