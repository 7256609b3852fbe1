"""Shows what ``--memory`` costs: a film translated with a large memory beside without one.

The entries are drawn at random from a file of pairs; the film is one of `benchmarks.screenplay`, of
which the memory knows nothing but everyday words, so that all that is looked up and hardly anything
is saved. Both are run in turn; what counts is the ratio of their processor times.

    python -m benchmarks.memory_film models/en-multi PAIRS.tsv.xz -t de --entries 100000
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path

import torch

from benchmarks.measuring import Spread, machine
from benchmarks.screenplay import film
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import read_pairs
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.memory.store import Entry, Languages, create
from subfit.subtitles.formats import parse_track


def main() -> None:
    """Print the ratio of the times, and how many cues had a match."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("-t", "--target-language", required=True)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--cues", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    language = given.target_language
    guideline = Guideline.load("netflix", language)
    entries = [Entry(pair.source, pair.target) for pair in read_pairs(given.pairs)]
    random.Random(1).shuffle(entries)
    track = parse_track(film(given.cues).encode(), name="film.srt", format="srt")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.memory"
        create(path, entries[: given.entries], Languages("en", language))

        def seconds(options: Options) -> tuple[float, Localization]:
            # A new one each time: a translator remembers sources that it has encoded.
            translator = Translator.load(
                given.model, target_language=language, counting=guideline.counting
            )
            start = time.process_time()
            done = localize(track, translator, guideline, options)
            return time.process_time() - start, done

        rounds = [
            (seconds(Options()), seconds(Options(memory=(str(path),)))) for _ in range(given.rounds)
        ]
    without, withs = ([each[side][0] for each in rounds] for side in (0, 1))
    ratio = Spread.of([b / a for a, b in zip(without, withs, strict=True)])
    counts = rounds[0][1][1].report.totals["memory"]
    print(f"{machine()}\n{given.cues} cues, {min(given.entries, len(entries))} entries: {counts}")
    print(f"CPU seconds without {Spread.of(without)}, with {Spread.of(withs)}; ratio {ratio}")
    if given.json:
        document = {"without": without, "with": withs, "matches": counts, "machine": machine()}
        given.json.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
