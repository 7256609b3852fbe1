"""What a configuration says of languages, and what a model must be told."""

from __future__ import annotations

import pytest

from subfit.errors import UsageError
from subfit.model.bundled import Directions

PAIR = Directions.of("en", "de", None)
INTO_SEVERAL = Directions.of("en", None, {"de": 6, "it": 7})
FROM_SEVERAL = Directions.of(None, "en", {"de": 6, "it": 7})


@pytest.mark.parametrize(
    ("directions", "sources", "targets", "name"),
    [
        (PAIR, ("en",), ("de",), "en to de"),
        (INTO_SEVERAL, ("en",), ("de", "it"), "en to de, it"),
        (FROM_SEVERAL, ("de", "it"), ("en",), "de, it to en"),
    ],
)
def test_tokens_are_those_of_the_side_that_names_no_language(directions, sources, targets, name):
    assert (directions.sources, directions.targets) == (sources, targets)
    assert directions.name == name


def test_of_a_pair_the_model_is_told_the_side_that_has_several():
    assert INTO_SEVERAL.told("en", "it") == "it"
    assert FROM_SEVERAL.told("it", "en") == "it"
    assert INTO_SEVERAL.pair_of("it") == (None, "it")
    assert FROM_SEVERAL.pair_of("it") == ("it", None)
    assert PAIR.pair_of("") == (None, None)


@pytest.mark.parametrize(
    ("source", "target", "served"),
    [("de", "en", True), ("it-CH", "en-GB", True), ("en", "de", False), ("fr", "en", False)],
)
def test_both_languages_of_a_pair_must_be_known(source, target, served):
    assert FROM_SEVERAL.serves(source, target) is served


@pytest.mark.parametrize(
    ("language", "problem"),
    [
        (None, "m translates from de, it; name the source language"),
        ("fr", "m translates from de, it, not from fr"),
    ],
)
def test_a_source_that_must_be_told_is_asked_for(language, problem):
    with pytest.raises(UsageError) as raised:
        FROM_SEVERAL.check_source("m", language)
    assert str(raised.value) == problem
    FROM_SEVERAL.check_target("m", None)


def test_a_model_that_tells_no_languages_takes_any():
    unknown = Directions.of(None, None, None)
    unknown.check_source("m", "tlh")
    unknown.check_target("m", "tlh")
