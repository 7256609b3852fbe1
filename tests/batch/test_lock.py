"""One run at a time on one folder."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_a_lock_whose_holder_is_not_known_is_told_all_the_same(path: Path) -> None:
    with locked(path):
        path.with_suffix(".json").unlink()
        told = "out: another run of subfit is writing here"
        with pytest.raises(OutputFileError, match=told), locked(path):
            pass
    assert not path.with_suffix(".json").exists()
