"""Shows how much of references and of the model's own translations is inside its shortlists.

Lists of several lengths, by the frequent pieces and the translations of each source piece that
belong to them, for sentences alone and in batches of like length. "own" is the model's best
translation found without a shortlist.

    python benchmarks/shortlist.py models/en-multi dev/mixed.en-de.tsv -t de --lines 300
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean

import torch
from torch import Tensor

from subfit.hypotheses import Request
from subfit.model.checkpoint import load_checkpoint
from subfit.model.search import SearchSettings
from subfit.model.shortlist import ShortlistSettings, find_shortlist
from subfit.training.corpus import read_pairs
from subfit.translate import Translator

FREQUENT = (250, 500, 1000, 2000, 4000)
TRANSLATIONS = (10, 20, 30)
BATCHES = (1, 32)
TITLES = ("frequent", "translations", "batch", "pieces", "reference %", "own %", "own, whole %")


def batches(sources: Sequence[Sequence[int]], size: int) -> Iterator[list[int]]:
    """Yield the numbers of sentences that go together, by length."""
    order = sorted(range(len(sources)), key=lambda each: len(sources[each]))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def inside(target: Sequence[int], listed: Tensor) -> Tensor:
    """Whether each piece of a target is on a list."""
    return torch.isin(torch.tensor(target), listed).float()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("-t", "--target-language", required=True)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    checkpoint = load_checkpoint(options.model)
    language, tokenizer = options.target_language, checkpoint.tokenizer
    translator = Translator(
        checkpoint, settings=SearchSettings(beams=4, nbest=1), target_language=language
    )
    pairs = list(read_pairs(options.pairs))[: options.lines]
    found = translator.translate([Request(pair.source) for pair in pairs])
    rows = [
        (tokenizer.encode(pair.source), tokenizer.encode(pair.target), each[0].token_ids)
        for pair, each in zip(pairs, found, strict=True)
        if each
    ]
    sources = [source for source, _, _ in rows]
    print(*TITLES, sep=" | ")
    for frequent, translations, size in product(FREQUENT, TRANSLATIONS, BATCHES):
        shortlist = find_shortlist(checkpoint, language, ShortlistSettings(frequent, translations))
        assert shortlist is not None, f"{options.model} has no lexical table for {language}"
        sizes, references, own = [], [], []
        for batch in batches(sources, size):
            together = [piece for each in batch for piece in sources[each]]
            listed = shortlist.pieces(torch.tensor(together))
            sizes.append(len(listed))
            references += [inside(rows[each][1], listed) for each in batch]
            own += [inside(rows[each][2], listed) for each in batch]
        shares = (
            float(torch.cat(references).mean()),
            float(torch.cat(own).mean()),
            fmean(float(each.all()) for each in own),
        )
        shown = [f"{100 * each:.2f}" for each in shares]
        print(frequent, translations, size, round(fmean(sizes)), *shown, sep=" | ", flush=True)


if __name__ == "__main__":
    main()
