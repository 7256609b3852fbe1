"""What is known of every translation in an output folder.

It stands in SQLite, the way back after a crash: a translation is entered before it is written
(``writing``, with the checksum of what is going to stand there) and marked ``done`` after it.
Whenever a run ends in between, the checksum tells whether the file came to be.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

from subfit.batch.items import Item
from subfit.batch.plan import MANIFEST_FOLDER, Plan
from subfit.errors import OutputFileError, reason_of
from subfit.files import make_folder, read_bytes, write_bytes

FILE = "manifest.sqlite"
VERSION = 2
"""Version of the tables; a manifest of another one is not read."""

RecordState = Literal["writing", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of one translation."""

    output: str
    """Its path below the output folder, `storable`."""
    input: str
    """The file it was made of, as it was named then, `storable`."""
    language: str
    key: str
    """Checksum of all that it depends on: its input, shot changes, settings and models."""
    state: RecordState
    output_sha256: str | None = None
    """Checksum of the translation that was or is to be written."""
    previous_sha256: str | None = None
    """Checksum of the one that stood there before."""
    figures: Mapping[str, Any] | None = None
    """``totals`` and ``repairs`` of its report."""
    error: str | None = None

    def wrote(self, sha256: str) -> bool:
        """Whether a file with this checksum was written by us."""
        return sha256 in (self.output_sha256, self.previous_sha256)


_COLUMNS = tuple(field.name for field in fields(Record))
_NEEDED = tuple(f"{field.name} NOT NULL" for field in fields(Record) if field.default is MISSING)
_TABLES = (
    f"CREATE TABLE translations ({', '.join((*_NEEDED, *_COLUMNS[len(_NEEDED) :]))}, "
    "PRIMARY KEY (output))",
    "CREATE TABLE reports (path TEXT, sha256 TEXT, PRIMARY KEY (path, sha256))",
)


class Manifest:
    """The manifest of an output folder; made if absent. Only the holder of the lock writes."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.path = folder / MANIFEST_FOLDER / FILE
        with self._in_one_line():
            mode = "ro" if read_only else "rwc"
            address = f"{self.path.absolute().as_uri()}?mode={mode}"
            self._connection = sqlite3.connect(address, uri=True, isolation_level=None)
            self._connection.execute("PRAGMA synchronous = FULL")
            self._check()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def records(self) -> dict[str, Record]:
        """Return all that is known, by output."""
        with self._in_one_line():
            query = f"SELECT {', '.join(_COLUMNS)} FROM translations"
            records = [Record(*row) for row in self._connection.execute(query).fetchall()]
            return {
                record.output: replace(record, figures=json.loads(str(record.figures)))
                for record in records
            }

    def has_report(self, path: Path | None) -> bool:
        """Whether a report is there that this run or an earlier one wrote, as it was written."""
        if path is None or not path.is_file():
            return False
        query = "SELECT 1 FROM reports WHERE path = ? AND sha256 = ?"
        known = _place(path), checksum(read_bytes(path))
        with self._in_one_line():
            return bool(self._connection.execute(query, known).fetchall())

    def write_report(self, path: Path, data: bytes, *, overwrite: bool) -> None:
        """Enter a report, and write it.

        Raises:
            OutputFileError: It cannot be written.
        """
        with self._in_one_line():
            entry = _place(path), checksum(data)
            self._connection.execute("INSERT OR IGNORE INTO reports VALUES (?, ?)", entry)
        write_bytes(path, data, overwrite=overwrite)

    def write(self, records: Iterable[Record]) -> None:
        """Enter records, all or none of them, in place of older ones of the same outputs."""
        places = ", ".join("?" * len(_COLUMNS))
        rows = [
            [
                json.dumps(record.figures) if name == "figures" else getattr(record, name)
                for name in _COLUMNS
            ]
            for record in records
        ]
        statement = f"INSERT OR REPLACE INTO translations VALUES ({places})"
        with self._in_one_line(), self._connection:  # which commits, or takes all back
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, rows)

    def _check(self) -> None:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == 0 and tables == 0:
            with self._connection:
                for statement in ("BEGIN IMMEDIATE", *_TABLES, f"PRAGMA user_version = {VERSION}"):
                    self._connection.execute(statement)
        elif version != VERSION:
            raise self._unusable(f"is of version {version}, not {VERSION}")
        (verdict,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)

    @contextlib.contextmanager
    def _in_one_line(self) -> Iterator[None]:
        """Turn what the database raises into one line."""
        try:
            yield
        except sqlite3.OperationalError as error:
            remedy = "make room or permit it, then give the same command again"
            raise OutputFileError(self.path, f"cannot be used ({error})", remedy=remedy) from error
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise self._unusable(f"is damaged ({error})") from error

    def _unusable(self, problem: str) -> OutputFileError:
        remedy = (
            "move it away and pass --overwrite to translate again what stands in the folder,"
            " or choose another folder"
        )
        return OutputFileError(self.path, problem, remedy=remedy)


@contextlib.contextmanager
def manifest_of(folder: Path | None, *, read_only: bool = False) -> Iterator[Manifest | None]:
    """Open the manifest of an output folder, and keep other runs off meanwhile.

    Args:
        folder: The folder; None where there is to be no manifest.
        read_only: Only look at it, if it is there, and keep nobody off.

    Yields:
        The manifest, or None where there is none.

    Raises:
        OutputFileError: Another run is writing there, or it cannot be used.
    """
    if folder is None or (read_only and not (folder / MANIFEST_FOLDER / FILE).exists()):
        yield None
        return
    if read_only:
        with contextlib.closing(Manifest(folder, read_only=True)) as manifest:
            yield manifest
        return
    make_folder(folder / MANIFEST_FOLDER)
    with (
        locked(folder / MANIFEST_FOLDER / "lock"),
        contextlib.closing(Manifest(folder)) as manifest,
    ):
        _sweep(folder, manifest)
        yield manifest


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that ends with the process, however that ends.

    Args:
        path: The lock's file; its folder must be there. Who holds it stands beside it, in
            ``lock.json``.

    Raises:
        OutputFileError: Another run holds it, or it cannot be written.
    """
    holder, lock = path.with_suffix(".json"), FileLock(path, timeout=0)
    try:
        lock.acquire()
        since = datetime.now(UTC).isoformat(timespec="seconds")
        owner = {"process": os.getpid(), "host": socket.gethostname(), "since": since}
        holder.write_text(json.dumps(owner), encoding="utf-8")
    except Timeout:
        raise _locked_by(path.parent.parent, holder) from None
    except OSError as error:
        lock.release()
        raise OutputFileError(path, f"cannot be written ({reason_of(error)})") from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            holder.unlink()
        lock.release()


def _locked_by(folder: Path, holder: Path) -> OutputFileError:
    who = "another run of subfit"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # it may just have begun
        owner = json.loads(holder.read_text(encoding="utf-8"))
        who += f" (process {owner['process']} on {owner['host']}, since {owner['since']})"
    remedy = "wait for it, or choose another folder"
    return OutputFileError(folder, f"{who} is writing here", remedy=remedy)


def _sweep(folder: Path, manifest: Manifest) -> None:
    """Delete the temporary files that a run which was killed left beside its outputs."""
    records = manifest.records().values()
    for place in {
        (folder / record.output).parent for record in records if record.state == "writing"
    }:
        for file in place.glob(".subfit-*.tmp"):
            with contextlib.suppress(OSError):
                file.unlink()


def checksum(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def output_name(plan: Plan, item: Item) -> str:
    """Return what the manifest calls an item's output: its path below the output folder."""
    assert plan.folder is not None
    return storable(Path(item.target).relative_to(plan.folder).as_posix())


def storable(name: str) -> str:
    """Return a file's name as it can be stored, also where its bytes are no text."""
    return name.encode("utf-8", errors="backslashreplace").decode("utf-8")


def _place(path: Path) -> str:
    return storable(os.path.realpath(path))


_TIMES = (b"-->", b"-\0-\0>")


def input_checksum(data: bytes, shot_changes: bytes | None = None) -> str:
    """Return the checksum of all that a translation is made of: a file, and its shot changes."""
    shots = "" if shot_changes is None else checksum(shot_changes)
    return checksum(f"{checksum(data)} {shots}".encode())


def count_cues(data: bytes) -> int:
    """Return about how many cues the bytes of a file hold; lines, of plain text."""
    return max(map(data.count, _TIMES)) or data.count(b"\n") + 1
