"""One run at a time on one output folder."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from subfit.errors import OutputFileError, reason_of

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that ends with the process, however that ends.

    The system's lock on the file is used where it has such; elsewhere the file itself is the lock,
    and that of a process that is no more is taken over.

    Args:
        path: The lock's file; its folder must be there.

    Raises:
        OutputFileError: Another run holds it, or it cannot be written.
    """
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise OutputFileError(path, f"cannot be written ({reason_of(error)})") from error
    with file:
        _acquire(file, path)
        _sign(file)
        try:
            yield
        finally:
            _clear(file)


def _acquire(file: IO[str], path: Path) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _held(file, path) from None
        except OSError:  # some network drives have no locks
            pass
        else:
            return
    holder = _holder(file)
    if holder and not _is_gone(holder):
        raise _held(file, path)


def _sign(file: IO[str]) -> None:
    """Write who holds it, for those who come later."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    file.truncate(0)
    file.write(json.dumps({"process": os.getpid(), "host": socket.gethostname(), "since": now}))
    file.flush()


def _clear(file: IO[str]) -> None:
    with contextlib.suppress(OSError):
        file.truncate(0)


def _holder(file: IO[str]) -> dict[str, Any]:
    try:
        file.seek(0)
        found = json.loads(file.read() or "{}")
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_gone(holder: dict[str, Any]) -> bool:
    """Whether a process is surely no more; of other hosts that cannot be known."""
    if holder.get("host") != socket.gethostname():
        return False
    try:
        os.kill(int(holder["process"]), 0)
    except ProcessLookupError:
        return True
    except (OSError, KeyError, ValueError, TypeError):
        return False
    return False


def _held(file: IO[str], path: Path) -> OutputFileError:
    holder = _holder(file)
    who = "another run of subfit"
    if holder:
        who += " (process {process} on {host}, since {since})".format_map(
            {"process": "?", "host": "?", "since": "?"} | holder
        )
    folder = path.parent.parent
    remedy = "wait for it, or choose another folder"
    return OutputFileError(folder, f"{who} is writing here", remedy=remedy)
