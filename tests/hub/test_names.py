"""Families of models by their names, and addresses of servers."""

from __future__ import annotations

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.loading import Wanted, load_model
from subfit.errors import UsageError
from subfit.hub.names import FAMILIES, ServerAddress, is_server
from subfit.model.bundled import find_model
from subfit.model.config import EXACT


def test_the_model_of_a_group_is_taken_where_the_pair_has_none(hub, tiny_marian_folder):
    hub.add("Helsinki-NLP/opus-mt-en-roa", tiny_marian_folder)
    assert "models--Helsinki-NLP--opus-mt-en-roa" in find_model("opus-mt", "en", "fr")


@pytest.mark.parametrize("family", ["nllb", "m2m100", "mbart50", "madlad"])
def test_a_family_is_fetched_by_its_name_and_translates(family, hub, family_folder):
    name = FAMILIES[family].model
    assert name is not None
    folder = family_folder(family, 0)
    hub.add(name, folder)
    place = find_model(family, "en", "de")
    hub.models.clear()  # it is here now
    assert find_model(family, "de", "fr") == place
    translator = load_model(place, EXACT).translator(Wanted("en", "de"))
    assert translator.name == name
    ours, theirs = (
        each.translate([Request("Where is the old lighthouse?")])
        for each in (translator, load_model(str(folder), EXACT).translator(Wanted("en", "de")))
    )
    assert ours == theirs and ours[0]


@pytest.mark.parametrize(
    "name",
    [
        "http://localhost:8080/v1#qwen3:4b",
        "http://localhost:8080/v1/#qwen3:4b",
        "http://localhost:8080/v1/chat/completions#qwen3:4b",
    ],
)
def test_an_address_has_a_url_and_a_model(name: str) -> None:
    address = ServerAddress.parse(name)
    assert is_server(name)
    assert address.chat == "http://localhost:8080/v1/chat/completions"
    assert str(address) == "http://localhost:8080/v1#qwen3:4b"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("http://localhost:8080/v1", "behind '#', its model"),
        ("http://#toy", "name a server"),
        ("http://localhost:port/v1#toy", "is no address"),
        ("http://me:secret@localhost/v1#toy", "without user, password"),
        ("https://host/v1?key=secret#toy", "SUBFIT_API_KEY"),
    ],
)
def test_a_wrong_address_is_told_without_its_secrets(name: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        ServerAddress.parse(name)
    assert told in str(error.value)
    assert "secret" not in str(error.value)
