"""Where long sentences are parted, and how translations of their parts become one text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.text.parting import joined, parted


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ["The boat that we hired was too small,", "so the dogs had to stay on the shore."]),
        ("en", ["We waited at the old bridge for an hour", "because nobody had told us the way."]),
        ("en", ["They had three rules for the journey:", "never to sleep, never to sing at all."]),
        (
            "en",
            ["I did not see it coming, I was asleep.", "You cannot blame yourself for all that."],
        ),
        (
            "en",
            ["We waited at the old bridge for an hour", "and they had the time of their lives."],
        ),
        (
            "de",
            ["Der Kahn, den wir gemietet hatten, war klein,", "sodass die Hunde warten mussten."],
        ),
        ("de", ["Wir haben am alten Tor gewartet", "und niemand hat uns etwas gesagt."]),
        ("es", ["Esperamos una hora junto al puente viejo", "porque nadie nos dijo el camino."]),
        ("fr", ["Nous avons attendu une heure au vieux pont", "parce que personne ne savait où."]),
        (
            "it",
            ["Abbiamo aspettato un'ora al vecchio ponte", "perché nessuno ci aveva detto nulla."],
        ),
        ("sv", ["Vi väntade en timme vid den gamla bron,", "men ingen hade sagt vart vi skulle."]),
    ],
)
def test_long_sentences_are_parted_where_clauses_meet(language, parts):
    assert parted(" ".join(parts), language, 10) == parts


@pytest.mark.parametrize(
    "text",
    [
        "The boat was small, so we walked.",  # short
        "Do you really think that he would leave us here, if he knew what we know?",
        "We took the long and winding road over the cold mountains of the north again.",
        "All of them (the cook, the maid, her sister, and even the dogs) slept through it.",
        "",
    ],
)
def test_what_has_no_place_for_it_stays_whole(text):
    assert parted(text, "en", 10) == [text]


def test_parts_are_parted_again():
    text = (
        "We left before the sun was up, we walked until the road was gone, and when the rain"
        " began, we slept in a barn."
    )
    assert parted(text, "en", 8) == [
        "We left before the sun was up,",
        "we walked until the road was gone,",
        "and when the rain began,",
        "we slept in a barn.",
    ]


WORDS = st.lists(
    st.sampled_from(["and", "we", "go", "home,", "now.", "but", "Why?", "(so", "it)", "–", "is:"]),
    max_size=40,
)


@given(WORDS, st.integers(1, 20), st.sampled_from(["en", "de", "es", "fr", "it", "und"]))
def test_joined_by_spaces_the_parts_are_the_text(words, longest, language):
    text = " ".join(words)
    parts = parted(text, language, longest)
    assert " ".join(parts) == text
    assert all(parts) or not words


@pytest.mark.parametrize(
    ("language", "sources", "translations", "text"),
    [
        (
            "de",
            ["The boat was small,", "so the dogs stayed."],
            ["Das Boot war klein,", "Und die Hunde blieben."],
            "Das Boot war klein, und die Hunde blieben.",
        ),
        (
            "de",
            ["We waited for an hour", "and dogs barked."],
            ["Wir haben gewartet", "Hunde bellten."],
            "Wir haben gewartet Hunde bellten.",
        ),
        (
            "fr",
            ["With some help", "I did it."],
            ["Avec un peu d'aide", "Je l'ai fait."],
            "Avec un peu d'aide je l'ai fait.",
        ),
        (
            "it",
            ["I saw it.", "He did too."],
            ["L'ho visto.", "Anche lui."],
            "L'ho visto. Anche lui.",
        ),
        ("es", ["Well...", "they left."], ["Bueno...", "Se fueron."], "Bueno... Se fueron."),
    ],
)
def test_translations_of_clauses_become_one_sentence(language, sources, translations, text):
    assert joined(sources, translations, language) == text
