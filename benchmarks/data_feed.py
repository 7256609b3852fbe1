"""How fast batches are made: target tokens per second of one process, and the time of an epoch.

    python -m benchmarks.data_feed RECIPE [SECTION.KEY=VALUE]... [--tokenizer FILE] [--pairs N]

Seconds are those of the processor, so that what else the machine does counts little. An
accelerator that trains on more tokens per second wants ``run.workers``.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from subfit.model.bundled import find_recipe
from subfit.model.tokenizer import Tokenizer
from subfit.training.data.class_bounds import with_class_bounds
from subfit.training.recipe.file import load_recipe
from subfit.training.run.batches import drawn_epoch, made_batch
from subfit.training.run.model_config import config_for
from subfit.training.train import corpus_of, dataset_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe")
    parser.add_argument("overrides", nargs="*")
    parser.add_argument("--tokenizer", type=Path, default=Path("models/en-multi/tokenizer.model"))
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--batches", type=int, default=20)
    options = parser.parse_args()
    recipe = load_recipe(find_recipe(options.recipe), options.overrides)
    pairs = corpus_of(recipe).pairs
    pairs = pairs[:: max(1, len(pairs) // options.pairs)]
    plain = replace(recipe, model=replace(recipe.model, start=""))
    recipe = with_class_bounds(replace(plain, run=replace(plain.run, workers=0)), pairs)
    tokenizer = Tokenizer(options.tokenizer)
    config = config_for(recipe, tokenizer)
    begun = time.process_time()
    dataset = dataset_of(pairs, tokenizer, config, recipe, training=True)
    made = time.process_time()
    order = drawn_epoch(recipe, dataset, 0)
    drawn = time.process_time()
    tokens = sum(
        made_batch(recipe, dataset, units, 0, number).batch.target_tokens
        for number, units in enumerate(order[: options.batches])
    )
    ended = time.process_time()
    million = len(pairs) / 1e6
    print(f"{len(pairs)} pairs, {len(order)} batches")
    print(f"labels and pieces: {(made - begun) / million:.0f} s per million pairs")
    print(f"drawing an epoch: {(drawn - made) / million:.1f} s per million pairs")
    print(f"batches: {tokens / (ended - drawn):.0f} target tokens/s")


if __name__ == "__main__":
    main()
