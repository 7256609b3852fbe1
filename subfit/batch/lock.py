"""One run at a time on one output folder."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from subfit.errors import OutputFileError, reason_of


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
        holder.write_text(json.dumps(_this_process()), encoding="utf-8")
    except Timeout:
        raise _held(path.parent.parent, holder) from None
    except OSError as error:
        lock.release()
        raise OutputFileError(path, f"cannot be written ({reason_of(error)})") from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            holder.unlink()
        lock.release()


def _this_process() -> dict[str, object]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"process": os.getpid(), "host": socket.gethostname(), "since": now}


def _held(folder: Path, holder: Path) -> OutputFileError:
    who = "another run of subfit"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # it may just have begun
        owner = json.loads(holder.read_text(encoding="utf-8"))
        who += f" (process {owner['process']} on {owner['host']}, since {owner['since']})"
    remedy = "wait for it, or choose another folder"
    return OutputFileError(folder, f"{who} is writing here", remedy=remedy)
