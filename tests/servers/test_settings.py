"""What a user may say of servers: keys, and what tokens cost."""

from __future__ import annotations

import pytest

from subfit.errors import UsageError
from subfit.hub.names import ServerAddress
from subfit.servers.settings import Price, key_for

LOCAL = ServerAddress.parse("http://localhost:8080/v1#toy")
OPENAI = ServerAddress.parse("https://api.openai.com/v1#gpt")


def test_the_key_of_subfit_is_for_the_server_that_is_named() -> None:
    environment = {"SUBFIT_API_KEY": " one ", "OPENAI_API_KEY": "two"}
    assert key_for(LOCAL, environment) == "one"
    assert key_for(OPENAI, environment) == "one"


def test_the_key_of_openai_is_for_openai_alone() -> None:
    environment = {"OPENAI_API_KEY": "two"}
    assert key_for(OPENAI, environment) == "two"
    assert key_for(LOCAL, environment) is None
    plain = ServerAddress.parse("http://api.openai.com/v1#gpt")
    assert key_for(plain, environment) is None


def test_a_key_that_is_none_is_told_without_it() -> None:
    for wrong in ("zwei\nzeilen", "schlüssel", "two words"):
        with pytest.raises(UsageError, match="SUBFIT_API_KEY") as error:
            key_for(LOCAL, {"SUBFIT_API_KEY": wrong})
        assert wrong not in str(error.value)


def test_a_price_is_two_numbers() -> None:
    assert Price.parse("0.15:0.6") == Price(0.15, 0.6)
    for wrong in ("1", "1:2:3", "-1:2", "nan:1", "1:inf", "a:b"):
        with pytest.raises(UsageError, match=r"0\.15:0\.60"):
            Price.parse(wrong)


def test_tokens_that_are_sent_and_answered_have_prices_of_their_own() -> None:
    assert Price.parse("0.5:2").of(1_000_000, 250_000) == pytest.approx(1.0)
