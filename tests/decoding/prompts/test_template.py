"""Template files: those that come with subfit, and the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.prompts import (
    Prompter,
    bundled_templates,
    find_template,
    read_template,
)
from subfit.errors import InputFileError, ModelError, UsageError
from tests.decoding.prompts.test_rendering import FULL, said


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
def test_a_model_gets_the_template_of_its_family(
    model_type: str, name: str, description: str
) -> None:
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
def test_what_is_wrong_with_a_file_is_told_with_its_line(
    content: str, told: str, tmp_path: Path
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(content, encoding="utf-8")
    with pytest.raises(InputFileError) as error:
        read_template(own)
    assert told in str(error.value)


def test_a_template_that_is_not_there_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="base, chat, eurollm"):
        find_template("chatt", "", "")
