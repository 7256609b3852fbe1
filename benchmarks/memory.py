"""How much processor time translation memories take to build, and to look things up in.

    python -m benchmarks.memory PAIRS.tsv.xz [--entries 1000,10000,100000]

PAIRS has corpus, source and translation, or source and translation, parted by tabs. The entries are
drawn at random from it; what is looked up are other sources of the same file.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from subfit.evaluation.corpus import read_pairs
from subfit.memory.entry import Entry
from subfit.memory.store import Languages, Memory, create

LOOKED_UP = 200


def main() -> None:
    """Print a row of a Markdown table for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--entries", default="1000,10000,100000")
    arguments = parser.parse_args()
    entries = [Entry(pair.source, pair.target) for pair in read_pairs(arguments.pairs)]
    random.Random(1).shuffle(entries)
    texts = [entry.source for entry in entries[-LOOKED_UP:]]
    for size in map(int, arguments.entries.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "benchmark.memory"
            started = time.process_time()
            create(path, entries[:size], Languages("en", "de"))
            built = time.process_time() - started
            memory = Memory.open(path)
            exact, fuzzy = _seconds(memory.exact, texts), _seconds(memory.similar, texts)
            mebibytes = path.stat().st_size / 2**20
        print(
            f"| {size:,} | {built:.1f} s | {mebibytes:.1f} MiB | {exact * 1e3:.3f} ms |"
            f" {fuzzy * 1e3:.1f} ms |"
        )


def _seconds(look_up: Callable[[str], object], texts: list[str]) -> float:
    started = time.process_time()
    for text in texts:
        look_up(text)
    return (time.process_time() - started) / len(texts)


if __name__ == "__main__":
    main()
