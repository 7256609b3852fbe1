"""Times whole translations, start of the process included, beside Hugging Face ``generate``.

Lines of a file are translated by ``generate``, by CTranslate2 in int8 where it is installed, by
``subfit translate`` without any limit and within 0.9 to 1.1 times their sources' length; the cues
of subtitle files by ``generate`` and by ``subfit translate`` under ``netflix``. Contestants take
turns, round by round, each in a new process.

    python -m benchmarks.whole models/en-multi sources.txt -t de --timed film.en.srt --threads 2
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.contestants import Setting, start_ctranslate2, start_generate
from benchmarks.ctranslate2_model import convert, library
from benchmarks.measuring import Spread, machine, markdown, ratios
from benchmarks.processes import PYTHON, SUBFIT, cost_of

ALONE = "--alone"
BEAMS, BATCH = 5, 64
"""Those of ``subfit translate``."""


def alone(model: str, converted: str, source: str, language: str, threads: str) -> None:
    """Translate the lines of a file with CTranslate2, or with ``generate`` where no converted model
    is named, and print them."""
    setting = Setting(Path(model), language, Path(converted), BEAMS, BATCH, int(threads))
    texts = Path(source).read_text(encoding="utf-8").splitlines()
    start = partial(start_ctranslate2, compute="int8") if converted else start_generate
    print("\n".join(start(setting)(texts)))


def lines_of(path: Path, most: int) -> list[str]:
    """Return the lines of a text file; evenly chosen ones where there are more than ``most``."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return lines[:: max(1, len(lines) // most)][:most]


def cues_of(paths: Sequence[Path]) -> list[str]:
    """Return the texts of all cues of subtitle files, one line each."""
    from subfit.subtitles.formats import read_track

    texts = (" ".join(cue.text.split()) for path in paths for cue in read_track(path).cues)
    return [text for text in texts if text]


def measure(
    commands: Mapping[str, Sequence[str]], rounds: int, clock: str, out: Path
) -> dict[str, list[float]]:
    """Return the seconds of every command, round by round.

    Args:
        commands: By name.
        rounds: How often each runs.
        clock: ``wall``, or ``cpu`` for the seconds that its threads were running.
        out: The folder that they write to; nothing is to be left of the run before.
    """
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            shutil.rmtree(out, ignore_errors=True)
            cost = cost_of(command, (0, 3))
            seconds[name].append(cost.cpu if clock == "cpu" else cost.wall)
            print(f"{name}: {seconds[name][-1]:.2f} s", file=sys.stderr, flush=True)
    return seconds


def table(seconds: Mapping[str, Sequence[float]], lines: int) -> str:
    """Return a row for each contestant: lines a second, and how many times the first one's."""
    baseline = next(iter(seconds.values()))
    rows = [
        [name, str(Spread.of([lines / each for each in times])), str(ratios(baseline, times))]
        for name, times in seconds.items()
    ]
    return markdown(["", "lines a second", "times `generate`"], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.whole", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("source", type=Path, help="a text file, a sentence a line")
    parser.add_argument("-t", "--target-language", required=True, metavar="TAG")
    parser.add_argument("--timed", type=Path, nargs="*", default=[], help="subtitle files")
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    options = parser.parse_args(arguments)
    model, language = str(options.model.resolve()), options.target_language
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        threads = ("--threads", str(options.threads))
        own = ("--model", model, "-t", language, *threads, "-o", f"{folder}/out/", "--overwrite")

        def baseline(name: str, texts: Sequence[str], converted: str = "") -> tuple[str, ...]:
            (folder / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
            script = (*PYTHON, "-m", "benchmarks.whole", ALONE)
            return (*script, model, converted, str(folder / name), language, str(options.threads))

        texts = lines_of(options.source, options.lines)
        commands: dict[str, Sequence[str]] = {"generate": baseline("lines.txt", texts)}
        if library() is not None:
            convert(options.model, folder / "converted")
            commands["CTranslate2 int8"] = baseline("lines.txt", texts, str(folder / "converted"))
        translate = (*SUBFIT, "translate", str(folder / "lines.txt"), *own, "-q")
        commands["subfit translate"] = translate
        commands["… --length-ratio 0.9:1.1"] = (*translate, "--length-ratio", "0.9:1.1")
        print(f"{machine()}.\n\n{options.rounds} rounds, {options.threads} thread(s)")
        seconds = measure(commands, options.rounds, options.clock, folder / "out")
        print(f"\n{len(texts)} lines:\n\n{table(seconds, len(texts))}", flush=True)
        if options.timed:
            cues, files = cues_of(options.timed), map(str, options.timed)
            netflix = (*SUBFIT, "translate", *files, *own, "--guideline", "netflix", "-q")
            commands = {"generate": baseline("cues.txt", cues), "subfit, netflix": netflix}
            seconds = measure(commands, options.rounds, options.clock, folder / "out")
            print(f"\n{len(cues)} cues:\n\n{table(seconds, len(cues))}")


if __name__ == "__main__":
    if sys.argv[1:2] == [ALONE]:
        alone(*sys.argv[2:])
    else:
        main()
