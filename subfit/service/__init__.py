"""The service: translations over HTTP, as LibreTranslate speaks, and folders that are watched."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What the service is told beside the job that all requests have in common."""

    token: str | None = None
    """What clients must show; None lets everybody in."""
    hosts: tuple[str, ...] = ("*",)
    """Names under which it may be called: a service on loopback is no web page's business."""
    max_bytes: int = 8_000_000
    """Of a request."""
    max_seconds: float = 600
    """How long a request may wait for its answer; jobs have no such limit."""
    max_waiting: int = 64
    """Requests that may wait."""
    jobs: Path | None = None
    """The folder where jobs are kept; None takes none."""
