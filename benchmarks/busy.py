"""Times a translation while other processes want the cores too, by how threads wait.

Contestants take turns, round by round, each in a new process: the default, where threads sleep
while they wait; one thread; and threads that spin, as libgomp lets them if it is not told
otherwise. Meanwhile some cores run a loop that never ends.

    python -m benchmarks.busy models/en-multi -t de --rounds 5
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import Spread, machine, markdown, ratios
from benchmarks.processes import PYTHON, SUBFIT, cost_of
from benchmarks.screenplay import film

LOOP = (*PYTHON, "-c", "while True: pass")


@dataclass(frozen=True, slots=True)
class Setting:
    """A way to run a translation."""

    name: str
    environment: Mapping[str, str]
    """What is set beside, or instead of, what the user has; without it subfit's default holds."""
    options: tuple[str, ...] = ()


DEFAULT = Setting("default", {})
SETTINGS = (
    DEFAULT,
    Setting("one thread", {}, ("--threads", "1")),
    Setting("spinning", {"GOMP_SPINCOUNT": "300000"}),  # libgomp's default
)


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """Keep so many cores busy meanwhile."""
    loops = [subprocess.Popen(LOOP) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def measure(command: Sequence[str], busy: int, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of every setting, one number for each round.

    Args:
        command: What is run, without the options of settings.
        busy: Cores that are kept busy.
        rounds: How often each setting runs.
    """
    seconds: dict[str, list[float]] = {setting.name: [] for setting in SETTINGS}
    with busy_cores(busy):
        for _ in range(rounds):
            for setting in SETTINGS:
                cost = cost_of((*command, *setting.options), (0, 3), setting.environment)
                seconds[setting.name].append(cost.wall)
    return seconds


def table(measured: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Return a row for each load: the seconds of all settings; the default against the best.

    Args:
        measured: Seconds by load and setting, round by round.
    """
    rows = []
    for load, seconds in measured.items():
        best = min(seconds, key=lambda name: statistics.median(seconds[name]))
        times = [str(Spread.of(seconds[setting.name])) for setting in SETTINGS]
        rows.append([load, *times, str(ratios(seconds[DEFAULT.name], seconds[best]))])
    return markdown(["", *(setting.name for setting in SETTINGS), "default against the best"], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.busy", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("-t", "--target-language", required=True, metavar="TAG")
    parser.add_argument("--cues", type=int, default=14)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    cores = len(os.sched_getaffinity(0))
    loads = {"nothing else": 0, "one core busy": 1, "all cores busy": cores}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "film.srt"
        source.write_text(film(options.cues), encoding="utf-8")
        model = ("--model", str(options.model.resolve()), "-t", options.target_language)
        command = (*SUBFIT, "translate", str(source), *model, "--overwrite", "-q")
        measured = {load: measure(command, busy, options.rounds) for load, busy in loads.items()}
    print(
        f"{machine()}.\n\n{options.cues} cues, {options.rounds} rounds; median (lowest to highest)"
    )
    print(table(measured))


if __name__ == "__main__":
    main()
