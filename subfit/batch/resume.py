"""What is left to do of a plan: not what an earlier run has done, nor what must not be replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path

from subfit.batch.items import STREAM, Item, Result, Source
from subfit.batch.manifest import Manifest, Record, checksum, output_name
from subfit.batch.outcome import CueReports
from subfit.batch.plan import Plan
from subfit.batch.setup import RunSetup
from subfit.errors import OutputFileError, SubfitError, failure_of
from subfit.files import check_writable, read_bytes

KeyOf = Callable[[str, str], str]
_TIMES = (b"-->", b"-\0-\0>")


@dataclass(frozen=True, slots=True)
class EarlierRuns:
    """What a run that can be resumed knows of earlier ones, and leaves for later ones."""

    manifest: Manifest
    key_of: KeyOf
    """What translations depend on now, from `keys_of`."""
    cue_reports: CueReports | None = None
    """Where every translation is to have a report, if anywhere."""


@dataclass(frozen=True, slots=True)
class Todo:
    """An item that is to be translated."""

    index: int
    """The item's place in the plan."""
    item: Item
    cues: int
    """About how many there are."""
    standing: str | None = None
    """Checksum of an earlier output of ours that is to be replaced."""
    data: bytes | None = None
    """Standard input, which is read but once."""

    def source(self) -> Source:
        """Return what is to be translated, with its bytes.

        Raises:
            InputFileError: It, or the list of its shot changes, cannot be read.
        """
        data = read_bytes(self.item.source) if self.data is None else self.data
        shots = self.item.shot_changes
        shot_changes = None if shots is None else read_bytes(shots)
        return Source(self.index, self.item, data, count_cues(data), shot_changes)


@dataclass(slots=True)
class Triage:
    """What is left to do, and what is not."""

    plan: Plan
    todo: list[Todo] = field(default_factory=list)
    settled: dict[int, Result] = field(default_factory=dict)
    """The results by index."""
    written: list[Record] = field(default_factory=list)
    """Records of translations that were written just before an earlier run ended."""


def triage(plan: Plan, earlier: EarlierRuns | None, *, overwrite: bool) -> Triage:
    """Look at all inputs and outputs of a plan.

    Args:
        plan: The items.
        earlier: What is known of earlier runs, where that is kept.
        overwrite: Whether files may be replaced that no earlier run wrote, or that have been
            edited since.

    Returns:
        Every item either to do or settled.
    """
    known = {} if earlier is None else earlier.manifest.records()
    sorter = _Sorter(plan, earlier, known, overwrite)
    triaged = Triage(plan)
    for index, item in enumerate(plan.items):
        try:
            sorter.sort(index, item, triaged)
        except SubfitError as error:
            triaged.settled[index] = Result(item, "failed", failure=failure_of(error))
    return triaged


def keys_of(setup: RunSetup) -> KeyOf:
    """Return a function from language and checksum of an input to what the translation depends on.

    Raises:
        ModelError: Later, where a model cannot be read.
    """
    settings = cache(setup.fingerprint)
    return lambda language, digest: checksum(f"{digest} {settings(language)}".encode())


def input_checksum(data: bytes, shot_changes: bytes | None = None) -> str:
    """Return the checksum of all that a translation is made of: a file, and its shot changes."""
    shots = "" if shot_changes is None else checksum(shot_changes)
    return checksum(f"{checksum(data)} {shots}".encode())


def count_cues(data: bytes) -> int:
    """Return about how many cues the bytes of a file hold; lines, of plain text."""
    return max(map(data.count, _TIMES)) or data.count(b"\n") + 1


@lru_cache(maxsize=1)
def _digest_and_cues(path: str, shot_changes: str | None) -> tuple[str, int]:
    data = read_bytes(path)
    shots = None if shot_changes is None else read_bytes(shot_changes)
    return input_checksum(data, shots), count_cues(data)


@dataclass(frozen=True, slots=True)
class _Sorter:
    plan: Plan
    earlier: EarlierRuns | None
    known: Mapping[str, Record]
    overwrite: bool

    def sort(self, index: int, item: Item, triaged: Triage) -> None:
        """Settle an item, or put it with those to do."""
        if self.earlier is None:
            triaged.todo.append(self._alone(index, item))
            return
        digest, cues = _digest_and_cues(item.source, item.shot_changes)
        key, name = self.earlier.key_of(item.language, digest), output_name(self.plan, item)
        record, standing = self.known.get(name), _standing(item)
        reports = self.earlier.cue_reports
        reported = reports is None or reports.check(name)
        if record is None or standing is None:
            self._check_writable(item, overwrite=self.overwrite)
            triaged.todo.append(Todo(index, item, cues))
        elif (
            reported
            and record.state != "failed"
            and (record.key, record.output_sha256) == (key, standing)
        ):
            triaged.settled[index] = Result(item, "earlier", record.figures)
            if record.state == "writing":
                triaged.written.append(replace(record, state="done"))
        elif record.wrote(standing):
            self._check_writable(item, overwrite=True)
            triaged.todo.append(Todo(index, item, cues, standing))
        elif self.overwrite:
            self._check_writable(item, overwrite=True)
            triaged.todo.append(Todo(index, item, cues))
        elif record.state == "done" and record.key == key:
            triaged.settled[index] = Result(item, "edited", record.figures)
        else:
            problem = "it has been edited, and its input, settings or model have changed since"
            raise OutputFileError(
                item.target, problem, remedy="pass --overwrite to translate it again"
            )

    def _alone(self, index: int, item: Item) -> Todo:
        """An item of which nothing is kept."""
        if item.shot_changes is not None:
            read_bytes(item.shot_changes)
        data = read_bytes(item.source)
        if not item.to_stdout:
            self._check_writable(item, overwrite=self.overwrite)
        stdin = data if item.source == STREAM else None
        return Todo(index, item, count_cues(data), data=stdin)

    def _check_writable(self, item: Item, *, overwrite: bool) -> None:
        check_writable(Path(item.target), overwrite=overwrite, folder=self.plan.folder)


def _standing(item: Item) -> str | None:
    """The checksum of what stands in an item's place."""
    target = Path(item.target)
    if not target.is_file():
        return None
    try:
        return checksum(target.read_bytes())
    except OSError as error:
        raise OutputFileError(target, "cannot be read to see whether it is ours") from error
