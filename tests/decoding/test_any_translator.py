"""What a user is told of models that lack something."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from subfit.decoding.any_translator import shortcomings
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import load_checkpoint
from tests.places import EN_MULTI
from tests.scripted import ScriptedTranslator


def test_the_bundled_model_lacks_nothing():
    translator = Translator(load_checkpoint(str(EN_MULTI)), target_language="de")
    assert shortcomings(translator) == ()


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ("lengths", "only a hard limit shortens"),
        ("rates", "may go unnoticed"),
        ("terms", "searches for no terms"),
    ],
)
def test_each_lack_is_told_once(lacking, told):
    translator = cast(Any, ScriptedTranslator({}))
    before = shortcomings(translator)
    assert not any(told in text for text in before)
    translator.able = replace(translator.able, **{lacking: False})
    (more,) = set(shortcomings(translator)) - set(before)
    assert told in more
