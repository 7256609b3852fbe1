"""Asking an OpenAI-compatible server, which may hang, cut, fail, or say anything at all."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, get_args

import httpx2

from subfit.errors import ModelError
from subfit.hub.names import ServerAddress
from subfit.servers.answers import Completion, error_in, parse_completion
from subfit.servers.settings import KEY_VARIABLE, ServerSettings
from subfit.servers.usage import NOTHING, Usage

MOST_BYTES = 4 << 20
"""Bytes of an answer."""
GIVE_UP = 5
"""Questions in a row that get no answer, before no more are asked."""
_PASSING = frozenset({408, 409, 425, 429})
"""Statuses that may be other the next time, beside those of 500 and more."""
_CONNECTING = 10.0
"""Seconds for a connection."""

SchemaForm = Literal["json_schema", "json_object"]
SCHEMA_FORMS: tuple[SchemaForm, ...] = get_args(SchemaForm)
"""As OpenAI has schemas, and vLLM, Ollama, LM Studio and llama.cpp; as llama-cpp-python does."""

Sleep = Callable[[float], Awaitable[None]]


class NoAnswerError(Exception):
    """A question that got no answer in all tries; others may."""


class _FailedError(Exception):
    """A try that failed.

    Args:
        reason: What the server did.
        wait: Seconds after which it wants the next, if it says so.
        final: Whether the next would fail as well.
    """

    def __init__(self, reason: str, wait: float | None = None, *, final: bool = False) -> None:
        self.reason, self.wait, self.final = reason, wait, final
        super().__init__(reason)


class NoSchemaError(Exception):
    """A question whose schema the server does not take in this form."""


class _NotUnderstoodError(Exception):
    """A request that the server refuses as it stands."""


@dataclass(frozen=True, slots=True)
class Question:
    """A conversation that the model is to go on with."""

    messages: Sequence[Mapping[str, str]]
    candidates: int = 1
    """Answers that are asked for; servers that cannot give several give one."""
    temperature: float = 0.0
    most_tokens: int = 1024
    schema: Mapping[str, Any] | None = None
    """JSON schema that the answer is to keep to, where the server compiles one."""


class ChatClient:
    """Asks one model of one server.

    Args:
        address: Of the server. No other is ever asked, not even one that it sends us to.
        settings: How to talk to it.
        key: What it is shown; None for nothing.
        sleep: Waits for so many seconds.
    """

    def __init__(
        self,
        address: ServerAddress,
        settings: ServerSettings,
        key: str | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.address, self.settings = address, settings
        self.usage = NOTHING
        """Since the client was made."""
        self._key, self._sleep = key, sleep
        self._extras = frozenset({"n", "logprobs", "seed", "temperature", "max_tokens"})
        """What is asked for beside the model's words, as far as the server knows it."""
        self.schemas: bool | None = None
        """Whether the server holds answers to schemas; None as long as that is not known."""
        self.schema_form: SchemaForm = SCHEMA_FORMS[0]
        """How it is given them."""
        self._answered, self._in_a_row, self._reason = 0, 0, ""

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[httpx2.AsyncClient]:
        """Hold connections open while many questions are asked."""
        headers = {"Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        async with httpx2.AsyncClient(
            headers=headers,
            # Proxies and passwords of the environment are for others.
            trust_env=False,
            verify=ssl.create_default_context(),
            follow_redirects=False,
            timeout=httpx2.Timeout(self.settings.timeout, connect=_CONNECTING, pool=None),
        ) as connection:
            yield connection

    async def ask(self, connection: httpx2.AsyncClient, question: Question) -> Completion:
        """Return what the model says.

        Raises:
            NoAnswerError: It said nothing in all tries; others may be answered.
            NoSchemaError: It does not take the schema, as long as it is not known whether it does.
            ModelError: The server is no good: it answers nobody, wants a key, or knows no such
                model.
        """
        if self._is_used_up:
            self._count(Usage(held_back=1))
            raise NoAnswerError("the most requests or tokens are reached")
        try:
            completion = await self._try_often(connection, question)
        except _FailedError as error:
            self._count(Usage(unanswered=1))
            self._reason = error.reason
            self._in_a_row += not error.final
            if self._in_a_row >= GIVE_UP or self.settings.longest_pause < (error.wait or 0):
                raise self._no_good(error.reason) from error
            raise NoAnswerError(error.reason) from error
        self._answered += 1
        self._in_a_row = 0
        sent, said = completion.prompt_tokens or 0, completion.completion_tokens or 0
        price = self.settings.price
        self._count(
            Usage(
                prompt_tokens=sent,
                completion_tokens=said,
                ceilings=len(question.schema["properties"])
                if question.schema and self.schemas
                else 0,
                uncounted=int(completion.completion_tokens is None),
                cost=price.of(sent, said) if price else 0.0,
            )
        )
        return completion

    @property
    def _is_used_up(self) -> bool:
        used, settings = self.usage, self.settings
        tokens = used.prompt_tokens + used.completion_tokens
        return used.requests >= settings.most_requests or tokens >= settings.most_tokens

    def count_useless(self) -> None:
        """Take note of a question to which nothing of use was said."""
        self._count(Usage(unanswered=1))

    def check(self) -> None:
        """Look whether anybody was answered, if questions were given up.

        Raises:
            ModelError: Nobody was.
        """
        if self._reason and not self._answered:
            raise self._no_good(self._reason)

    def _count(self, more: Usage) -> None:
        self.usage += more

    def _no_good(self, reason: str) -> ModelError:
        had = f"; {self._answered} requests were answered before" if self._answered else ""
        return ModelError(f"{self.address}: the server {reason}{had}")

    async def _try_often(self, connection: httpx2.AsyncClient, question: Question) -> Completion:
        pause = self.settings.pause
        for left in reversed(range(self.settings.tries)):
            try:
                return await self._try(connection, question)
            except _FailedError as error:
                wait = pause if error.wait is None else error.wait
                too_long = wait > self.settings.longest_pause
                if not left or error.final or too_long or self._is_used_up:
                    raise
            self._count(Usage(retries=1))
            await self._sleep(wait)
            pause *= 2
        raise AssertionError("a request is made at least once")

    async def _try(self, connection: httpx2.AsyncClient, question: Question) -> Completion:
        """Ask once; what the server does not understand is asked with less beside the words."""
        while True:
            extras, payload = self._extras, self._payload(question)
            try:
                return parse_completion(await self._post(connection, payload))
            except _NotUnderstoodError as error:
                schema = "response_format" in payload and not _named(extras, str(error))
                if schema and self.schemas is None:
                    raise NoSchemaError from error
                if schema:  # others were understood: it is too long, say
                    raise _FailedError(f"refuses the request{error}", final=True) from error
                if extras:
                    named = _named(extras, str(error))
                    self._extras &= extras - named if named else frozenset()
                    continue
                reason = f"refuses the request{error}"
                if self._answered:  # it is this one alone
                    raise _FailedError(reason, final=True) from error
                raise self._no_good(reason) from error
            except ValueError as error:
                raise _FailedError(f"answered with {error}") from error

    def _payload(self, question: Question) -> dict[str, Any]:
        extras: dict[str, Any] = {
            "n": question.candidates,
            "logprobs": True,
            "seed": 1,
            "temperature": question.temperature,
            "max_tokens": question.most_tokens,
        }
        if question.candidates == 1:
            del extras["n"]
        wanted = {name: value for name, value in extras.items() if name in self._extras}
        if question.schema is not None and self.schemas is not False:
            wanted["response_format"] = _format(self.schema_form, question.schema)
        return {
            "model": self.address.model,
            "messages": list(question.messages),
            "stream": False,
            **wanted,
        }

    async def _post(self, connection: httpx2.AsyncClient, payload: Mapping[str, Any]) -> bytes:
        """Send a request and return the body of a good answer.

        Raises:
            _FailedError: There was none this time.
            _NotUnderstoodError: The server does not take the request as it stands.
            ModelError: There will never be one.
        """
        self._count(Usage(requests=1))
        try:
            async with asyncio.timeout(self.settings.timeout):
                status, headers, data = await self._exchanged(connection, payload)
        except TimeoutError as error:
            raise _FailedError(f"did not answer in {self.settings.timeout:g} s") from error
        except httpx2.HTTPError as error:
            raise _FailedError(_trouble(error, self.settings.timeout)) from error
        if 200 <= status < 300:
            return data
        said = error_in(data, self._key)
        if status in (400, 422) or "response_format" in said:  # some say 500 to what is unknown
            raise _NotUnderstoodError(f" (status {status}){said}")
        if status in _PASSING or status >= 500:
            raise _FailedError(f"answered with status {status}{said}", _asked_to_wait(headers))
        raise self._refused(status, headers, said)

    def _refused(self, status: int, headers: Mapping[str, str], said: str) -> ModelError:
        """What to say of a status that will not change."""
        if status in (401, 403):  # what it says may quote the key
            known = "does not take the key" if self._key else "wants a key"
            return self._no_good(f"{known} (status {status}); set {KEY_VARIABLE}")
        if 300 <= status < 400:
            there = " ".join(headers.get("location", "elsewhere").split())[:200]
            return self._no_good(f"sends us to {there}, which was not named; name it with --model")
        if status == 404:
            return self._no_good(
                f"has no chat completions there, or no such model (status 404){said}"
            )
        return self._no_good(f"refuses the request (status {status}){said}")

    async def _exchanged(
        self, connection: httpx2.AsyncClient, payload: Mapping[str, Any]
    ) -> tuple[int, Mapping[str, str], bytes]:
        body = json.dumps(payload).encode()
        headers = {"Content-Type": "application/json"}
        data = bytearray()
        async with connection.stream(
            "POST", self.address.chat, content=body, headers=headers
        ) as answer:
            async for chunk in answer.aiter_bytes():
                data += chunk
                if len(data) > MOST_BYTES:
                    raise _FailedError(f"answered with more than {MOST_BYTES >> 20} MiB")
            return answer.status_code, answer.headers, bytes(data)


def _format(form: SchemaForm, schema: Mapping[str, Any]) -> dict[str, Any]:
    if form == "json_object":
        return {"type": form, "schema": schema}
    return {"type": form, "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def _named(extras: frozenset[str], reason: str) -> frozenset[str]:
    """Which parameters a server names as its reason."""
    return frozenset(name for name in extras if re.search(rf"(?<!\w){name}(?!\w)", reason))


def _trouble(error: httpx2.HTTPError, timeout: float) -> str:
    """Say what happened to a connection."""
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return "cannot be reached; does it run?"
    if isinstance(error, httpx2.TimeoutException):
        return f"did not answer in {timeout:g} s"
    return "cut the connection, or answered with what is no HTTP"


def _asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait: a number, or a date; None if it says nothing."""
    text = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())
