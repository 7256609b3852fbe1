"""Which file becomes which: inputs found and outputs named, and checked before any work is done.

One plan for all commands that write files: `Naming` says what a command calls its outputs.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePath

from subfit.batch.items import STREAM, Item
from subfit.batch.job import Job, Writing
from subfit.errors import Failure, InputFileError, SubfitError, UsageError, failure_of, reason_of
from subfit.limits.cue_budgets import DEFAULT_DUBBING
from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, check_suffix, read_track, written_path
from subfit.subtitles.formats.naming import named_language, output_path
from subfit.text.guessing import guess_language
from subfit.text.languages import same_language

PATTERNS = tuple(
    f"*{suffix}"
    for format in FORMATS.values()
    for suffix in format.suffixes
    if format.timed and suffix not in (".xml", ".json")  # which may be anything
)
"""Names of files that are taken of a folder."""
MANIFEST_FOLDER = ".subfit"
"""Beside outputs, what is known of them; see `subfit.batch.manifest`."""
SHOT_LIST = ".shots.txt"
"""How the names of lists of shot changes end, in a folder of them."""
DEFAULT_LANGUAGE = "en"
"""What input is in, where nothing tells."""
SHOWN = 5
"""Problems of one kind that are told one by one."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that something is to be made of."""

    path: str
    folder: PurePath = field(default_factory=PurePath)
    """Where it lies in the tree that the output mirrors."""


@dataclass(slots=True)
class Listing:
    """What the inputs named by a user come to."""

    files: list[InputFile] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Files in folders, or that match a pattern, that are taken for translations by their names."""
    failures: list[tuple[str, Failure]] = field(default_factory=list)
    """Folders that cannot be read."""


@dataclass(frozen=True, slots=True)
class FileChoice:
    """Which files of a folder, and of what a pattern matches, are taken."""

    source_language: str | None
    """Files whose names say another language are left out; None takes all of them."""
    include: tuple[str, ...] = ()
    """Patterns of names, or of paths below the folder if they have a slash; for `PATTERNS`."""
    output_folder: Path | None = None
    """Not searched, unless it is the folder itself."""

    def takes(self, path: PurePath) -> bool:
        """Whether a file, by its path below the folder, is of the kind that is taken."""
        name, whole = path.name.lower(), path.as_posix().lower()
        return any(
            fnmatch(whole if "/" in pattern else name, pattern.lower())
            for pattern in self.include or PATTERNS
        )

    def is_translation(self, path: PurePath) -> bool:
        """Whether a file's name says another language than the source: ``movie.de.srt``."""
        wanted, named = self.source_language, named_language(path)
        return wanted is not None and named is not None and not same_language(named, wanted)


@dataclass(frozen=True, slots=True)
class Naming:
    """What a command calls the files that it makes."""

    name: Callable[[Path, str], Path]
    """Returns the output of an input in a language, as a path beside the input."""
    languages: tuple[str, ...]
    """Of the outputs: each input has one in each of them."""
    source_language: str | None = None
    """Files of folders whose names say another language are left out; None takes all of them."""
    in_place: bool = False
    """Whether outputs may be the inputs themselves."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done."""

    items: tuple[Item, ...]
    """All languages of a file one after the other."""
    listing: Listing
    folder: Path | None = None
    """The one folder of all outputs, if there is one."""
    several: bool = False
    """Whether more than one file was meant: then one that fails does not stop the others."""

    @property
    def keeps_manifest(self) -> bool:
        """Whether a run can be resumed."""
        return self.several and self.folder is not None


def plan_items(job: Job) -> Plan:
    """Name the translation of every input in every language.

    Raises:
        UsageError: As `plan_files`; or reports on cues are asked for of what keeps no manifest.
    """

    def name(path: Path, language: str) -> Path:
        if is_script(path) and named_as_target(path, language, job.source_language):
            return path  # which has its translations beside what is said
        return written_path(output_path(path, language, job.source_language))

    naming = Naming(name, job.languages, job.source_language)
    plan = plan_files(job.inputs, job.writing, naming, job.shot_changes)
    if not plan.several:
        _refuse_script_options(job, plan.items[0].source)
    if job.writing.cue_reports is not None and not plan.keeps_manifest:
        raise UsageError("--cue-reports is for several translations in one folder; use --report")
    return plan


def plan_files(
    inputs: Sequence[str], writing: Writing, naming: Naming, shot_changes: Path | None = None
) -> Plan:
    """Name the outputs of every input.

    Args:
        inputs: Files, folders, patterns, or ``-``.
        writing: Where they go.
        naming: What they are called there.
        shot_changes: A list of shot changes, or a folder with one for each input.

    Raises:
        UsageError: The inputs and outputs cannot be meant so: several inputs for one output, an
            output that is an input or whose suffix is no format's, a folder without a place for its
            outputs, or one list of shot changes for several inputs.
    """
    several = len(inputs) + len(naming.languages) > 2 or _means_several(inputs[0])
    folder = _named_folder(writing.output, several=several)
    if STREAM in inputs and several:
        raise UsageError("'-' (standard input) must be the only input, for one language")
    if STREAM in inputs and folder is not None:
        raise UsageError("standard input has no name for a file in a folder; use -o FILE")
    for name in inputs:
        if not (folder or naming.in_place) and name != STREAM and Path(name).is_dir():
            raise UsageError(f"{name} is a folder; name one for what is made of it with -o")
    listing = find_inputs(inputs, FileChoice(naming.source_language, writing.include, folder))
    output = writing.output if folder is None else None
    if output is not None:
        check_suffix(output, listing.files[0].path)
    if shot_changes is not None and len(listing.files) > 1 and not shot_changes.is_dir():
        raise UsageError(
            f"--shot-changes {shot_changes}: several inputs need a folder with a list for each, "
            f"named as {_shot_list_names(listing.files[0])[-1]}"
        )
    items = tuple(
        Item(
            file.path,
            output or _target(file, folder, language, naming),
            language,
            _shot_list(file, shot_changes),
        )
        for file in listing.files
        for language in naming.languages
    )
    if problems := list(_collisions(items, writing, in_place=naming.in_place)):
        more = f"; and {len(problems) - SHOWN} more like these" if len(problems) > SHOWN else ""
        raise UsageError("; ".join(problems[:SHOWN]) + more)
    return Plan(items, listing, folder, several)


def plan_in_place(
    inputs: Sequence[str],
    writing: Writing,
    language: str,
    shot_changes: Path | None = None,
    *,
    dry_run: bool = False,
) -> Plan:
    """Name the outputs of files that stay in their formats, but for those that are only read.

    Args:
        inputs: As in `plan_files`, as is ``shot_changes``.
        writing: Where they go; the files themselves with ``--overwrite`` and no output.
        language: Tag of the files' language.
        dry_run: Whether nothing is written, so that they need not go anywhere.

    Raises:
        UsageError: An output's name asks for another format; or as `plan_files`.
    """
    in_place = writing.overwrite or dry_run
    naming = Naming(lambda path, _: written_path(path), (language,), in_place=in_place)
    plan = plan_files(inputs, writing, naming, shot_changes)
    for item in plan.items:
        keep_format(item.source, item.target)
    return plan


def keep_format(source: str, target: str, read: FormatName | None = None) -> None:
    """Refuse an output whose name asks for another format than that of what is read.

    Args:
        source: What is read.
        target: The output.
        read: The source's format, if that is known from more than its name.

    Raises:
        UsageError: It does.
    """
    names = (Path(name).suffix.lower() for name in (source, target))
    by_name, written = (FORMAT_OF_SUFFIX.get(suffix) for suffix in names)
    read = read or by_name
    if read and written and read != written and FORMATS[read].written:
        raise UsageError(f"--output {target}: the format stays that of {source}")


def find_inputs(inputs: Sequence[str], choice: FileChoice) -> Listing:
    """Find all files that are meant by what a user named.

    Files are taken as they are named. Of folders, and of folders below them, those that ``choice``
    takes are taken in alphabetical order; hidden ones and folders of earlier outputs are not
    searched. Patterns are for shells that leave them to the program; of what they match,
    translations are left out as in folders, unless the pattern itself says their language.

    Raises:
        UsageError: A pattern matches nothing, be it an input or one for the files of folders, or
            a name is empty.
    """
    listing = Listing()
    folders = [name for name in inputs if name != STREAM and Path(name).is_dir()]
    for name in inputs:
        if name == STREAM:
            listing.files.append(InputFile(name))
        elif Path(name).is_dir():
            into = PurePath(Path(name).resolve().name) if len(folders) > 1 else PurePath()
            _search(Path(name), into, choice, listing)
        elif not Path(name).name:
            raise UsageError(f"{name!r} is no file; name files, as in films/*.srt")
        elif _is_pattern(name):
            _expand(name, choice, listing)
        else:
            listing.files.append(InputFile(name))
    if choice.include and not (listing.files or listing.left_out or listing.failures):
        patterns = ", ".join(choice.include)
        raise UsageError(f"--include {patterns} matches no file in {', '.join(inputs)}")
    return listing


def guess_source(inputs: Sequence[str], targets: Sequence[str] = ()) -> tuple[str, str]:
    """Tell the language of what is to be translated.

    The names of the files go first (``film.de.srt``), but for languages that are translated into:
    such a file may be one that was named ahead. Where no name says anything, the text of the first
    file does. Of folders, English files are translated where there are any.

    Args:
        inputs: Files, folders, patterns, or ``-``, as the user named them.
        targets: Tags of the languages that are translated into.

    Returns:
        The tag, and what tells it; nothing does where it is what anybody would take it for.

    Raises:
        UsageError: The names of several files say several languages, none of them English.
    """

    def is_target(language: str) -> bool:
        return any(same_language(language, target) for target in targets)

    try:
        found = find_inputs([name for name in inputs if name not in (STREAM, "")], FileChoice(None))
        paths = [Path(file.path) for file in found.files]
    except UsageError:  # what is wrong with them is told where they are read
        paths = []
    named = {
        language: path
        for path in paths
        if (language := named_language(path)) and not is_target(language)
    }
    if any(same_language(language, DEFAULT_LANGUAGE) for language in named):
        return DEFAULT_LANGUAGE, ""
    if len(named) > 1:
        told = ", ".join(f"{path.name} ({tag})" for tag, path in sorted(named.items()))
        raise UsageError(f"the inputs' names say several languages: {told}; say which with -s")
    unnamed = [path for path in paths if str(path) in inputs and named_language(path) is None]
    if named and not unnamed:
        ((language, path),) = named.items()
        return language, f"the name of {path.name}"
    guess = _language_of_text(unnamed[0]) if unnamed else None
    if guess is None or guess == DEFAULT_LANGUAGE or is_target(guess):
        return DEFAULT_LANGUAGE, ""
    return guess, f"the text of {unnamed[0].name}"


def is_script(path: Path) -> bool:
    """Whether a file is a dubbing script, by its name."""
    name = FORMAT_OF_SUFFIX.get(path.suffix.lower())
    return name is not None and FORMATS[name].spoken


def named_as_target(path: Path, language: str, source_language: str) -> bool:
    """Whether a file's name says that it is in the target language already."""
    named = named_language(path)
    return (
        named is not None
        and same_language(named, language)
        and not same_language(named, source_language)
    )


def _language_of_text(path: Path) -> str | None:
    try:
        return guess_language(" ".join(cue.text for cue in read_track(path).cues))
    except SubfitError:  # told where it is read
        return None


def _is_pattern(name: str) -> bool:
    """Whether a name stands for the files that match it; a file of that very name comes first."""
    return glob.has_magic(name) and not os.path.lexists(name)


def _means_several(name: str) -> bool:
    return name != STREAM and (Path(name).is_dir() or _is_pattern(name))


def _named_folder(output: str | None, *, several: bool) -> Path | None:
    """The folder that outputs go to, if the user named one rather than a file."""
    if output is None:
        return None
    folder = Path(output)
    is_folder = folder.is_dir() or output.endswith((os.sep, "/"))
    if not several:
        return folder if is_folder else None
    is_file = folder.is_file() or folder.suffix.lower() in FORMAT_OF_SUFFIX
    if output == STREAM or (is_file and not is_folder):
        raise UsageError(f"--output {folder}: several files go into a folder, not into one file")
    return folder


def _expand(pattern: str, choice: FileChoice, listing: Listing) -> None:
    """Take what matches a pattern; the output mirrors what lies below its part without marks."""
    # pathlib would find hidden files as well.
    matching = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207
    if not matching:
        raise UsageError(f"{pattern} matches no file")
    parts = Path(pattern).parts
    plain = next(number for number, part in enumerate(parts) if glob.has_magic(part))
    root = Path(*parts[:plain])
    for path in map(Path, matching):
        if path.is_dir():
            _search(path, path.relative_to(root), choice, listing)
        elif choice.is_translation(path) and not choice.is_translation(PurePath(pattern)):
            listing.left_out.append(str(path))
        else:
            listing.files.append(InputFile(str(path), path.parent.relative_to(root)))
    listing.files[:] = dict.fromkeys(listing.files)  # films/** matches folders and what is in them
    listing.left_out[:] = dict.fromkeys(listing.left_out)


def _search(folder: Path, into: PurePath, choice: FileChoice, listing: Listing) -> None:
    """Take what lies in a folder and below it."""

    def fail(error: OSError) -> None:
        problem = f"cannot be searched ({reason_of(error)})"
        place = str(error.filename or folder)
        listing.failures.append((place, failure_of(InputFileError(place, problem))))

    output = choice.output_folder and os.path.realpath(choice.output_folder)
    for place, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and os.path.realpath(Path(place, name)) != output
            and not os.path.isdir(f"{place}/{name}/{MANIFEST_FOLDER}")  # noqa: PTH112 (never raises)
        )
        for path in (Path(place, name) for name in sorted(names) if not name.startswith(".")):
            below = path.relative_to(folder)
            if choice.takes(below) and choice.is_translation(below):
                listing.left_out.append(str(path))
            elif choice.takes(below):
                listing.files.append(InputFile(str(path), into / below.parent))


def _target(file: InputFile, folder: Path | None, language: str, naming: Naming) -> str:
    if file.path == STREAM:
        return STREAM
    named = naming.name(Path(file.path), language)
    return str(named if folder is None else folder / file.folder / named.name)


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


def _collisions(items: Sequence[Item], writing: Writing, *, in_place: bool) -> Iterator[str]:
    """Tell of outputs that are written twice, and of those that are inputs."""
    names = {item.source for item in items if item.source != STREAM}
    sources = {os.path.realpath(name): name for name in names}
    targets: dict[str, Item] = {}
    for item in items:
        if item.to_stdout:
            continue
        real = os.path.realpath(item.target)
        if real in targets:
            yield f"{targets[real].source} and {item.source} would both go to {item.target}"
        targets[real] = item
        if sources.get(real) == item.source:
            if not (writing.overwrite or in_place):
                yield (
                    f"{item.source} would be written over itself; name another output with -o, or "
                    "pass --overwrite"
                )
        elif real in sources:
            yield f"{item.target} is an input and would be overwritten"
    if writing.report is not None and os.path.realpath(writing.report) in {*sources, *targets}:
        yield f"--report {writing.report} is an input or output as well"


def _refuse_script_options(job: Job, source: str) -> None:
    """Make sure that options about dubbing scripts are not given for a file that is none."""
    script, dubbing = job.reading.script, job.options.dubbing
    given = {
        "--columns": bool(script.columns),
        "--sheet": script.sheet is not None,
        "--dub-budget": dubbing.budget != DEFAULT_DUBBING.budget,
        "--speed-factor": dubbing.speed_factor != DEFAULT_DUBBING.speed_factor,
    }
    format_name = job.reading.input_format or FORMAT_OF_SUFFIX.get(Path(source).suffix.lower())
    option = next((name for name, is_given in given.items() if is_given), None)
    if option and format_name and not FORMATS[format_name].spoken:
        raise UsageError(
            f"{source}: {option} is for dubbing scripts, .csv, .tsv or .xlsx; leave it out"
        )
