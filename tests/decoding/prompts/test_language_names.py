"""Languages by their English names."""

from __future__ import annotations

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.prompts import (
    find_template,
)
from tests.decoding.prompts.test_rendering import said


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
