"""The work behind ``subfit translate``: plan all, check all, load the model once, translate."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from subfit.batch.cue_reports import CueReports, cue_document, cue_page
from subfit.batch.engine import LocalEngine
from subfit.batch.failures import Failure
from subfit.batch.items import Item, Result
from subfit.batch.manifest import Manifest, checksum
from subfit.batch.plan import Plan, Writing, is_script, plan_items, says_target
from subfit.batch.prepare import Prepared, prepare
from subfit.batch.ray_engine import Cluster, RayEngine
from subfit.batch.run import Conditions, Run, manifest_of
from subfit.batch.settings import Settings
from subfit.batch.setup import Setup, make_setup
from subfit.batch.summary import summary_document, summary_table
from subfit.batch.triage import Memory, Triage, keys_of, output_name, triage
from subfit.cli.failures import failure_of
from subfit.cli.options.dubbing import refuse_dubbing_options
from subfit.cli.options.reports import check_report
from subfit.cli.views.batch import ManyFiles, OneFile, tell_plan
from subfit.cli.views.console import Messages
from subfit.errors import UsageError
from subfit.files import make_folder, read_bytes, write_bytes
from subfit.model.computing import DEFAULT_COMPUTING, Computing
from subfit.reporting.files.files_page import files_page
from subfit.reporting.files.rendering import PAGE, Forms, render_report
from subfit.reporting.files.table import Table, table_of
from subfit.reporting.lengths import plain_data
from subfit.reporting.wording import count_of
from subfit.subtitles.formats import columns_of
from subfit.text.languages import same_language


@dataclass(frozen=True, slots=True)
class Request:
    """All that was asked for."""

    inputs: tuple[str, ...]
    languages: tuple[str, ...]
    settings: Settings
    writing: Writing
    shot_changes: Path | None = None
    """A list of shot changes, or a folder with one for each input."""
    models: tuple[str, ...] = ()
    """To translate together; none for the bundled model of each language."""
    computing: Computing = DEFAULT_COMPUTING
    dry_run: bool = False
    fail_fast: bool = False
    cluster: Cluster | None = None
    """Of Ray, where the work is to be done; None for this process."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a request led to."""

    plan: Plan
    setup: Setup
    results: tuple[Result, ...] = ()
    prepared: tuple[Prepared, ...] = ()
    """In a dry run, what would be done."""

    @property
    def failed(self) -> bool:
        """Whether something could not be done."""
        states = {each.state for each in self.results}
        return bool(states & {"failed", "stopped"} or self.plan.found.failures)

    @property
    def over(self) -> bool:
        """Whether something is done, but not within its limits."""
        return any(each.over for each in self.results)

    def to_dict(self) -> dict[str, Any]:
        """Return it as a JSON document: of a resumable run a summary, else every cue."""
        if not self.plan.keeps_manifest:
            files = [_entry(each) for each in self.results]
            return {"files": [*files, *map(_planned_entry, self.prepared)]}
        document = summary_document(self.results, self.setup)
        document["files"] += map(_planned_entry, self.prepared)
        document["folders"] = [
            {"input": place, "error": failure.to_dict()}
            for place, failure in self.plan.found.failures
        ]
        return document


def translate_files(request: Request, messages: Messages) -> Outcome:
    """Translate every input into every language, telling the user as it goes.

    Raises:
        SubfitError: The request, the model or the report's place is no good, or the only input.
    """
    writing, settings = request.writing, request.settings
    _refuse_same_language(request)
    # A wrong argument is told before what may be in the way of the results.
    setup = make_setup(settings, request.languages, request.models, request.computing)
    plan = _plan(request)
    _warn_of_targets(plan, settings.reading.source_language, messages)
    if writing.report is not None:
        overwrite = writing.overwrite or plan.keeps_manifest  # then it may be of an earlier run
        check_report(writing.report, overwrite=overwrite, folder=plan.folder)
    if plan.folder is not None and not request.dry_run:
        make_folder(plan.folder)
    # Without a manifest no checksum of a model is needed to tell what is to do.
    found = None if plan.keeps_manifest else _triage(plan, None, request)
    with manifest_of(plan, read_only=request.dry_run) as manifest:
        replaces = writing.overwrite or _is_ours(writing.report, manifest)
        if writing.report is not None:
            check_report(writing.report, overwrite=replaces, folder=plan.folder)
        memory = None if manifest is None else _memory(manifest, setup, writing)
        found = found or _triage(plan, memory, request)
        if request.dry_run:
            return _rehearse(Outcome(plan, setup), found, messages)
        outcome = Outcome(plan, setup, _translate(request, setup, memory, found, messages))
        if writing.report is not None:
            _write_report(writing.report, outcome, memory, overwrite=replaces)
    return outcome


def _plan(request: Request) -> Plan:
    """Name all outputs, and tell of options that are not for such inputs or outputs."""
    writing, settings = request.writing, request.settings
    source_language = settings.reading.source_language
    plan = plan_items(
        request.inputs, writing, request.languages, source_language, request.shot_changes
    )
    if not plan.several:
        refuse_dubbing_options(settings, plan.items[0].source)
    about_cues = {
        "--cue-reports": writing.cue_reports,
        "--cue-report-format": writing.cue_report_format,
    }
    for option, value in about_cues.items():
        if value is not None and not plan.keeps_manifest:
            raise UsageError(f"{option} is for several translations in one folder; use --report")
    if writing.cue_report_format is not None and writing.cue_reports is None:
        raise UsageError("--cue-report-format is for what --cue-reports writes; name its folder")
    return plan


def _warn_of_targets(plan: Plan, source_language: str, messages: Messages) -> None:
    """Warn of inputs whose names say that they are translations; of a script that is the use."""
    for language in dict.fromkeys(item.language for item in plan.items):
        named = [
            item.source
            for item in plan.items
            if item.language == language
            and says_target(Path(item.source), language, source_language)
            and not is_script(Path(item.source))
        ]
        if named:
            more = f" (and {count_of(len(named) - 1, 'more file')})" if len(named) > 1 else ""
            messages.warning(
                f"{named[0]}{more}: named as in {language} already, translated all the same as "
                f"{source_language}; -s names another language"
            )


def _refuse_same_language(request: Request) -> None:
    """Tell of a target that is the source; a model that is named may rewrite its own language."""
    source_language = request.settings.reading.source_language
    for language in request.languages:
        if not request.models and same_language(language, source_language):
            raise UsageError(
                f"-t {language}: the input is taken for {source_language} as well; name another "
                "language with -t, or the input's with -s"
            )


def _is_ours(report: Path | None, manifest: Manifest | None) -> bool:
    """Whether a report was written by an earlier run, and is as it was written."""
    if report is None or manifest is None or not report.is_file():
        return False
    return manifest.wrote_report(report, checksum(read_bytes(report)))


def _memory(manifest: Manifest, setup: Setup, writing: Writing) -> Memory:
    folder, suffix = writing.cue_reports, f".{writing.cue_report_format or 'json'}"
    reports = None
    if folder is not None:
        reports = CueReports(folder, manifest, writing.overwrite, suffix)
    return Memory(manifest, keys_of(setup), reports)


def _triage(plan: Plan, memory: Memory | None, request: Request) -> Triage:
    """Look what is to do; where there is but one file, a failure ends the program."""
    found = triage(plan, memory, overwrite=request.writing.overwrite)
    if not plan.several:
        for result in found.settled.values():
            _raise(result.failure)
    return found


def _translate(
    request: Request, setup: Setup, memory: Memory | None, found: Triage, messages: Messages
) -> tuple[Result, ...]:
    """Translate what is to do."""
    conditions = Conditions(request.writing.overwrite, request.fail_fast)
    cluster, plan = request.cluster, found.plan
    engine = LocalEngine(setup) if cluster is None else RayEngine(setup, cluster)
    if plan.several:
        many = ManyFiles(messages)
        with many.watching(plan, found):
            results = Run(plan, conditions, many, memory).complete(found, engine)
        many.end(results)
    else:
        one = OneFile(messages, for_screens=request.settings.limits.for_screens)
        with one.watching(plan):
            results = Run(plan, conditions, one).complete(found, engine)
        _raise(results[0].failure)
    return tuple(results)


def _rehearse(outcome: Outcome, found: Triage, messages: Messages) -> Outcome:
    """Read what would be translated, and tell what would be done."""
    tell_plan(outcome.plan, messages)
    results = list(found.settled.values())
    prepared = []
    for result in results:
        if result.failure is not None:
            messages.error(result.failure.message)
    for todo in found.todo:
        try:
            ready = prepare(todo.source(), outcome.setup)
        except Exception as error:
            failure = failure_of(error)
            if not outcome.plan.several:
                raise
            messages.error(failure.message)
            results.append(Result(todo.item, "failed", failure=failure))
        else:
            messages.planned(todo.item.source, todo.item.target, ready.track, ready.guideline)
            prepared.append(ready)
    return replace(outcome, results=tuple(results), prepared=tuple(prepared))


def _raise(failure: Failure | None) -> None:
    """End the program with the failure of its only file."""
    if failure is not None and failure.error is not None:
        raise failure.error


def _write_report(path: Path, outcome: Outcome, memory: Memory | None, *, overwrite: bool) -> None:
    plan, results = outcome.plan, outcome.results

    def table() -> Table:
        if plan.keeps_manifest:
            return summary_table(results, outcome.setup)
        return table_of([(each.item.source, each.report) for each in results if each.report])

    def page() -> str:
        if not plan.several:
            return cue_page(results[0].item, results[0].report, results[0].written)
        links = _links(path, outcome, memory.cue_reports if memory else None)
        return files_page(summary_table(results, outcome.setup), links)

    data = render_report(path, Forms(outcome.to_dict(), table, page))
    if memory is not None:
        memory.manifest.enter_report(path, checksum(data))
    write_bytes(path, data, overwrite=overwrite)


def _links(page: Path, outcome: Outcome, reports: CueReports | None) -> dict[str, str]:
    """Where the pages on the cues of each output are, seen from another page."""
    if reports is None or reports.suffix != PAGE:
        return {}
    items = [each.item for each in outcome.results]
    places = {each.target: reports.place(output_name(outcome.plan, each)) for each in items}
    folder = page.parent.resolve()
    return {
        target: quote(os.path.relpath(place.resolve(), folder).replace(os.sep, "/"))
        for target, place in places.items()
        if place.exists()
    }


def _entry(result: Result) -> dict[str, Any]:
    """A file's part of a JSON document, with every cue."""
    if result.report is not None:
        return cue_document(result.item, result.report)
    entry = _named(result.item)
    return entry if result.failure is None else {**entry, "error": result.failure.to_dict()}


def _planned_entry(prepared: Prepared) -> dict[str, Any]:
    return {
        **_named(prepared.source.item),
        "settings": {"guideline": plain_data(prepared.guideline)},
        **({} if (columns := columns_of(prepared.track)) is None else {"columns": columns}),
        "totals": {"cues": len(prepared.track.cues)},
        "repairs": [asdict(repair) for repair in prepared.track.repairs],
    }


def _named(item: Item) -> dict[str, Any]:
    return {"input": item.source, "output": item.target}
