"""Models of any kind: loaded once, translators made of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from subfit.decoding.any_translator import shortcomings
from subfit.decoding.hypotheses import Request, SearchSettings
from subfit.decoding.loading import LoadedModel, Wanted, load_model
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.model.config import EXACT
from tests.scripted import ScriptedTranslator

SERVER = load_model("http://localhost:1/v1#chat", EXACT)


def test_a_model_folder_becomes_a_translator_as_wanted(tiny_marian_folder: Path) -> None:
    model: LoadedModel = load_model(str(tiny_marian_folder), EXACT)
    wanted = Wanted("en", "de", settings=SearchSettings(beams=2, nbest=2))
    translator = model.translator(wanted)
    assert (translator.name, translator.source_language, translator.language) == (
        tiny_marian_folder.name,
        "en",
        "de",
    )
    assert (translator.beams, translator.precision) == (2, "fp32")
    assert translator.capabilities.terms
    (nbest,) = translator.translate([Request("It is cold.", ceiling=12.0)])
    assert nbest and all(each.characters <= 12 for each in nbest)


def test_models_of_different_kinds_do_not_vote(tiny_model_folder: Path) -> None:
    model = load_model(str(tiny_model_folder), EXACT)
    voting = model.translator(Wanted(), [replace(model)])
    assert voting.name.count(" + ") == 1
    with pytest.raises(UsageError, match="#chat cannot translate together"):
        model.translator(Wanted(), [SERVER])


def test_the_bundled_model_lacks_nothing(en_multi):
    assert shortcomings(Translator(en_multi, target_language="de")) == ()


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
