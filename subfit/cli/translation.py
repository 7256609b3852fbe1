"""The work behind ``subfit translate``: read all, check all, load the model once, translate."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from subfit.cli.console import Messages
from subfit.cli.failures import Failure, debugging, failure_of
from subfit.cli.jobs import Job, Writing, check_report, check_writable, plan_jobs, write_report
from subfit.cli.options import UNTIMED, Limits, Reading
from subfit.cues import FormatName, Track
from subfit.errors import OutputFileError, UsageError, reason_of
from subfit.formats import FORMAT_OF_SUFFIX, render_track, write_bytes
from subfit.guideline import Counting, Guideline
from subfit.languages import same_language
from subfit.lengths import plain_data
from subfit.report import Report, csv_of, describe_guideline

if TYPE_CHECKING:
    from subfit.model.checkpoint import Checkpoint
    from subfit.model.search import SearchSettings
    from subfit.translate import Translator

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Request:
    """All that was asked for."""

    inputs: tuple[str, ...]
    target_language: str
    reading: Reading
    limits: Limits
    writing: Writing
    model: str | None = None
    beam: int | None = None
    threads: int | None = None
    translate_sounds: bool = False
    across_cues: bool = True
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read, and what it is to be held against."""

    job: Job
    track: Track
    guideline: Guideline
    output_format: FormatName


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one file."""

    job: Job
    report: Report | None = None
    failure: Failure | None = None
    planned: Prepared | None = None
    """In a dry run, what would be done."""

    @property
    def clean(self) -> bool:
        """Whether it was done, with nothing over its limits."""
        return self.failure is None and (self.report is None or self.report.clean)

    def to_dict(self) -> dict[str, Any]:
        """Return the file's part of a JSON document."""
        document: dict[str, Any] = {"input": self.job.source, "output": self.job.target}
        if self.failure is not None:
            document["error"] = self.failure.to_dict()
        if self.planned is not None:
            guideline, track = self.planned.guideline, self.planned.track
            document["settings"] = {"guideline": describe_guideline(guideline)}
            document["totals"] = {"cues": len(track.cues)}
            document["repairs"] = [asdict(repair) for repair in track.repairs]
        if self.report is not None:
            document.update(self.report.to_dict())
        return document


class Engine:
    """The model, loaded when it is first needed, and translators that share it."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._translators: dict[Counting, Translator] = {}

    def find(self) -> str:
        """Return the place of the model.

        Raises:
            ModelError: There is none.
        """
        from subfit.bundled import find_model

        request = self._request
        return find_model(request.model, request.reading.source_language, request.target_language)

    @cached_property
    def checkpoint(self) -> Checkpoint:
        """The model.

        Raises:
            ModelError: It cannot be loaded.
            UsageError: It was made for other languages.
        """
        import torch
        from transformers.utils import logging

        from subfit.model.checkpoint import load_checkpoint

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        if self._request.threads is not None:
            torch.set_num_threads(self._request.threads)
        checkpoint = load_checkpoint(self.find())
        self._check_languages(checkpoint)
        return checkpoint

    @cached_property
    def search(self) -> SearchSettings:
        """How to search."""
        from subfit.model.search import SearchSettings

        default, beam = SearchSettings(), self._request.beam
        if beam is None:
            return default
        return replace(default, beams=beam, nbest=min(default.nbest, beam))

    def translator(self, counting: Counting) -> Translator:
        """Return a translator that counts characters in this way."""
        from subfit.translate import Translator

        if counting not in self._translators:
            self._translators[counting] = Translator(
                self.checkpoint,
                counting,
                self.search,
                target_language=self._request.target_language,
            )
        return self._translators[counting]

    def settings(self) -> dict[str, Any]:
        """Return what a translation depends on beside its guideline, for its report."""
        request, ratio = self._request, self._request.limits.length_ratio
        return {
            "model": self.checkpoint.name,
            "source_language": request.reading.source_language,
            "target_language": request.target_language,
            "length_ratio": None if ratio is None else plain_data(asdict(ratio)),
            "translate_sounds": request.translate_sounds,
            "join": request.across_cues,
            "search": asdict(self.search),
        }

    def _check_languages(self, checkpoint: Checkpoint) -> None:
        from subfit.translate import language_token

        config, request = checkpoint.model.config, self._request
        own, asked = getattr(config, "source_language", None), request.reading.source_language
        if own and not same_language(own, asked):
            raise UsageError(f"{checkpoint.name} translates from {own}, not from {asked}")
        language_token(checkpoint, request.target_language)


def translate_files(request: Request, messages: Messages) -> list[Result]:
    """Translate every input, telling the user as it goes.

    Returns:
        One result for each input, in order.

    Raises:
        SubfitError: The request, the model or the report's place is no good, or the only input.
    """
    writing, reading = request.writing, request.reading
    jobs = plan_jobs(request.inputs, writing, request.target_language, reading.source_language)
    if writing.report is not None:
        check_report(writing.report, overwrite=writing.overwrite, folder=writing.output_dir)
    if writing.output_dir is not None and not request.dry_run:
        _make_folder(writing.output_dir)
    alone = len(jobs) == 1
    # All files are read before the model is loaded: most mistakes show at once.
    prepared = [_attempt(partial(_prepare, job, request), messages, alone=alone) for job in jobs]
    engine = Engine(request)
    if request.dry_run:
        engine.find()
    elif not all(isinstance(each, Failure) for each in prepared):
        _ = engine.checkpoint
    results = []
    for job, ready in zip(jobs, prepared, strict=True):
        done: Result | Failure
        if isinstance(ready, Failure):
            done = ready
        else:
            step = partial(_finish, ready, request, engine, messages)
            done = _attempt(step, messages, alone=alone)
        results.append(Result(job, failure=done) if isinstance(done, Failure) else done)
    if writing.report is not None and not request.dry_run:
        _write_report(writing.report, results, overwrite=writing.overwrite)
    return results


def _attempt(step: Callable[[], Done], messages: Messages, *, alone: bool) -> Done | Failure:
    """Do something for one file; among several files a failure is told and returned."""
    try:
        return step()
    except Exception as error:
        if alone:
            raise
        if debugging():
            traceback.print_exc()
        failure = failure_of(error)
        messages.error(failure.message)
        return failure


def _prepare(job: Job, request: Request) -> Prepared:
    """Read a file and check that its translation can be written."""
    writing, target = request.writing, Path(job.target)
    if not job.to_stdout:
        check_writable(target, overwrite=writing.overwrite, folder=writing.output_dir)
    track = request.reading.read(job.source)
    guideline = request.limits.guideline_for(request.target_language, timed=track.timed)
    suffix = "" if job.to_stdout else target.suffix.lower()
    output_format = FORMAT_OF_SUFFIX.get(suffix, track.format)
    # Written once without words: it tells of unknown encodings and impossible conversions.
    render_track(
        track.with_texts([""] * len(track.cues)),
        output_format=output_format,
        output_encoding=writing.output_encoding,
        name=job.target,
    )
    return Prepared(job, track, guideline, output_format)


def _finish(ready: Prepared, request: Request, engine: Engine, messages: Messages) -> Result:
    """Translate a file, write it and tell of it; or only say what would be done."""
    if request.dry_run:
        messages.planned(ready.job.source, ready.job.target, ready.track, ready.guideline)
        return Result(ready.job, planned=ready)
    from subfit.localize import Options, localize

    job, track = ready.job, ready.track
    translator = engine.translator(ready.guideline.counting)
    options = Options(request.limits.length_ratio, request.translate_sounds, request.across_cues)
    with messages.progress(job.source, len(track.cues)) as on_progress:
        done = localize(track, translator, ready.guideline, options, on_progress)
    report = replace(done.report, settings=engine.settings())
    data = render_track(
        done.track,
        output_format=ready.output_format,
        output_encoding=request.writing.output_encoding,
        name=job.target,
    )
    if job.to_stdout:
        click.echo(data, nl=False)
    else:
        write_bytes(Path(job.target), data, overwrite=request.writing.overwrite)
    messages.summary(job.source, job.target, report)
    if request.limits.for_screens and not track.timed:
        messages.note(UNTIMED)
    return Result(job, report)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise OutputFileError(folder, "is a file, not a folder") from error
    except OSError as error:
        raise OutputFileError(folder, f"cannot be made ({reason_of(error)})") from error


def _write_report(path: Path, results: Sequence[Result], *, overwrite: bool) -> None:
    files = [each.to_dict() for each in results]
    reports = [(each.job.source, each.report) for each in results if each.report is not None]
    write_report(path, {"files": files}, lambda: csv_of(reports), overwrite=overwrite)
