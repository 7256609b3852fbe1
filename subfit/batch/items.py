"""What goes through a run: items, their files, and what became of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from subfit.errors import Failure, failure_of
from subfit.files import read_bytes
from subfit.reporting.page import WrittenFile
from subfit.reporting.report import Report, is_over

STREAM = "-"
"""Stands for standard input or output."""

State = Literal["done", "earlier", "edited", "failed", "stopped"]
"""The state of an item after a run; ``STATES`` explains them."""
STATES: dict[State, str] = {
    "done": "translated in this run",
    "earlier": "translated in an earlier run, and nothing it depends on has changed since",
    "edited": "translated in an earlier run, and its output edited since, which was left as it is",
    "failed": "not translated: error says why",
    "stopped": "not translated: the run stopped at a failure before it",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One file, and one that is to be made of it."""

    source: str
    """As the user named it, or as it was found in a folder; ``-`` for standard input."""
    target: str
    """The file to write; ``-`` for standard output."""
    language: str
    """Tag of the language of the output; ``und`` where nobody named one."""
    shot_changes: str | None = None
    """The file with the shot changes of its film."""

    @property
    def to_stdout(self) -> bool:
        """Whether the output goes to standard output."""
        return self.target == STREAM


@dataclass(frozen=True, slots=True)
class Source:
    """An item that is to be translated; its bytes come when it is read."""

    index: int
    """The item's place in the plan."""
    item: Item
    data: bytes
    """Its file; empty until it is read, but for standard input, which is read but once."""
    cues: int
    """About how many it has."""
    shot_changes: bytes | None = None
    """The file with the shot changes of its film."""
    standing: str | None = None
    """Checksum of an earlier output of ours that is to be replaced."""

    def read(self) -> Source:
        """Return it with its bytes.

        Raises:
            InputFileError: It, or the list of its shot changes, cannot be read.
        """
        shots = self.item.shot_changes
        return replace(
            self,
            data=self.data or read_bytes(self.item.source),
            shot_changes=None if shots is None else read_bytes(shots),
        )


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one item: as it is translated, and then as it is written."""

    item: Item
    state: State = "done"
    figures: Mapping[str, Any] | None = None
    """``totals`` and ``repairs`` of its report, as JSON values; and ``shortcomings`` of the model
    that has some, with its name."""
    report: Report | None = None
    """All of it, where it is kept."""
    failure: Failure | None = None
    written: WrittenFile | None = None
    """The translation taken apart, where its report is kept."""
    source: Source | None = None
    """What it was made of, until it is written."""
    data: bytes = b""
    """The bytes of the translation, until it is written."""

    @classmethod
    def failed(cls, item: Item, error: Exception, source: Source | None = None) -> Result:
        """Return that of an item which could not be translated or written."""
        return cls(item, "failed", failure=failure_of(error), source=source)

    @property
    def over(self) -> bool:
        """Whether anything in the translation is over its limits, or was not read or translated."""
        return self.figures is not None and is_over(self.figures["totals"])
