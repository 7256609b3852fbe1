"""What was measured of a model, kept beside it in ``measurements.json``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from subfit.errors import InputFileError
from subfit.evaluation.systems import model_checksum
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.localization import OnProgress
from subfit.model.checkpoint import MEASUREMENTS_FILE
from subfit.training.run.environment import write_json
from subfit.version import __version__

ShowProgress = Callable[[str, int], AbstractContextManager[OnProgress]]
"""Shows how far some work is, by its name and size."""
Kind = Literal["test", "files", "dev"]
OF_WEIGHTS = ("training", "challenge")
"""Facts that are dropped with all rows when the model's weights are others."""


def no_progress(_name: str, _size: int) -> AbstractContextManager[OnProgress]:
    """Show nothing."""
    return nullcontext(lambda _done, _all: None)


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a row in the card; another row for the same place replaces the one there."""

    kind: Kind
    """``test``: a test set under one length control. ``files``: a folder of subtitle files.
    ``dev``: the dev set of a run."""
    language: str
    """Tag of the language that was translated into."""
    name: str
    """The test set's or folder's."""
    control: str = ""
    """One of `subfit.training.release.test_sets.LENGTH_CONTROLS`, on test sets."""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.language, self.name, self.control)))


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """Figures and what made them."""

    slot: Slot
    key: Mapping[str, Any]
    """What the figures depend on besides the model: checksums of texts, and subfit's version."""
    command: str
    """Measures the same again, with the names of folders as they were given."""
    figures: Mapping[str, Any]
    """JSON values."""


class Measurements:
    """The rows and facts of one model; written anew whenever something is added.

    Raises:
        InputFileError: The file is there, but holds something else.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / MEASUREMENTS_FILE
        self._model = model_checksum(str(folder))
        self._rows: dict[Slot, MeasuredRow] = {}
        self._facts: dict[str, Any] = {}
        if self._path.exists():
            self._read()

    @property
    def rows(self) -> tuple[MeasuredRow, ...]:
        """All rows, in the order of their slots in time."""
        return tuple(self._rows.values())

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is known of the model besides: by name, as JSON values."""
        return self._facts

    def has(self, slot: Slot, key: Mapping[str, Any]) -> bool:
        """Tell whether the figures of a slot are there and were made of the same."""
        row = self._rows.get(slot)
        return row is not None and row.key == full_key(key)

    def add(
        self, slot: Slot, key: Mapping[str, Any], command: str, figures: Mapping[str, Any]
    ) -> None:
        """Keep a row.

        Raises:
            OutputFileError: The file cannot be written.
        """
        self._rows[slot] = MeasuredRow(slot, full_key(key), command, figures)
        self._save()

    def record(self, **facts: Any) -> None:
        """Keep facts, in place of those of the same names; None keeps what is there.

        Raises:
            OutputFileError: The file cannot be written.
        """
        new = {name: value for name, value in facts.items() if value is not None}
        if new:
            self._facts.update(json.loads(json.dumps(new)))
            self._save()

    def _read(self) -> None:
        try:
            document = json.loads(self._path.read_text(encoding="utf-8"))
            same = document["model"] == self._model
            self._facts.update(
                (name, value)
                for name, value in document["facts"].items()
                if same or name not in OF_WEIGHTS
            )
            if same:
                self._rows.update((row.slot, row) for row in map(_row, document["rows"]))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            problem, remedy = "does not hold what subfit card wrote", "move it away"
            raise InputFileError(self._path, problem, remedy=remedy) from error

    def _save(self) -> None:
        rows = [_entry(row) for row in self._rows.values()]
        document = {"model": self._model, "facts": self._facts, "rows": rows}
        write_json(self._path, document)


def full_key(key: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that figures depend on besides the model: also the program itself."""
    return {**key, "subfit": __version__, "policy": DEFAULT_SETTINGS.checksum}


def _entry(row: MeasuredRow) -> dict[str, Any]:
    slot = row.slot
    return {
        "kind": slot.kind,
        "language": slot.language,
        "name": slot.name,
        "wish": slot.control,
        "key": row.key,
        "command": row.command,
        "figures": row.figures,
    }


def _row(entry: Mapping[str, Any]) -> MeasuredRow:
    slot = Slot(entry["kind"], entry["language"], entry["name"], entry["wish"])
    return MeasuredRow(slot, entry["key"], entry["command"], entry["figures"])


@dataclass(frozen=True, slots=True)
class Step:
    """One row of figures that can be measured."""

    slot: Slot
    key: Mapping[str, Any]
    """What the figures depend on besides the model."""
    command: str
    """Measures the same by itself."""
    size: int
    """Lines or cues."""
    run: Callable[[OnProgress], dict[str, Any]]
    """Measures, and returns JSON values."""


def take(steps: Iterable[Step], measurements: Measurements, show: ShowProgress) -> int:
    """Measure what is not known yet, keep every row as it comes, and return how many came.

    Raises:
        OutputFileError: The measurements cannot be written.
    """
    taken = 0
    for step in steps:
        if measurements.has(step.slot, step.key):
            continue
        with show(str(step.slot), step.size) as on_progress:
            figures = step.run(on_progress)
        measurements.add(step.slot, step.key, step.command, figures)
        taken += 1
    return taken
