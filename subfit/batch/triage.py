"""What is left to do of a plan: not what an earlier run has done, nor what must not be replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path

from subfit.batch.cue_reports import CueReports
from subfit.batch.failures import failure_of
from subfit.batch.groups import count_cues
from subfit.batch.items import STREAM, Item, Result, Source
from subfit.batch.kept_reports import KeptReport, unpack
from subfit.batch.manifest import Key, Manifest, Record, checksum, input_checksum, storable
from subfit.batch.plan import Plan
from subfit.batch.setup import RunSetup, models_checksum
from subfit.errors import OutputFileError, SubfitError
from subfit.files import check_writable, read_bytes

KeyOf = Callable[[str, str], Key]


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

    def read(self) -> bytes:
        """Return the bytes of the input.

        Raises:
            InputFileError: It cannot be read.
        """
        return read_bytes(self.item.source) if self.data is None else self.data

    def source(self) -> Source:
        """Return what is to be translated, with its bytes.

        Raises:
            InputFileError: It, or the list of its shot changes, cannot be read.
        """
        data, shots = self.read(), self.item.shot_changes
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
    unreported: dict[int, KeptReport] = field(default_factory=dict)
    """By index, of translations that an earlier run wrote, reports that are to be written now."""


def triage(plan: Plan, memory: EarlierRuns | None, *, overwrite: bool) -> Triage:
    """Look at all inputs and outputs of a plan.

    Args:
        plan: The items.
        memory: What is known of earlier runs, where that is kept.
        overwrite: Whether files may be replaced that no earlier run wrote, or that have been
            edited since.

    Returns:
        Every item either to do or settled.
    """
    known = {} if memory is None else memory.manifest.records()
    sorter = _Sorter(plan, memory, known, overwrite)
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
    model = cache(models_checksum)
    settings = cache(setup.fingerprint)
    return lambda language, digest: Key(digest, settings(language), model(setup.models[language]))


def output_name(plan: Plan, item: Item) -> str:
    """Return what the manifest calls an item's output: its path below the output folder."""
    assert plan.folder is not None
    return storable(Path(item.target).relative_to(plan.folder).as_posix())


@lru_cache(maxsize=1)
def _digest_and_cues(path: str, shot_changes: str | None) -> tuple[str, int]:
    data = read_bytes(path)
    shots = None if shot_changes is None else read_bytes(shot_changes)
    return input_checksum(data, shots), count_cues(data)


@dataclass(frozen=True, slots=True)
class _Sorter:
    plan: Plan
    memory: EarlierRuns | None
    known: Mapping[str, Record]
    overwrite: bool

    def sort(self, index: int, item: Item, triaged: Triage) -> None:
        """Settle an item, or put it with those to do."""
        if self.memory is None:
            if item.shot_changes is not None:
                read_bytes(item.shot_changes)
            data = read_bytes(item.source)
            if not item.to_stdout:
                self._check_writable(item, overwrite=self.overwrite)
            stdin = data if item.source == STREAM else None
            triaged.todo.append(Todo(index, item, count_cues(data), data=stdin))
            return
        digest, cues = _digest_and_cues(item.source, item.shot_changes)
        key = self.memory.key_of(item.language, digest)
        name = output_name(self.plan, item)
        record, standing = self.known.get(name), _standing(item)
        reports = self.memory.cue_reports
        reported = reports is None or reports.check(name)
        kept = None if reported or standing is None else self._kept(name, standing)
        if record is None or standing is None:
            self._check_writable(item, overwrite=self.overwrite)
            triaged.todo.append(Todo(index, item, cues))
        elif (
            (reported or kept is not None)
            and record.state != "failed"
            and (record.key, record.output_sha256) == (key, standing)
        ):
            triaged.settled[index] = Result(item, "earlier", record.figures)
            if record.state == "writing":
                triaged.written.append(replace(record, state="done"))
            if kept is not None:
                triaged.unreported[index] = kept
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

    def _kept(self, name: str, standing: str) -> KeptReport | None:
        """The report that was kept on a translation, as it stands there."""
        assert self.memory is not None
        data = self.memory.manifest.kept(name, standing)
        return None if data is None else unpack(data)

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
