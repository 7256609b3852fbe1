"""Work shared out among forked processes, so that all cores do one film.

What becomes of a sentence does not depend on the others, so each process takes a share of them. It
is forked: it has the models and the sentences already, and sends back only what it made. A share
whose process was killed or could not be had is done here, where what went wrong is told as ever.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import signal
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, TypeVar

from subfit.model.startup import can_fork

Item = TypeVar("Item")
Result = TypeVar("Result")
OnProgress = Callable[[int, int], None]
"""Called with what is done and all that there is."""
Work = Callable[[Sequence[Item], OnProgress | None], Sequence[Result]]
"""Does a share: one result for each item."""

FEWEST = 8
"""Items of a share: fewer are done before a process has warmed up."""
MOST = 8
"""Processes at once: each takes some memory, and searches fewer sentences together."""
_POLL = 0.2
"""Seconds between two looks at how far the processes are."""
_END_WITH_PARENT = 1
"""``PR_SET_PDEATHSIG`` of prctl(2)."""
_FORKED: dict[str, Any] = {}
"""What a forked process has to do: the work, its shares, how much of each is done."""


def shared_out(
    work: Work[Item, Result],
    items: Sequence[Item],
    processes: int,
    on_progress: OnProgress | None = None,
) -> list[Result]:
    """Do work on many items, each share of them in a process.

    Args:
        work: Does a share, without changing anything that is not its own.
        items: What there is to do.
        processes: How many at most.
        on_progress: Called, here, as items get done anywhere.

    Returns:
        One result for each item, in order.
    """
    count = min(processes, MOST, len(items) // FEWEST)
    if count < 2 or not can_fork():
        return list(work(items, on_progress))
    context = multiprocessing.get_context("fork")
    shares = [items[number::count] for number in range(count)]
    done = context.Array("i", count)
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(count, context, _begin, (work, shares, done))
    try:
        with warnings.catch_warnings():  # of other threads: a progress bar's, which holds nothing
            warnings.simplefilter("ignore", DeprecationWarning)
            futures = _submitted(pool, count)
        waiting: set[Future[Any]] = set(futures)
        while waiting:
            _, waiting = wait(waiting, timeout=_POLL)
            if on_progress:
                on_progress(min(sum(done[:]), len(items)), len(items))
        made = [_result(future) for future in futures] + [None] * (count - len(futures))
    except BaseException:
        for process in set(multiprocessing.active_children()) - set(others):
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    results = [
        list(work(share, None)) if own is None else own
        for share, own in zip(shares, made, strict=True)
    ]
    return [results[number % count][number // count] for number in range(len(items))]


def _submitted(pool: ProcessPoolExecutor, count: int) -> list[Future[Any]]:
    futures: list[Future[Any]] = []
    with suppress(OSError, BrokenProcessPool):  # there may be no more processes
        futures.extend(pool.submit(_share, number) for number in range(count))
    return futures


def _result(future: Future[Any]) -> list[Any] | None:
    """What a process made; None if it was killed, or failed."""
    return None if future.exception() is not None else future.result()


def _begin(work: Work[Any, Any], shares: Sequence[Sequence[Any]], done: Any) -> None:
    """Make a forked process end with its parent, and by nothing that is meant for that."""
    _FORKED.update(work=work, shares=shares, done=done)
    gc.freeze()  # what is never collected stays where both processes have it
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _share(number: int) -> list[Any]:
    """Do a share, in a forked process."""

    def advance(count: int, _: int) -> None:
        _FORKED["done"][number] = count

    return list(_FORKED["work"](_FORKED["shares"][number], advance))
