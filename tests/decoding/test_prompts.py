"""What a prompt says of a sentence, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request, TermConstraint
from subfit.decoding.prompts import (
    Prompter,
    PromptTemplate,
    bundled_templates,
    find_template,
    read_template,
    translation_in,
)
from subfit.errors import InputFileError, ModelError, UsageError

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


@pytest.mark.parametrize("name", bundled_templates())
def test_every_template_that_comes_with_subfit_makes_a_prompt(name: str) -> None:
    template = read_template(bundled_templates()[name])
    assert template.description
    text = said(template, FULL)
    assert "Where is the captain?" in text
    assert "German" in text
    assert "{" not in text
    assert "\n\n\n" not in text.replace("into German:\n\n\n", "")
    assert Prompter(template, "en", "de").template.takes_lengths == ("30" in text)


@pytest.mark.parametrize(
    ("model_type", "name", "description"),
    [
        ("qwen3", "Qwen3-4B", "Qwen 3"),
        ("gemma3", "gemma-3-4b-it", "Gemma, which"),
        ("gemma3", "translategemma-4b-it", "TranslateGemma"),
        ("llama", "EuroLLM-1.7B-Instruct", "EuroLLM"),
        ("llama", "Llama-3.2-1B-Instruct", "Any model"),
        ("", "whatever", "Any model"),
    ],
)
def test_a_model_gets_the_template_of_its_family(model_type, name, description):
    assert find_template(None, model_type, name).description.startswith(description)


def test_an_unknown_family_needs_a_template() -> None:
    with pytest.raises(ModelError, match="give --prompt"):
        find_template(None, "newest", "newest-7b")
    assert find_template("chat", "newest", "newest-7b").takes_lengths


def test_a_users_file_may_extend_another(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("extends: chat\nsystem: You write for children.\n", encoding="utf-8")
    text = said(find_template(str(own), "", ""), FULL)
    assert text.startswith("You write for children.\n")
    assert "at most 30 characters" in text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("user: Translate this.", "user must have {text}"),
        ("user: '{text} {speaker}'", "own.yaml:1: user may not have {speaker}"),
        ("user: '{text.__class__}'", "user may not have"),
        ("user: '{text'", "user may not have"),
        ("user: '{text}'\nlenght: x", "lenght"),
        ("system: x", "user"),
        ("- a list", "must be a mapping"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(content, told, tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text(content, encoding="utf-8")
    with pytest.raises(InputFileError) as error:
        read_template(own)
    assert told in str(error.value)


def test_a_template_that_is_not_there_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="base, chat, eurollm"):
        find_template("chatt", "", "")


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("zh-TW", "Traditional Chinese"),
        ("pt-BR", "Brazilian Portuguese"),
        ("pt", "Portuguese"),
        ("deu", "German"),
        ("qaa", "qaa"),
    ],
)
def test_languages_are_told_by_their_names(tag: str, name: str) -> None:
    assert f"into {name}, " in said(find_template("chat", "", ""), Request("Yes."), "en", tag)


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
