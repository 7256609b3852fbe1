from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.cues import Cue
from subfit.dub_budgets import Dubbing, speaking_time
from subfit.speaking import RATES, SpeakingTime, estimate_seconds

SENTENCES = {
    "de": "Der Leuchtturm steht seit hundert Jahren auf dem Hügel über dem Hafen.",
    "es": "El faro lleva cien años en la colina que está sobre el puerto.",
    "fr": "Le phare se dresse depuis cent ans sur la colline qui domine le port.",
    "it": "Il faro sta da cento anni sulla collina che domina il porto.",
}


def time_of(milliseconds: int, source: str) -> SpeakingTime:
    time = speaking_time(Cue(0, milliseconds, source), source, Dubbing(), "de")
    assert time is not None
    return time


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_said_at_about_the_rate_of_its_language(language: str) -> None:
    from subfit.syllables import count_syllables

    text = SENTENCES[language]
    rate = count_syllables(text, language) / estimate_seconds(text, language)
    assert rate == pytest.approx(RATES[language].syllables, rel=0.15)


def test_more_text_takes_longer_and_marks_make_pauses() -> None:
    short, long = "Komm her.", "Komm her zu mir."
    assert 0 < estimate_seconds(short, "de") < estimate_seconds(long, "de")
    assert estimate_seconds("Komm, her.", "de") > estimate_seconds(short, "de")
    assert estimate_seconds("Komm! Her.", "de") > estimate_seconds("Komm, her.", "de")
    assert estimate_seconds("Komm her!", "de") == estimate_seconds("Komm her", "de")
    assert estimate_seconds("…", "de") == 0.0


def test_a_slot_leaves_room_for_faster_and_for_slower_speech() -> None:
    time = time_of(2000, "The lighthouse has stood on the hill for a hundred years now.")
    assert (time.longest, time.shortest) == (pytest.approx(2.4), pytest.approx(2.0 / 1.2))
    assert [time.sync(seconds) for seconds in (2.41, 2.4, 1.7, 1.6)] == [
        "over",
        "ok",
        "ok",
        "under",
    ]


def test_a_translation_need_not_fill_more_of_a_slot_than_its_source() -> None:
    time, source = time_of(10_000, "Who is there?"), estimate_seconds("Who is there?", "en")
    assert time.sync(source / 1.1) == "ok"
    assert time.sync(source / 1.3) == "under"


def test_a_voice_is_asked_only_where_the_estimate_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def measure(text: str, language: str, voice: str) -> float:
        asked.append(text)
        return 9.9

    monkeypatch.setattr("subfit.speaking.measure_at_rate", measure)
    time = replace(time_of(3000, "Who is there?"), voice="espeak-ng")
    near, far = SENTENCES["de"], "Das Schiff kommt morgen."
    assert abs(estimate_seconds(near, "de") - time.longest) < 1
    assert time.sync(time.seconds(near)) == "over"
    assert time.sync(time.seconds(far)) == "ok"
    assert asked == [near]
