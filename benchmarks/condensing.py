"""Shows what condensing the source is worth on a set of pairs, beside not condensing it.

python -m benchmarks.condensing models/en-multi dev/mixed.en-de.tsv -t de --lines 300
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from pathlib import Path

from benchmarks.measuring import markdown
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.evaluation.evaluation import Evaluation, evaluate
from subfit.model.computing import Computing
from subfit.training.release.test_sets import LENGTH_CONTROLS

ASKED = ("isometric", "−15 %", "−30 %")
TITLES = ("asked for", "condensed", "BLEU", "BLEU*", "chrF", "LR", "in doubt", "condensed", "s")


def row(name: str, condense: bool, found: Evaluation) -> tuple[str, ...]:
    quality = found.quality
    return (
        name,
        "yes" if condense else "no",
        f"{quality.bleu.value:.1f}",
        f"{quality.bleu_star.value:.1f}",
        f"{quality.chrf.value:.1f}",
        f"{found.source_ratio.mean:.2f}",
        str(found.doubtful),
        str(found.condensed),
        f"{found.seconds:.0f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("file", type=Path)
    parser.add_argument("-t", "--target-lang", required=True)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    computing = Computing("cpu", "auto", given.threads)
    translator = Translator.load(
        given.model, target_language=given.target_lang, computing=computing
    )
    pairs: list[Pair] = list(read_pairs(given.file))
    pairs = random.Random(given.seed).sample(pairs, min(given.lines, len(pairs)))
    rows = [
        row(
            name,
            condense,
            evaluate(translator, pairs, replace(LENGTH_CONTROLS[name], condense=condense)),
        )
        for name in ASKED
        for condense in (False, True)
    ]
    print(f"{given.file.name}, {len(pairs)} lines\n")
    print(markdown(TITLES, rows))


if __name__ == "__main__":
    main()
