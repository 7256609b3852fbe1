"""What a prompt says of a sentence, and what it does not."""

from __future__ import annotations

from subfit.decoding.hypotheses import Request, TermConstraint
from subfit.decoding.prompts import Prompter, PromptTemplate, find_template

FULL = Request(
    "Where is the captain?",
    asked=30,
    terms=(TermConstraint("captain", ("Kapitän", "Käpt'n")),),
    formality="formal",
)
BEFORE = (("The boat is gone.", "Das Boot ist weg."),)


def said(template: PromptTemplate, asked: Request, source: str = "en", target: str = "de") -> str:
    messages = Prompter(template, source, target).messages(asked, BEFORE)
    return "\n".join(message["content"] for message in messages)


def test_a_prompt_has_what_is_asked_for() -> None:
    text = said(find_template("chat", "", ""), FULL)
    for part in (
        "The boat is gone.",
        "Das Boot ist weg.",
        "captain = Kapitän / Käpt'n",
        "politely",
    ):
        assert part in text
    assert "at most 30 characters" in text


def test_a_prompt_has_no_word_of_what_is_not_asked_for() -> None:
    text = said(find_template("chat", "", ""), Request("Where is the captain?"))
    assert text.endswith(
        "into German, on one line, without quotation marks.\n\nWhere is the captain?"
    )
    for part in ("terms", "characters", "politely", "familiarly"):
        assert part not in text


def test_braces_of_a_subtitle_are_text() -> None:
    assert "{text} {0}" in said(find_template("chat", "", ""), Request("{text} {0}"))


def test_one_language_is_made_shorter_and_not_translated() -> None:
    text = said(find_template("chat", "", ""), Request("Where is the captain?", 12), "en-US", "en")
    assert "fewer words" in text
    assert "Translate" not in text
    assert "translate" not in text
