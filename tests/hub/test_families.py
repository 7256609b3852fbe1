"""Families of models, by their names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.loading import Wanted, load_model
from subfit.hub.families import FAMILIES
from subfit.model.bundled import find_model
from subfit.model.computing import EXACT

from .conftest import FakeHub


def test_the_model_of_a_group_is_taken_where_the_pair_has_none(
    hub: FakeHub, tiny_marian_folder: Path
) -> None:
    hub.add("Helsinki-NLP/opus-mt-en-roa", tiny_marian_folder)
    assert Path(find_model("opus-mt", "en", "fr")).name == "Helsinki-NLP--opus-mt-en-roa"


@pytest.mark.parametrize("family", ["nllb", "m2m100", "mbart50", "madlad"])
def test_a_family_is_fetched_by_its_name_and_translates(
    family: str, hub: FakeHub, family_folder: Callable[[str, int], Path]
) -> None:
    (name,) = FAMILIES[family].models
    hub.add(name, family_folder(family, 60))
    place = find_model(family, "en", "de")
    hub.models.clear()  # it is here now
    assert find_model(family, "de", "fr") == place
    translator = load_model(place, EXACT).translator(Wanted("en", "de"))
    assert translator.name == name
    ((best, *_),) = translator.translate([Request("Where is the old lighthouse?")])
    assert best.text == "Wo ist der alte Leuchtturm?"
