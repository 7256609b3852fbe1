"""What is known of every translation in an output folder, in SQLite: the way back after a crash.

A translation is entered before it is written (``writing``, with the checksum of what is going to
stand there) and marked ``done`` after it. Whenever a run ends in between, the checksum tells
whether the file came to be.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Literal

from subfit.batch.inputs import MANIFEST_FOLDER
from subfit.batch.lock import locked
from subfit.errors import OutputFileError
from subfit.files import make_folder

FILE = "manifest.sqlite"
VERSION = 1
"""Version of the tables; a manifest of another one is not read."""

RecordState = Literal["writing", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Key:
    """What a translation depends on."""

    input_sha256: str
    """The checksum from `input_checksum`."""
    settings: str
    """Fingerprint of all settings."""
    model: str
    """Checksum."""


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of one translation."""

    output: str
    """Its path below the output folder, `storable`."""
    input: str
    """The file it was made of, as it was named then, `storable`."""
    language: str
    key: Key
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


_REPORTS = "CREATE TABLE reports (path TEXT, sha256 TEXT, PRIMARY KEY (path, sha256))"
_KEPT = "CREATE TABLE IF NOT EXISTS kept (output TEXT PRIMARY KEY, sha256 TEXT, report BLOB)"
"""Came later than the others, which is why a manifest may lack it."""
_COLUMNS = (
    "output TEXT PRIMARY KEY",
    "input TEXT NOT NULL",
    "language TEXT NOT NULL",
    "input_sha256 TEXT NOT NULL",
    "settings TEXT NOT NULL",
    "model TEXT NOT NULL",
    "state TEXT NOT NULL",
    "output_sha256 TEXT",
    "previous_sha256 TEXT",
    "figures TEXT",
    "error TEXT",
)


class Manifest:
    """The manifest of an output folder; made if absent. Only the holder of the lock writes."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.path = folder / MANIFEST_FOLDER / FILE
        with self._told():
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
        names = ", ".join(column.split()[0] for column in _COLUMNS)
        with self._told():
            rows = self._connection.execute(f"SELECT {names} FROM translations").fetchall()
            return {row[0]: _record(row) for row in rows}

    def wrote_report(self, path: Path, sha256: str) -> bool:
        """Whether a report with this checksum was written there by this run or an earlier one."""
        query = "SELECT 1 FROM reports WHERE path = ? AND sha256 = ?"
        with self._told():
            return bool(self._connection.execute(query, (_place(path), sha256)).fetchall())

    def enter_report(self, path: Path, sha256: str) -> None:
        """Enter a report that is about to be written."""
        with self._told():
            self._connection.execute(
                "INSERT OR IGNORE INTO reports VALUES (?, ?)", (_place(path), sha256)
            )

    def keep(self, output: str, sha256: str, report: bytes) -> None:
        """Keep the report on a translation, in place of that on an earlier one.

        Args:
            output: The translation's path below the output folder, `storable`.
            sha256: The translation's.
            report: From `subfit.batch.kept_reports.pack`.
        """
        with self._told():
            self._connection.execute(_KEPT)
            self._connection.execute(
                "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (output, sha256, report)
            )

    def kept(self, output: str, sha256: str) -> bytes | None:
        """Return the report that was kept on a translation; None if there is none.

        Args:
            output: The translation's path below the output folder, `storable`.
            sha256: Of what stands there.
        """
        with self._told():
            if not self._connection.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'kept'"
            ).fetchall():
                return None
            query = "SELECT report FROM kept WHERE output = ? AND sha256 = ?"
            row = self._connection.execute(query, (output, sha256)).fetchone()
            return row[0] if row else None

    def write(self, records: Iterable[Record]) -> None:
        """Enter records, all or none of them, in place of older ones of the same outputs."""
        places = ", ".join("?" * len(_COLUMNS))
        rows = [_row(record) for record in records]
        with self._told():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                statement = f"INSERT OR REPLACE INTO translations VALUES ({places})"
                self._connection.executemany(statement, rows)
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _check(self) -> None:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == 0 and tables == 0:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(f"CREATE TABLE translations ({', '.join(_COLUMNS)})")
            self._connection.execute(_REPORTS)
            self._connection.execute(_KEPT)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
            self._connection.execute("COMMIT")
        elif version != VERSION:
            raise self._unusable(f"is of version {version}, not {VERSION}")
        (verdict,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
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


def input_checksum(data: bytes, shot_changes: bytes | None = None) -> str:
    """Return the checksum of all that a translation is made of: a file, and its shot changes."""
    if shot_changes is None:
        return checksum(data)
    return checksum(f"{checksum(data)} {checksum(shot_changes)}".encode())


def storable(name: str) -> str:
    """Return a file's name as it can be stored, also where its bytes are no text."""
    return name.encode("utf-8", errors="backslashreplace").decode("utf-8")


def _place(path: Path) -> str:
    return storable(os.path.realpath(path))


def _row(record: Record) -> tuple[str | None, ...]:
    return (
        record.output,
        record.input,
        record.language,
        *astuple(record.key),
        record.state,
        record.output_sha256,
        record.previous_sha256,
        None if record.figures is None else json.dumps(record.figures),
        record.error,
    )


def _record(row: tuple[Any, ...]) -> Record:
    output, input_, language, *key, state, output_sha256, previous, figures, error = row
    return Record(
        output,
        input_,
        language,
        Key(*key),
        state,
        output_sha256,
        previous,
        None if figures is None else json.loads(figures),
        error,
    )
