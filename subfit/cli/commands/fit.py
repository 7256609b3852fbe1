"""``subfit fit``: anyone's translation made to fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.batch.items import Item
from subfit.batch.job import Job, ReadingOptions, with_shot_changes
from subfit.batch.outcome import cue_document, cue_page
from subfit.batch.plan import Plan, plan_in_place
from subfit.batch.run import write_as_read
from subfit.batch.setup import model_name
from subfit.cli import options
from subfit.cli.console import WORST, Messages
from subfit.cli.output import FAILED, OVER_LIMITS, print_json
from subfit.cli.parameters import FILE, language_in_name, language_tags, number_ranges, takes
from subfit.cli.running import (
    each_file,
    failed_entry,
    messages_for,
    read_on_screen,
    show_heading,
    shown_names,
)
from subfit.errors import Failure, UsageError
from subfit.existing import fit as fit_track
from subfit.existing import is_reworded
from subfit.files import check_writable, write_bytes
from subfit.fitting.plainer import knows_condensing
from subfit.hub.names import is_causal, is_server
from subfit.limits.guideline import Guideline, override
from subfit.localization import Localization
from subfit.model.bundled import find_model
from subfit.reporting.page import written_file
from subfit.reporting.report import Report
from subfit.reporting.tables import PAGE, Forms, render_report, table_of
from subfit.reporting.wording import PLACE, count_of, number, place_cells, times_moved
from subfit.subtitles.cues import Track
from subfit.subtitles.encoding import checked_encoding
from subfit.subtitles.formats import written_format
from subfit.version import __version__

if TYPE_CHECKING:
    from subfit.decoding.any_translator import AnyTranslator


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--source",
    type=FILE,
    metavar="FILE|FOLDER",
    help="What FILE was translated from; or a folder with movie.en.srt or movie.srt for each "
    "movie.de.srt.",
)
@click.option(
    "-t",
    "--target-language",
    multiple=True,
    callback=language_tags,
    metavar="TAG",
    help="Language of FILE.  [default: from its name, as in movie.de.srt]",
)
@options.source_language("Language of --source.  [default: from its name, else en]")
@options.reading_options(options.TIMED_FORMATS, frames="for gaps in frames")
@options.limit_options
@options.line_shape_option
@options.output_options("", "Replace existing files; without -o, the files themselves.")
@click.option(
    "--only",
    type=number_ranges,
    default="",
    show_default=False,
    metavar="N,N-N,...",
    help="Change none but these cues, by their place in the file: 12,40-52.",
)
@click.option(
    "--split",
    is_flag=True,
    help="Make two cues of one whose text its time allows, but not its lines (.srt and .vtt).",
)
@options.timing_options
@options.strict_budget_option(default=False)
@options.model_option(
    "--model",
    "Model that translates from the source's language; or a language model, local or a server's, "
    "which is asked to say the same in so many characters, with or without a source.  [default: "
    "the one for the languages]",
    multiple=True,
)
@options.beam_option
@click.option(
    "--alternatives",
    type=click.IntRange(0, 30),
    default=0,
    metavar="N",
    help="List up to N other wordings of every cue that was too long.  [default: 4]",
    show_default=False,
)
@options.report_option
@options.json_option
@options.dry_run_option
@options.quiet_option
@options.computing_options
@options.prompt_option
@options.persons_option
@options.server_option
@takes(options.FIELDS, job=Job)
def fit(
    job: Job,
    source: Path | None,
    source_language: str | None,
    only: frozenset[int],
    split: bool,
    json: bool,
    quiet: bool,
) -> int:
    """Make a translation fit that is there already, whoever made it.

    FILE is a subtitle file, a folder with such files, a pattern such as 'films/*.de.srt', or '-'
    for standard input. A cue that keeps its limits stays as it is, byte for byte. Of each that
    does not the lines are broken anew; then it becomes two (--split) or may end later (--timing
    extend); then it is said in fewer characters, with as little changed as fits and nothing lost;
    else it stays, and is marked.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues are over their limits.
    """
    if job.reading.encoding is not None:
        checked_encoding(job.reading.encoding)
    if len(job.languages) > 1:
        raise UsageError("-t names the one language that the files are in")
    named = job.languages[0] if job.languages else "und"
    job.guideline_for(named)
    plan = plan_in_place(job.inputs, job.writing, named, job.shot_changes, dry_run=job.dry_run)
    _check(job, plan, source)
    dry_run = job.dry_run
    messages = messages_for(job.inputs, job.writing, dry_run=dry_run, json=json, quiet=quiet)
    job = job.translating_from(source_language or "")
    fitter = _Fitter(job, source, messages, only=only, split=split)

    def fitted(item: Item) -> Localization:
        made = fitter.fit(item)
        if not dry_run:
            write_as_read(item, made.track, plan, overwrite=job.writing.overwrite)
        _show(item, made.report, messages, dry_run=dry_run)
        return made

    done = list(each_file(plan, messages, fitted))
    made = [(item, one) for item, one in done if isinstance(one, Localization)]
    over = any(not one.report.clean for _, one in made)
    exit_code = FAILED if len(made) < len(done) else OVER_LIMITS if over else 0
    files = [
        failed_entry(item, one) if isinstance(one, Failure) else cue_document(item, one.report)
        for item, one in done
    ]
    document = {"exit_code": exit_code, "files": files}
    if (report := job.writing.report) is not None and not dry_run:
        data = render_report(report, _forms(document, made))
        write_bytes(report, data, overwrite=job.writing.overwrite)
    if json:
        print_json({"subfit": __version__, **document})
    return exit_code


def _check(job: Job, plan: Plan, source: Path | None) -> None:
    """Refuse what cannot be done before anything is."""
    if source is not None and plan.several and not source.is_dir():
        raise UsageError(f"--source {source}: several files need a folder with the source of each")
    report = job.writing.report
    if report is not None:
        if plan.several and report.suffix.lower() == PAGE:
            raise UsageError(f"--report {report}: a page is of one file; of several .xlsx or .json")
        check_writable(report, overwrite=job.writing.overwrite)


class _Fitter:
    """Fits files one by one; a model is loaded when the first cue needs it.

    Args:
        job: What was asked for.
        source: The source, or a folder of sources.
        messages: Where it is told what cannot be had.
        chosen: What else `subfit.existing.fit` takes: ``only``, ``split``.
    """

    def __init__(self, job: Job, source: Path | None, messages: Messages, **chosen: Any) -> None:
        self.job, self._source, self._messages, self._chosen = job, source, messages, chosen
        self._translators: dict[tuple[str, str], AnyTranslator | None] = {}
        self._noted: set[str] = set()

    def fit(self, item: Item) -> Localization:
        """Read a file and make it fit."""
        job = self.job
        track = read_on_screen(item, job.reading, "limits to fit to", job.limits)
        guideline = job.guideline_for(item.language)
        guideline = override(guideline, frame_rate=job.reading.script.fps)
        track = with_shot_changes(track, item.shot_changes, guideline)
        language, source = self._read_source(item)
        entries, persons = job.term_files.read(language, [item.language])
        for note in entries.notes:
            self._note(note)
        wanted = replace(job.options, source_language=language, people=persons)
        made = fit_track(track, guideline, source, None, wanted, **self._chosen)
        translator = None
        if made.report.totals["fit"]["left"]:
            translator = self._translator(language, item.language, guideline, source)
        if translator is not None:
            made = fit_track(track, guideline, source, translator, wanted, **self._chosen)
        settings = {
            "model": None if translator is None else translator.name,
            "target_language": item.language,
            "source_language": language if source is not None else None,
            "timing": job.options.timing,
            "strict_budget": job.options.strict_budget,
        }
        return replace(made, report=replace(made.report, settings=settings))

    def _read_source(self, item: Item) -> tuple[str, Track | None]:
        """The language of the source, and its track, if there is one."""
        path, job = self._source, self.job
        given = job.options.source_language
        if path is None:
            return given or "en", None
        if path.is_dir():
            name = Path(item.source)
            stem = name.name.removesuffix(name.suffix).removesuffix(f".{item.language}")
            names = (f"{stem}.{given or 'en'}{name.suffix}", f"{stem}{name.suffix}")
            found = [path / one for one in names if (path / one).is_file()]
            if not found:
                raise UsageError(f"--source {path}: has neither {names[0]} nor {names[1]}")
            path = found[0]
        language = given or language_in_name(str(path))
        language = "en" if language == "und" else language
        return language, ReadingOptions().read(str(path), language, job.limits)

    def _translator(
        self, source_language: str, language: str, guideline: Guideline, source: Track | None
    ) -> AnyTranslator | None:
        """The model that says things in fewer characters; None where there is none, told once."""
        job, key = self.job, (source_language, language)
        if key in self._translators:
            return self._translators[key]
        translator = None
        try:
            names = job.models or (None,)
            places = [find_model(name, source_language, language) for name in names]
            rewrites = is_server(places[0]) or is_causal(places[0])
            if source is not None or rewrites:
                from subfit.decoding.loading import load_translator  # which imports torch

                translator = load_translator(
                    places[0],
                    source_language=language if rewrites else source_language,
                    target_language=language,
                    counting=guideline.counting,
                    settings=job.search(),
                    computing=job.computing,
                    talk=job.talk,
                    beside=places[1:],
                )
            elif job.models:
                raise UsageError(
                    f"--model {model_name(places[0])} translates: name what FILE was translated "
                    "from with --source"
                )
        except UsageError:
            if job.models:
                raise
        if translator is None:
            without = "without --source" if source is None else f"no model from {source_language}"
            rules = "lines and times alone"
            if knows_condensing(language):
                rules = "short wordings that say the same, and fillers left out, no more"
            self._note(f"{language}: {without}, {rules}; --model names one that rewrites")
        self._translators[key] = translator
        return translator

    def _note(self, text: str) -> None:
        """Tell of something once."""
        if text not in self._noted:
            self._noted.add(text)
            self._messages.note(text)


def _forms(document: dict[str, Any], made: list[tuple[Item, Localization]]) -> Forms:
    """The report in every form; of one file also as a page to edit in."""

    def page() -> str:
        ((item, one),) = made
        written = written_file(one.track, written_format(one.track.format))
        return cue_page(item, one.report, written)

    return Forms(
        document, lambda: table_of([(item.source, one.report) for item, one in made]), page
    )


def _show(item: Item, report: Report, messages: Messages, *, dry_run: bool) -> None:
    """Tell what became of a file: old and new wordings, and what is left."""
    show_heading(messages, shown_names(item.source, item.target), report.guideline)
    messages.figures(_figures(report, dry_run=dry_run))
    messages.repairs(report.repairs)
    changed = [cue for cue in report.cues if is_reworded(cue.outcome)]
    left = [cue for cue in report.cues if cue.outcome.status == "overflow"]
    for title, cues in (("New wordings:", changed), ("Still over:", left)):
        rows = [
            (
                *place_cells(cue.number, cue.start, cue.outcome.cue.line),
                " / ".join(cue.outcome.natural.split("\n")),
                " / ".join(cue.outcome.target.split("\n")) if cues is changed else "",
                f"{number(cue.characters)}/{number(cue.most_characters)}",
                ", ".join(cue.outcome.losses or cue.outcome.withheld),
            )
            for cue in cues[:WORST]
        ]
        if rows:
            headings = (*PLACE, "old", "new", "characters", "loses")
            messages.table(headings, rows, texts={"old", "new"}, title=title)
            messages.more(len(cues) - WORST, "--json or --report")


def _figures(report: Report, *, dry_run: bool) -> Iterator[tuple[str, str]]:
    told = report.totals["fit"]
    yield "cues", f"{len(report.cues) - told['split']}: {told['over']} over their limits"
    verb = "would fit by" if dry_run else "fit by"
    losing = f" ({told['with_losses']} with a loss)" if told["with_losses"] else ""
    yield (
        verb,
        f"lines {told['lines']}, splitting {told['split']}, time {told['time']}, "
        f"wording {told['wording']}{losing}",
    )
    yield "still over", count_of(report.over, "cue") if report.over else "none"
    if report.totals["timing"]["moved"]:
        yield "out-times", times_moved(report.totals["timing"], report.guideline.frame_rate)
