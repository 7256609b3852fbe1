"""What is wrong with the values of a section, all at once and each by the fields it concerns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from subfit.errors import RecipeError


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A value that cannot be, or values that cannot be together."""

    keys: tuple[str, ...]
    """The fields concerned, of one section."""
    message: str


class ContradictionsError(RecipeError):
    """All contradictions of one section.

    Args:
        found: At least one.
    """

    def __init__(self, found: Iterable[Contradiction]) -> None:
        self.found = tuple(found)
        super().__init__("; ".join(each.message for each in self.found))


Condition = tuple[object, str, str]
"""What must be true, the fields it is about (parted by spaces), and the message if it is not."""


def require(*conditions: Condition) -> None:
    """Check the values of a section.

    Raises:
        ContradictionsError: Every condition that is not met.
    """
    broken = [Contradiction(tuple(keys.split()), text) for met, keys, text in conditions if not met]
    if broken:
        raise ContradictionsError(broken)


def positive(section: str, values: object, *names: str) -> list[Condition]:
    """Return the conditions that these fields of a section are 1 or more."""
    found = {name: getattr(values, name) for name in names}
    return [
        (value >= 1, name, f"{section}.{name}={value} must be 1 or more")
        for name, value in found.items()
    ]
