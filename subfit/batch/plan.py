"""Which file becomes which, in which language: worked out and checked before any work is done."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from subfit.batch.inputs import Choice, Found, InputFile, find_inputs, is_pattern
from subfit.batch.items import STREAM, Item
from subfit.errors import UsageError
from subfit.subtitles.cues import FORMATS
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, check_suffix, output_path
from subfit.subtitles.formats.naming import named_language
from subfit.text.languages import same_language

SHOT_LIST = ".shots.txt"
"""How the names of lists of shot changes end, in a folder of them."""
SHOWN = 5
"""Problems of one kind that are told one by one."""


@dataclass(frozen=True, slots=True)
class Writing:
    """Where results are to go, as asked for."""

    output: str | None = None
    """A file, or a folder; where there are several outputs, a folder."""
    output_dir: Path | None = None
    overwrite: bool = False
    report: Path | None = None
    cue_reports: Path | None = None
    """A folder for a report on every cue of every translation, where there are several."""
    cue_report_format: str | None = None
    """One of `subfit.reporting.files.rendering.REPORT_SUFFIXES`, without its dot; None for JSON."""
    include: tuple[str, ...] = ()
    """Patterns of the files that are taken of folders; for ``*.srt`` and ``*.vtt``."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done."""

    items: tuple[Item, ...]
    """All languages of a file one after the other."""
    found: Found
    folder: Path | None = None
    """The one folder of all outputs, if there is one."""
    several: bool = False
    """Whether more than one file was meant: then ``folder`` keeps a manifest."""

    @property
    def keeps_manifest(self) -> bool:
        """Whether the run can be resumed."""
        return self.several and self.folder is not None


def plan_items(
    inputs: Sequence[str],
    writing: Writing,
    languages: Sequence[str],
    source_language: str,
    shot_changes: Path | None = None,
) -> Plan:
    """Name the output of every input in every language.

    Args:
        inputs: As the user named them: files, folders, patterns, or ``-``.
        writing: Where the outputs go.
        languages: Tags of the target languages.
        source_language: That of the inputs, which their names may say.
        shot_changes: A list of shot changes for the only input, or a folder with one for each, in
            the same tree: ``e01.shots.txt`` for ``e01.srt`` and ``e01.en.srt``.

    Raises:
        UsageError: The inputs and outputs cannot be meant so: several inputs for one output, an
            output that is an input or whose suffix is no format's, a folder without a place for its
            translations, one list of shot changes for several inputs.
    """
    if STREAM in inputs and len(inputs) + len(languages) > 2:
        raise UsageError("'-' (standard input) must be the only input, for one language")
    several = len(inputs) + len(languages) > 2 or Path(inputs[0]).is_dir() or is_pattern(inputs[0])
    folder = named_folder(writing.output, writing.output_dir, several=several)
    if STREAM in inputs and folder is not None and writing.output is not None:
        raise UsageError("standard input has no name for a file in a folder; use -o FILE")
    for name in inputs:
        if folder is None and name != STREAM and Path(name).is_dir():
            raise UsageError(f"{name} is a folder; name one for its translations with -o")
    found = find_inputs(inputs, Choice(source_language, writing.include, folder))
    output = writing.output if folder is None else None
    if output is not None:
        check_suffix(output, found.files[0].path)
    if shot_changes is not None and len(found.files) > 1 and not shot_changes.is_dir():
        raise UsageError(
            f"--shot-changes {shot_changes}: several inputs need a folder with a list for each, "
            f"named as {_shot_list_names(found.files[0])[-1]}"
        )
    items = [
        Item(
            file.path,
            output or _target(file, folder, language, source_language),
            language,
            _shot_list(file, shot_changes),
        )
        for file in found.files
        for language in languages
    ]
    problems = list(_collisions(items, writing))
    if problems:
        raise UsageError(_told(problems))
    return Plan(tuple(items), found, folder, several)


def named_folder(output: str | None, output_dir: Path | None, *, several: bool) -> Path | None:
    """Return the folder that outputs go to, if a user named one.

    Args:
        output: A file, or a folder if there are several outputs, or it is one, or ends as one.
        output_dir: A folder.
        several: Whether there may be several outputs.

    Raises:
        UsageError: Both are named, or a file for several outputs.
    """
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


def _target(file: InputFile, folder: Path | None, language: str, source_language: str) -> str:
    if file.path == STREAM:
        return STREAM
    named = Path(file.path)
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
    return str(next((each for each in places if each.is_file()), places[-1]))


def _shot_list_names(file: InputFile) -> list[str]:
    """What a list of shot changes in a folder may be called: with or without the language."""
    stem, language = Path(file.path).stem, named_language(Path(file.path))
    stems = [stem] if language is None else [stem, stem[: stem.rindex(f".{language}")]]
    return [f"{each}{SHOT_LIST}" for each in stems]


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
    told = "; ".join(problems[:SHOWN])
    return f"{told}; and {more} more like these" if more > 0 else told
