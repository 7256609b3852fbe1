"""Answers in entries with ceilings, and whether a server compiles their schemas."""

from __future__ import annotations

import asyncio
import json

import pytest

from subfit.errors import ModelError
from subfit.hub.names import ServerAddress
from subfit.servers.answers import error_in, parse_completion
from subfit.servers.client import ChatClient, Question
from subfit.servers.schemas import compiles_schemas, entries_schema, read_entries
from subfit.servers.settings import ServerSettings
from tests.servers.fake import FakeServer, Payload, Reply, at_once, says

PROSE = says("one two three four five")


def compiled(payload: Payload) -> Reply:
    """Answer as a server whose grammar lets no entry pass its length."""
    if "response_format" not in payload:
        return PROSE
    schema = payload["response_format"]["json_schema"]["schema"]
    most = {name: entry.get("maxLength", 99) for name, entry in schema["properties"].items()}
    return says(json.dumps({name: "one two three"[:length] for name, length in most.items()}))


def only_json_object(payload: Payload) -> Reply:
    """Answer as llama-cpp-python's server, which has schemas in a form of its own."""
    form = payload.get("response_format", {})
    if form.get("type") == "json_schema":
        return Reply(b"{\"error\": {\"message\": \"('body', 'response_format', 'type')\"}}", 500)
    schema = {"json_schema": form} if form else {}
    return compiled({"response_format": schema} if form else {})


def refused(payload: Payload) -> Reply:
    body = b'{"error": {"message": "response_format is not supported"}}'
    return Reply(body, 400) if "response_format" in payload else PROSE


def refused_without_a_word(payload: Payload) -> Reply:
    return Reply(b"", 422) if "response_format" in payload else PROSE


def too_long(payload: Payload) -> Reply:
    return says('{"1": "one two three four"}')


def more_entries(payload: Payload) -> Reply:
    return says('{"1": "one", "2": "two"}')


def probe(server: FakeServer) -> tuple[bool, ChatClient]:
    client = ChatClient(ServerAddress.parse(server.model), ServerSettings(tries=1), None, at_once)

    async def run() -> bool:
        async with client.connected() as connection:
            first = await compiles_schemas(client, connection)
            assert await compiles_schemas(client, connection) is first
            return first

    return asyncio.run(run()), client


@pytest.mark.parametrize(
    ("answer", "holds", "requests"),
    [
        (compiled, True, 1),
        (only_json_object, True, 2),
        (lambda _: PROSE, False, 2),
        (refused, False, 2),
        (refused_without_a_word, False, 2),
        (too_long, False, 2),
        (more_entries, False, 2),
        (lambda _: says("[1]"), False, 2),
        (lambda _: says(None), False, 2),
    ],
)
def test_a_question_in_each_form_tells_whether_schemas_are_kept_to(answer, holds, requests, server):
    server.answer = answer
    found, client = probe(server)
    assert found is holds
    assert len(server.payloads) == requests
    assert "logprobs" in server.payloads[-1], "what else is asked for stays"

    async def ask() -> None:
        schema = entries_schema([5, None])
        async with client.connected() as connection:
            await client.ask(connection, Question([], schema=schema))

    asyncio.run(ask())
    assert ("response_format" in server.payloads[-1]) is holds


def test_a_server_that_fails_once_is_asked_again(server: FakeServer) -> None:
    replies = iter([Reply(status=500)])
    server.answer = lambda payload: next(replies, compiled(payload))
    client = ChatClient(ServerAddress.parse(server.model), ServerSettings(tries=1), None, at_once)

    async def run() -> list[bool]:
        async with client.connected() as connection:
            return [await compiles_schemas(client, connection) for _ in range(2)]

    assert asyncio.run(run()) == [False, True]


def test_a_server_that_wants_a_key_is_no_good(server: FakeServer) -> None:
    server.answer = lambda _: Reply(status=401)
    with pytest.raises(ModelError, match="wants a key"):
        probe(server)


def test_a_schema_has_an_entry_for_each_ceiling_and_no_other() -> None:
    schema = entries_schema([12, None])
    assert schema["properties"] == {
        "1": {"type": "string", "maxLength": 12},
        "2": {"type": "string"},
    }
    assert schema["required"] == ["1", "2"] and schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("answer", "entries"),
    [
        ('{"1": "Ja.", "2": "Nein."}', ["Ja.", "Nein."]),
        ('{"2": "Nein.", "1": "Ja."}', ["Ja.", "Nein."]),
        ('```json\n{"1": "Ja.", "2": "Nein."}\n```', ["Ja.", "Nein."]),
        ('{"1": "Ja."}', ["Ja.", None]),
        ('{"1": "Ja.\nSo.", "2": "Nein."}', ["Ja.\nSo.", "Nein."]),
        ('{"1": "Ja.", "2": "Nei', ["Ja.", None]),
        ('{"1": "Ja.", "2": "Nein.", "2": "Doch."}', ["Ja.", None]),
        ('{"1": {"text": "Ja."}, "2": "Nein."}', [None, "Nein."]),
        ('["Ja.", "Nein."]', [None, None]),
        ('{"1": ["Ja."], "2": 3, "3": "mehr"}', [None, None]),
        ("Gern! Hier ist alles.", [None, None]),
        ("[" * 99_999, [None, None]),
        ("{" * 99_999 + "}", [None, None]),
    ],
)
def test_entries_are_told_by_their_numbers(answer: str, entries: list[str | None]) -> None:
    assert read_entries(answer, 2) == entries


CHOICE = {
    "message": {"content": "Halt."},
    "finish_reason": "length",
    "logprobs": {"content": [{"logprob": -0.5}, {"logprob": 1e-9}, {"logprob": "?"}, None]},
}


def test_a_completion_is_read_with_what_the_server_tells() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": -1}
    done = parse_completion(json.dumps({"choices": [CHOICE], "usage": usage}).encode())
    (choice,) = done.choices
    assert (choice.text, choice.cut, choice.log_probabilities) == ("Halt.", True, (-0.5, 0.0))
    assert (done.prompt_tokens, done.completion_tokens) == (7, None)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": {"content": 5}}]}']
)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="completion"):
        parse_completion(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"error": {"message": "bad key  s3cret"}}', ": bad key ***"),
        (b'{"detail": "no such model"}', ": no such model"),
        (b'{"error": "busy"}', ": busy"),
        (b"<html>", ""),
        (b'{"error": {"message": 5}}', ""),
    ],
)
def test_an_error_is_told_without_the_key(data: bytes, said: str) -> None:
    assert error_in(data, "s3cret") == said
