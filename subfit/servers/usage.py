"""What asking a server has come to: requests, tokens, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts of requests and tokens."""

    requests: int = 0
    """Made, every try counted."""
    retries: int = 0
    """Requests that were made again because the server failed."""
    unanswered: int = 0
    """Questions that were given up: the server failed every time, or said nothing of use."""
    held_back: int = 0
    """Questions that were not asked, as the most requests or tokens were reached."""
    ceilings: int = 0
    """Entries whose ceilings the server was to keep while it decoded."""
    prompt_tokens: int = 0
    """Sent, as the server counts them."""
    completion_tokens: int = 0
    """Answered, as the server counts them."""
    uncounted: int = 0
    """Answers with which the server told no tokens."""
    cost: float = 0.0
    """The price of the tokens, where the user told one; in its currency."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    def __sub__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, one.name) - getattr(other, one.name) for one in fields(self)))

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values; the cost only where there is one."""
        values: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        cost = values.pop("cost")
        return {**values, "cost": round(cost, 6)} if cost else values


NOTHING = Usage()
