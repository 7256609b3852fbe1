"""Times how long subfit takes to start: its help, a budget, and the translation of one cue.

Python's own start is the baseline. The commands take turns, round by round, each in a new process.

    python -m benchmarks.startup models/en-multi -t de --rounds 10
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import Spread, machine, markdown
from benchmarks.processes import PYTHON, SUBFIT, Cost, cost_of
from benchmarks.screenplay import film

ONE_CUE = "1\n00:00:01,000 --> 00:00:04,000\nI left the letter in the kitchen.\n"
BASELINE = "python -c pass"
IMPORT = re.compile(r"import time:\s*(\d+) \|\s*(\d+) \| ( *)(\S+)")
"""A line of ``-X importtime``: microseconds of the module itself, of all it imports too, its depth
and its name."""


def first_cue(path: Path, model: Path, language: str, threads: int) -> float:
    """Return the seconds from the start of a process to its first translated sentence.

    Args:
        path: The film.
        model: A model folder.
        language: The target language.
        threads: CPU threads.
    """
    arguments = (str(path), str(model), language, str(threads))
    start = time.time()
    return float(cost_of((*PYTHON, "-m", "benchmarks.first_cue", *arguments)).output) - start


def imports_of(command: Sequence[str]) -> list[tuple[int, int, str]]:
    """List what a command imports: own and total microseconds and name, slowest total first."""
    script = "import sys; from subfit.cli.main import main; sys.argv[1:] = {!r}; main()"
    errors = cost_of(
        (
            *PYTHON,
            *("-X", "importtime", "-c"),
            f"import os; os.dup2(1, 2); {script.format(list(command))}",
        ),
        accepted=(0, 3),
    ).output
    found = [(int(own), int(total), name) for own, total, _, name in IMPORT.findall(errors)]
    return sorted(found, key=lambda each: -each[1])


def _commands(folder: Path, model: Path, language: str, threads: int) -> dict[str, Sequence[str]]:
    one, many = folder / "one.srt", folder / "film.srt"
    one.write_text(ONE_CUE, encoding="utf-8")
    many.write_text(film(300), encoding="utf-8")
    translate = ("translate", str(one), "-t", language, "--model", str(model), "--overwrite", "-q")
    return {
        BASELINE: (*PYTHON, "-c", "pass"),
        "subfit --help": (*SUBFIT, "--help"),
        "subfit budget, 300 cues": (*SUBFIT, "budget", str(many), "-t", language),
        "python -c 'import torch'": (*PYTHON, "-c", "import torch"),
        "subfit translate, 1 cue": (*SUBFIT, *translate, "--threads", str(threads)),
    }


def _table(costs: dict[str, list[Cost]], first: Sequence[float]) -> str:
    rows = []
    for name, measured in costs.items():
        wall = Spread.of([each.wall for each in measured])
        cpu = Spread.of([each.cpu for each in measured])
        peak = max(each.peak for each in measured)
        rows.append([name, str(wall), f"{cpu.median:.2f}", f"{peak:.0f}"])
    rows.append(["… to its first translation", str(Spread.of(first)), "", ""])
    return markdown(["", "seconds", "CPU seconds", "peak, MiB"], rows)


def _imports_table(command: Sequence[str], most: int) -> str:
    rows = [
        [f"`{name}`", f"{total / 1000:.0f}", f"{own / 1000:.0f}"]
        for own, total, name in imports_of(command)[:most]
    ]
    return markdown(["module", "with its imports, ms", "itself, ms"], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.startup", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("-t", "--target-language", required=True, metavar="TAG")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--imports", type=int, metavar="N", help="also list the N slowest imports")
    options = parser.parse_args(arguments)
    model = options.model.resolve()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        commands = _commands(folder, model, options.target_language, options.threads)
        costs: dict[str, list[Cost]] = {name: [] for name in commands}
        first: list[float] = []
        for round_ in range(options.rounds + 1):
            for name, command in commands.items():
                cost = cost_of(command, accepted=(0, 3))
                costs[name] += [cost] if round_ else []  # the first one fills the system's caches
            seconds = first_cue(folder / "one.srt", model, options.target_language, options.threads)
            first += [seconds] if round_ else []
        print(f"{machine()}.\n\n{model.name}, {options.rounds} rounds, {options.threads} thread(s)")
        print(f"Median (lowest to highest).\n\n{_table(costs, first)}")
        if options.imports:
            translate = list(commands["subfit translate, 1 cue"][len(SUBFIT) :])
            for name, command in (("--help", ["--help"]), ("translate, 1 cue", translate)):
                print(
                    f"\nImports of `subfit {name}`:\n\n{_imports_table(command, options.imports)}"
                )


if __name__ == "__main__":
    main()
