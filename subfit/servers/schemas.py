"""Answers of several entries, each with a ceiling, where a server compiles JSON schemas.

llama.cpp, vLLM, Ollama and LM Studio do, as OpenAI's own: no token is drawn that leaves the schema.
``maxLength`` counts code points, and may cut a word.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx2

from subfit.servers.client import ChatClient, NoAnswerError, Question

_PROBE_CHARACTERS = 7
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
    """Return the entries of an answer in order; None for each that is missing or no text.

    Args:
        answer: What the model said; what stands around the object, as a fence, is left out.
        count: How many entries were asked for.
    """
    try:
        values = json.loads(answer[answer.find("{") : answer.rfind("}") + 1])
    except (ValueError, RecursionError):
        values = {}
    entries = (values.get(str(number)) for number in range(1, count + 1))
    return [entry if isinstance(entry, str) else None for entry in entries]


async def compiles_schemas(client: ChatClient, connection: httpx2.AsyncClient) -> bool:
    """Find out, once for a client, whether its server holds answers to a schema.

    It is asked for much, and given a schema with room for a word.

    Raises:
        ModelError: The server is no good at all; see `ChatClient.ask`.
    """
    if client.schemas is None:
        schema = entries_schema([_PROBE_CHARACTERS])
        messages = [{"role": "user", "content": _PROBE}]
        try:
            done = await client.ask(connection, Question(messages, most_tokens=64, schema=schema))
        except NoAnswerError:
            return False  # not known yet: another question may be answered
        if client.schemas is None:  # it was not refused
            client.schemas = _keeps(done.choices[0].text)
    return client.schemas


def _keeps(answer: str) -> bool:
    try:
        values = json.loads(answer)
    except (ValueError, RecursionError):
        return False
    (entry,) = read_entries(answer, 1)
    return list(values) == ["1"] and entry is not None and len(entry) <= _PROBE_CHARACTERS
