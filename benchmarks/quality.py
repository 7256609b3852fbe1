"""Quality of the present code beside frozen figures: run it after every change of the search.

Translates development lines of all directions without limits, the challenge set, and timed films
under ``netflix``; counts what can be counted without the package, so that any checkout can be
measured, and prints each figure beside the frozen one.

    python -m benchmarks.quality DATA TIMED             beside benchmarks/measured/quality.json
    python -m benchmarks.quality DATA TIMED --freeze    write that file
    python -m benchmarks.quality --root OTHER_CHECKOUT DATA TIMED -- --formality any

DATA has ``dev/mixed.en-XX.tsv``, TIMED has ``NAME.XX.srt``. Under 15 minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pysrt
from sacrebleu.metrics import BLEU, CHRF

FROZEN = Path(__file__).parent / "measured" / "quality.json"
LANGUAGES = ("de", "es", "fr", "it")
FILMS = {
    "de": ("sintel", "synfig-05-keyframes", "morevna-ep3", "hfcourse_01"),
    "es": ("synfig-07-bones", "morevna-ep4"),
    "fr": ("synfig-03-rendering", "hfcourse_01"),
    "it": ("synfig-02-first-animation",),
}
"""Source films by target language."""
READING_SPEED, LINE, LINES = 17, 42, 2
"""Limits of ``netflix`` for these languages: characters a second, characters a line, lines."""

Figures = dict[str, float]


class Checkout:
    """A checkout of subfit, and the commands that are run in it."""

    def __init__(self, root: Path, extra: Sequence[str]) -> None:
        self.root, self.extra = root, tuple(extra)

    def run(self, *command: str, threads: int = 1) -> str:
        """Run ``python -m`` with a module of the checkout; 3 says that cues are over budget."""
        environment = os.environ | {
            "PYTHONPATH": str(self.root),
            "OMP_NUM_THREADS": str(threads),
            "NO_COLOR": "1",
        }
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 3):
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        return done.stdout

    def translate(self, file: Path, language: str, out: Path, *options: str) -> None:
        """Translate a file with the shipped model of its direction."""
        command = ("subfit", "translate", str(file), "-t", language, "-o", str(out), "-q")
        self.run(*command, *options, *self.extra)


def pairs_of(path: Path, most: int) -> list[tuple[str, str]]:
    """The first lines of a test set: English, and the other language."""
    lines = path.read_text(encoding="utf-8").splitlines()[:most]
    return [tuple(line.split("\t")[-2:]) for line in lines]  # type: ignore[misc]


def natural(checkout: Checkout, data: Path, lines: int, job: tuple[str, str]) -> Figures:
    """BLEU and chrF of translations without limits."""
    source, target = job
    other = target if source == "en" else source
    pairs = pairs_of(data / "dev" / f"mixed.en-{other}.tsv", lines)
    if source != "en":
        pairs = [(right, left) for left, right in pairs]
    with tempfile.TemporaryDirectory() as place:
        file, out = Path(place) / f"dev.{source}.txt", Path(place) / "out.txt"
        file.write_text("".join(f"{text}\n" for text, _ in pairs), encoding="utf-8")
        checkout.translate(file, target, out, "-s", source)
        made = out.read_text(encoding="utf-8").splitlines()
    references = [[reference for _, reference in pairs]]
    name = f"{source}-{target}"
    return {
        f"{name} BLEU": round(BLEU().corpus_score(made, references).score, 2),
        f"{name} chrF": round(CHRF().corpus_score(made, references).score, 2),
    }


def texts_of(path: Path) -> list[tuple[str, float, list[str]]]:
    """The cues of a file: all text in one line, seconds, lines."""
    cues = []
    for cue in pysrt.open(str(path), encoding="utf-8"):
        lines = [re.sub(r"<[^>]*>|\{\\[^}]*\}", "", line).strip() for line in cue.text.split("\n")]
        seconds = (cue.end.ordinal - cue.start.ordinal) / 1000
        cues.append((" ".join(filter(None, lines)), seconds, lines))
    return cues


def film(checkout: Checkout, timed: Path, job: tuple[str, str]) -> Figures:
    """What becomes of a film under ``netflix``: cues, over, parts that a report tells, chrF."""
    name, language = job
    source = timed / f"{name}.en.srt"
    with tempfile.TemporaryDirectory() as place:
        out, report = Path(place) / f"out.{language}.srt", Path(place) / "report.json"
        limits = ("--guideline", "netflix", "--report", str(report))
        checkout.translate(source, language, out, *limits)
        cues, told = texts_of(out), json.loads(report.read_text(encoding="utf-8"))
    over = sum(
        len(text) > seconds * READING_SPEED + 0.5
        or len(lines) > LINES
        or max(map(len, lines)) > LINE
        for text, seconds, lines in cues
    )
    before = texts_of(source)
    same_times = [cue[1] for cue in cues] == [cue[1] for cue in before]
    figures = {"cues": len(cues), "same times": float(same_times), "over": over}
    figures["lossy"] = sum(bool(cue.get("losses")) for cue in told.get("cues", ()))
    human = timed / f"{name}.{language}.srt"
    if human.exists():
        references = [[text for text, _, _ in texts_of(human)]]
        if len(references[0]) == len(cues):
            score = CHRF().corpus_score([text for text, _, _ in cues], references).score
            figures["chrF"] = round(score, 2)
    return {f"{name} {language} {key}": value for key, value in figures.items()}


def challenge(checkout: Checkout, language: str) -> Figures:
    """How many of the 200 cues of the challenge set pass."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out.json"
        model = str(checkout.root / "models" / "en-multi")
        command = ("benchmarks.challenge", "--model", model, "-t", language, "--json", str(out))
        checkout.run(*command)
        categories = json.loads(out.read_text(encoding="utf-8"))[language]
    return {f"challenge {language}": sum(passed for passed, _ in categories.values())}


def measure(checkout: Checkout, data: Path, timed: Path, lines: int, wanted: str) -> Figures:
    """All figures, two processes at a time."""
    directions = [pair for other in LANGUAGES for pair in (("en", other), (other, "en"))]
    films = [(name, language) for language, names in FILMS.items() for name in names]

    def jobs() -> Iterator[tuple[str, object, object]]:
        yield from (("natural", natural, (checkout, data, lines, pair)) for pair in directions)
        yield from (("films", film, (checkout, timed, pair)) for pair in films)
        yield from (("challenge", challenge, (checkout, language)) for language in LANGUAGES)

    figures: Figures = {}
    with ThreadPoolExecutor(2) as pool:
        chosen = [(run, own) for name, run, own in jobs() if name in wanted.split(",")]
        for made in pool.map(lambda job: job[0](*job[1]), chosen):  # type: ignore[operator]
            print(*(f"{key}: {value:g}" for key, value in made.items()), sep="; ", flush=True)
            figures |= made
    return figures


def compared(now: Figures, frozen: Figures) -> str:
    """A line for each figure: frozen, now, difference."""
    rows = [f"{'':32}{'frozen':>10}{'now':>10}{'':>10}"]
    for name, value in now.items():
        before = frozen.get(name)
        rest = f"{before:10.2f}{value:10.2f}{value - before:+10.2f}" if before is not None else ""
        rows.append(f"{name:32}{rest or f'{value:20.2f}'}")
    return "\n".join(rows)


def main() -> None:
    """Measure a checkout and print or freeze its figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality")
    parser.add_argument("data", type=Path)
    parser.add_argument("timed", type=Path)
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the checkout to measure")
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--only", default="natural,films,challenge")
    parser.add_argument("--freeze", action="store_true")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("extra", nargs="*", help="options of subfit translate, behind --")
    options = parser.parse_args()
    checkout = Checkout(options.root.resolve(), options.extra)
    figures = measure(checkout, options.data, options.timed, options.lines, options.only)
    text = json.dumps(figures, indent=2) + "\n"
    if options.freeze:
        FROZEN.write_text(text, encoding="utf-8")
    if options.json:
        options.json.write_text(text, encoding="utf-8")
    frozen = json.loads(FROZEN.read_text(encoding="utf-8")) if FROZEN.exists() else {}
    print(compared(figures, frozen))


if __name__ == "__main__":
    main()
