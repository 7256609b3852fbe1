"""What is known of every translation in an output folder, and what of a plan is left to do by it.

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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

from subfit.batch.items import STREAM, Item, Result, Source
from subfit.batch.plan import MANIFEST_FOLDER, Plan
from subfit.batch.setup import RunSetup
from subfit.errors import OutputFileError, SubfitError, reason_of
from subfit.files import check_writable, make_folder, read_bytes, write_bytes
from subfit.reporting.tables import Forms, render_report

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
        with self._in_one_line():
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
            for statement in _TABLES:
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
            self._connection.execute("COMMIT")
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


KeyOf = Callable[[str, str], str]
_TIMES = (b"-->", b"-\0-\0>")


@dataclass(frozen=True, slots=True)
class EarlierRuns:
    """What a run that can be resumed knows of earlier ones, and leaves for later ones."""

    manifest: Manifest
    key_of: KeyOf
    """What translations depend on now, from `keys_of`."""
    reports: Path | None = None
    """A folder that mirrors that of the translations, with a report on every cue of each."""
    suffix: str = ".json"
    """Of `subfit.reporting.tables.REPORT_SUFFIXES`: what these reports are."""
    overwrite: bool = False
    """Whether reports of others may be replaced as well."""

    def report_on(self, name: str) -> Path | None:
        """Return where the report on a translation is, by its path below the output folder."""
        return None if self.reports is None else self.reports / f"{name}{self.suffix}"

    def is_reported(self, name: str) -> bool:
        """Tell whether the report on a translation is there, if any is wished.

        Raises:
            OutputFileError: Something stands in its place that is not ours.
        """
        place = self.report_on(name)
        if place is None or self.manifest.has_report(place):
            return True
        check_writable(place, overwrite=self.overwrite, folder=self.reports)
        return False

    def write_report(self, name: str, forms: Forms) -> None:
        """Write the report on a translation, if it is wished.

        Raises:
            OutputFileError: It cannot be written.
        """
        if (place := self.report_on(name)) is None:
            return
        overwrite = self.overwrite or self.manifest.has_report(place)
        make_folder(place.parent)
        self.manifest.write_report(place, render_report(place, forms), overwrite=overwrite)


@dataclass(slots=True)
class Triage:
    """What is left to do, and what is not."""

    todo: list[Source] = field(default_factory=list)
    settled: dict[int, Result] = field(default_factory=dict)
    """The results by index."""
    written: list[Record] = field(default_factory=list)
    """Records of translations that were written just before an earlier run ended."""


def triage(plan: Plan, earlier: EarlierRuns | None, *, overwrite: bool) -> Triage:
    """Look at all inputs and outputs of a plan.

    Args:
        plan: The items.
        earlier: What is known of earlier runs, where that is kept.
        overwrite: Whether files may be replaced that no earlier run wrote, or that have been
            edited since.

    Returns:
        Every item either to do or settled.
    """
    known = {} if earlier is None else earlier.manifest.records()
    triaged = Triage()
    for index, item in enumerate(plan.items):
        try:
            if earlier is None:
                triaged.todo.append(_alone(index, item, plan, overwrite=overwrite))
                continue
            record = known.get(output_name(plan, item))
            found = _held(index, item, plan, earlier, record, overwrite=overwrite)
        except SubfitError as error:
            triaged.settled[index] = Result.failed(item, error)
            continue
        if isinstance(found, Source):
            triaged.todo.append(found)
            continue
        triaged.settled[index] = found
        if found.state == "earlier" and record and record.state == "writing":
            triaged.written.append(replace(record, state="done"))
    return triaged


def _alone(index: int, item: Item, plan: Plan, *, overwrite: bool) -> Source:
    """An item of which nothing is kept."""
    source = Source(index, item, b"", 0).read()
    if not item.to_stdout:
        check_writable(Path(item.target), overwrite=overwrite, folder=plan.folder)
    data = source.data if item.source == STREAM else b""
    return Source(index, item, data, count_cues(source.data))


def _held(
    index: int,
    item: Item,
    plan: Plan,
    earlier: EarlierRuns,
    record: Record | None,
    *,
    overwrite: bool,
) -> Source | Result:
    """An item as it is held against what is known of it: to do, or settled.

    Raises:
        OutputFileError: What stands in its place must not be replaced.
    """
    digest, cues = _digest_and_cues(item.source, item.shot_changes)
    key, standing = earlier.key_of(item.language, digest), _standing(item)
    reported = earlier.is_reported(output_name(plan, item))
    ours = None
    if record is not None and standing is not None:
        same = (record.key, record.output_sha256) == (key, standing)
        if reported and record.state != "failed" and same:
            return Result(item, "earlier", record.figures)
        ours = standing if record.wrote(standing) else None
        if not (ours or overwrite):
            if record.state == "done" and record.key == key:
                return Result(item, "edited", record.figures)
            problem = "it has been edited, and its input, settings or model have changed since"
            raise OutputFileError(item.target, problem, remedy="pass --overwrite, or move it away")
    check_writable(Path(item.target), overwrite=bool(ours or overwrite), folder=plan.folder)
    return Source(index, item, b"", cues, standing=ours)


def keys_of(setup: RunSetup) -> KeyOf:
    """Return a function from language and checksum of an input to what the translation depends on.

    Raises:
        ModelError: Later, where a model cannot be read.
    """
    settings = cache(setup.fingerprint)
    return lambda language, digest: checksum(f"{digest} {settings(language)}".encode())


def input_checksum(data: bytes, shot_changes: bytes | None = None) -> str:
    """Return the checksum of all that a translation is made of: a file, and its shot changes."""
    shots = "" if shot_changes is None else checksum(shot_changes)
    return checksum(f"{checksum(data)} {shots}".encode())


def count_cues(data: bytes) -> int:
    """Return about how many cues the bytes of a file hold; lines, of plain text."""
    return max(map(data.count, _TIMES)) or data.count(b"\n") + 1


@lru_cache(maxsize=1)
def _digest_and_cues(path: str, shot_changes: str | None) -> tuple[str, int]:
    data = read_bytes(path)
    shots = None if shot_changes is None else read_bytes(shot_changes)
    return input_checksum(data, shots), count_cues(data)


def _standing(item: Item) -> str | None:
    """The checksum of what stands in an item's place."""
    target = Path(item.target)
    if not target.is_file():
        return None
    try:
        return checksum(target.read_bytes())
    except OSError as error:
        raise OutputFileError(target, "cannot be read to see whether it is ours") from error
