"""Shows what workers of Ray do in a second, beside one process without Ray.

Films are translated by this process, by one worker and by two, one thread each. What starting costs
(Ray, the workers, their models) is taken off by translating shorter films first: a row is what the
rest of the longer ones took.

    pip install 'subfit[ray]'
    python -m benchmarks.workers models/en-multi -t de
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.many_files import seconds
from benchmarks.measuring import machine, markdown
from benchmarks.screenplay import film
from subfit.batch import run
from subfit.batch.items import Engine
from subfit.batch.job import Cluster, Job
from subfit.batch.local_engine import LocalEngine
from subfit.batch.ray_engine import RayEngine
from subfit.batch.setup import make_setup
from subfit.model.config import Computing


def write_films(folder: Path, films: int, cues: int) -> Path:
    """Write films that differ.

    Args:
        folder: Made for them.
        films: How many.
        cues: How many each has.
    """
    folder.mkdir()
    for number in range(films):
        path = folder / f"film{number}.en.srt"
        path.write_text(film(cues, seed=number), encoding="utf-8")
    return folder


def measure(options: argparse.Namespace, place: Path) -> list[list[str]]:
    """Return the rows of the table."""
    computing = Computing(threads=1, device="cpu")
    languages, models = (options.target_language,), (str(options.model),)
    setup = make_setup(Job((), languages, models=models, computing=computing))
    run.GROUP_CUES = 1  # a film is a group
    short = write_films(place / "short", options.films, options.short)
    long = write_films(place / "long", options.films, options.long)
    engines: dict[str, tuple[Engine, int]] = {"this process": (LocalEngine(setup), 1)}
    for workers in (1, 2):
        name = f"Ray, {workers} worker{'s' if workers > 1 else ''}"
        engines[name] = RayEngine(setup, Cluster(workers=workers)), workers
    clock = time.perf_counter  # workers are other processes
    cues, rows = options.films * (options.long - options.short), []
    for number, (name, (engine, workers)) in enumerate(engines.items()):
        if number == 0:  # its model is loaded once, that of workers in each run
            seconds(short, place / "first", setup, engine, clock)
        begin = seconds(short, place / f"short-{number}", setup, engine, clock)
        whole = seconds(long, place / f"long-{number}", setup, engine, clock)
        rate = cues / (whole - begin)
        start = begin - options.films * options.short / rate
        rows.append([name, f"{rate:.1f}", f"{rate / workers:.1f}", f"{start:.1f}"])
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.workers", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("-t", "--target-language", required=True, metavar="TAG")
    parser.add_argument("--films", type=int, default=4)
    parser.add_argument("--short", type=int, default=100, help="cues of the shorter films")
    parser.add_argument("--long", type=int, default=800, help="cues of the longer films")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        rows = measure(options, Path(place))
    print(f"{machine()}.\n\n{options.model.name}, {options.films} films, one thread a worker.\n")
    print(markdown(("", "cues a second", "a worker", "seconds to start"), rows))


if __name__ == "__main__":
    main()
