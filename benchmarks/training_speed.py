"""How fast a recipe trains on this machine, and how fast its batches are made.

    python -m benchmarks.training_speed RECIPE [SECTION.KEY=VALUE]... [--steps 6] [--threads 1]

Prints target tokens per second of whole steps, and, of one process that makes batches, target
tokens per processor second and the processor seconds that an epoch takes to draw.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from subfit.model.bundled import find_recipe
from subfit.training.dataset import IGNORED
from subfit.training.recipe import load_stages
from subfit.training.train import prepare


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe")
    parser.add_argument("overrides", nargs="*")
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    recipe = load_stages(find_recipe(options.recipe), options.overrides)[0]
    with TemporaryDirectory() as folder:
        trainer = prepare(recipe, Path(folder) / "run", announce=print)
        begun = time.process_time()
        order = trainer.batches.source.epoch(0)
        drawn = time.process_time()
        some = [trainer.batches.source.arrays(units, 0, n) for n, units in enumerate(order[:20])]
        made = time.process_time() - drawn
        tokens = sum(int((batch["labels"] != IGNORED).sum()) for batch in some)
        print(f"an epoch of {len(order)} batches: drawn in {drawn - begun:.1f} s")
        print(f"batches made: {tokens / made:.0f} target tokens per processor second")
        trainer.model.train()
        for step in range(5):  # what is compiled and recorded is so by now
            trainer.taking.take(trainer.batches.take(step), 1e-6)
        trainer.taking.read()
        begun = time.perf_counter()
        for step in range(5, 5 + options.steps):
            trainer.taking.take(trainer.batches.take(step), 1e-6)
        loss, tokens = trainer.taking.read()
        seconds = time.perf_counter() - begun
        trainer.batches.close()
        print(f"steps: {tokens / seconds:.0f} target tokens per second ({loss / tokens:.3f} nats)")


if __name__ == "__main__":
    main()
