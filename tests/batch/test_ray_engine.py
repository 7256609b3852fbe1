"""The Ray engine: how a cluster is shared out, and what becomes of work when workers are lost."""

from __future__ import annotations

import os
import signal
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from subfit.batch import run as running
from subfit.batch.items import Group, Item, Result, Source
from subfit.batch.job import Cluster
from subfit.batch.ray_engine import ATTEMPTS, WAITING, RayEngine, Worker, share_out
from subfit.errors import Failure, UsageError
from subfit.model.config import Computing

from .conftest import Translate, tree, write


class RayError(Exception):
    pass


class RayTaskError(RayError):
    pass


class FeignedRay:
    """As much of Ray as the engine uses; a promise is a function that is called when it is got."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, deadly: str = "", *, starts: bool = True, broken: bool = False) -> None:
        self.deadly, self.starts, self.broken = deadly, starts, broken
        self.waiting, self.killed = 0, 0

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}

    def remote(self, **_: Any) -> Any:
        return lambda _: SimpleNamespace(remote=self._hire)

    def _hire(self, _: Any) -> Any:
        process = SimpleNamespace(remote=lambda: self._start)
        given = SimpleNamespace(remote=lambda group: lambda: self._translate(group))
        return SimpleNamespace(process=process, translate=given)

    def _start(self) -> int:
        if not self.starts:
            raise RayError("no room")
        return 1

    def _translate(self, group: Group) -> Any:
        if self.deadly in [source.item.source for source in group.sources]:
            raise RayError("the worker died")
        if self.broken:
            return Failure("ModelError", "no model", 1)
        return [Result(one.item, data=one.data.upper()) for one in group.sources]

    def wait(self, promises: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
        self.waiting = max(self.waiting, len(promises))
        return promises[:1], promises[1:]

    def get(self, promise: Any) -> Any:
        return promise()

    def kill(self, _: Any) -> None:
        self.killed += 1


def results(ray: FeignedRay, count: int = 20) -> dict[str, Result]:
    engine = object.__new__(RayEngine)
    setup: Any = SimpleNamespace(job=SimpleNamespace(computing=Computing(threads=1)))
    engine._ray, engine._setup, engine._cluster = ray, setup, Cluster()
    groups = (
        Group("de", tuple(Source(2 * at, Item(f"{at}{n}", "", "de"), b"x", 1) for n in "ab"))
        for at in range(count)
    )
    done = [one for group in engine._spread(groups) for one in group]
    assert len(done) == 2 * count, "something is lost or done twice"
    assert ray.killed == 3
    return {one.source.item.source: one for one in done}


def test_every_file_comes_back_once_with_its_input_and_few_wait() -> None:
    ray = FeignedRay()
    assert all(one.data == one.source.data.upper() != b"" for one in results(ray).values())
    assert ray.waiting <= 3 * WAITING


def test_a_file_that_costs_workers_is_given_up_and_its_neighbours_are_done() -> None:
    done = results(FeignedRay("7a"))
    [(name, failure)] = [(name, one.failure) for name, one in done.items() if one.failure]
    assert name == "7a"
    assert failure.message == f"7a: {ATTEMPTS} workers were lost over it (the worker died)"


@pytest.mark.parametrize(
    ("cores", "gpus", "computing", "wished", "workers", "share"),
    [
        (16, 0, Computing(), None, 4, {"num_cpus": 4}),
        (16, 0, Computing(threads=8), None, 2, {"num_cpus": 8}),
        (2, 0, Computing(), None, 1, {"num_cpus": 2}),
        (2, 0, Computing(threads=1), 2, 2, {"num_cpus": 1}),
        (2, 0, Computing(), 3, 3, {"num_cpus": 0}),
        (16, 2, Computing(), None, 2, {"num_gpus": 1.0, "num_cpus": 1}),
        (16, 2, Computing(), 8, 8, {"num_gpus": 0.25, "num_cpus": 1}),
        (16, 2, Computing(device="cpu"), None, 4, {"num_cpus": 4}),
    ],
)
def test_a_cluster_is_shared_out_among_workers(
    cores, gpus, computing, wished, workers, share
) -> None:
    assert share_out({"CPU": cores, "GPU": gpus}, computing, wished) == (workers, share)


def test_without_ray_one_line_says_what_to_install(
    translate: Translate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    write(tmp_path / "season", "1.srt")
    outcome = translate("season", "-o", "out", "--engine", "ray")
    assert outcome.code == 1
    told = "this needs ray, which is not installed: pip install 'subfit[ray]'"
    assert outcome.err == f"subfit: error: {told}\n"
    outcome = translate("season", "-o", "out", "--workers", "2")
    assert (outcome.code, UsageError.exit_code) == (2, 2)


def workers() -> list[int]:
    """The processes of the workers of the cluster that this process has started."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    found = list[int]()
    while children:
        child = Path("/proc", children.pop())
        if b"ray::" + Worker.__name__.encode() in (child / "cmdline").read_bytes():
            found.append(int(child.name))
        children += (child / "task" / child.name / "children").read_text().split()
    return found


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: pip install 'subfit[ray]'")
def test_a_worker_killed_on_the_way_changes_nothing(
    translate: Translate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GROUP_CUES", 3)
    write(tmp_path / "season", *(f"{n % 3}/{n:02}.srt" for n in range(60)))
    assert translate("season", "-o", "local", "-q").code in (0, 3)
    killed, written, put = list[int](), Counter[str](), running.write_bytes

    def kill_one_on_the_way(path: Path, data: bytes, *, overwrite: bool) -> None:
        written[str(path)] += 1
        put(path, data, overwrite=overwrite)
        if len(written) == 20:
            killed.append(workers()[0])
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(running, "write_bytes", kill_one_on_the_way)
    ray = ("--engine", "ray", "--workers", "2", "--threads", "1")
    outcome = translate("season", "-o", "out", "-q", *ray)
    assert outcome.code in (0, 3), outcome.err
    assert killed
    assert set(written.values()) == {1} and len(written) == 60
    assert tree(tmp_path / "out") == tree(tmp_path / "local")
