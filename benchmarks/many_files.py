"""Shows what many small files cost beside one large one: cues in a second of CPU time.

The same cues are translated as one file, as small files in groups, and as small files of which each
is a group; reading, writing and the manifest are counted, loading the model is not.

    python -m benchmarks.many_files models/en-multi -t de --cues 300 --each 10 --rounds 3
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.measuring import Spread, machine, markdown, ratios
from benchmarks.screenplay import film
from subfit.batch import run as running
from subfit.batch.engine import Models
from subfit.batch.job import Job, Writing
from subfit.batch.plan import plan_items
from subfit.batch.run import opened
from subfit.batch.setup import RunSetup, make_setup
from subfit.model.config import Computing


class Silent:
    """Watches a run without a word."""

    def on_group(self, *_: Any) -> None:
        pass

    def finished(self, *_: Any) -> None:
        pass


def cut(cues: int, each: int, folder: Path) -> Path:
    """Write a film, in files of so many cues.

    Args:
        cues: How many there are.
        each: How many a file has.
        folder: Made for the files.
    """
    folder.mkdir()
    blocks = film(cues).split("\n\n")
    for start in range(0, len(blocks), each):
        text = "\n\n".join(blocks[start : start + each])
        (folder / f"{start:05}.srt").write_text(f"{text}\n", encoding="utf-8")
    return folder


def seconds(
    inputs: Path,
    output: Path,
    setup: RunSetup,
    models: Models,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Translate a folder, and return the seconds it takes, by default those of CPU time."""
    start = clock()
    job = replace(setup.job, inputs=(str(inputs),), writing=Writing(str(output)))
    with opened(job, plan_items(job), setup) as run:
        results = run.complete(Silent(), models)
    assert {each.state for each in results} == {"done"}
    return clock() - start


def measure(options: argparse.Namespace, place: Path) -> list[list[str]]:
    """Return the rows of the table."""
    computing = Computing(threads=options.threads)
    languages, models = (options.target_language,), (str(options.model),)
    setup = make_setup(Job((), languages, models=models, computing=computing))
    whole = cut(options.cues, options.cues, place / "whole")
    small = cut(options.cues, options.each, place / "small")
    loaded = Models(setup)
    seconds(cut(10, 10, place / "warm"), place / "warm-out", setup, loaded)
    ways = {
        "one file": (whole, options.cues),
        f"files of {options.each} cues, in groups": (small, running.GROUP_CUES),
        f"files of {options.each} cues, each by itself": (small, 1),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for round_ in range(options.rounds):
        for number, (name, (inputs, most)) in enumerate(ways.items()):
            running.GROUP_CUES = most
            output = place / f"out-{round_}-{number}"
            times[name].append(seconds(inputs, output, setup, loaded))
    first = times["one file"]
    return [
        [name, str(Spread.of([options.cues / each for each in taken])), str(ratios(first, taken))]
        for name, taken in times.items()
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.many_files", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("-t", "--target-language", required=True, metavar="TAG")
    parser.add_argument("--cues", type=int, default=300)
    parser.add_argument("--each", type=int, default=10, help="cues of a small file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        rows = measure(options, Path(place))
    print(
        f"{machine()}.\n\n{options.model.name}, {options.cues} cues, {options.threads} thread(s).\n"
    )
    print(markdown(("", "cues per CPU second", "times one file"), rows))


if __name__ == "__main__":
    main()
