"""Shows what shortening costs: REP and DROP beside BLEU, under the length controls of cards.

All outputs are aligned by one alignment, learned from them, the references and, with ``--align``,
other pairs of the languages.

    python -m benchmarks.adequacy models/en-multi test/mixed.en-de.tsv -t de --lines 200
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import torch

from benchmarks.controls import LENGTH_CONTROLS
from benchmarks.measuring import markdown
from subfit.decoding.translator import Translator
from subfit.evaluation.adequacy import adequacy_of, scored_words
from subfit.evaluation.corpus import read_pairs
from subfit.evaluation.metrics import translation_quality
from subfit.evaluation.outputs import translate_pairs
from subfit.evaluation.word_alignment import learn_alignment

TITLES = ("asked for", "BLEU", "REP", "DROP", "characters per reference character")


def main() -> None:
    """Print a row for each length control."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("-t", "--target-language", required=True)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--align", type=Path, help="pairs to learn the alignment from besides")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    translator = Translator.load(given.model, target_language=given.target_language)
    pairs = list(islice(read_pairs(given.pairs), given.lines))
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    texts = {
        name: list(translate_pairs(translator, pairs, control).texts)
        for name, control in LENGTH_CONTROLS.items()
    }
    besides = islice(read_pairs(given.align), 10_000) if given.align else ()
    others = [(scored_words(pair.source), scored_words(pair.target)) for pair in besides]
    scores = adequacy_of(texts, sources, references, lambda own: learn_alignment([*own, *others]))
    document = {
        name: {
            "bleu": translation_quality(outputs, references).bleu.value,
            **asdict(scores[name]),
            "characters": sum(map(len, outputs)) / sum(map(len, references)),
        }
        for name, outputs in texts.items()
    }
    rows = [
        [name, *(f"{row[key]:.1f}" for key in ("bleu", "rep", "drop")), f"{row['characters']:.2f}"]
        for name, row in document.items()
    ]
    print(f"{given.pairs.name}, {len(pairs)} lines\n\n{markdown(TITLES, rows)}")
    if given.json:
        given.json.write_text(
            json.dumps({"lines": len(pairs), **document}, ensure_ascii=False, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
