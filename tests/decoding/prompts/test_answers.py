"""What of an answer is the translation."""

from __future__ import annotations

import pytest

from subfit.decoding.prompts import translation_in

SOURCE = "The lighthouse keeper is asleep."
GOOD = "Der Leuchtturmwärter schläft."


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"  {GOOD}\n",
        f'"{GOOD}"',
        f"„{GOOD}“",
        f"« {GOOD} »",
        f"**{GOOD}**",
        f"Sure, here is the translation:\n\n{GOOD}",
        f"Here's a shorter version: {GOOD}",
        f"German: {GOOD}",
        f'Translation: "{GOOD}"',
        f"```\n{GOOD}\n```",
        f"Certainly! Here it is:\n```text\n{GOOD}\n```\nLet me know if you need more.",
        f"{GOOD}\n\nNote: I kept the present tense.",
        f"{GOOD}\n(Note: literally, the keeper sleeps.)",
        f"{GOOD}\n\nDer Wärter schläft.",
        "Der Leuchtturmwärter\nschläft.",
        f"1. {GOOD}",
        f"- {GOOD}\r\n",
        f"Hier ist die Übersetzung:\n\n{GOOD}",
        f"Hier ist die deutsche Übersetzung des Satzes: „{GOOD}“",
        f"Voici la traduction :\n{GOOD}",
        f"Traducción: {GOOD}",
        f"**Übersetzung:** {GOOD}",
        f"Перевод:\n{GOOD}",
        f"翻訳：{GOOD}",
        f"Gerne, so könnte man es sagen:\n{GOOD}",
        f"Gerne:\n\n{GOOD}",
        f"{GOOD}\nAnmerkung: „Wärter“ ist hier männlich.",
        f"<think>Keeper is Wärter here.\n\nSo:</think>\n{GOOD}",
    ],
)
def test_chatter_is_not_taken(answer: str) -> None:
    assert translation_in(answer, SOURCE, "German") == GOOD


@pytest.mark.parametrize(
    "answer",
    [
        *("", " \n", '""', "```\n```", "<think>Wait, what is a keeper", "x " * 500),
        *("Sure, here it is:", "Hier ist die Übersetzung:", "Voici la traduction :"),
    ],
)
def test_an_answer_without_a_translation_is_none(answer: str) -> None:
    assert translation_in(answer, SOURCE, "German") is None


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ('"Nobody" is asleep.', '"Niemand" schläft.'),
        ('"Nobody is asleep."', '"Niemand schläft."'),
        ("- Who is it?", "- Wer ist da?"),
        ("Okay: we leave at six.", "Okay: Wir fahren um sechs."),
        ('He said "no" and she said "yes".', '"Nein", sagte er, und sie sagte: "Ja"'),
        ("1. Bread", "1. Brot"),
        ("The translation says no.", "Die Übersetzung sagt: nein."),
        ("He said, I will go.", "Er sagte: Ich gehe."),
    ],
)
def test_what_the_source_has_too_stays(source: str, answer: str) -> None:
    assert translation_in(answer, source, "German") == answer
