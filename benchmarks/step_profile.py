"""Where the time of a training step goes: processor seconds of its parts, on one thread or several.

    python -m benchmarks.step_profile RECIPE [SECTION.KEY=VALUE]... [--steps 4] [--threads 1]

The recipe's ``model.start`` must be a finished model. Seconds are those of the processor, so that
what else the machine does counts little.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from subfit.model.bundled import find_recipe
from subfit.training.recipe.file import load_recipe
from subfit.training.run.batches import drawn_epoch, made_batch
from subfit.training.run.loss import SummedLoss, summed_cross_entropy, target_states
from subfit.training.run.model_config import config_for
from subfit.training.run.optimizer import build_optimizers, clip_gradients
from subfit.training.run.start import load_start
from subfit.training.train import corpus_of, dataset_of, new_model

spent: defaultdict[str, float] = defaultdict(float)


@contextmanager
def timed(part: str) -> Iterator[None]:
    begun = time.process_time()
    yield
    spent[part] += time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe")
    parser.add_argument("overrides", nargs="*")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="bfloat16")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    recipe = load_recipe(find_recipe(options.recipe), options.overrides)
    start = load_start(recipe)
    config = config_for(recipe, start.tokenizer, start)
    dataset = dataset_of(corpus_of(recipe).pairs, start.tokenizer, config, recipe, training=True)
    model = new_model(recipe, config, start.tokenizer, start).train()
    loss_of = SummedLoss(model, recipe.optimizer.label_smoothing, 0.0, recipe.length)
    optimizers = build_optimizers(model, recipe.optimizer)
    order = drawn_epoch(recipe, dataset, 0)
    autocast = torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.dtype == "bfloat16")
    tokens = 0
    for number, units in enumerate(order[: options.steps + 1]):
        if number == 1:  # the first one warms up
            spent.clear()
            tokens = 0
        with timed("batch made"):
            batch = made_batch(recipe, dataset, units, 0, number).batch
        tokens += batch.target_tokens
        with timed("forward"), autocast:
            loss = loss_of(batch) / batch.target_tokens
        with timed("backward"):
            loss.backward()
        with timed("clipping"):
            clip_gradients(model, recipe.optimizer.clip)
        for optimizer in optimizers:
            with timed(f"{type(optimizer).__name__} step"):
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
        with autocast:
            states, labels, _ = target_states(model, batch)
            with timed("projection, softmax"):
                summed_cross_entropy(model, states.detach().requires_grad_(), labels).backward()
        model.zero_grad(set_to_none=True)
    counted = ("batch made", "forward", "backward", "clipping", "Muon step", "AdamW step")
    total = sum(spent[each] for each in counted)
    print(f"{tokens / total:.0f} target tokens per processor second ({tokens} tokens)")
    for part in (*counted, "projection, softmax"):
        print(f"{part}: {100 * spent[part] / total:.1f} %")


if __name__ == "__main__":
    main()
