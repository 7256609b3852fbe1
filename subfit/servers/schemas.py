"""Answers of several entries, each with a ceiling, where a server compiles JSON schemas.

llama.cpp, vLLM, Ollama and LM Studio do, as OpenAI's own: no token is drawn that leaves the schema.
``maxLength`` counts code points, and may cut a word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import httpx2

from subfit.servers.client import SCHEMA_FORMS, ChatClient, NoAnswerError, NoSchemaError, Question

_PROBE_CHARACTERS = 7
_KEY = re.compile(r'\s*,?\s*"([^"\\]*)"\s*:\s*')
_PROBE = "Write the numbers from one to twenty as words, in one line of plain text."


def entries_schema(ceilings: Sequence[int | None]) -> dict[str, Any]:
    """Return the schema of an object with the entries ``1``, ``2`` and so on, and nothing else.

    Args:
        ceilings: The most code points of each entry; None for any number.
    """
    entries: dict[str, dict[str, Any]] = {
        str(number): {"type": "string"} | ({} if most is None else {"maxLength": most})
        for number, most in enumerate(ceilings, 1)
    }
    return {
        "type": "object",
        "properties": entries,
        "required": list(entries),
        "additionalProperties": False,
    }


def read_entries(answer: str, count: int) -> list[str | None]:
    """Return the entries of an answer in order; None for each that is missing, doubled or no text.

    Args:
        answer: What the model said; what stands around the object, as a fence, is left out, and of
            one that was cut off the entries before are taken.
        count: How many entries were asked for.
    """
    entries: dict[str, str | None] = {}
    for number, value in _pairs_in(answer):
        entries[number] = None if number in entries or not isinstance(value, str) else value
    return [entries.get(str(number)) for number in range(1, count + 1)]


def _pairs_in(answer: str) -> Iterator[tuple[str, Any]]:
    """The members of the first object in an answer, also of one without an end.

    Line ends within strings are read, which JSON does not allow and small models write.
    """
    decoder, at = json.JSONDecoder(strict=False), answer.find("{") + 1
    while at and (key := _KEY.match(answer, at)):
        try:
            value, at = decoder.raw_decode(answer, key.end())
        except (ValueError, RecursionError):
            return
        yield key[1], value


async def compiles_schemas(client: ChatClient, connection: httpx2.AsyncClient) -> bool:
    """Find out, once for a client, whether its server holds answers to a schema.

    It is asked for much, and given a schema with room for a word.

    Raises:
        ModelError: The server is no good at all; see `ChatClient.ask`.
    """
    if client.schemas is None:
        schema = entries_schema([_PROBE_CHARACTERS])
        messages = [{"role": "user", "content": _PROBE}]
        for client.schema_form in SCHEMA_FORMS:
            try:
                question = Question(messages, most_tokens=64, schema=schema)
                done = await client.ask(connection, question)
            except NoAnswerError:
                return False  # not known yet: another question may be answered
            except NoSchemaError:
                continue
            if _keeps(done.choices[0].text):
                client.schemas = True
                return True
        client.schemas = False
    return client.schemas


def _keeps(answer: str) -> bool:
    try:
        values = json.loads(answer, strict=False)
    except (ValueError, RecursionError):
        return False
    (entry,) = read_entries(answer, 1)
    return list(values) == ["1"] and entry is not None and len(entry) <= _PROBE_CHARACTERS
