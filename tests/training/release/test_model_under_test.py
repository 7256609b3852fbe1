"""A model that is measured: its pairs, and its translations, which are searched once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.model.bundled import find_model
from subfit.training.release.model_under_test import ModelUnderTest


def changed(folder: Path, tmp_path: Path, **values: object) -> Path:
    """A copy of a model with other values in its configuration."""
    copy = Path(shutil.copytree(folder, tmp_path / "model"))
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | values))
    return copy


def test_a_model_of_several_targets_is_told_them(several_folder):
    tested = ModelUnderTest(several_folder)
    assert tested.languages == ("de", "it")
    assert (tested.pair("it"), tested.options("it")) == (("en", "it"), ["-t", "it"])


def test_a_model_of_several_sources_is_told_these(several_folder, tmp_path):
    changes = {"source_language": None, "target_language": "en"}
    tested = ModelUnderTest(changed(several_folder, tmp_path, **changes))
    assert tested.languages == ("de", "it")
    assert tested.pair("it") == ("it", "en")
    assert tested.options("it") == ["-t", "en", "-s", "it"]


def test_a_model_that_comes_with_a_channel_model_is_measured_alone():
    tested = ModelUnderTest(Path(find_model("multi-en", "de", "en")))
    assert tested.options("de") == ["-t", "en", "-s", "de", "--channel-model", "none"]
    assert tested.translator("de", "a set").channel_model is None


def test_a_model_that_does_not_say_what_it_translates_into_is_refused(tiny_model_folder, tmp_path):
    folder = changed(tiny_model_folder, tmp_path, target_language=None)
    with pytest.raises(ModelError, match="does not say what the model translates into") as caught:
        ModelUnderTest(folder)
    assert str(caught.value).startswith(str(folder))


def test_what_was_asked_before_is_not_searched_again(several_folder, monkeypatch):
    searched: list[Request] = []
    search = Translator.translate

    def noted(self, requests, on_done=None):
        searched.extend(requests)
        return search(self, requests, on_done)

    monkeypatch.setattr(Translator, "translate", noted)
    translator = ModelUnderTest(several_folder).translator("de", "a set")
    natural = [Request("It is cold."), Request("The door is open.")]
    first = translator.translate(natural)
    done: list[int] = []
    short = Request("It is cold.", ceiling=8.0)
    again = translator.translate([natural[1], short, natural[0]], done.append)
    assert [again[2], again[0]] == first
    assert all(each.characters <= 8 for each in again[1])
    assert searched == [*natural, short]
    assert sum(done) == 3
    again[0].clear()  # what a caller does with a list is no business of others
    assert translator.translate(natural) == first


def test_a_translator_is_kept_as_long_as_language_and_text_are_the_same(several_folder):
    tested = ModelUnderTest(several_folder)
    first = tested.translator("de", "news")
    assert tested.translator("de", "news") is first
    other = tested.translator("it", "news")
    assert other is not first and other.target_language == "it"
    assert tested.translator("it", "films") is not other
