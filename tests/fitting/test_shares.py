"""Sentences shared out among processes: the same results, and nobody is left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from typing import Any

import pytest

from subfit.fitting.shares import FEWEST, OnProgress, shared_out
from subfit.model import startup
from subfit.model.startup import can_fork, cores

NUMBERS = list(range(5 * FEWEST + 3))
forks = pytest.mark.skipif(not can_fork(), reason="processes are forked on Linux alone")


def squares(numbers: Sequence[int], on_progress: OnProgress | None) -> list[tuple[int, int]]:
    """Square numbers, and tell which process did it."""
    for done in range(1, len(numbers) + 1):
        if on_progress:
            on_progress(done, len(numbers))
    return [(number * number, os.getpid()) for number in numbers]


def values(results: Sequence[tuple[int, int]]) -> list[int]:
    return [value for value, _ in results]


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
def test_results_come_in_the_order_of_what_is_to_do(processes: int) -> None:
    done = shared_out(squares, NUMBERS, processes)
    assert values(done) == [number * number for number in NUMBERS]


@forks
def test_each_share_has_a_process_of_its_own_and_all_of_them_are_gone_afterwards() -> None:
    done = shared_out(squares, NUMBERS, 3)
    processes = {pid for _, pid in done}
    assert len(processes) <= 3 and os.getpid() not in processes
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@forks
def test_progress_is_of_all_and_never_goes_back() -> None:
    told: list[tuple[int, int]] = []
    shared_out(squares, NUMBERS, 3, on_progress=lambda *figures: told.append(figures))
    assert told[-1] == (len(NUMBERS), len(NUMBERS))
    assert told == sorted(told) and {of for _, of in told} == {len(NUMBERS)}


@forks
@pytest.mark.parametrize("end", ["killed", "raises", "exits", "cannot be sent"])
def test_the_share_of_a_process_that_fails_is_done_here(end: str) -> None:
    here = os.getpid()

    def work(numbers: Sequence[int], on_progress: OnProgress | None) -> list[Any]:
        if os.getpid() != here:
            if end == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if end == "raises":
                raise MemoryError
            if end == "exits":
                raise SystemExit(3)
            return [lambda: None for _ in numbers]
        return squares(numbers, on_progress)

    done = shared_out(work, NUMBERS, 3)
    assert done == [(number * number, here) for number in NUMBERS]


@forks
def test_what_is_wrong_everywhere_is_told_as_in_one_process() -> None:
    def work(numbers: Sequence[int], _: OnProgress | None) -> list[int]:
        return [1 // (number - 7) for number in numbers]

    with pytest.raises(ZeroDivisionError):
        shared_out(work, NUMBERS, 2)


@forks
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_who_is_interrupted_ends_the_others(error: type[BaseException]) -> None:
    def work(numbers: Sequence[int], _: OnProgress | None) -> list[int]:
        while True:
            signal.pause()

    def interrupted(done: int, of: int) -> None:
        raise error

    before = set(multiprocessing.active_children())
    with pytest.raises(error):
        shared_out(work, NUMBERS, 4, interrupted)
    assert not set(multiprocessing.active_children()) - before


@forks
def test_who_is_interrupted_ends_nobody_else() -> None:
    def interrupted(done: int, of: int) -> None:
        raise KeyboardInterrupt

    other = multiprocessing.get_context("fork").Process(target=signal.pause)
    other.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            shared_out(squares, NUMBERS, 4, interrupted)
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


@pytest.mark.parametrize("count", [0, 1, 2 * FEWEST - 1])
def test_few_are_done_here(count: int) -> None:
    done = shared_out(squares, NUMBERS[:count], 4)
    assert {pid for _, pid in done} <= {os.getpid()} and len(done) == count


@forks
def test_it_works_where_processes_that_end_are_waited_for_by_nobody() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert values(shared_out(squares, NUMBERS, 4)) == [number * number for number in NUMBERS]
    finally:
        signal.signal(signal.SIGCHLD, before)


@forks
def test_where_there_are_no_more_processes_all_is_done_here(monkeypatch) -> None:
    def none_left() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", none_left)
    done = shared_out(squares, NUMBERS, 4)
    assert done == [(number * number, os.getpid()) for number in NUMBERS]


@pytest.mark.parametrize(
    ("told", "most"),
    [(None, 64), ("max 100000\n", 64), ("250000 100000", 2), ("50000 100000", 1), ("?", 64)],
)
def test_a_container_has_the_cores_that_it_is_given(tmp_path, monkeypatch, told, most) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(startup, "_QUOTA", tmp_path / "cpu.max")
    if told is not None:
        (tmp_path / "cpu.max").write_text(told, encoding="ascii")
    assert cores() == most
