"""A run: planned, held against earlier ones, translated by an engine, written and told."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from subfit.batch.cue_reports import CueReports, cue_forms
from subfit.batch.failures import Failure, failure_of
from subfit.batch.groups import Pace, grouped
from subfit.batch.items import Engine, Group, Item, Result, Source, Translated
from subfit.batch.job import Job
from subfit.batch.kept_reports import pack
from subfit.batch.manifest import (
    Manifest,
    Record,
    RecordState,
    checksum,
    input_checksum,
    manifest_of,
    storable,
)
from subfit.batch.plan import Plan
from subfit.batch.prepare import Prepared, prepare
from subfit.batch.setup import RunSetup
from subfit.batch.triage import EarlierRuns, KeyOf, Todo, Triage, keys_of, output_name, triage
from subfit.errors import SubfitError
from subfit.files import check_writable, make_folder, read_bytes, write_bytes
from subfit.reporting.lengths import plain_data
from subfit.reporting.report import Report
from subfit.speech.voice import check_voice


class Watcher(Protocol):
    """Who wants to know how a run gets on."""

    def on_group(self, group: Group, done: int, total: int) -> None:
        """Take note of how far a group is: its sentences that are done, and all of them."""

    def finished(self, result: Result, cues: int) -> None:
        """Take note of what became of an item; ``cues`` is about how many were to be done."""


@contextlib.contextmanager
def opened(job: Job, plan: Plan, setup: RunSetup) -> Iterator[Run]:
    """Find out what is left to do of a plan, and keep other runs off its folder meanwhile.

    Raises:
        SubfitError: The voice or the report's place is no good, another run is writing there, or
            the only input cannot be translated.
    """
    writing = job.writing
    if (voice := job.options.dubbing.voice) is not None:
        for language in job.languages:
            check_voice(voice, language)
    if writing.report is not None:
        # Where a manifest is kept, the report may be of an earlier run.
        overwrite = writing.overwrite or plan.keeps_manifest
        check_writable(writing.report, overwrite=overwrite, folder=plan.folder)
    if writing.memory_out is not None:
        check_writable(writing.memory_out, overwrite=writing.overwrite, folder=plan.folder)
    if plan.folder is not None and not job.dry_run:
        make_folder(plan.folder)
    # Without a manifest no checksum of a model is needed to tell what is to do.
    triaged = None if plan.keeps_manifest else _triage(plan, None, job)
    folder = plan.folder if plan.keeps_manifest else None
    with manifest_of(folder, read_only=job.dry_run) as manifest:
        replaces = writing.overwrite or _is_ours(writing.report, manifest)
        if writing.report is not None:
            check_writable(writing.report, overwrite=replaces, folder=plan.folder)
        memory = None if manifest is None else _memory(manifest, setup)
        triaged = triaged or _triage(plan, memory, job)
        yield Run(job, plan, setup, triaged, memory, replaces_report=replaces)


def _is_ours(report: Path | None, manifest: Manifest | None) -> bool:
    """Whether a report was written by an earlier run, and is as it was written."""
    if report is None or manifest is None or not report.is_file():
        return False
    return manifest.wrote_report(report, checksum(read_bytes(report)))


def _memory(manifest: Manifest, setup: RunSetup) -> EarlierRuns:
    writing, reports = setup.job.writing, None
    if writing.cue_reports is not None:
        suffix = f".{writing.cue_report_format or 'json'}"
        reports = CueReports(writing.cue_reports, manifest, writing.overwrite, suffix)
    return EarlierRuns(manifest, keys_of(setup), reports)


def _triage(plan: Plan, memory: EarlierRuns | None, job: Job) -> Triage:
    """Look what is to do; where there is but one file, a failure ends the run."""
    triaged = triage(plan, memory, overwrite=job.writing.overwrite)
    if not plan.several:
        for result in triaged.settled.values():
            _raise(result.failure)
    return triaged


def _raise(failure: Failure | None) -> None:
    """End the run with the failure of its only file."""
    if failure is not None and failure.error is not None:
        raise failure.error


@dataclass(slots=True)
class Run:
    """What is left of a plan, on its way."""

    job: Job
    plan: Plan
    setup: RunSetup
    triage: Triage
    memory: EarlierRuns | None = None
    """What is known of earlier runs, for a plan that keeps a manifest."""
    replaces_report: bool = False
    """Whether a report that stands in its place may be replaced."""
    _results: dict[int, Result] = field(default_factory=dict)
    _todo: dict[int, Todo] = field(default_factory=dict)

    def rehearse(self) -> Iterator[Prepared | Result]:
        """Read what would be translated, and yield it, or what would fail.

        Raises:
            SubfitError: The only file would.
        """
        yield from self.triage.settled.values()
        for todo in self.triage.todo:
            try:
                yield prepare(todo.source(), self.setup)
            except Exception as error:
                if not self.plan.several:
                    raise
                yield Result(todo.item, "failed", failure=failure_of(error))

    def complete(self, watcher: Watcher, engine: Engine | None = None) -> list[Result]:
        """Translate what is to do.

        Args:
            watcher: Is told of progress.
            engine: What translates, if not what the job asks for.

        Returns:
            What became of each item of the plan, in order.

        Raises:
            SubfitError: The model or the manifest is no good, or the only file. What was done
                before is kept.
        """
        self._todo = {todo.index: todo for todo in self.triage.todo}
        if self.memory is not None:
            self.memory.manifest.write(self.triage.written)
            self._report_again(self.memory)
        for index, result in self.triage.settled.items():
            self._settle(index, result, watcher)
        if self._todo:  # else no model is loaded
            self._translate(engine, watcher)
        results = [
            self._results.get(index, Result(item, "stopped"))
            for index, item in enumerate(self.plan.items)
        ]
        if not self.plan.several:
            _raise(results[0].failure)
        return results

    def _report_again(self, memory: EarlierRuns) -> None:
        """Write the reports that lack on translations of earlier runs."""
        for index, kept in self.triage.unreported.items():
            item, reports = self.plan.items[index], memory.cue_reports
            if reports is None:
                continue
            try:
                forms = cue_forms(item, kept.report, kept.written, self.job.writing.sort)
                reports.write(output_name(self.plan, item), forms)
            except SubfitError as error:
                self.triage.settled[index] = _failed(item, error)

    def _translate(self, engine: Engine | None, watcher: Watcher) -> None:
        """Let an engine translate what is to do, group by group."""
        # What a server answered was paid for: every file is written as soon as it is done.
        pace = Pace(most=1) if self.setup.asks_servers else Pace()
        waiting = grouped(self._sources(watcher), pace)
        translated = (engine or self._engine()).translate(waiting, watcher.on_group)
        with contextlib.closing(translated):
            while not self._to_stop and (group := next(translated, None)) is not None:
                self._deliver(group, watcher)
                pace.note(sum(prepared.source.cues for prepared in group))

    def _engine(self) -> Engine:
        if self.job.cluster is not None:
            from subfit.batch.ray_engine import RayEngine

            return RayEngine(self.setup, self.job.cluster)
        from subfit.batch.work import LocalEngine  # which imports torch

        return LocalEngine(self.setup)

    @property
    def _to_stop(self) -> bool:
        return self.job.fail_fast and any(
            result.state == "failed" for result in self._results.values()
        )

    def _sources(self, watcher: Watcher) -> Iterator[Source]:
        """Read what is to be translated, as it is needed."""
        for todo in list(self._todo.values()):
            try:
                source = todo.source()
            except SubfitError as error:
                self._settle(todo.index, _failed(todo.item, error), watcher)
            else:
                yield source

    def _deliver(self, group: Sequence[Translated], watcher: Watcher) -> None:
        """Write the translations of a group; the manifest knows of each before and after."""
        self._enter(result for result in group if result.failure is None)
        results = [self._write(result) for result in group]
        self._enter(group, results)
        for translated, result in zip(group, results, strict=True):
            self._settle(translated.source.index, result, watcher)

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
            return Result(item, "done", _figures(report), made=translated.made)
        written, made = translated.written, translated.made
        return Result(item, "done", _figures(report), report, written=written, made=made)

    def _put_cue_report(self, translated: Translated) -> None:
        """Write the report on every cue before the translation, so that this never lacks it."""
        item, report = translated.source.item, translated.report
        if self.memory is None or self.memory.cue_reports is None or report is None:
            return
        name, written = output_name(self.plan, item), translated.written
        self.memory.cue_reports.write(name, cue_forms(item, report, written, self.job.writing.sort))
        if written is not None:
            kept = pack(report, written)
            self.memory.manifest.keep(name, checksum(translated.data), kept)

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
        overwrite = self.job.writing.overwrite or todo.standing is not None
        write_bytes(target, translated.data, overwrite=overwrite)

    def _enter(self, group: Iterable[Translated], results: Iterable[Result] | None = None) -> None:
        """Enter translations in the manifest, before they are written or with their results."""
        if self.memory is None:
            return
        key_of = self.memory.key_of
        if results is None:
            records = [self._record(item, key_of, "writing") for item in group]
        else:
            records = [
                self._record(item, key_of, "failed" if result.failure else "done", result.failure)
                for item, result in zip(group, results, strict=True)
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

    def _settle(self, index: int, result: Result, watcher: Watcher) -> None:
        self._results[index] = result
        todo = self._todo.get(index)
        watcher.finished(result, todo.cues if todo else 0)


def _failed(item: Item, error: SubfitError) -> Result:
    return Result(item, "failed", failure=failure_of(error))


def _figures(report: Report) -> dict[str, Any]:
    """What is kept of a report: all but its cues."""
    figures = {"totals": report.totals, "repairs": plain_data(report.repairs)}
    cannot = report.settings.get("model_cannot")
    if cannot:
        figures["shortcomings"] = {"model": report.settings["model"], "cannot": list(cannot)}
    return figures
