"""Ctrl-C and termination, put off until it is safe to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptions() -> Iterator[Callable[[], bool]]:
    """Catch SIGINT and SIGTERM in the block.

    Yields:
        A function that tells whether one has come. The second one raises KeyboardInterrupt where
        it falls. Outside the main thread, where Python allows no handlers, nothing is caught.
    """
    caught: list[int] = []

    def catch(number: int, _: FrameType | None) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)

    main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if main else ()
    former = {number: signal.signal(number, catch) for number in numbers}
    try:
        yield lambda: bool(caught)
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
