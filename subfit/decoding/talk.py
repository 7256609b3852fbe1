"""How language models are talked to: the prompt, and the server where there is one."""

from __future__ import annotations

from dataclasses import dataclass

from subfit.servers.settings import DEFAULT_SERVER_SETTINGS, ServerSettings


@dataclass(frozen=True, slots=True)
class TalkSettings:
    """What a user may choose for models that are told in words what to do."""

    prompt: str | None = None
    """A template's name or file; None for that of the model's family."""
    server: ServerSettings = DEFAULT_SERVER_SETTINGS
    """How servers are talked to."""


DEFAULT_TALK = TalkSettings()
