"""The Ray engine: what becomes of work when workers are lost, with Ray feigned and with Ray."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from subfit.batch import ray_engine
from subfit.batch import run as run_module
from subfit.batch import run as running
from subfit.batch.items import Group, Item, Source, Translated
from subfit.batch.ray_engine import ATTEMPTS, WAITING, _WorkerPool, share_out
from subfit.errors import EngineError, Failure, ModelError, UsageError
from subfit.model.config import Computing

from .conftest import Translate, tree, write


class RayError(Exception):
    pass


class RayTaskError(RayError):
    pass


class FeignedWorker:
    """A worker that is lost over some files, and else gives back what it gets in capitals."""

    def __init__(self, ray: FeignedRay) -> None:
        self.ray, self.groups, self.lost = ray, 0, False
        self.translate = SimpleNamespace(remote=self._promise)
        self.process = SimpleNamespace(remote=lambda: self._start)

    def _start(self) -> int:
        self.ray.false_starts -= 1
        if self.ray.false_starts >= 0:
            raise RayError("no room")
        return 1

    def _promise(self, group: Group) -> Callable[[], Any]:
        self.groups += 1
        self.ray.most_groups = max(self.ray.most_groups, self.groups)
        return lambda: self._translate(group)

    def _translate(self, group: Group) -> Any:
        self.groups -= 1
        if self.lost or {source.item.source for source in group.sources} & self.ray.deadly:
            self.lost = True
            raise RayError("the worker died")
        if self.ray.model_is_broken:
            return Failure("ModelError", "no model", 1)
        return [
            Translated(Source(each.index, each.item, b"", 0), each.data.upper())
            for each in group.sources
        ]


class FeignedRay:
    """As much of Ray as the engine uses; a promise is a function that is called when it is got."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(
        self, *, deadly: str = "", false_starts: int = 0, model_is_broken: bool = False
    ) -> None:
        self.deadly, self.false_starts, self.model_is_broken = (
            {deadly},
            false_starts,
            model_is_broken,
        )
        self.started = self.most_groups = 0
        self._chance = random.Random(1)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 8.0}

    def remote(self, **_: Any) -> Callable[[type], Any]:
        return lambda _: SimpleNamespace(remote=self._hire)

    def _hire(self, _: Any) -> FeignedWorker:
        self.started += 1
        return FeignedWorker(self)

    def wait(self, promises: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
        chosen = self._chance.choice(promises)
        return [chosen], [each for each in promises if each is not chosen]

    def get(self, promise: Callable[[], Any]) -> Any:
        return promise()

    def kill(self, _: Any) -> None:
        pass


def some_groups(count: int) -> Iterator[Group]:
    for number in range(count):
        sources = (
            Source(2 * number + n, Item(f"{number}{name}", "", "de"), name.encode(), 1)
            for n, name in enumerate("ab")
        )
        yield Group("de", tuple(sources))


def crew(ray: FeignedRay, size: int = 3) -> _WorkerPool:
    job = SimpleNamespace(computing=Computing(threads=1))
    return _WorkerPool(ray, cast(Any, SimpleNamespace(job=job)), size)


def results(ray: FeignedRay, count: int = 20) -> dict[str, Translated]:
    done = [each for group in crew(ray).translate(some_groups(count)) for each in group]
    assert len(done) == 2 * count, "something is lost or done twice"
    return {each.source.item.source: each for each in done}


def test_every_file_comes_back_once_with_its_input_and_few_wait() -> None:
    ray = FeignedRay()
    done = results(ray)
    assert all(each.data == each.source.data.upper() != b"" for each in done.values())
    assert ray.most_groups == WAITING
    assert ray.started == 3


def test_groups_are_drawn_only_as_there_is_room() -> None:
    drawn = Counter[str]()

    def counted() -> Iterator[Group]:
        for group in some_groups(20):
            drawn["groups"] += 1
            yield group

    working = crew(FeignedRay(), size=2).translate(counted())
    next(working)
    assert drawn["groups"] <= 2 * WAITING


def test_a_file_that_costs_workers_is_given_up_and_its_neighbours_are_done() -> None:
    ray = FeignedRay(deadly="7a")
    done = results(ray)
    failed = {name: each.failure for name, each in done.items() if each.failure}
    assert set(failed) == {"7a"}
    assert failed["7a"] is not None
    assert failed["7a"].message.startswith(f"7a: {ATTEMPTS} workers were lost over it (the worker")
    assert ray.started == 3 + 2 * ATTEMPTS


def test_workers_that_do_not_start_are_tried_again_but_not_for_ever() -> None:
    assert results(FeignedRay(false_starts=ATTEMPTS - 1))
    with pytest.raises(EngineError, match=r"workers of Ray do not start: no room"):
        results(FeignedRay(false_starts=100))


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
    cores: int,
    gpus: int,
    computing: Computing,
    wished: int | None,
    workers: int,
    share: dict[str, float],
) -> None:
    assert share_out({"CPU": cores, "GPU": gpus}, computing, wished) == (workers, share)


def test_a_broken_model_ends_the_run() -> None:
    with pytest.raises(ModelError, match="no model"):
        results(FeignedRay(model_is_broken=True))


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


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: pip install 'subfit[ray]'")
def test_a_worker_killed_on_the_way_changes_nothing(
    translate: Translate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GROUP_CUES", 3)
    write(tmp_path / "season", *(f"{n % 3}/{n:02}.srt" for n in range(60)))
    assert translate("season", "-o", "local", "-q").code in (0, 3)
    processes, killed = list[int](), list[int]()
    lost, written = list[Group](), Counter[str]()
    welcome, again, put = _WorkerPool._welcome, _WorkerPool._try_again, run_module.write_bytes

    def remember(self: _WorkerPool, promise: Any) -> None:
        processes.append(self.ray.get(promise))
        welcome(self, promise)

    def note(self: _WorkerPool, group: Group, error: Exception) -> Any:
        lost.append(group)
        return again(self, group, error)

    def kill_one_when_both_work(path: Path, data: bytes, *, overwrite: bool) -> None:
        written[str(path)] += 1
        put(path, data, overwrite=overwrite)
        if len(processes) == 2 and not killed:
            killed.append(processes[-1])
            os.kill(processes[-1], signal.SIGKILL)

    monkeypatch.setattr(ray_engine._WorkerPool, "_welcome", remember)
    monkeypatch.setattr(ray_engine._WorkerPool, "_try_again", note)
    monkeypatch.setattr(run_module, "write_bytes", kill_one_when_both_work)
    ray = ("--engine", "ray", "--workers", "2", "--threads", "1")
    outcome = translate("season", "-o", "out", "-q", *ray)
    assert outcome.code in (0, 3), outcome.err
    assert killed and lost, "no worker was lost with work in its hands"
    assert set(written.values()) == {1} and len(written) == 60
    assert tree(tmp_path / "out") == tree(tmp_path / "local")
