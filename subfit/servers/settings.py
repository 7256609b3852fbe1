"""How servers are talked to, as far as a user may choose; and the key, from the environment."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from subfit.errors import UsageError
from subfit.hub.names import ServerAddress

KEY_VARIABLE = "SUBFIT_API_KEY"
OPENAI_VARIABLE = "OPENAI_API_KEY"
OPENAI_HOST = "api.openai.com"


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in any currency."""

    prompt: float
    """The price of tokens that are sent."""
    completion: float
    """The price of tokens that are answered."""

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what so many tokens cost."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1e6

    @classmethod
    def parse(cls, text: str) -> Price:
        """Read ``0.15:0.60``.

        Raises:
            UsageError: It is not two numbers, 0 or more.
        """
        try:
            prompt, completion = map(float, text.split(":"))
        except ValueError:
            prompt = completion = math.nan
        if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
            raise UsageError(
                f"price={text}: two numbers are wanted, what a million tokens cost that are sent "
                "and that are answered, as price=0.15:0.60"
            )
        return cls(prompt, completion)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a server is talked to."""

    concurrency: int = 4
    """Requests at once."""
    timeout: float = 120.0
    """Seconds that one request may take, from its start to the last byte of its answer."""
    tries: int = 4
    """How often a request is made before it is given up."""
    pause: float = 1.0
    """Seconds before the second try; twice as many before each further one."""
    longest_pause: float = 120.0
    """Seconds that a server may ask to wait; with more, it is given up."""
    price: Price | None = None
    """What tokens cost; None where that is not known."""
    most_requests: float = math.inf
    """After so many requests no more is asked."""
    most_tokens: float = math.inf
    """After so many tokens, sent and answered, no more is asked."""

    @classmethod
    def parse(cls, text: str) -> ServerSettings:
        """Read ``concurrency=8,timeout=60,price=0.15:0.60``, any of them.

        Raises:
            UsageError: There is no such setting, or it may not have this value.
        """
        values: dict[str, Any] = {}
        kinds: dict[str, Callable[[str], Any]] = {
            "concurrency": int,
            "timeout": float,
            "price": Price.parse,
        }
        for part in filter(None, text.split(",")):
            name, _, value = part.strip().partition("=")
            if name not in kinds:
                raise UsageError(f"--server {part}: there are {', '.join(kinds)}, as timeout=60")
            try:
                values[name] = kinds[name](value)
            except ValueError:
                raise UsageError(f"--server {part}: {value or 'nothing'} is no number") from None
        made = cls(**values)
        if not (1 <= made.concurrency <= 256 and 0 < made.timeout <= 86_400):
            raise UsageError(f"--server {text}: 1 to 256 requests at once, and up to 86400 seconds")
        return made


DEFAULT_SERVER_SETTINGS = ServerSettings()


def key_for(address: ServerAddress, environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the key to show a server; None for none.

    ``SUBFIT_API_KEY`` is shown to the server that the user names, whichever it is.
    ``OPENAI_API_KEY`` was made for other programs, and is shown to OpenAI's own server alone.

    Raises:
        UsageError: The key has characters that no key has.
    """
    key = environment.get(KEY_VARIABLE, "").strip()
    if not key and address.host == OPENAI_HOST and address.url.startswith("https://"):
        key = environment.get(OPENAI_VARIABLE, "").strip()
    if not key.isascii() or not all(map(str.isprintable, key)) or " " in key:
        raise UsageError(f"{KEY_VARIABLE} or {OPENAI_VARIABLE}: has characters that no key has")
    return key or None
