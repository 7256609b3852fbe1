"""Shows what ``subfit translate`` costs as films get longer: seconds a cue, and peak memory.

The films are made by `benchmarks.screenplay`; a longer one begins with the shorter ones.

    python -m benchmarks.film models/en-multi -t de --cues 100 1000 2000
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import machine, markdown
from benchmarks.processes import SUBFIT, cost_of
from benchmarks.screenplay import film
from benchmarks.startup import first_cue

TITLES = (
    "cues",
    "seconds",
    "CPU seconds",
    "CPU ms a cue",
    "to first, s",
    "peak, MiB",
    "over at natural length",
    "left over",
)


def measure(cues: int, folder: Path, model: Path, language: str, threads: int) -> list[str]:
    """Translate a film of so many cues; returns its row of the table.

    Args:
        cues: How many.
        folder: For its files.
        model: A model folder.
        language: The target language.
        threads: CPU threads.
    """
    source = folder / f"film-{cues}.srt"
    source.write_text(film(cues), encoding="utf-8")
    report = source.with_suffix(".json")
    options = ("--model", str(model), "--threads", str(threads), "--report", str(report), "-q")
    cost = cost_of((*SUBFIT, "translate", str(source), "-t", language, *options), accepted=(0, 3))
    totals = json.loads(report.read_text(encoding="utf-8"))["files"][0]["totals"]
    first = first_cue(source, model, language, threads)
    figures = (
        f"{cost.wall:.1f}",
        f"{cost.cpu:.1f}",
        f"{1000 * cost.cpu / cues:.1f}",
        f"{first:.1f}",
        f"{cost.peak:.0f}",
        *(str(totals["overflow"][when]["over"]) for when in ("before", "after")),
    )
    return [str(cues), *figures]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.film", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("-t", "--target-language", required=True, metavar="TAG")
    parser.add_argument("--cues", type=int, nargs="+", default=[100, 1000, 2000])
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    model = options.model.resolve()
    with tempfile.TemporaryDirectory() as place:
        rows = [
            measure(cues, Path(place), model, options.target_language, options.threads)
            for cues in options.cues
        ]
    print(f"{machine()}.\n\n{model.name}, {options.threads} thread(s).\n")
    print(markdown(TITLES, rows))


if __name__ == "__main__":
    main()
