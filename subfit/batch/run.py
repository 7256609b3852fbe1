"""A run: planned, held against earlier ones, translated, written and told."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from subfit.batch.items import STREAM, Item, Result, Source
from subfit.batch.job import Job
from subfit.batch.manifest import (
    Manifest,
    Record,
    RecordState,
    checksum,
    count_cues,
    input_checksum,
    manifest_of,
    output_name,
    storable,
)
from subfit.batch.outcome import cue_forms
from subfit.batch.plan import Plan, keep_format
from subfit.batch.setup import Prepared, RunSetup, prepare, with_expected_usage
from subfit.errors import OutputFileError, SubfitError
from subfit.files import check_writable, make_folder, write_bytes
from subfit.reporting.lengths import plain_data
from subfit.reporting.report import Report
from subfit.reporting.tables import Forms, render_report
from subfit.subtitles.cues import FORMATS, Track
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, render_track, written_format

if TYPE_CHECKING:
    from subfit.batch.engine import Models

GROUP_CUES = 400
"""Most cues of a group of files: enough for full batches, and no more than a crash may cost."""


class Watcher(Protocol):
    """Who wants to know how a run gets on."""

    def on_group(self, group: Sequence[Source], done: int, total: int) -> None:
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
    if plan.folder is not None and not job.dry_run:
        make_folder(plan.folder)
    folder = plan.folder if plan.keeps_manifest else None
    with manifest_of(folder, read_only=job.dry_run) as manifest:
        yield Run(job, plan, setup, manifest)


class Run:
    """What is left of a plan, on its way.

    Args:
        job: What was asked for.
        plan: Its items.
        setup: What they are translated with.
        manifest: What is known of earlier runs, for a plan that keeps it.

    Raises:
        SubfitError: As `opened`.
    """

    def __init__(self, job: Job, plan: Plan, setup: RunSetup, manifest: Manifest | None) -> None:
        self.job, self.plan, self.setup, self.manifest = job, plan, setup, manifest
        self.todo: list[Source] = []
        self._results: dict[int, Result] = {}
        self._fingerprint = cache(setup.fingerprint)
        report = job.writing.report
        self.replaces_report = job.writing.overwrite or self._is_ours(report)
        """Whether a report that stands in its place may be replaced."""
        if report is not None:
            check_writable(report, overwrite=self.replaces_report, folder=plan.folder)
        known = {} if manifest is None else manifest.records()
        for index, item in enumerate(plan.items):
            found: Source | Result
            try:
                found = self._held(index, item, known)
            except (SubfitError, OSError) as error:  # also a name that is too long
                if not plan.several:
                    raise
                found = Result.failed(item, error)
            if isinstance(found, Source):
                self.todo.append(found)
            else:
                self._results[index] = found

    def cue_report(self, item: Item) -> Path | None:
        """Return where the report on every cue of a translation goes, if it is wished."""
        folder, report = self.job.writing.cue_reports, self.job.writing.report
        suffix = ".json" if report is None else report.suffix.lower()
        return folder and folder / f"{output_name(self.plan, item)}{suffix}"

    def write_report(self, path: Path, forms: Forms, *, overwrite: bool) -> None:
        """Write a report, and enter it in the manifest, so that a later run may replace it.

        Raises:
            OutputFileError: It cannot be written.
        """
        data = render_report(path, forms)
        if self.manifest is None:
            write_bytes(path, data, overwrite=overwrite)
        else:
            self.manifest.write_report(path, data, overwrite=overwrite)

    def rehearse(self) -> Iterator[Prepared | Result]:
        """Read what would be translated, and yield it, or what would fail.

        Raises:
            SubfitError: The only file would.
        """
        yield from self._results.values()
        for source in self.todo:
            try:
                yield with_expected_usage(prepare(source.read(), self.setup), self.setup)
            except Exception as error:
                if not self.plan.several:
                    raise
                yield Result.failed(source.item, error)

    def complete(self, watcher: Watcher, models: Models | None = None) -> list[Result]:
        """Translate what is to do, group by group.

        Args:
            watcher: Is told of progress.
            models: Those of the setup, if they are loaded.

        Returns:
            What became of each item of the plan, in order.

        Raises:
            SubfitError: The model or the manifest is no good, or the only file. What was done
                before is kept.
        """
        for result in self._results.values():
            watcher.finished(result)
        if self.todo:
            from subfit.batch.engine import Models, translate_group  # which import torch

            models = models or Models(self.setup)
            # What a server answered was paid for: every file is written as soon as it is done.
            most = 1 if self.setup.asks_servers else GROUP_CUES
            for group in grouped(self._sources(watcher), most):
                if self._to_stop:
                    break
                advance = partial(watcher.on_group, group)
                self._deliver(translate_group(group, self.setup, models, advance), watcher)
        results = [
            self._results.get(index, Result(item, "stopped"))
            for index, item in enumerate(self.plan.items)
        ]
        failure = None if self.plan.several or not results else results[0].failure
        if failure is not None and failure.error is not None:
            raise failure.error
        return results

    @property
    def _to_stop(self) -> bool:
        failed = (result.state == "failed" for result in self._results.values())
        return self.job.fail_fast and any(failed)

    def _is_reported(self, item: Item) -> bool:
        place = self.cue_report(item)
        return place is None or self._is_ours(place)

    def _is_ours(self, report: Path | None) -> bool:
        return self.manifest is not None and self.manifest.has_report(report)

    def _held(self, index: int, item: Item, known: Mapping[str, Record]) -> Source | Result:
        """An item as it is held against what is known of it: to do, or settled.

        Raises:
            OutputFileError: What stands in its place must not be replaced.
        """
        source = Source(index, item, b"", 0).read()
        cues, target = count_cues(source.data), Path(item.target)
        overwrite, folder = self.job.writing.overwrite, self.plan.folder
        # What is read but once is kept; files are read again when it is their turn.
        kept = source.data if item.source == STREAM else b""
        if self.manifest is None:
            if not item.to_stdout:
                check_writable(target, overwrite=overwrite, folder=folder)
            return Source(index, item, kept, cues)
        record = known.get(output_name(self.plan, item))
        standing, key = _standing(target), self._key(source)
        ours = None
        if record is not None and standing is not None:
            same = (record.key, record.output_sha256) == (key, standing)
            if same and record.state != "failed" and self._is_reported(item):
                if record.state == "writing" and not self.job.dry_run:  # just before a run ended
                    self.manifest.write([replace(record, state="done")])
                return Result(item, "earlier", record.figures)
            ours = standing if record.wrote(standing) else None
            if not (ours or overwrite):
                if record.state == "done" and record.key == key:
                    return Result(item, "edited", record.figures)
                problem = "it has been edited, and its input, settings or model have changed since"
                raise OutputFileError(
                    item.target, problem, remedy="pass --overwrite, or move it away"
                )
        check_writable(target, overwrite=bool(ours or overwrite), folder=folder)
        return Source(index, item, kept, cues, standing=ours)

    def _key(self, source: Source) -> str:
        """The checksum of all that a translation depends on."""
        digest = input_checksum(source.data, source.shot_changes)
        return checksum(f"{digest} {self._fingerprint(source.item.language)}".encode())

    def _sources(self, watcher: Watcher) -> Iterator[Source]:
        """Read what is to be translated, as it is needed."""
        for source in self.todo:
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
        overwrite = self.job.writing.overwrite
        try:
            if (place := self.cue_report(item)) is not None:
                make_folder(place.parent)
                replaces = overwrite or self._is_ours(place)
                forms = cue_forms(item, report, done.written)
                self.write_report(place, forms, overwrite=replaces)
            overwrite = overwrite or source.standing is not None
            write_output(item, done.data, self.plan, overwrite=overwrite)
        except SubfitError as error:
            return Result.failed(item, error, source)
        return replace(done, figures=_figures(report))

    def _enter(self, group: Iterable[Result], state: RecordState) -> None:
        """Enter translations in the manifest, before they are written or with what came of it."""
        if self.manifest is not None:
            self.manifest.write([self._record(done, state) for done in group])

    def _record(self, done: Result, state: RecordState) -> Record:
        item, source, report, failure = done.item, done.source, done.report, done.failure
        assert source is not None
        return Record(
            output=output_name(self.plan, item),
            input=storable(item.source),
            language=item.language,
            key=self._key(source),
            state="failed" if failure else state,
            output_sha256=None if failure else checksum(done.data),
            previous_sha256=source.standing,
            figures=_figures(report) if report else None,
            error=storable(failure.message) if failure else None,
        )

    def _settle(self, result: Result, watcher: Watcher) -> None:
        """Keep a result, and of the translation what is told of it in the end."""
        assert result.source is not None
        watcher.finished(result)
        kept = replace(result, source=None, data=b"")
        if self.manifest is not None:
            kept = replace(kept, report=None, written=None)
        self._results[result.source.index] = kept


def _standing(target: Path) -> str | None:
    """The checksum of what stands in an output's place."""
    if not target.is_file():
        return None
    try:
        return checksum(target.read_bytes())
    except OSError as error:
        raise OutputFileError(target, "cannot be read to see whether it is ours") from error


def grouped(sources: Iterable[Source], most: int) -> Iterator[Sequence[Source]]:
    """Collect files of one language until they have enough cues, and yield what was collected.

    Args:
        sources: In the order they are to be translated in, languages mixed.
        most: Cues that a group may have; a single file may have more.
    """
    open_: dict[str, list[Source]] = {}
    for source in sources:
        waiting = open_.setdefault(source.item.language, [])
        if waiting and sum(item.cues for item in waiting) + source.cues > most:
            yield tuple(waiting)
            waiting.clear()
        waiting.append(source)
    for waiting in open_.values():
        if waiting:
            yield tuple(waiting)


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
        UsageError: It came from standard input, and its output's name asks for another format.
    """
    if item.source == STREAM:
        keep_format("standard input", item.target, track.format)
    named = FORMAT_OF_SUFFIX.get(Path(item.target).suffix.lower())
    output_format = track.format if FORMATS[track.format].written else named
    data = render_track(
        track,
        output_format=output_format or written_format(track.format),
        output_encoding=track.encoding.name,
        name=item.target,
    )
    write_output(item, data, plan, overwrite=overwrite)


def _figures(report: Report) -> dict[str, Any]:
    """What is kept of a report: all but its cues."""
    figures = {"totals": report.totals, "repairs": plain_data(report.repairs)}
    if cannot := report.settings.get("model_cannot"):
        figures["shortcomings"] = {"model": report.settings["model"], "cannot": list(cannot)}
    return figures
