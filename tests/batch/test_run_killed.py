"""Runs that are killed at random moments, and go on as if nothing had been."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from subfit.batch import run as running
from subfit.cli.main import run
from subfit.model import checkpoint  # noqa: F401 (imported before processes are forked)

from .conftest import Cli, tree, write

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def start(*arguments: str) -> int:
    """Run a command in a process of its own, which has all modules already."""
    child = os.fork()
    if child:
        return child
    os._exit(run(arguments))  # nothing of the test's process is to be cleaned up by this one


def written(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.srt")) if folder.is_dir() else 0


@pytest.mark.parametrize(
    "kills", [1, pytest.param(10, marks=pytest.mark.slow)], ids=lambda kills: f"{kills} kills"
)
def test_killed_runs_end_like_an_unbroken_one(
    kills: int,
    translate: Cli,
    tmp_path: Path,
    tiny_model_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "GROUP_CUES", 9)
    files = 8 * kills
    season, out = tmp_path / "season", tmp_path / "out"
    write(season, *(f"{n % 5}/{n:02}.srt" for n in range(files)))
    began = time.monotonic()
    assert translate("season", "-o", "whole", "-q").code in (0, 3)
    pause = (time.monotonic() - began) / files
    chance = random.Random(kills)
    command = ("translate", "season", "-t", "de", "-o", "out", "-q", "--beam", "2")
    for kill in range(kills):
        enough = written(out) + chance.randrange(files // (kills + 1))
        child = start(*command, "--model", str(tiny_model_folder))
        while written(out) < enough and os.waitpid(child, os.WNOHANG) == (0, 0):
            time.sleep(0.001)
        time.sleep(chance.random() * pause * 4)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), f"the run was over before kill {kill + 1}"
        whole = tree(tmp_path / "whole")
        standing = {name: data for name, data in tree(out).items() if name.endswith(".srt")}
        assert standing.items() <= whole.items(), "half-written or other than unbroken"
    standing = dict.fromkeys(path for path in out.rglob("*.srt") if path.is_file())
    times = {path: path.stat().st_mtime_ns for path in standing}
    assert translate("season", "-o", "out", "-q").code in (0, 3)
    assert tree(out) == tree(tmp_path / "whole")
    assert {path: path.stat().st_mtime_ns for path in standing} == times, "done twice"
    with closing(sqlite3.connect(out / ".subfit" / "manifest.sqlite")) as manifest:
        states = manifest.execute("SELECT state, count(*) FROM translations GROUP BY state")
        assert states.fetchall() == [("done", files)]
