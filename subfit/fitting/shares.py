"""Sentences shared out among processes, so that all cores work on one film.

What becomes of a sentence does not depend on the others, so each process takes a share of them.
They are forked: each has the models and the sentences already, and sends back only what it made. A
share whose process failed, was killed or could not be had is done here, where what went wrong is
told as ever.
"""

from __future__ import annotations

import ctypes
import gc
import io
import os
import pickle
import signal
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from subfit.forking import can_fork

Item = TypeVar("Item")
Result = TypeVar("Result")
OnProgress = Callable[[int, int], None]
"""Called with what is done and all that there is."""
Work = Callable[[Sequence[Item], OnProgress | None], Sequence[Result]]
"""Does a share: one result for each item."""

FEWEST = 8
"""Sentences of a share: fewer are done before a process has warmed up."""
MOST = 8
"""Processes at once: each takes some memory, and searches fewer sentences together."""
_END_WITH_PARENT = 1
"""``PR_SET_PDEATHSIG`` of prctl(2)."""


def shared_out(
    work: Work[Item, Result],
    items: Sequence[Item],
    processes: int,
    known: Sequence[object] = (),
    on_progress: OnProgress | None = None,
) -> list[Result]:
    """Do work on many items, each share of them in a process.

    Args:
        work: Does a share, without changing anything that is not its own.
        items: What there is to do.
        processes: How many at most, this one among them.
        known: What results may have in them and need not be copied: they have the same objects.
        on_progress: Called, here, as items get done anywhere.

    Returns:
        One result for each item, in order.
    """
    count = min(processes, MOST, len(items) // FEWEST)
    if count < 2 or not can_fork():
        return list(work(items, on_progress))
    shares = [items[number::count] for number in range(count)]
    helpers: list[_Helper] = []

    def advance(done: int, _: int) -> None:
        for helper in helpers:
            helper.listen()
        if on_progress:
            on_progress(done + sum(helper.done for helper in helpers), len(items))

    try:
        with suppress(OSError):  # there may be no more processes
            helpers.extend(_Helper.start(work, share, known) for share in shares[1:])
        results = [work(shares[0], advance)]
        for helper in helpers:
            while helper.running:
                helper.wait()
                advance(len(shares[0]), 0)
        made = [helper.results for helper in helpers] + [None] * (count - 1 - len(helpers))
        for share, own in zip(shares[1:], made, strict=True):
            results.append(work(share, None) if own is None else own)
    finally:
        for helper in helpers:
            helper.dismiss()
    merged: dict[int, Result] = {}
    for number, own in enumerate(results):
        merged.update(zip(range(number, len(items), count), own, strict=True))
    return [merged[number] for number in range(len(items))]


@dataclass(slots=True)
class _Helper:
    """A process that does a share."""

    pid: int
    connection: Connection
    known: Sequence[object]
    done: int = 0
    """How far it is."""
    results: Any = None
    """What it made; None as long as it has not, and if it failed."""
    running: bool = True
    """Whether there is more to hear of it."""

    @classmethod
    def start(cls, work: Work[Any, Any], share: Sequence[Any], known: Sequence[object]) -> _Helper:
        """Fork a process that does a share."""
        ours, theirs = Pipe(duplex=False)
        with warnings.catch_warnings():  # of other threads: a progress bar's, which holds nothing
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if not pid:
            ours.close()
            _serve(work, share, known, theirs)
        theirs.close()
        return cls(pid, ours, known)

    def listen(self) -> None:
        """Take in what it has sent."""
        while self.running and self.connection.poll():
            self.wait()

    def wait(self) -> None:
        """Wait for what it sends next, or for its end."""
        try:
            message = _loaded(self.connection.recv_bytes(), self.known)
        except (EOFError, OSError):
            self.running = False
            return
        if isinstance(message, int):
            self.done = message
        else:
            self.results, self.running = message, False

    def dismiss(self) -> None:
        """See to it that it is gone."""
        self.connection.close()
        with suppress(ChildProcessError):  # where nobody has to wait for processes that end
            if os.waitpid(self.pid, os.WNOHANG) == (0, 0):
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)


def _serve(
    work: Work[Any, Any], share: Sequence[Any], known: Sequence[object], out: Connection
) -> None:
    """Do a share in a process of its own, which ends here, whatever happens."""
    try:
        gc.freeze()  # what is never collected stays where both processes have it
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is interrupted ends this one too
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        results = work(share, lambda done, _: out.send_bytes(_dumped(done)))
        out.send_bytes(_dumped(list(results), known))
    finally:
        os._exit(0)  # nothing of the other process is flushed or closed here


class _Pickler(pickle.Pickler):
    """Writes a number for an object that the other side has."""

    def __init__(self, file: io.BytesIO, known: Sequence[object]) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._numbers = {id(each): number for number, each in enumerate(known)}

    def persistent_id(self, obj: object) -> int | None:
        """See `pickle.Pickler`."""
        return self._numbers.get(id(obj))


class _Unpickler(pickle.Unpickler):
    """Reads what a process of our own wrote, which was forked from this one."""

    def __init__(self, file: io.BytesIO, known: Sequence[object]) -> None:
        super().__init__(file)
        self._known = known

    def persistent_load(self, pid: int) -> object:
        """See `pickle.Unpickler`."""
        return self._known[pid]


def _dumped(message: object, known: Sequence[object] = ()) -> bytes:
    file = io.BytesIO()
    _Pickler(file, known).dump(message)
    return file.getvalue()


def _loaded(data: bytes, known: Sequence[object]) -> Any:
    return _Unpickler(io.BytesIO(data), known).load()
