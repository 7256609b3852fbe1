"""Answers of language models that are no translations."""

from __future__ import annotations

import pytest

from subfit.text.doubts import Doubt, doubts_of

SOURCE = "I am the owner of this mansion, and you will leave it now."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ich bin der Herr dieses Hauses, und Sie gehen jetzt.", ()),
        ("Soy el dueño de esta mansión y ahora te vas.", ()),
        (SOURCE, (Doubt.UNTRANSLATED,)),
        ("I own this house and you must go from here now.", (Doubt.UNTRANSLATED,)),
        (f"{SOURCE} / Ich bin der Herr dieses Hauses.", (Doubt.UNTRANSLATED,)),
        ("Translate this subtitle into German, on one line.", (Doubt.PROMPT,)),
        ("Wir gehen jetzt nach Hause.", (Doubt.ANOTHER,)),
        ("Ja.", (Doubt.LENGTH,)),
        ("3 = 3. Mein Haus, und Sie gehen jetzt.", (Doubt.SIGNS,)),
        ("Das Haus. " * 20, (Doubt.LENGTH, Doubt.ROUNDS)),
    ],
)
def test_what_is_no_translation_is_told_without_a_table_of_words(
    text: str, found: tuple[Doubt, ...]
) -> None:
    told = ["Translate this subtitle into German, on one line, without quotation marks."]
    others = [("We go home now.", "Wir gehen jetzt nach Hause.")]
    doubts = doubts_of(text, SOURCE, ("en", "de"), told=told, others=others)
    assert set(found) <= {*doubts} and bool(found) == bool(doubts)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Anna Brown, Tom Hill!", "Anna Brown, Tom Hill!"),
        ("OK, Sam.", "OK, Sam."),
        ("No, no, no, no!", "Nein, nein, nein, nein!"),
        ("Help!", "Zu Hilfe!"),
        ("So I said to him that he must not.", "Also sagte ich ihm, dass er nicht darf."),
    ],
)
def test_names_cries_and_short_answers_are_none_of_these(source: str, text: str) -> None:
    assert doubts_of(text, source, ("en", "de")) == ()


def test_a_text_that_is_made_shorter_stays_in_its_language() -> None:
    assert doubts_of("I own this mansion; leave it now.", SOURCE, ("en", "en")) == ()
