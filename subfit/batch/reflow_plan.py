"""Which files are broken into lines anew, and where each is written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from subfit.batch.failures import Failure
from subfit.batch.inputs import FileChoice, InputFile, find_inputs
from subfit.batch.items import STREAM
from subfit.batch.job import Writing
from subfit.batch.plan import means_several, named_folder
from subfit.errors import UsageError
from subfit.files import check_writable
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, check_suffix


@dataclass(frozen=True, slots=True)
class Planned:
    """One file and where it goes; ``-`` for the standard streams, empty if nowhere."""

    source: str
    target: str
    in_folder: bool = False
    """Whether it goes to a folder that was named, and is made if absent."""

    @property
    def in_place(self) -> bool:
        """Whether the file itself is written anew."""
        return self.source == self.target != STREAM


@dataclass(frozen=True, slots=True)
class ReflowPlan:
    """What is to be done."""

    files: tuple[Planned, ...]
    failures: tuple[tuple[str, Failure], ...]
    """Folders that cannot be read."""
    several: bool
    """Whether more than one file was meant: then one that fails does not stop the others."""


def plan_reflow(inputs: Sequence[str], writing: Writing, *, dry_run: bool = False) -> ReflowPlan:
    """Name the output of every input, and make sure that each can be written.

    Args:
        inputs: Files, folders, patterns, or ``-``.
        writing: Where they go; with ``overwrite`` and no place, the inputs are replaced.
        dry_run: Nothing is written, so no place is needed.

    Raises:
        UsageError: The inputs and outputs cannot be meant so.
        OutputFileError: The place of the only output is no place to write.
    """
    if STREAM in inputs and len(inputs) > 1:
        raise UsageError("'-' (standard input) must be the only input")
    several = len(inputs) > 1 or means_several(inputs[0])
    folder = named_folder(writing, several=several)
    listing = find_inputs(inputs, FileChoice(None, writing.include, folder))
    files = tuple(
        Planned(file.path, _target(file, folder, writing, dry_run=dry_run), folder is not None)
        for file in listing.files
    )
    _refuse_collisions(files, writing)
    if not several and not dry_run and files[0].target != STREAM:
        check_writable(Path(files[0].target), overwrite=writing.overwrite, folder=folder)
    return ReflowPlan(files, tuple(listing.failures), several)


def _target(file: InputFile, folder: Path | None, writing: Writing, *, dry_run: bool) -> str:
    if folder is not None:
        if file.path == STREAM:
            raise UsageError("standard input has no name for a file in a folder; use -o FILE")
        return str(folder / file.folder / Path(file.path).name)
    if writing.output is not None:
        check_suffix(writing.output, file.path)
        _refuse_other_format(file.path, writing.output)
        return writing.output
    if file.path == STREAM or writing.overwrite:
        return file.path
    if dry_run:
        return ""
    raise UsageError(
        f"{file.path}: where is it to be written? name a file with -o or a folder with "
        "--output-dir, or pass --overwrite to replace the file itself"
    )


def _refuse_other_format(source: str, target: str) -> None:
    formats = [FORMAT_OF_SUFFIX.get(Path(name).suffix.lower()) for name in (source, target)]
    if None not in formats and formats[0] != formats[1]:
        raise UsageError(f"--output {target}: the format stays that of {source}")


def _refuse_collisions(files: Sequence[Planned], writing: Writing) -> None:
    sources = {os.path.realpath(planned.source) for planned in files if planned.source != STREAM}
    targets: dict[str, str] = {}
    for planned in files:
        if planned.target in ("", STREAM):
            continue
        real = os.path.realpath(planned.target)
        if real in targets:
            raise UsageError(
                f"{targets[real]} and {planned.source} would both be written to {planned.target}"
            )
        targets[real] = planned.source
        own = real == os.path.realpath(planned.source)
        if real in sources and not (own and writing.overwrite):
            hint = "; pass --overwrite to replace it" if own else ""
            raise UsageError(f"{planned.target} is an input and would be overwritten{hint}")
