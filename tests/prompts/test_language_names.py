"""Languages by their English names."""

from __future__ import annotations

import pytest

from subfit.prompts.rendering import Asked
from subfit.prompts.template import (
    find_template,
)
from tests.prompts.test_rendering import said


@pytest.mark.parametrize(
    ("tag", "name"),
    [("pt-BR", "Brazilian Portuguese"), ("pt", "Portuguese"), ("deu", "German"), ("tlh", "tlh")],
)
def test_languages_are_told_by_their_names(tag: str, name: str) -> None:
    assert f"into {name}." in said(find_template("chat", "", ""), Asked("Yes."), "en", tag)
