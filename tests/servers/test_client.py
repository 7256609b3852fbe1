"""Asking servers that hang, cut, fail or say anything at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from subfit.errors import ModelError, UsageError
from subfit.hub.names import ServerAddress
from subfit.servers import client as client_module
from subfit.servers.answers import Completion
from subfit.servers.client import GIVE_UP, ChatClient, NoAnswerError, Question
from subfit.servers.settings import Price, ServerSettings, key_for
from tests.servers.fake import FakeServer, Reply, says

QUESTION = Question([{"role": "user", "content": "Good evening."}])
KEY = "sk-test-0123456789abcdef"
GOOD = says("Guten Abend.")


class Talk:
    """A client, and how long it waited."""

    def __init__(self, server: FakeServer, key: str | None = None, **settings: object) -> None:
        self.waits: list[float] = []

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        known = replace(ServerSettings(timeout=2.0), **settings)  # type: ignore[arg-type]
        address = ServerAddress.parse(server.model)
        self.client = ChatClient(address, known, key, sleep)

    def ask(self, question: Question = QUESTION) -> Completion:
        """Ask once."""

        async def run() -> Completion:
            async with self.client.connected() as connection:
                return await self.client.ask(connection, question)

        return asyncio.run(run())


def in_turn(*replies: Reply) -> Callable[[object], Reply]:
    """Give replies one after the other, the last one for ever."""
    waiting = iter(replies)
    return lambda _: next(waiting, replies[-1])


FAILURES = {
    "hangs": (Reply(hangs=True), "did not answer in 0.3 s"),
    "drips": (Reply(b"{", drips=True), "did not answer in 0.3 s"),
    "cuts": (Reply(b'{"choices": [', cuts=True), "cut the connection"),
    "500": (Reply(status=500), "status 500"),
    "503 with words": (Reply(b'{"error": {"message": "busy"}}', 503), "status 503: busy"),
    "no JSON": (Reply(b"<html>"), "no chat completion"),
    "nothing": (Reply(b""), "no chat completion"),
    "other JSON": (Reply(b'{"choices": "none"}'), "no chat completion"),
    "a list": (Reply(b"[1]"), "no chat completion"),
    "deep": (Reply(b"[" * 100_000), "no chat completion"),
    "no choices": (Reply(b'{"choices": []}'), "without choices"),
    "no text": (Reply(b'{"choices": [{"message": {"content": 5}}]}'), "no chat completion"),
    "too much": (Reply(b" " * 300_000), "more than 0 MiB"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_that_passes_is_asked_again(name, server, monkeypatch):
    monkeypatch.setattr(client_module, "MOST_BYTES", 200_000)
    reply, _ = FAILURES[name]
    server.answer = in_turn(reply, GOOD)
    talk = Talk(server, timeout=0.3)
    assert talk.ask().choices[0].text == "Guten Abend."
    assert talk.waits == [1.0]
    assert (talk.client.usage.requests, talk.client.usage.retries) == (2, 1)


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_that_lasts_is_one_line_and_others_may_be_asked(name, server, monkeypatch):
    monkeypatch.setattr(client_module, "MOST_BYTES", 200_000)
    reply, told = FAILURES[name]
    server.answer = lambda _: reply
    talk = Talk(server, timeout=0.3, tries=2)
    with pytest.raises(NoAnswerError, match=told):
        talk.ask()
    with pytest.raises(ModelError) as error:
        talk.client.check()
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert talk.client.usage.unanswered == 1
    server.answer = lambda _: GOOD
    assert talk.ask().choices[0].text == "Guten Abend."
    talk.client.check()


def test_waits_grow_and_the_server_may_say_how_long(server: FakeServer) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    busy = [Reply(status=429, headers={"Retry-After": told}) for told in ("7", soon)]
    server.answer = in_turn(Reply(status=524), *busy, GOOD)
    talk = Talk(server)
    talk.ask()
    assert talk.waits[:2] == [1.0, 7.0]
    assert 30 < talk.waits[2] <= 40


def test_no_more_is_asked_than_was_allowed_however_often_it_fails(server: FakeServer) -> None:
    server.answer = lambda _: Reply(status=503)
    with pytest.raises(NoAnswerError):
        Talk(server, most_requests=2).ask()
    assert len(server.payloads) == 2


def test_a_server_that_asks_to_wait_for_hours_is_given_up(server: FakeServer) -> None:
    server.answer = lambda _: Reply(status=429, headers={"Retry-After": "7200"})
    with pytest.raises(ModelError, match="status 429"):
        Talk(server).ask()
    assert len(server.payloads) == 1


def test_many_failures_in_a_row_end_it(server: FakeServer) -> None:
    server.answer = in_turn(GOOD, Reply(status=500))
    talk = Talk(server, tries=1)
    talk.ask()
    for _ in range(GIVE_UP - 1):
        with pytest.raises(NoAnswerError):
            talk.ask()
    with pytest.raises(ModelError, match="1 requests were answered before"):
        talk.ask()


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(status=401), "wants a key (status 401); set SUBFIT_API_KEY"),
        (Reply(b'{"error": {"message": "no such model"}}', 404), "(status 404): no such model"),
        (Reply(status=307, headers={"Location": "http://198.51.100.7/v1"}), "198.51.100.7"),
        (Reply(status=402), "status 402"),
    ],
)
def test_what_will_not_change_is_told_at_once(reply: Reply, told: str, server: FakeServer) -> None:
    server.answer = lambda _: reply
    with pytest.raises(ModelError) as error:
        Talk(server).ask()
    assert told in str(error.value)
    assert len(server.payloads) == 1


def test_a_redirect_is_not_followed_even_to_the_same_host(server: FakeServer) -> None:
    server.answer = lambda _: Reply(status=308, headers={"Location": "/v2/chat/completions"})
    with pytest.raises(ModelError, match="which was not named"):
        Talk(server, KEY).ask()
    assert [each["path"] for each in server.headers] == ["/v1/chat/completions"]


def test_the_key_is_shown_to_the_server_and_told_to_nobody(server: FakeServer) -> None:
    body = json.dumps({"error": {"message": f"slow down, {KEY}"}}).encode()
    server.answer = lambda _: Reply(body, 429)
    with pytest.raises(NoAnswerError) as error:
        Talk(server, KEY, tries=1).ask()
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert "slow down" in str(error.value)
    assert KEY not in str(error.value)
    server.answer = lambda _: Reply(body, 403)
    with pytest.raises(ModelError) as refused:
        Talk(server, KEY).ask()
    assert "does not take the key" in str(refused.value)
    assert KEY not in str(refused.value)


def test_proxies_of_the_environment_are_not_asked(server, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    server.answer = lambda _: GOOD
    Talk(server).ask()


@pytest.mark.parametrize("names", [True, False])
def test_what_a_server_does_not_know_is_not_asked_for(names: bool, server: FakeServer) -> None:
    """Some name the parameter that they do not take, some do not."""

    def answer(payload: object) -> Reply:
        assert isinstance(payload, dict)
        if "logprobs" not in payload:
            return GOOD
        told = "unknown parameter: 'logprobs'" if names else "unknown parameter"
        return Reply(json.dumps({"error": {"message": told}}).encode(), 400)

    server.answer = answer
    talk = Talk(server)
    several = replace(QUESTION, candidates=3)
    talk.ask(several)
    talk.ask(several)
    assert len(server.payloads) == 3, "what was learnt is remembered"
    assert server.payloads[-1].get("n") == (3 if names else None)


def test_a_question_that_alone_is_refused_is_given_up_at_once(server: FakeServer) -> None:
    server.answer = lambda _: GOOD
    talk = Talk(server)
    talk.ask()
    server.answer = lambda _: Reply(b'{"error": "improper content"}', 400)
    with pytest.raises(NoAnswerError, match="improper content"):
        talk.ask()
    assert talk.waits == []


def test_a_server_that_does_not_run_is_told() -> None:
    address = ServerAddress.parse("http://127.0.0.1:9/v1#toy")
    client = ChatClient(address, ServerSettings(tries=2), None, lambda _: asyncio.sleep(0))

    async def run() -> None:
        async with client.connected() as connection:
            await client.ask(connection, QUESTION)

    with pytest.raises(NoAnswerError, match="cannot be reached; does it run"):
        asyncio.run(run())


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


def test_tokens_and_their_cost_are_added_up(server: FakeServer) -> None:
    server.answer = in_turn(says("Eins.", "Zwei."), says("Drei.", usage=False), says("Vier."))
    talk = Talk(server, price=Price(1.0, 10.0))
    for _ in range(3):
        talk.ask()
    usage = talk.client.usage.to_dict()
    assert (usage["requests"], usage["uncounted"]) == (3, 1)
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (40, 15)
    assert usage["cost"] == pytest.approx((40 * 1.0 + 15 * 10.0) / 1e6)


def test_odd_counts_and_log_probabilities_do_no_harm(server: FakeServer) -> None:
    odd = {"content": [{"logprob": -0.5}, {"logprob": None}, {"logprob": 1e9}, 3]}
    values = json.loads(says("Ja.", logprobs=odd).body)
    for usage in ({"prompt_tokens": -4, "completion_tokens": "many"}, "none", [1]):
        server.answer = lambda _, usage=usage: Reply(
            json.dumps({**values, "usage": usage}).encode()
        )
        completion = Talk(server).ask()
        assert completion.prompt_tokens is None
        assert completion.choices[0].log_probabilities == (-0.5,)
