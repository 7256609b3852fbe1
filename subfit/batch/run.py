"""A run: groups go to an engine; what comes back is written, entered in the manifest and told."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from subfit.batch import groups
from subfit.batch.cue_reports import cue_forms
from subfit.batch.engine import Engine
from subfit.batch.failures import Failure, failure_of
from subfit.batch.groups import grouped
from subfit.batch.inputs import MANIFEST_FOLDER
from subfit.batch.items import Group, Item, Result, Source, Translated
from subfit.batch.lock import locked
from subfit.batch.manifest import (
    FILE,
    Manifest,
    Record,
    RecordState,
    checksum,
    input_checksum,
    storable,
)
from subfit.batch.plan import Plan
from subfit.batch.triage import KeyOf, Memory, Todo, Triage, output_name
from subfit.errors import SubfitError
from subfit.files import make_folder, write_bytes
from subfit.reporting.lengths import plain_data
from subfit.reporting.report import Report


class Watcher(Protocol):
    """Who wants to know how a run gets on."""

    def on_group(self, group: Group, done: int, total: int) -> None:
        """Take note of how far a group is: its sentences that are done, and all of them."""

    def finished(self, result: Result, cues: int) -> None:
        """Take note of what became of an item; ``cues`` is about how many were to be done."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a run is to go."""

    overwrite: bool = False
    """Whether files may be replaced that no earlier run wrote."""
    fail_fast: bool = False
    """Whether it ends with the first failure."""


@contextlib.contextmanager
def manifest_of(plan: Plan, *, read_only: bool = False) -> Iterator[Manifest | None]:
    """Open the manifest of a plan's output folder, and keep other runs off meanwhile.

    Args:
        plan: The plan.
        read_only: Only look at it, if it is there, and keep nobody off.

    Yields:
        The manifest, or None for a plan that keeps none.

    Raises:
        OutputFileError: Another run is writing there, or it cannot be used.
    """
    there = plan.folder is not None and (plan.folder / MANIFEST_FOLDER / FILE).exists()
    if plan.folder is None or not plan.keeps_manifest or (read_only and not there):
        yield None
        return
    if read_only:
        with contextlib.closing(Manifest(plan.folder, read_only=True)) as manifest:
            yield manifest
        return
    make_folder(plan.folder / MANIFEST_FOLDER)
    with (
        locked(plan.folder / MANIFEST_FOLDER / "lock"),
        contextlib.closing(Manifest(plan.folder)) as manifest,
    ):
        _sweep(plan.folder, manifest)
        yield manifest


def _sweep(folder: Path, manifest: Manifest) -> None:
    """Delete the temporary files that a run which was killed left beside its outputs."""
    records = manifest.records().values()
    for place in {(folder / each.output).parent for each in records if each.state == "writing"}:
        for file in place.glob(".subfit-*.tmp"):
            with contextlib.suppress(OSError):
                file.unlink()


@dataclass(slots=True)
class Run:
    """What is left of a plan, on its way."""

    plan: Plan
    conditions: Conditions
    watcher: Watcher
    memory: Memory | None = None
    """Of a plan that keeps a manifest."""
    _results: dict[int, Result] = field(default_factory=dict)
    _todo: dict[int, Todo] = field(default_factory=dict)

    def complete(self, triage: Triage, engine: Engine) -> list[Result]:
        """Translate what is to do.

        Returns:
            What became of each item of the plan, in order.

        Raises:
            SubfitError: The model or the manifest is no good. What was done before is kept.
        """
        self._todo = {todo.index: todo for todo in triage.todo}
        if self.memory is not None:
            self.memory.manifest.write(triage.written)
        for index, result in triage.settled.items():
            self._settle(index, result)
        waiting = grouped(self._sources(), groups.GROUP_CUES)
        translated = engine.translate(waiting, self.watcher.on_group)
        with contextlib.closing(translated):
            while not self._to_stop and (group := next(translated, None)) is not None:
                self._deliver(group)
        return [
            self._results.get(index, Result(item, "stopped"))
            for index, item in enumerate(self.plan.items)
        ]

    @property
    def _to_stop(self) -> bool:
        return self.conditions.fail_fast and any(
            each.state == "failed" for each in self._results.values()
        )

    def _sources(self) -> Iterator[Source]:
        """Read what is to be translated, as it is needed."""
        for todo in list(self._todo.values()):
            try:
                source = todo.source()
            except SubfitError as error:
                self._settle(todo.index, _failed(todo.item, error))
            else:
                yield source

    def _deliver(self, group: Sequence[Translated]) -> None:
        """Write the translations of a group; the manifest knows of each before and after."""
        self._enter(each for each in group if each.failure is None)
        results = [self._write(each) for each in group]
        self._enter(group, results)
        for each, result in zip(group, results, strict=True):
            self._settle(each.source.index, result)

    def _write(self, translated: Translated) -> Result:
        """Write one translation."""
        item, report = translated.source.item, translated.report
        if translated.failure is not None or report is None:
            return Result(item, "failed", failure=translated.failure)
        try:
            self._put_cue_report(translated)
            self._put(translated)
        except SubfitError as error:
            return _failed(item, error)
        if self.memory is not None:
            return Result(item, "done", _figures(report))
        return Result(item, "done", _figures(report), report, written=translated.written)

    def _put_cue_report(self, translated: Translated) -> None:
        """Write the report on every cue before the translation, so that this never lacks it."""
        item, report = translated.source.item, translated.report
        if self.memory is None or self.memory.cue_reports is None or report is None:
            return
        forms = cue_forms(item, report, translated.written)
        self.memory.cue_reports.write(output_name(self.plan, item), forms)

    def _put(self, translated: Translated) -> None:
        item, todo = translated.source.item, self._todo[translated.source.index]
        if item.to_stdout:
            sys.stdout.flush()
            sys.stdout.buffer.write(translated.data)
            sys.stdout.buffer.flush()
            return
        target = Path(item.target)
        if self.plan.folder is not None:
            make_folder(target.parent)
        overwrite = self.conditions.overwrite or todo.standing is not None
        write_bytes(target, translated.data, overwrite=overwrite)

    def _enter(self, group: Iterable[Translated], results: Iterable[Result] | None = None) -> None:
        """Enter translations in the manifest, before they are written or with their results."""
        if self.memory is None:
            return
        key_of = self.memory.key_of
        if results is None:
            records = [self._record(each, key_of, "writing") for each in group]
        else:
            records = [
                self._record(each, key_of, "failed" if result.failure else "done", result.failure)
                for each, result in zip(group, results, strict=True)
            ]
        self.memory.manifest.write(records)

    def _record(
        self,
        translated: Translated,
        key_of: KeyOf,
        state: RecordState,
        failure: Failure | None = None,
    ) -> Record:
        source, report = translated.source, translated.report
        written = state != "failed"
        return Record(
            output=output_name(self.plan, source.item),
            input=storable(source.item.source),
            language=source.item.language,
            key=key_of(source.item.language, input_checksum(source.data, source.shot_changes)),
            state=state,
            output_sha256=checksum(translated.data) if written else None,
            previous_sha256=self._todo[source.index].standing,
            figures=_figures(report) if written and report else None,
            error=storable(failure.message) if failure else None,
        )

    def _settle(self, index: int, result: Result) -> None:
        self._results[index] = result
        todo = self._todo.get(index)
        self.watcher.finished(result, todo.cues if todo else 0)


def _failed(item: Item, error: SubfitError) -> Result:
    return Result(item, "failed", failure=failure_of(error))


def _figures(report: Report) -> dict[str, Any]:
    """What is kept of a report: all but its cues."""
    return {"totals": report.totals, "repairs": plain_data(report.repairs)}
