"""Which files are to be translated: files by name, folders with all below them, patterns."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePath

from subfit.batch.failures import Failure, failure_of
from subfit.batch.items import STREAM
from subfit.errors import InputFileError, UsageError, reason_of
from subfit.subtitles.cues import FORMATS
from subfit.subtitles.formats.naming import named_language
from subfit.text.languages import same_language

PATTERNS = tuple(f"*{format.suffixes[0]}" for format in FORMATS.values() if format.timed)
"""Names of files that are translated of a folder."""
MANIFEST_FOLDER = ".subfit"
"""Beside translations, what is known of them; see `subfit.batch.manifest`."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to translate."""

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
        """Whether a file is of the kind that is translated.

        Args:
            path: Below the folder.
        """
        name, whole = path.name.lower(), path.as_posix().lower()
        return any(
            fnmatch(whole if "/" in pattern else name, pattern.lower())
            for pattern in self.include or PATTERNS
        )

    def is_translation(self, path: PurePath) -> bool:
        """Whether a file's name says another language than the source: ``movie.de.srt``."""
        wanted, named = self.source_language, named_language(path)
        return wanted is not None and named is not None and not same_language(named, wanted)


def is_pattern(name: str) -> bool:
    """Whether a name stands for the files that match it; a file of that very name comes first."""
    return glob.has_magic(name) and not os.path.lexists(name)


def find_inputs(inputs: Sequence[str], choice: FileChoice) -> Listing:
    """Find all files that are meant by what a user named.

    Files are taken as they are named. Of folders, and of folders below them, those that ``choice``
    takes are taken in alphabetical order; hidden ones and folders of earlier outputs are not
    searched. Patterns are for shells that leave them to the program; of what they match,
    translations are left out as in folders, unless the pattern itself says their language.

    Args:
        inputs: Files, folders, patterns, or ``-``.
        choice: Which files of a folder are taken.

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
        elif is_pattern(name):
            _expand(name, choice, listing)
        else:
            listing.files.append(InputFile(name))
    if choice.include and not (listing.files or listing.left_out or listing.failures):
        patterns = ", ".join(choice.include)
        raise UsageError(f"--include {patterns} matches no file in {', '.join(inputs)}")
    return listing


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
    def fail(error: OSError) -> None:
        problem = f"cannot be searched ({reason_of(error)})"
        place = str(error.filename or folder)
        listing.failures.append((place, failure_of(InputFileError(place, problem))))

    for path in _files_below(folder, choice, fail):
        below = path.relative_to(folder)
        if not choice.takes(below):
            continue
        if choice.is_translation(below):
            listing.left_out.append(str(path))
        else:
            listing.files.append(InputFile(str(path), into / below.parent))


def _files_below(
    folder: Path, choice: FileChoice, on_error: Callable[[OSError], None]
) -> Iterator[Path]:
    output = choice.output_folder and os.path.realpath(choice.output_folder)
    for place, folders, names in os.walk(folder, onerror=on_error):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and os.path.realpath(Path(place, name)) != output
            and not Path(place, name, MANIFEST_FOLDER).is_dir()
        )
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))
