"""A run: planned, held against earlier ones, translated by an engine, written and told."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from subfit.batch.items import Engine, Group, Item, Result, Source
from subfit.batch.job import Job
from subfit.batch.manifest import (
    EarlierRuns,
    Manifest,
    Record,
    RecordState,
    Triage,
    checksum,
    input_checksum,
    keys_of,
    manifest_of,
    output_name,
    storable,
    triage,
)
from subfit.batch.outcome import cue_forms
from subfit.batch.plan import Plan
from subfit.batch.setup import Prepared, RunSetup, prepare, with_expected_usage
from subfit.errors import Failure, SubfitError
from subfit.files import check_writable, make_folder, write_bytes
from subfit.reporting.lengths import plain_data
from subfit.reporting.report import Report
from subfit.subtitles.cues import FORMATS, Track
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, render_track, written_format

GROUP_CUES = 400
"""Most cues of a group of files: enough for full batches, and no more than a crash may cost."""


class Watcher(Protocol):
    """Who wants to know how a run gets on."""

    def on_group(self, group: Group, done: int, total: int) -> None:
        """Take note of how far a group is: its sentences that are done, and all of them."""

    def finished(self, result: Result) -> None:
        """Take note of what became of an item."""


@contextlib.contextmanager
def opened(job: Job, plan: Plan, setup: RunSetup) -> Iterator[Run]:
    """Find out what is left to do of a plan, and keep other runs off its folder meanwhile.

    Raises:
        SubfitError: The report's place is no good, another run is writing there, or
            the only input cannot be translated.
    """
    writing = job.writing
    if writing.report is not None:
        # Where a manifest is kept, the report may be of an earlier run.
        overwrite = writing.overwrite or plan.keeps_manifest
        check_writable(writing.report, overwrite=overwrite, folder=plan.folder)
    if plan.folder is not None and not job.dry_run:
        make_folder(plan.folder)
    # Without a manifest no checksum of a model is needed to tell what is to do.
    triaged = None if plan.keeps_manifest else _triage(plan, None, job)
    folder = plan.folder if plan.keeps_manifest else None
    with manifest_of(folder, read_only=job.dry_run) as manifest:
        ours = manifest is not None and manifest.has_report(writing.report)
        replaces = writing.overwrite or ours
        if writing.report is not None:
            check_writable(writing.report, overwrite=replaces, folder=plan.folder)
        earlier = None if manifest is None else _earlier(manifest, setup)
        triaged = triaged or _triage(plan, earlier, job)
        yield Run(job, plan, setup, triaged, earlier, replaces_report=replaces)


@dataclass(slots=True)
class Run:
    """What is left of a plan, on its way."""

    job: Job
    plan: Plan
    setup: RunSetup
    triage: Triage
    earlier: EarlierRuns | None = None
    """What is known of earlier runs, for a plan that keeps a manifest."""
    replaces_report: bool = False
    """Whether a report that stands in its place may be replaced."""
    _results: dict[int, Result] = field(default_factory=dict)

    def rehearse(self) -> Iterator[Prepared | Result]:
        """Read what would be translated, and yield it, or what would fail.

        Raises:
            SubfitError: The only file would.
        """
        yield from self.triage.settled.values()
        for source in self.triage.todo:
            try:
                yield with_expected_usage(prepare(source.read(), self.setup), self.setup)
            except Exception as error:
                if not self.plan.several:
                    raise
                yield Result.failed(source.item, error)

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
        if self.earlier is not None:
            self.earlier.manifest.write(self.triage.written)
        for index, result in self.triage.settled.items():
            self._results[index] = result
            watcher.finished(result)
        if self.triage.todo:  # else no model is loaded
            self._translate(engine or self._engine(), watcher)
        results = [
            self._results.get(index, Result(item, "stopped"))
            for index, item in enumerate(self.plan.items)
        ]
        if not self.plan.several:
            _raise(results[0].failure)
        return results

    def _translate(self, engine: Engine, watcher: Watcher) -> None:
        """Let an engine translate what is to do, group by group."""
        # What a server answered was paid for: every file is written as soon as it is done.
        most = 1 if self.setup.asks_servers else GROUP_CUES
        translated = engine.translate(grouped(self._sources(watcher), most), watcher.on_group)
        with contextlib.closing(translated):
            while not self._to_stop and (group := next(translated, None)) is not None:
                self._deliver(group, watcher)

    def _engine(self) -> Engine:
        if self.job.cluster is not None:
            from subfit.batch.ray_engine import RayEngine

            return RayEngine(self.setup, self.job.cluster)
        from subfit.batch.local_engine import LocalEngine  # which imports torch

        return LocalEngine(self.setup)

    @property
    def _to_stop(self) -> bool:
        failed = (result.state == "failed" for result in self._results.values())
        return self.job.fail_fast and any(failed)

    def _sources(self, watcher: Watcher) -> Iterator[Source]:
        """Read what is to be translated, as it is needed."""
        for source in self.triage.todo:
            try:
                read = source.read()
            except SubfitError as error:
                self._settle(Result.failed(source.item, error, source), watcher)
            else:
                yield read

    def _deliver(self, group: Sequence[Result], watcher: Watcher) -> None:
        """Write the translations of a group; the manifest knows of each before and after."""
        self._enter([done for done in group if done.failure is None], "writing")
        results = [self._write(done) for done in group]
        self._enter(results, "done")
        for result in results:
            self._settle(result, watcher)

    def _write(self, done: Result) -> Result:
        """Write one translation, and before it its report, so that it never lacks it."""
        item, report, source = done.item, done.report, done.source
        if report is None or source is None:
            return done
        try:
            if self.earlier is not None:
                forms = cue_forms(item, report, done.written)
                self.earlier.write_report(output_name(self.plan, item), forms)
            overwrite = self.job.writing.overwrite or source.standing is not None
            write_output(item, done.data, self.plan, overwrite=overwrite)
        except SubfitError as error:
            return Result.failed(item, error, source)
        return replace(done, figures=_figures(report))

    def _enter(self, group: Iterable[Result], state: RecordState) -> None:
        """Enter translations in the manifest, before they are written or with what came of it."""
        if (earlier := self.earlier) is None:
            return
        records = []
        for done in group:
            item, source, report, failure = done.item, done.source, done.report, done.failure
            assert source is not None
            digest = input_checksum(source.data, source.shot_changes)
            records.append(
                Record(
                    output=output_name(self.plan, item),
                    input=storable(item.source),
                    language=item.language,
                    key=earlier.key_of(item.language, digest),
                    state="failed" if failure else state,
                    output_sha256=None if failure else checksum(done.data),
                    previous_sha256=source.standing,
                    figures=_figures(report) if report else None,
                    error=storable(failure.message) if failure else None,
                )
            )
        earlier.manifest.write(records)

    def _settle(self, result: Result, watcher: Watcher) -> None:
        """Keep a result, and of the translation what is told of it in the end."""
        assert result.source is not None
        watcher.finished(result)
        kept = replace(result, source=None, data=b"")
        if self.earlier is not None:
            kept = replace(kept, report=None, written=None)
        self._results[result.source.index] = kept


def grouped(sources: Iterable[Source], most: int) -> Iterator[Group]:
    """Collect files of one language until they have enough cues, and yield what was collected.

    Args:
        sources: In the order they are to be translated in, languages mixed.
        most: Cues that a group may have; a single file may have more.
    """
    open_: dict[str, list[Source]] = {}
    for source in sources:
        language = source.item.language
        waiting = open_.setdefault(language, [])
        if waiting and sum(item.cues for item in waiting) + source.cues > most:
            yield Group(language, tuple(waiting))
            waiting.clear()
        waiting.append(source)
    for language, waiting in open_.items():
        if waiting:
            yield Group(language, tuple(waiting))


def write_output(item: Item, data: bytes, plan: Plan, *, overwrite: bool) -> None:
    """Write the bytes of an item's output: to its file, or to standard output.

    Raises:
        OutputFileError: It cannot be written.
    """
    if item.to_stdout:
        sys.stdout.flush()  # after what was printed there
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    target = Path(item.target)
    if plan.folder is not None:
        make_folder(target.parent)
    write_bytes(target, data, overwrite=overwrite)


def write_as_read(item: Item, track: Track, plan: Plan, *, overwrite: bool) -> None:
    """Write a track in the format and the encoding it was read in; of a format that is only read,
    in that which the output's name says.

    Raises:
        OutputFileError: It cannot be written.
    """
    named = FORMAT_OF_SUFFIX.get(Path(item.target).suffix.lower())
    output_format = track.format if FORMATS[track.format].written else named
    data = render_track(
        track,
        output_format=output_format or written_format(track.format),
        output_encoding=track.encoding.name,
        name=item.target,
    )
    write_output(item, data, plan, overwrite=overwrite)


def _earlier(manifest: Manifest, setup: RunSetup) -> EarlierRuns:
    writing = setup.job.writing
    suffix = ".json" if writing.report is None else writing.report.suffix.lower()
    key_of = keys_of(setup)
    return EarlierRuns(manifest, key_of, writing.cue_reports, suffix, writing.overwrite)


def _triage(plan: Plan, earlier: EarlierRuns | None, job: Job) -> Triage:
    """Look what is to do; where there is but one file, a failure ends the run."""
    triaged = triage(plan, earlier, overwrite=job.writing.overwrite)
    if not plan.several:
        for result in triaged.settled.values():
            _raise(result.failure)
    return triaged


def _raise(failure: Failure | None) -> None:
    """End the run with the failure of its only file."""
    if failure is not None and failure.error is not None:
        raise failure.error


def _figures(report: Report) -> dict[str, Any]:
    """What is kept of a report: all but its cues."""
    figures = {"totals": report.totals, "repairs": plain_data(report.repairs)}
    if cannot := report.settings.get("model_cannot"):
        figures["shortcomings"] = {"model": report.settings["model"], "cannot": list(cannot)}
    return figures
