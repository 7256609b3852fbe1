"""What a model is measured on, read before anything is translated."""

from __future__ import annotations

import pytest

from subfit.errors import InputFileError
from subfit.training.release.inputs import read_inputs, steps_for
from subfit.training.release.model_under_test import ModelUnderTest


@pytest.fixture
def tested(several_folder):
    return ModelUnderTest(several_folder)


def test_every_language_has_its_own_test_sets_and_all_subtitles(tested, corpora):
    folders = {"data": corpora, "timed": corpora / "films", "examples": corpora / "scenes"}
    inputs = read_inputs(tested, **folders, limit=2)
    sets = [(language, test.name) for language, test in inputs.test_sets]
    assert sets == [("de", "mixed"), ("de", "news"), ("it", "mixed")]
    assert [(language, each.name, each.shown) for language, each in inputs.subtitles] == [
        ("de", "films", False),
        ("it", "films", False),
        ("de", "scenes", True),
        ("it", "scenes", True),
    ]
    slots = [step.slot for step in steps_for(tested, inputs)]
    assert len(set(slots)) == len(slots) == 3 * 5 + 4


def test_without_folders_there_is_nothing_to_do(tested):
    assert list(steps_for(tested, read_inputs(tested))) == []


def test_a_folder_without_test_sets_of_the_model_says_what_was_expected(tested, corpora):
    for path in (corpora / "test").glob("*.en-??.tsv"):
        if not path.name.endswith(".en-fr.tsv"):
            path.unlink()
    with pytest.raises(InputFileError, match="no test sets for this model in it") as caught:
        read_inputs(tested, data=corpora)
    assert "expected test/NAME.en-de.tsv or the like" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_without_subtitles_is_named_before_anything_is_translated(tested, corpora):
    with pytest.raises(InputFileError, match="no subtitle files such as film") as caught:
        read_inputs(tested, data=corpora, timed=corpora / "test")
    assert str(corpora / "test") in str(caught.value)
