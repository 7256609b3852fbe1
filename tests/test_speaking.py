from __future__ import annotations

import pytest

from subfit.speaking import RATES, SpeakingTime, estimate_seconds

SENTENCES = {
    "de": "Der Leuchtturm steht seit hundert Jahren auf dem Hügel über dem Hafen.",
    "es": "El faro lleva cien años en la colina que está sobre el puerto.",
    "fr": "Le phare se dresse depuis cent ans sur la colline qui domine le port.",
    "it": "Il faro sta da cento anni sulla collina che domina il porto.",
}


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
    time = SpeakingTime.of(2.0, 1.2, source_seconds=3.0, language="de")
    assert (time.longest, time.shortest) == (pytest.approx(2.4), pytest.approx(2.0 / 1.2))
    assert [time.sync(seconds) for seconds in (2.41, 2.4, 1.7, 1.6)] == [
        "over",
        "ok",
        "ok",
        "under",
    ]


def test_a_translation_need_not_fill_more_of_a_slot_than_its_source() -> None:
    time = SpeakingTime.of(10.0, 1.2, source_seconds=0.6, language="de")
    assert time.sync(0.5) == "ok"
    assert time.sync(0.4) == "under"
