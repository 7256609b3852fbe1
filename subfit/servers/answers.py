"""What a server answers to a request for a chat completion."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers of a model."""

    text: str
    log_probabilities: tuple[float, ...] = ()
    """Log-probabilities of its tokens; empty where the server does not tell."""
    cut: bool = False
    """Whether it was cut off at the most tokens there may be."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The answers to one request."""

    choices: tuple[Choice, ...]
    prompt_tokens: int | None
    """As the server counts; None where it does not tell."""
    completion_tokens: int | None


def parse_completion(data: bytes) -> Completion:
    """Read the body of an answer.

    Raises:
        ValueError: It is no chat completion.
    """
    try:
        values = json.loads(data)
        choices = tuple(_choice(value) for value in values["choices"])
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError("no chat completion") from error
    if not choices:
        raise ValueError("a completion without choices")
    usage = values.get("usage")
    return Completion(choices, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _choice(values: Mapping[str, Any]) -> Choice:
    content = values["message"].get("content")
    if content is not None and not isinstance(content, str):
        raise ValueError("an answer that is no text")
    tokens = tuple(_log_probabilities(values.get("logprobs")))
    return Choice(content or "", tokens, cut=values.get("finish_reason") == "length")


def _log_probabilities(logprobs: Any) -> Iterator[float]:
    tokens = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    for token in tokens if isinstance(tokens, list) else ():
        value = token.get("logprob") if isinstance(token, Mapping) else None
        if isinstance(value, int | float) and -1e4 < value <= 1e-6:
            yield min(float(value), 0.0)


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, Mapping) else None
    return value if isinstance(value, int) and 0 <= value < 2**53 else None


def error_in(data: bytes, hidden: str | None) -> str:
    """Return what an answer with an error says, as the end of a line; empty if nothing of use.

    Args:
        data: The body.
        hidden: The key, which must not be told.
    """
    try:
        error = json.loads(data)
        error = error.get("error", error)
        said = error if isinstance(error, str) else error.get("message") or error.get("detail")
    except (ValueError, AttributeError, RecursionError):
        return ""
    if not isinstance(said, str):
        return ""
    said = " ".join(said.split())
    if hidden:
        said = said.replace(hidden, "***")
    return f": {said[:200]}" if said else ""
