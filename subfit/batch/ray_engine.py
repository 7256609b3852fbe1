"""The engine for many machines: groups go to workers of a Ray cluster, results come back here.

Workers write nothing. They send back the bytes of their translations, and the run that started them
writes files and manifest: workers need no common disk for outputs, a worker that is lost has left
nothing behind, and each file is written once, whatever was tried twice.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from subfit.batch.items import Group, OnGroup, Translated, Translations
from subfit.batch.job import Cluster
from subfit.batch.setup import RunSetup
from subfit.errors import (
    EngineError,
    Failure,
    MissingPackageError,
    ModelError,
    SubfitError,
    UsageError,
    failure_of,
)
from subfit.model.config import Computing

CORES = 4
"""CPU cores of a worker: a model's search gains little from more."""
WAITING = 2
"""Groups that a worker has at most: one it works on, and the next."""
ATTEMPTS = 3
"""Workers that may be lost over a group before its files are given up."""


class Worker:
    """What runs on the cluster: models, loaded once, and groups one after the other."""

    def __init__(self, setup: RunSetup) -> None:
        from subfit.batch.local_engine import Models

        self._setup, self._models = setup, Models(setup, alone=False)

    def process(self) -> int:
        """Return the number of this process; it answers when it is ready."""
        return os.getpid()

    def translate(self, group: Group) -> list[Translated] | Failure:
        """Translate a group.

        Returns:
            As `translate_group`, but nothing that the other side has or cannot take: no input, no
            exception. A failure is that of the model.
        """
        from subfit.batch.local_engine import translate_group

        try:
            done = translate_group(group, self._setup, self._models)
        except SubfitError as error:
            return _without_error(failure_of(error))
        return [
            replace(
                result,
                source=replace(result.source, data=b""),
                failure=result.failure and _without_error(result.failure),
            )
            for result in done
        ]


def _without_error(failure: Failure) -> Failure:
    return replace(failure, error=None)


class RayEngine:
    """Translates groups on the workers of a Ray cluster.

    Args:
        setup: What workers must know. The folders of its models must be at the same place on every
            machine of the cluster.
        cluster: Where the workers run.

    Raises:
        MissingPackageError: Ray is not installed.
    """

    def __init__(self, setup: RunSetup, cluster: Cluster) -> None:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # read when Ray is imported
        try:
            import ray
        except ImportError as error:
            raise MissingPackageError("ray") from error
        self._ray, self._setup, self._cluster = ray, setup, cluster

    def translate(
        self, groups: Iterable[Group], on_progress: OnGroup | None = None
    ) -> Translations:
        """Translate groups; see `Engine`. How far a group is, is not seen from here."""
        groups = iter(groups)
        first = next(groups, None)
        if first is None:
            return
        with self._connected():
            pool = _WorkerPool(self._ray, self._setup, self._cluster.workers)
            try:
                yield from pool.translate(_after(first, groups))
            finally:
                pool.dismiss()

    @contextmanager
    def _connected(self) -> Iterator[None]:
        ray, address = self._ray, self._cluster.ray_address
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if address is None:
            options |= {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        try:
            ray.init(address=address or "local", **options)
        except Exception as error:  # of many kinds, as ConnectionError and RuntimeError
            where = address or "this machine"
            raise EngineError(f"no Ray cluster on {where}: {_line(error)}") from error
        try:
            yield
        finally:
            ray.shutdown()


def _after(first: Group, others: Iterator[Group]) -> Iterator[Group]:
    yield first
    yield from others


def share_out(
    resources: Mapping[str, float], computing: Computing, workers: int | None
) -> tuple[int, dict[str, float]]:
    """Divide a cluster among workers.

    Args:
        resources: ``CPU`` and ``GPU`` of the cluster, as Ray has them.
        computing: Where models compute; on GPUs, if there are any and it may.
        workers: How many are wished for; None for one per GPU, or per as many cores as ``threads``
            says.

    Returns:
        How many workers there are, and what each has; a share of a GPU if there are too few.
    """
    cores, gpus = int(resources.get("CPU", 1)), int(resources.get("GPU", 0))
    if gpus and computing.device != "cpu":
        count = workers or gpus
        return count, {"num_gpus": min(1.0, gpus / count), "num_cpus": min(1, cores // count)}
    threads = computing.threads or CORES
    count = workers or max(cores // threads, 1)
    return count, {"num_cpus": min(threads, cores // count)}


@dataclass(slots=True)
class _WorkerPool:
    """The workers of a run, and the groups they have."""

    ray: Any
    setup: RunSetup
    size: int | None
    _share: dict[str, float] = field(default_factory=dict)
    """The share of the cluster for each worker."""
    _starting: dict[Any, Any] = field(default_factory=dict)
    """Workers by the promise that they are ready."""
    _ready: list[Any] = field(default_factory=list)
    _given: dict[Any, tuple[Any, Group]] = field(default_factory=dict)
    """Groups, each with its worker, by the promise of their results."""
    _again: list[Group] = field(default_factory=list)
    """Groups whose workers were lost."""
    _lost: Counter[tuple[int, ...]] = field(default_factory=Counter)
    """Workers that were lost over a group, by the indices of its files."""
    _false_starts: int = 0

    def translate(self, groups: Iterator[Group]) -> Translations:
        """Keep every worker busy, and yield what they make."""
        workers, self._share = share_out(
            self.ray.cluster_resources(), self.setup.job.computing, self.size
        )
        for _ in range(workers):
            self._hire()
        while self._hand_out(groups) or self._given:
            [promise], _ = self.ray.wait([*self._given, *self._starting], num_returns=1)
            if promise in self._starting:
                self._welcome(promise)
            else:
                yield from self._take(promise)

    def dismiss(self) -> None:
        """Let the workers go."""
        for worker in [*self._ready, *self._starting.values()]:
            self.ray.kill(worker)

    def _hire(self) -> None:
        worker = self.ray.remote(**self._share)(Worker).remote(self.setup)
        self._starting[worker.process.remote()] = worker

    def _welcome(self, promise: Any) -> None:
        """Give a worker that is ready its place."""
        worker = self._starting.pop(promise)
        try:
            self.ray.get(promise)
        except self.ray.exceptions.RayError as error:
            self._false_starts += 1
            if self._false_starts >= ATTEMPTS:
                raise EngineError(f"workers of Ray do not start: {_line(error)}") from error
            self._hire()
        else:
            self._ready.append(worker)

    def _hand_out(self, groups: Iterator[Group]) -> bool:
        """Give groups to workers that have room, and tell whether there may be more of them."""
        while self._ready:
            busy = Counter(id(worker) for worker, _ in self._given.values())
            worker = min(self._ready, key=lambda worker: busy[id(worker)])
            if busy[id(worker)] >= WAITING:
                return True
            group = self._again.pop() if self._again else next(groups, None)
            if group is None:
                return False
            self._given[worker.translate.remote(group)] = worker, group
        return True

    def _take(self, promise: Any) -> Translations:
        """Yield the results of a group, or have it done again where its worker was lost."""
        worker, group = self._given.pop(promise)
        try:
            done = self.ray.get(promise)
        except self.ray.exceptions.RayTaskError as error:
            raise EngineError(f"a worker of Ray failed: {_line(error.cause)}") from error
        except self.ray.exceptions.RayError as error:
            self._replace(worker)
            yield from self._try_again(group, error)
            return
        if isinstance(done, Failure):
            raise (UsageError if done.exit_code == UsageError.exit_code else ModelError)(
                done.message
            )
        yield [
            replace(result, source=source)
            for result, source in zip(done, group.sources, strict=True)
        ]

    def _replace(self, worker: Any) -> None:
        """Hire another one for a worker that was lost; its other groups will come back as well."""
        if any(worker is free for free in self._ready):
            self._ready[:] = [free for free in self._ready if free is not worker]
            self.ray.kill(worker)
            self._hire()

    def _try_again(self, group: Group, error: Exception) -> Translations:
        """Put a group back; one that has cost too many workers file by file, a file not at all."""
        files = tuple(source.index for source in group.sources)
        self._lost[files] += 1
        if self._lost[files] < ATTEMPTS:
            self._again.append(group)
        elif len(files) > 1:
            self._again += [Group(group.language, (source,)) for source in group.sources]
        else:
            [source] = group.sources
            message = f"{source.item.source}: {ATTEMPTS} workers were lost over it ({_line(error)})"
            yield [Translated(source, failure=Failure("EngineError", message))]


def _line(error: object) -> str:
    return " ".join(str(error).split())[:300]
