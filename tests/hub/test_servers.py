"""Addresses of servers."""

from __future__ import annotations

import pytest

from subfit.errors import UsageError
from subfit.hub.servers import ServerAddress, is_server


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
