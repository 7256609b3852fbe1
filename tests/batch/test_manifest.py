"""The manifest: what is written is what is read, damage is told in a line, one run at a time."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from subfit.batch.manifest import Manifest, Record, locked
from subfit.errors import OutputFileError

RECORD = Record(
    output="a/m.de.srt",
    input="s/a/m.srt",
    language="de",
    key="1",
    state="writing",
    output_sha256="4",
    figures={"totals": {"cues": 3, "what": "schön"}},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".subfit").mkdir()
    return tmp_path


def test_damage_within_a_manifest_is_found(folder: Path) -> None:
    with closing(Manifest(folder)) as manifest:
        manifest.write([replace(RECORD, output=f"{n}.srt") for n in range(300)])
    path = folder / ".subfit" / "manifest.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xa5" * 8192 + data[16384:])
    with pytest.raises(OutputFileError, match="is damaged"), closing(Manifest(folder)) as manifest:
        manifest.records()


def test_a_manifest_of_a_later_version_is_left_alone(folder: Path) -> None:
    path = folder / ".subfit" / "manifest.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (x)")
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(OutputFileError, match="is of version 99, not 2"):
        Manifest(folder)


HOLDS = """
import sys
from pathlib import Path
from subfit.batch.manifest import locked
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
