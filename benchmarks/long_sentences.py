"""Shows what long sentences gain when they are also translated clause by clause.

Natural translations of the lines of a file that have more than some words, as wholes and with
parts of at most so many words. ``0`` is wholes alone.

    python -m benchmarks.long_sentences models/en-multi dev/mixed.en-de.tsv -t de --longest 0 10 16
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.measuring import markdown
from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import read_pairs
from subfit.evaluation.metrics import translation_quality

TITLES = ("longest", "lines", "changed", "BLEU", "chrF", "length", "processor seconds")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("file", type=Path)
    parser.add_argument("-t", "--target-language")
    parser.add_argument("-s", "--source-language")
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--lines", type=int)
    parser.add_argument("--words", type=int, default=16, help="lines with more words than this")
    parser.add_argument("--longest", nargs="+", type=int, default=[0, 16])
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    translator = Translator.load(
        options.model,
        source_language=options.source_language,
        target_language=options.target_language,
        channel_model=None,
    )
    in_parts = translator.in_parts
    if in_parts is None:
        raise SystemExit(f"{options.model} translates wholes alone: its longest_whole is not set")
    pairs = list(read_pairs(options.file, turned=options.turned))[: options.lines]
    own = [pair for pair in pairs if len(pair.source.split()) > options.words]
    print(f"{len(own)} of {len(pairs)} lines have more than {options.words} words")
    references = [pair.target for pair in own]
    rows: list[tuple[str, ...]] = []
    wholes: list[str] = []
    for longest in options.longest:
        translator.in_parts = replace(in_parts, longest=longest) if longest else None
        begun = time.process_time()
        nbest = translator.translate([Request(pair.source) for pair in own])
        seconds = time.process_time() - begun
        outputs = [hypotheses[0].text if hypotheses else "" for hypotheses in nbest]
        wholes = wholes or outputs
        quality = translation_quality(outputs, references)
        changed = sum(map(str.__ne__, outputs, wholes))
        ratio = sum(map(len, outputs)) / sum(map(len, references))
        figures = (f"{quality.bleu.value:.2f}", f"{quality.chrf.value:.2f}", f"{ratio:.3f}")
        rows.append((str(longest), str(len(own)), str(changed), *figures, f"{seconds:.0f}"))
    print(markdown(TITLES, rows))
    different = [each for each in zip(own, wholes, outputs, strict=True) if each[1] != each[2]]
    for pair, before, after in different[: options.show]:
        print(f"\n{pair.source}\n- {before}\n+ {after}")


if __name__ == "__main__":
    main()
