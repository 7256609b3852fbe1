"""What a model thinks of training pairs: the mean log-probability per target token of each.

    python -m benchmarks.pair_scores MODEL LANGUAGE OUT PAIRS... [--sample N] [--share 0.01]

PAIRS are files of ``corpus <TAB> source <TAB> target`` lines. OUT gets a line for each, the worst
first: score, corpus, source, target. Printed are the quantiles of every corpus, and how many tokens
were scored per second. With ``--drop FILE`` the worst ``--share`` of each corpus is written in the
form that ``data.drop`` of a recipe reads.

A low score alone is no reason to drop: idioms and free translations have one too. What goes wants
to be looked at, corpus by corpus.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy, linear

from subfit.evaluation.corpus import Pair, read_pairs
from subfit.model.bundled import find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.training.dataset import Dataset, epoch
from subfit.training.loss import states_of
from subfit.training.sections import Data

BATCH_TOKENS = 3000


@torch.inference_mode()
def scores_of(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> list[tuple[float, Pair]]:
    """Score pairs as if no length had been asked for; those too long for the model are absent."""
    model = checkpoint.model.eval()
    dataset = Dataset(pairs, checkpoint.tokenizer, model.config, 512)
    scored: list[tuple[float, Pair]] = []
    order = epoch(dataset, 1, Data(train=("-",), dev="-").whole, BATCH_TOKENS)
    for units in order:
        batch = dataset.batch(units, free=1.0)
        states, _ = states_of(model, batch, torch.bfloat16)
        weight, bias = model.output_layer
        real = batch.labels >= 0
        scores = linear(states[real], weight.to(states.dtype), bias.to(states.dtype)).float()
        losses = cross_entropy(scores, batch.labels[real], reduction="none")
        rows = torch.repeat_interleave(batch.target_bounds.diff())[real]
        count = torch.bincount(rows, minlength=len(units))
        total = torch.zeros(len(units)).index_add(0, rows, losses.float())
        means = (-total / count).tolist()
        scored += zip(means, (dataset.pairs[unit[0]] for unit in units), strict=True)
    return sorted(scored, key=lambda row: row[0])


def by_corpus(scored: Sequence[tuple[float, Pair]]) -> Iterator[tuple[str, list[float]]]:
    """The scores of each corpus, ascending; large corpora first."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for score, pair in scored:
        found[pair.corpus].append(score)
    yield from sorted(found.items(), key=lambda item: -len(item[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("language")
    parser.add_argument("out", type=Path)
    parser.add_argument("pairs", nargs="+", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--drop", type=Path)
    parser.add_argument("--share", type=float, default=0.01)
    options = parser.parse_args()
    language = options.language
    pairs = [pair for path in options.pairs for pair in read_pairs(path, language)]
    pairs = [pair for pair in pairs if len(pair.source) <= 300 and len(pair.target) <= 300]
    if options.sample:
        pairs = random.Random(1).sample(pairs, min(len(pairs), options.sample))
    checkpoint = load_checkpoint(find_model(options.model, "en", language))
    begun, busy = time.perf_counter(), time.process_time()
    scored = scores_of(checkpoint, pairs)
    tokens = sum(
        len(each)
        for each in checkpoint.tokenizer.target.encode_all([pair.target for _, pair in scored])
    )
    seconds, busy = time.perf_counter() - begun, time.process_time() - busy
    print(
        f"{len(scored)} pairs, {tokens / seconds:.0f} tokens/s, {tokens / busy:.0f} per CPU second"
    )
    lines = [f"{score:.3f}\t{pair.corpus}\t{pair.source}\t{pair.target}" for score, pair in scored]
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    limits: dict[str, float] = {}
    for corpus, scores in by_corpus(scored):
        points = [scores[int(share * (len(scores) - 1))] for share in (0.01, 0.1, 0.5)]
        limits[corpus] = scores[min(len(scores) - 1, int(options.share * len(scores)))]
        told = ", ".join(f"{each:.2f}" for each in points)
        print(f"{corpus} ({len(scores)}): 1 %, 10 %, half below {told}")
    if options.drop:
        dropped = [pair for score, pair in scored if score < limits[pair.corpus]]
        text = "".join(f"{each.corpus}\t{each.source}\t{each.target}\n" for each in dropped)
        options.drop.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
