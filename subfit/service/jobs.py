"""Jobs that outlive the program: kept in a folder each, and taken up again when it starts."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from subfit.batch.items import Result
from subfit.errors import OutputFileError, failure_of, reason_of
from subfit.files import write_bytes
from subfit.service.work import RequestOptions, Ticket, Upload, Worker

State = Literal["waiting", "running", "done", "failed", "cancelled"]
_ID = re.compile(r"[0-9a-f]{24}")


class Jobs:
    """Jobs in a folder; what was accepted is done, whatever happens to the program meanwhile.

    Args:
        folder: Each job has a folder in it: ``order.json``, ``input``, and in the end ``output``
            with ``report.json``, or ``failure.json``.
        worker: Translates them.
        keep_days: Jobs that ended are deleted after that many days.

    Raises:
        OutputFileError: The folder cannot be written.
    """

    def __init__(self, folder: Path, worker: Worker, keep_days: float = 7) -> None:
        self._folder, self._worker, self._keep = folder, worker, keep_days * 86400
        self._tickets: dict[str, Ticket] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise OutputFileError(str(folder), f"cannot be made ({reason_of(error)})") from error
        for path in sorted(self._all(), key=lambda path: path.stat().st_mtime):
            if not (path / "order.json").exists():  # it was never answered
                shutil.rmtree(path, ignore_errors=True)
            elif not self._ended(path):
                self._start(path)
        self._sweep()

    def add(self, sent: Upload) -> str:
        """Keep a job, then queue it; returns its name.

        Raises:
            QueueFullError: Too many wait.
            SubfitError: It cannot be met, or cannot be kept.
        """
        self._worker.admit(sent.options)
        self._sweep()
        path = self._folder / secrets.token_hex(12)
        path.mkdir(mode=0o700)
        order = {"name": sent.name, "options": asdict(sent.options)}
        write_bytes(path / "input", sent.data, overwrite=False)
        write_bytes(path / "order.json", json.dumps(order).encode(), overwrite=False)
        self._start(path)
        return path.name

    def state(self, name: str) -> dict[str, Any]:
        """Return what there is to say of a job.

        Raises:
            KeyError: There is none of that name.
        """
        path = self._path(name)
        ticket = self._tickets.get(name)
        if (path / "output").exists():
            report = json.loads((path / "report.json").read_bytes())
            return {"id": name, "state": "done", **report}
        if (path / "failure.json").exists():
            return {"id": name, **json.loads((path / "failure.json").read_bytes())}
        running = ticket is not None and ticket.done.running()
        done, total = ticket.progress if ticket else (0, 0)
        return {
            "id": name,
            "state": "running" if running else "waiting",
            "done": done,
            "total": total,
        }

    def result(self, name: str) -> tuple[str, bytes]:
        """Return the name and the bytes of a job's translation.

        Raises:
            KeyError: There is no such job, or it is not done.
        """
        path = self._path(name)
        try:
            return self._upload(path).target_name, (path / "output").read_bytes()
        except FileNotFoundError:
            raise KeyError(name) from None

    def delete(self, name: str) -> None:
        """Take a job back, and delete what there is of it.

        Raises:
            KeyError: There is none of that name.
        """
        path = self._path(name)
        if ticket := self._tickets.pop(name, None):
            ticket.done.cancel()
        shutil.rmtree(path, ignore_errors=True)

    def _sweep(self) -> None:
        """Delete the jobs that ended long ago."""
        for path in self._all():
            if self._ended(path) and time.time() - path.stat().st_mtime > self._keep:
                shutil.rmtree(path, ignore_errors=True)

    def _all(self) -> Iterator[Path]:
        return (path for path in self._folder.iterdir() if _ID.fullmatch(path.name))

    def _path(self, name: str) -> Path:
        path = self._folder / name
        if not _ID.fullmatch(name) or not (path / "order.json").exists():
            raise KeyError(name)
        return path

    @staticmethod
    def _upload(path: Path) -> Upload:
        order = json.loads((path / "order.json").read_bytes())
        options = RequestOptions(**order["options"])
        return Upload(order["name"], (path / "input").read_bytes(), options)

    @staticmethod
    def _ended(path: Path) -> bool:
        return (path / "output").exists() or (path / "failure.json").exists()

    def _start(self, path: Path) -> None:
        """Queue a job that is kept; what stands in its way is kept with it."""
        try:
            ticket = self._tickets[path.name] = self._worker.ask(self._upload(path))
        except Exception as error:  # as a model that is no longer there
            self._fail(path, failure_of(error).message)
        else:
            ticket.done.add_done_callback(lambda _: self._end(path, ticket))

    def _end(self, path: Path, ticket: Ticket) -> None:
        """Write down what became of a job; one that is deleted or cancelled leaves nothing."""
        self._tickets.pop(path.name, None)
        if ticket.done.cancelled() or not path.is_dir():
            return
        if (error := ticket.done.exception()) is not None:
            self._fail(
                path, failure_of(error).message if isinstance(error, Exception) else repr(error)
            )
            return
        made: Result = ticket.done.result()
        if made.report is None:
            self._fail(path, made.failure.message if made.failure else "")
            return
        totals = {"totals": made.report.totals}
        write_bytes(path / "report.json", json.dumps(totals).encode(), overwrite=True)
        write_bytes(path / "output", made.data, overwrite=True)

    @staticmethod
    def _fail(path: Path, told: str) -> None:
        failed = {"state": "failed", "error": told}
        write_bytes(path / "failure.json", json.dumps(failed).encode(), overwrite=True)
