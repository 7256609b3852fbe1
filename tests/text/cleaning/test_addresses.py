"""Addresses of the web and of mail, file names and handles in a text."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.addresses import find_addresses


@pytest.mark.parametrize(
    ("text", "address", "name"),
    [
        ("Look at https://example.org/a?b=1.", "https://example.org/a?b=1", "Google"),
        ("Write to anna.b@example.co.uk, please.", "anna.b@example.co.uk", "Peter"),
        ("It is on example.com.", "example.com", "Google"),
        ("I worked at boats.ai, then at harbour.dev.", "boats.ai", "Google"),
        ("Ask leuchtturm.example.de/hilfe.", "leuchtturm.example.de/hilfe", "Google"),
        ("Open report.pdf!", "report.pdf", "Google"),
        ("Ask @the_captain.", "@the_captain", "Peter"),
        ("Post it with #boats4sale.", "#boats4sale", "Google"),
    ],
)
def test_an_address_has_a_name_that_models_keep_in_its_place(
    text: str, address: str, name: str
) -> None:
    stand_in = next(find_addresses(text))
    assert (stand_in.source, stand_in.written, stand_in.text) == (address, address, name)
    assert text[stand_in.start : stand_in.end] == address


def test_names_that_the_text_has_stand_in_for_nothing() -> None:
    stand_ins = find_addresses("Peter and Anna mail a@example.org and b@example.org.")
    assert [stand_in.text for stand_in in stand_ins] == ["Tom", "Robert"]


@pytest.mark.parametrize(
    "text", ["Wait...what?", "He said no.Then he left.", "Number #1 is here.", "Stop.it hurts."]
)
def test_running_text_has_none(text: str) -> None:
    assert list(find_addresses(text)) == []
