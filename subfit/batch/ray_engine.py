"""The engine for many machines: groups go to workers of a Ray cluster, results come back here.

Workers write nothing. They send back the bytes of their translations, and the run that started them
writes files and manifest: workers need no common disk for outputs, a worker that is lost has left
nothing behind, and each file is written once, whatever was tried twice.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any

from subfit.batch.items import Group, OnGroup, Result, Source, Translations
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

    def translate(self, group: Group) -> list[Result] | Failure:
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
                source=None,
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
        if first is not None:  # else no cluster is needed
            with self._connected():
                yield from self._spread(chain([first], groups))

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

    def _spread(self, groups: Iterator[Group]) -> Translations:
        """Keep every worker busy, and yield what they make. Ray replaces workers that are lost."""
        ray, computing = self._ray, self._setup.job.computing
        count, share = share_out(ray.cluster_resources(), computing, self._cluster.workers)
        kind = ray.remote(max_restarts=-1, max_task_retries=ATTEMPTS - 1, **share)(Worker)
        workers = [kind.remote(self._setup) for _ in range(count)]
        starting = {worker.process.remote(): worker for worker in workers}
        given: dict[Any, tuple[Any, Group]] = {}  # by the promise of their results
        room, again = list[Any](), list[Group]()
        try:
            while True:
                while room and (group := again.pop() if again else next(groups, None)):
                    worker = room.pop(0)
                    given[worker.translate.remote(group)] = worker, group
                if room and not given:
                    return
                [promise], _ = ray.wait([*given, *starting], num_returns=1)
                if promise in starting:
                    try:
                        ray.get(promise)
                    except ray.exceptions.RayError as error:
                        raise EngineError(f"workers of Ray do not start: {_line(error)}") from error
                    room += [starting.pop(promise)] * WAITING
                    continue
                worker, group = given.pop(promise)
                room.append(worker)
                try:
                    done = ray.get(promise)
                except ray.exceptions.RayTaskError as error:
                    raise EngineError(f"a worker of Ray failed: {_line(error.cause)}") from error
                except ray.exceptions.RayError as error:
                    if len(group.sources) > 1:  # one of them has cost the workers
                        again += [Group(group.language, (one,)) for one in group.sources]
                    else:
                        yield [_given_up(group.sources[0], error)]
                    continue
                if isinstance(done, Failure):
                    usage = done.exit_code == UsageError.exit_code
                    raise (UsageError if usage else ModelError)(done.message)
                pairs = zip(done, group.sources, strict=True)
                yield [replace(result, source=source) for result, source in pairs]
        finally:
            for worker in workers:
                ray.kill(worker)


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


def _line(error: object) -> str:
    return " ".join(str(error).split())[:300]


def _given_up(source: Source, error: Exception) -> Result:
    message = f"{source.item.source}: {ATTEMPTS} workers were lost over it ({_line(error)})"
    failure = Failure("EngineError", message)
    return Result(source.item, "failed", failure=failure, source=source)
