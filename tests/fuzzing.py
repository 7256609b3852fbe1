"""What the fuzzers have in common: bounds of time and memory, and a strict reader."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import random
import re
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from subfit.subtitles.cues import Track
from subfit.subtitles.repairs import UNREADABLE

MOST_BYTES = 2 << 30
"""Of memory that may be held over a file."""
MOST_SECONDS = 20
"""That a file may keep a processor busy."""
HANGING = 30 * MOST_SECONDS
"""Seconds after which nothing is waited for any more, however busy the machine is."""
_CLOCK = rb"(?:[0-9]{2}:)?[0-9]{2}:[0-9]{2}[,.][0-9]{3}"
_STRICT = re.compile(rb"(%s) --> (%s)(?:[ \t]+[^ \t].*)?" % (_CLOCK, _CLOCK))


class TooSlow(BaseException):
    """A file takes too long; no error that a command would tell of."""


Times = tuple[int, int]


def strict_times(data: bytes) -> list[Times]:
    """Read the cues of a file as a strict reader would, in milliseconds.

    A line that is exactly ``[HH:]MM:SS,mmm --> [HH:]MM:SS,mmm``, with optional settings, is a cue,
    and nothing else is one. Of the ways to read the bytes, the one with the most cues counts;
    where every fifth byte is NUL, they are no single bytes.
    """
    wide = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
    views = [data.decode(each, "replace").encode("utf-8", "replace") for each in wide]
    narrow = data if 5 * data.count(0) < len(data) else b""
    return max((_strict_times(view) for view in (narrow, *views)), key=len)


def _strict_times(data: bytes) -> list[Times]:
    lines = (line.removeprefix(b"\xef\xbb\xbf") for line in re.split(rb"\r\n|\r|\n", data))
    return [(_milliseconds(m[1]), _milliseconds(m[2])) for m in map(_STRICT.fullmatch, lines) if m]


def _milliseconds(clock: bytes) -> int:
    whole, thousandths = clock.decode().replace(",", ".").split(".")
    seconds = 0
    for part in whole.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds * 1000 + int(thousandths)


def check_beside_strict(data: bytes, track: Track | None) -> None:
    """Every cue that the strict reader sees is one of ours, or is told as text with the reason.

    Bytes that are of another encoding than the rest of their file are told as such.

    Args:
        data: The file.
        track: What was read of it, None if it was refused.
    """
    missing = Counter(strict_times(data))
    assert track is not None or not missing, f"refused, though it has the cues {missing}"
    if track is None:
        return
    missing -= Counter((cue.start, cue.end) for cue in track.cues)
    lines = {cue.line for cue in track.cues}
    told = [
        repair
        for repair in track.repairs
        if repair.problem.startswith((UNREADABLE, "bytes that are")) and repair.line not in lines
    ]
    assert missing.total() <= len(told), f"cues are lost without a word: {missing}"


@contextlib.contextmanager
def bounded(seconds: int = MOST_SECONDS) -> Iterator[None]:
    """Fail where what is done takes too long, or has held too much memory.

    Args:
        seconds: Of a processor, since other programs want the machine, too.

    Raises:
        TooSlow: It took too long.
        AssertionError: It has held too much.
    """

    def stop(*_: object) -> None:
        raise TooSlow(f"it takes more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    faulthandler.dump_traceback_later(HANGING, exit=True)  # in C code no handler is run
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, before)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert held <= MOST_BYTES, f"it has held {held:,} bytes"


def limit_memory() -> None:
    """Let this process have no more memory of its own than a file may take."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, hard))


def options_of(description: str, *, formats: bool = False) -> argparse.Namespace:
    """Read the command line that all fuzzers have; with ``--format`` where they have formats."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=None, help="stop after this time")
    parser.add_argument("--count", type=int, default=None, help="stop after this many files")
    parser.add_argument("--seed", type=int, default=None, help="the first case; random by default")
    parser.add_argument("--go-on", action="store_true", help="go on after a failure")
    if formats:
        parser.add_argument("--format", default=None, help="only files of this format")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.randrange(10**9)
    if options.seconds is None and options.count is None:
        options.seconds = 60.0
    return options


def run(cases: Iterable[Any], check: Callable[[Any], str], options: argparse.Namespace) -> int:
    """Check cases until the time or the count is up, or one fails.

    Args:
        cases: Their seed first.
        check: Checks one, and says in a word what became of it.
        options: From `options_of`.

    Returns:
        The exit code.
    """
    began, failed, outcomes = time.monotonic(), 0, Counter[str]()
    for number, case in enumerate(cases):
        late = options.seconds is not None and time.monotonic() - began > options.seconds
        if late or number == options.count:
            break
        try:
            with bounded():
                outcomes[check(case)] += 1
        except (Exception, TooSlow) as error:
            reason = " ".join(str(error).split())[-400:]
            told = f"seed {case[0]}: {type(error).__name__}: {reason}"
            print(f"{told}; see it again with --count 1", file=sys.stderr, flush=True)
            if not options.go_on:
                raise
            failed += 1
    counted = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"{counted or 'nothing'}, {failed} failed (from seed {options.seed})")
    return int(failed > 0)
