"""Reading files, and writing them so that nothing is half written or overwritten by accident."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from subfit.errors import InputFileError, OutputFileError, reason_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_REMEDY_EXISTS = "pass --overwrite to replace it, or choose another name"


def read_bytes(path: Path | str) -> bytes:
    """Read a file, or standard input (``-``).

    Raises:
        InputFileError: It cannot be read.
    """
    if str(path) != "-" and Path(path).is_dir():
        raise InputFileError(path, "cannot be read (it is a folder)", remedy="name a file in it")
    try:
        return _standard_input() if str(path) == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputFileError(path, f"cannot be read ({reason_of(error)})") from error


def _standard_input() -> bytes:
    if sys.stdin is None:  # as in ``subfit budget - <&-``
        raise ValueError("standard input is closed")
    return sys.stdin.buffer.read()


def write_bytes(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a file at once; see `output_file`.

    Raises:
        OutputFileError: The file exists already, or cannot be written.
    """
    with output_file(path, overwrite=overwrite) as file:
        file.write(data)


@contextlib.contextmanager
def output_file(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """Open a temporary file beside another one, which it becomes when all has been written.

    Args:
        path: The file to write; a link is followed. Devices and pipes are written directly.
        overwrite: Whether an existing file may be replaced; it keeps its permissions.

    Yields:
        The file to write to. Where anything is raised meanwhile, nothing is left of it.

    Raises:
        OutputFileError: The file exists already, or cannot be written. What the caller raises
            stays as it is.
    """
    with _failures_of(path):
        target = _resolved(path)
        mode = target.stat().st_mode if target.exists() else None
        direct = mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
        if not direct and mode is not None and not overwrite:
            raise FileExistsError
        if not direct and mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(None, "it is a directory")
    if direct:
        with _OutputFile(path, target, os.O_WRONLY) as file:
            yield file
        return
    temporary = target.with_name(f".subfit-{secrets.token_hex(8)}.tmp")
    file = _OutputFile(path, temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with file:
            yield file
            file.sync()
        with _failures_of(path):
            _rename(temporary, target, overwrite=overwrite, mode=mode)
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()


class _OutputFile(io.BufferedWriter):
    """A file to write, whose failures name the file that was asked for.

    Args:
        path: That file.
        place: What is opened.
        flags: How, as for `os.open`.
    """

    def __init__(self, path: Path, place: Path, flags: int) -> None:
        self._path = path
        with _failures_of(path):
            super().__init__(io.FileIO(os.open(place, flags, 0o666), "wb"))

    def write(self, data: ReadableBuffer, /) -> int:
        with _failures_of(self._path):
            return super().write(data)

    def flush(self) -> None:
        with _failures_of(self._path):
            super().flush()

    def sync(self) -> None:
        """Make sure that all is on the disk."""
        self.flush()
        with _failures_of(self._path):
            os.fsync(self.fileno())

    def close(self) -> None:
        with _failures_of(self._path):
            super().close()


@contextlib.contextmanager
def _failures_of(path: Path) -> Iterator[None]:
    """Tell of what the system refuses as of a file that cannot be written."""
    try:
        yield
    except FileExistsError:
        raise OutputFileError(path, "the file exists already", remedy=_REMEDY_EXISTS) from None
    except OSError as error:
        raise OutputFileError(path, f"cannot be written ({reason_of(error)})") from error


def make_folder(folder: Path) -> None:
    """Make a folder and those above it.

    Raises:
        OutputFileError: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise OutputFileError(folder, "is a file, not a folder") from error
    except OSError as error:
        raise OutputFileError(folder, f"cannot be made ({reason_of(error)})") from error


def check_writable(path: Path, *, overwrite: bool, folder: Path | None = None) -> None:
    """Find out before the work whether a file may be written after it.

    Args:
        path: The file.
        overwrite: Whether it may be replaced.
        folder: A folder that need not exist yet, nor what is below it, because it will be made.

    Raises:
        OutputFileError: It exists and must not be replaced, or its folder is no place to write.
    """
    if path.is_dir():
        raise OutputFileError(path, "cannot be written (it is a folder)")
    if path.is_file() and not overwrite:
        raise OutputFileError(
            path, "the file exists already", remedy="pass --overwrite to replace it"
        )
    if folder is not None and path.is_relative_to(folder):
        while path.parent not in (path, folder.parent) and not path.parent.exists():
            path = path.parent
        if not path.parent.exists():
            return
    if not path.parent.is_dir():
        raise OutputFileError(path, f"there is no folder {path.parent}", remedy="make it first")
    if (path.is_file() or not path.exists()) and not os.access(path.parent, os.W_OK):
        problem = f"the folder {path.parent} cannot be written to"
        raise OutputFileError(path, problem, remedy="choose another folder")


def _resolved(path: Path) -> Path:
    """Follow links; a name that no file can have is as wrong as one that does not exist."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from error


def _rename(temporary: Path, target: Path, *, overwrite: bool, mode: int | None) -> None:
    """Give a written file its name, and the permissions of the file that had it before."""
    if mode is not None:
        temporary.chmod(stat.S_IMODE(mode))
    try:
        if not overwrite:  # which fails if another one has taken the name in the meantime
            target.hardlink_to(temporary)
            return
    except FileExistsError:
        raise
    except OSError:  # FAT and some network drives have no hard links
        if target.exists():
            raise FileExistsError from None
    temporary.replace(target)
