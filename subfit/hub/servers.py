"""Servers of models by name: ``http://localhost:8080/v1#name``."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from subfit.errors import UsageError

SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A model behind an OpenAI-compatible server."""

    url: str
    """Up to and with the version: ``http://localhost:8080/v1``."""
    model: str
    """What the server calls it."""

    @property
    def chat(self) -> str:
        """Where chat completions are asked for."""
        return f"{self.url}/chat/completions"

    @property
    def host(self) -> str:
        """Name of the machine, without a port."""
        return urlsplit(self.url).hostname or ""

    def __str__(self) -> str:
        return f"{self.url}#{self.model}"

    @classmethod
    def parse(cls, name: str) -> ServerAddress:
        """Read an address with a model's name behind ``#``.

        Raises:
            UsageError: It has no name of a model, or has what must not stand in files and reports
                (a user, a password, a query).
        """
        try:
            parts = urlsplit(name)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise UsageError(f"--model {name}: is no address ({error})") from error
        if parts.username is not None or parts.password is not None or parts.query:
            address = urlunsplit((parts.scheme, host or "", parts.path, "", parts.fragment))
            raise UsageError(
                f"--model {address}: an address is given without user, password or '?'; a key goes "
                "into the environment, as SUBFIT_API_KEY"
            )
        if not host or not parts.fragment:
            raise UsageError(
                f"--model {name}: name a server and, behind '#', its model, as "
                "http://localhost:8080/v1#name"
            )
        path = parts.path.rstrip("/").removesuffix("/chat/completions")
        return cls(urlunsplit((parts.scheme, parts.netloc, path, "", "")), parts.fragment)


def is_server(name: str) -> bool:
    """Whether a model's name is the address of a server."""
    return name.startswith(SCHEMES)
