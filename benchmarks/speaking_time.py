"""How near the estimate of speaking time is to a synthetic voice, beside an estimate by characters.

    python -m benchmarks.speaking_time FOLDER -o results.json

The lines are drawn from test sets, ``FOLDER/test/mixed.en-XX.tsv``; the rates of characters and of
syllables alone are fitted to as many lines of ``FOLDER/dev`` (least relative squares), which is
where the estimate's own constants come from. Needs espeak-ng.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import statistics
import subprocess
import wave
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

from subfit.speech import count_syllables, estimate_seconds

LANGUAGES = {"de": 181, "es": 217, "fr": 200, "it": 181}
"""Words a minute that make espeak-ng speak at the rate of the language."""
SEED = 1

Line = tuple[str, float]
"""A text, and the seconds its voice takes."""


def lines_of(folder: Path, part: str, language: str, count: int) -> list[Line]:
    """Draw lines, and have them said."""
    path = folder / part / f"mixed.en-{language}.tsv"
    texts = [row.split("\t")[2] for row in path.read_text(encoding="utf-8").splitlines()]
    random.Random(SEED).shuffle(texts)
    timed = [(text, said(text, language)) for text in texts[:count]]
    return [(text, seconds) for text, seconds in timed if seconds > 0]


def said(text: str, language: str) -> float:
    """Return the seconds from the first sound of a spoken text to the last."""
    command = ["espeak-ng", "--stdin", "--stdout", "-v", language, "-s", str(LANGUAGES[language])]
    spoken = subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout
    with wave.open(io.BytesIO(spoken)) as sound:
        samples, rate = array("h", sound.readframes(1 << 30)), sound.getframerate()
    loud = [at for at in range(0, len(samples), 8) if abs(samples[at]) > 0.01 * 32768]
    return (loud[-1] - loud[0]) / rate if loud else 0.0


def by(count: Callable[[str], float], dev: Sequence[Line]) -> Callable[[str], float]:
    """Return an estimate by one count alone, its rate fitted."""
    shares = [count(text) / seconds for text, seconds in dev]
    rate = sum(share * share for share in shares) / sum(shares)
    return lambda text: count(text) / rate


def errors(estimate: Callable[[str], float], lines: Sequence[Line]) -> dict[str, float]:
    """Return the figures of an estimate over lines."""
    guessed, measured = [estimate(text) for text, _ in lines], [seconds for _, seconds in lines]
    relative = [guess / seconds - 1 for guess, seconds in zip(guessed, measured, strict=True)]
    return {
        "lines": len(lines),
        "mean_seconds": statistics.mean(measured),
        "mae_seconds": statistics.mean(
            abs(guess - seconds) for guess, seconds in zip(guessed, measured, strict=True)
        ),
        "mae_percent": 100 * statistics.mean(map(abs, relative)),
        "bias_percent": 100 * statistics.mean(relative),
        "r": statistics.correlation(guessed, measured),
        "within_10_percent": 100 * statistics.mean(abs(each) <= 0.1 for each in relative),
    }


def measure(folder: Path, language: str, count: int) -> dict[str, dict[str, float]]:
    """Return the figures of every estimate for a language."""
    dev = lines_of(folder, "dev", language, count)
    test = lines_of(folder, "test", language, count)
    estimates = {
        "characters": by(len, dev),
        "syllables": by(lambda text: count_syllables(text, language), dev),
        "subfit": lambda text: estimate_seconds(text, language),
    }
    return {name: errors(estimate, test) for name, estimate in estimates.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    found = {each: measure(options.folder, each, options.lines) for each in LANGUAGES}
    options.output.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(
        "| | estimate | MAE | MAE, % | bias, % | r | within 10 % |\n|---|---|---|---|---|---|---|"
    )
    for language, rows in found.items():
        for name, row in rows.items():
            print(
                f"| {language} | {name} | {row['mae_seconds']:.2f} s | {row['mae_percent']:.1f} | "
                f"{row['bias_percent']:+.1f} | {row['r']:.4f} | {row['within_10_percent']:.1f} % |"
            )


if __name__ == "__main__":
    main()
