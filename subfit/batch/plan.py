"""Which file becomes which, in which language: worked out and checked before any work is done."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from subfit.batch.inputs import FileChoice, InputFile, Listing, find_inputs, is_pattern
from subfit.batch.items import STREAM, Item
from subfit.batch.job import Job, Writing
from subfit.errors import UsageError
from subfit.limits.dubbing_budgets import DEFAULT_DUBBING
from subfit.subtitles.cues import FORMATS
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, check_suffix, output_path
from subfit.subtitles.formats.naming import named_language
from subfit.text.languages import same_language

SHOT_LIST = ".shots.txt"
"""How the names of lists of shot changes end, in a folder of them."""
SHOWN = 5
"""Problems of one kind that are told one by one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done."""

    items: tuple[Item, ...]
    """All languages of a file one after the other."""
    listing: Listing
    folder: Path | None = None
    """The one folder of all outputs, if there is one."""
    several: bool = False
    """Whether more than one file was meant: then ``folder`` keeps a manifest."""

    @property
    def keeps_manifest(self) -> bool:
        """Whether the run can be resumed."""
        return self.several and self.folder is not None


def plan_items(job: Job) -> Plan:
    """Name the output of every input in every language.

    Raises:
        UsageError: The inputs and outputs cannot be meant so: several inputs for one output, an
            output that is an input or whose suffix is no format's, a folder without a place for its
            translations, one list of shot changes for several inputs, or options that are not for
            such inputs or outputs.
    """
    inputs, writing = job.inputs, job.writing
    several = len(inputs) + len(job.languages) > 2 or means_several(inputs[0])
    if STREAM in inputs and several:
        raise UsageError("'-' (standard input) must be the only input, for one language")
    folder = named_folder(writing, several=several)
    if STREAM in inputs and folder is not None and writing.output is not None:
        raise UsageError("standard input has no name for a file in a folder; use -o FILE")
    for name in inputs:
        if folder is None and name != STREAM and Path(name).is_dir():
            raise UsageError(f"{name} is a folder; name one for its translations with -o")
    listing = find_inputs(inputs, FileChoice(job.source_language, writing.include, folder))
    items = _items(job, listing, folder)
    problems = list(_collisions(items, writing))
    if problems:
        raise UsageError(_told(problems))
    plan = Plan(tuple(items), listing, folder, several)
    if not several:
        _refuse_script_options(job, items[0].source)
    _refuse_cue_reports(writing, plan)
    return plan


def _items(job: Job, listing: Listing, folder: Path | None) -> list[Item]:
    shot_changes = job.shot_changes
    output = job.writing.output if folder is None else None
    if output is not None:
        check_suffix(output, listing.files[0].path)
    if shot_changes is not None and len(listing.files) > 1 and not shot_changes.is_dir():
        raise UsageError(
            f"--shot-changes {shot_changes}: several inputs need a folder with a list for each, "
            f"named as {_shot_list_names(listing.files[0])[-1]}"
        )
    return [
        Item(
            file.path,
            output or _target(file, folder, language, job),
            language,
            _shot_list(file, shot_changes),
        )
        for file in listing.files
        for language in job.languages
    ]


def means_several(name: str) -> bool:
    """Whether a single input may stand for several files."""
    return name != STREAM and (Path(name).is_dir() or is_pattern(name))


def named_folder(writing: Writing, *, several: bool) -> Path | None:
    """Return the folder that outputs go to, if a user named one.

    Args:
        writing: Its ``output`` is a file, or a folder if there are several outputs, or it is one,
            or ends as one.
        several: Whether there may be several outputs.

    Raises:
        UsageError: Both an output and a folder are named, or a file for several outputs.
    """
    output, output_dir = writing.output, writing.output_dir
    if output is not None and output_dir is not None:
        raise UsageError("--output and --output-dir exclude each other")
    if output is None:
        return output_dir
    folder = Path(output)
    is_folder = folder.is_dir() or output.endswith((os.sep, "/"))
    if not several:
        return folder if is_folder else None
    is_file = folder.is_file() or folder.suffix.lower() in FORMAT_OF_SUFFIX
    if output == STREAM or (is_file and not is_folder):
        raise UsageError(f"--output {folder}: several files go into a folder, not into one file")
    return folder


def _target(file: InputFile, folder: Path | None, language: str, job: Job) -> str:
    if file.path == STREAM:
        return STREAM
    named, source_language = Path(file.path), job.source_language
    if not _is_translated_script(named, language, source_language):
        named = output_path(named, language, source_language)
    return str(named if folder is None else folder / file.folder / named.name)


def _is_translated_script(path: Path, language: str, source_language: str) -> bool:
    """Whether a file is a script that by its name has its translations, and keeps both."""
    return is_script(path) and says_target(path, language, source_language)


def is_script(path: Path) -> bool:
    """Whether a file is a dubbing script, by its name."""
    name = FORMAT_OF_SUFFIX.get(path.suffix.lower())
    return name is not None and FORMATS[name].spoken


def says_target(path: Path, language: str, source_language: str) -> bool:
    """Whether a file's name says that it is in the target language already."""
    named = named_language(path)
    return (
        named is not None
        and same_language(named, language)
        and not same_language(named, source_language)
    )


def _shot_list(file: InputFile, shot_changes: Path | None) -> str | None:
    """Where the shot changes of a file are listed."""
    if shot_changes is None or not shot_changes.is_dir():
        return None if shot_changes is None else str(shot_changes)
    places = [shot_changes / file.folder / name for name in _shot_list_names(file)]
    return str(next((place for place in places if place.is_file()), places[-1]))


def _shot_list_names(file: InputFile) -> list[str]:
    """What a list of shot changes in a folder may be called: with or without the language."""
    stem, language = Path(file.path).stem, named_language(Path(file.path))
    stems = [stem] if language is None else [stem, stem[: stem.rindex(f".{language}")]]
    return [f"{stem}{SHOT_LIST}" for stem in stems]


def _collisions(items: Sequence[Item], writing: Writing) -> Iterator[str]:
    """Tell of outputs that are written twice, and of those that are inputs."""
    names = {item.source for item in items if item.source != STREAM}
    sources = {os.path.realpath(name): name for name in names}
    targets: dict[str, Item] = {}
    for item in items:
        if item.to_stdout:
            continue
        real = os.path.realpath(item.target)
        if real in targets:
            yield (
                f"{targets[real].source} and {item.source} would both be written to {item.target}"
            )
        targets[real] = item
        own = real == os.path.realpath(item.source)
        if own and not writing.overwrite and writing.output is None:
            yield (
                f"{item.source}: its name says that it has its translation into {item.language} "
                "already; name the output with -o, or pass --overwrite to write to the file itself"
            )
        elif real in sources and (not writing.overwrite or sources[real] != item.source):
            hint = "" if writing.overwrite else "; --overwrite allows it for a single file"
            yield f"{item.target} is an input and would be overwritten{hint}"
    if writing.report is not None and os.path.realpath(writing.report) in {*sources, *targets}:
        yield f"--report {writing.report} is an input or output as well"


def _told(problems: Sequence[str]) -> str:
    """All problems in one line, the first ones in full."""
    more = len(problems) - SHOWN
    listed = "; ".join(problems[:SHOWN])
    return f"{listed}; and {more} more like these" if more > 0 else listed


def _refuse_script_options(job: Job, source: str) -> None:
    """Make sure that options about dubbing scripts are not given for a file that is none."""
    script, dubbing = job.reading.script, job.options.dubbing
    given = {
        "--columns": bool(script.columns),
        "--sheet": script.sheet is not None,
        "--dub-budget": dubbing.budget != DEFAULT_DUBBING.budget,
        "--speed-factor": dubbing.speed_factor != DEFAULT_DUBBING.speed_factor,
        "--voice": dubbing.voice is not None,
    }
    format_name = job.reading.input_format or FORMAT_OF_SUFFIX.get(Path(source).suffix.lower())
    option = next((name for name, is_given in given.items() if is_given), None)
    if option and format_name and not FORMATS[format_name].spoken:
        raise UsageError(
            f"{source}: {option} is for dubbing scripts, .csv, .tsv or .xlsx; leave it out"
        )


def _refuse_cue_reports(writing: Writing, plan: Plan) -> None:
    """Make sure that reports on every cue are asked for where they are written."""
    options = {
        "--cue-reports": writing.cue_reports,
        "--cue-report-format": writing.cue_report_format,
    }
    for option, value in options.items():
        if value is not None and not plan.keeps_manifest:
            raise UsageError(f"{option} is for several translations in one folder; use --report")
    if writing.cue_report_format is not None and writing.cue_reports is None:
        raise UsageError("--cue-report-format is for what --cue-reports writes; name its folder")
