"""One run at a time on one folder."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from subfit.batch import lock
from subfit.batch.lock import locked
from subfit.errors import OutputFileError

HOLDS = """
import sys
from pathlib import Path
from subfit.batch.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "out" / ".subfit").mkdir(parents=True)
    return tmp_path / "out" / ".subfit" / "lock"


def test_the_second_is_told_who_holds_it_and_a_dead_one_holds_nothing(path: Path) -> None:
    command = [sys.executable, "-c", HOLDS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        told = rf"out: another run of subfit \(process {other.pid} on {socket.gethostname()}, since"
        with pytest.raises(OutputFileError, match=told), locked(path):
            pass
        other.kill()
        other.wait()
        with locked(path):
            pass


@pytest.mark.parametrize(
    ("process", "host", "free"),
    [
        (2**22 + 1, socket.gethostname(), True),  # above the most that Linux gives out
        (os.getpid(), socket.gethostname(), False),
        (2**22 + 1, "another-host", False),
    ],
    ids=["gone", "running", "elsewhere"],
)
def test_without_locks_of_the_system_the_file_is_the_lock(
    process: int, host: str, free: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "fcntl", None)
    path.write_text(json.dumps({"process": process, "host": host, "since": "yesterday"}))
    if free:
        with locked(path):
            assert json.loads(path.read_text())["process"] == os.getpid()
        assert path.read_text() == ""
    else:
        with pytest.raises(OutputFileError, match=f"process {process} on {host}"), locked(path):
            pass
