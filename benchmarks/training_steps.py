"""Shows what single steps of a training are worth: losses of several runs on the same texts.

    subfit train en-multi-steps --variant control data.root=FOLDER      # and other variants
    python -m benchmarks.training_steps FOLDER runs/en-multi-steps-control runs/en-multi-steps-*

Every run is compared with the first, text by text: a difference comes with twice its standard
error, and counts for something if it is larger. Losses are nats per target token, of texts without
a length signal unless said otherwise.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, pairwise
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from benchmarks.measuring import markdown
from subfit.evaluation.corpus import Pair
from subfit.training.data.batch import IGNORED
from subfit.training.data.dataset import Dataset
from subfit.training.data.sampling import are_short
from subfit.training.data.selection import load_dev
from subfit.training.data.variations import VARIATIONS, vary
from subfit.training.run.folder import TrainedRun, load_run
from subfit.training.run.loss import target_logits, target_states

BATCH_TOKENS = 8000
SHORT = 0.8
JOINED_CHARACTERS = 50
"""Texts are joined when no side of either is longer, as by the recipes."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Some development texts, and whether their references' lengths are asked for."""

    name: str
    pairs: Sequence[Pair]
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Losses:
    """Summed losses and target tokens of texts, in their order."""

    nats: Tensor
    tokens: Tensor

    @property
    def mean(self) -> float:
        """Nats per token."""
        return float(self.nats.sum() / self.tokens.sum())

    def against(self, other: Losses) -> tuple[float, float]:
        """Return the difference to another run's, and its standard error (of a ratio)."""
        difference = (self.nats - other.nats).sum() / self.tokens.sum()
        rest = self.nats - other.nats - difference * self.tokens
        error = math.sqrt(float(rest.square().sum())) / float(self.tokens.sum())
        return float(difference), error


def kinds_of_texts(pairs: Sequence[Pair]) -> list[Texts]:
    """Return what is measured on.

    Args:
        pairs: Development pairs of any languages, those of a language together.
    """
    return [
        Texts("everyday (Tatoeba)", [pair for pair in pairs if pair.corpus == "tatoeba"]),
        Texts("all others", [pair for pair in pairs if pair.corpus != "tatoeba"]),
        Texts("like cues", list(_varied(pairs))),
        Texts("two joined", list(_joined(pairs))),
        Texts("length asked for", pairs, asked=True),
        Texts("short, asked for", list(compress(pairs, are_short(pairs, SHORT))), asked=True),
    ]


def _varied(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs that a variation drawn for them can be made of, so varied."""
    chooser = random.Random(1)
    shares = dict.fromkeys(VARIATIONS, 1 / len(VARIATIONS))
    for pair in pairs:
        varied = vary(pair.source, pair.target, shares, chooser)
        if varied is not None:
            yield replace(pair, source=varied[0], target=varied[1])


def _joined(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Short pairs, each with the next one of its language."""
    short = [p for p in pairs if max(len(p.source), len(p.target)) <= JOINED_CHARACTERS]
    for one, other in list(pairwise(short))[::2]:
        if one.language == other.language:
            source, target = f"{one.source} {other.source}", f"{one.target} {other.target}"
            yield replace(one, source=source, target=target)


def _first(pairs: Sequence[Pair], count: int) -> Iterator[Pair]:
    """The first pairs of each language."""
    seen: Counter[str] = Counter()
    for pair in pairs:
        seen[pair.language] += 1
        if seen[pair.language] <= count:
            yield pair


@torch.inference_mode()
def losses(run: TrainedRun, texts: Texts) -> Losses:
    """Return a run's losses on texts."""
    dataset = Dataset(texts.pairs, run.tokenizer, run.model.config, run.recipe.model.max_tokens)
    nats = torch.zeros(len(dataset.examples), dtype=torch.float64)
    tokens = torch.zeros_like(nats)
    for units in dataset.epoch(0, run.recipe.data.whole, BATCH_TOKENS):
        batch = dataset.batch(units, free=0.0 if texts.asked else 1.0)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states, labels, _ = target_states(run.model, batch)
            each = cross_entropy(target_logits(run.model, states), labels, reduction="none")
        real = batch.labels != IGNORED
        rows = torch.tensor([index for (index,) in units])[real.nonzero()[:, 0]]
        nats.index_add_(0, rows, each.double())
        tokens.index_add_(0, rows, torch.ones_like(each, dtype=torch.float64))
    return Losses(nats, tokens)


def measure(folder: Path, kinds: Sequence[Texts]) -> Mapping[str, Losses]:
    """Return a run's losses on every kind of texts."""
    run = load_run(folder)
    return {texts.name: losses(run, texts) for texts in kinds}


def rows(
    folders: Sequence[Path],
    kinds: Sequence[Texts],
    measured: Callable[[Path, Sequence[Texts]], Mapping[str, Losses]] = measure,
) -> Iterator[list[str]]:
    """Yield a row of the table for each run, the first with its losses, others with differences."""
    control: Mapping[str, Losses] = {}
    for folder in folders:
        found = measured(folder, kinds)
        cells = [_cell(found[name], control.get(name)) for name in found]
        control = control or found
        yield [folder.name, *cells]


def _cell(found: Losses, control: Losses | None) -> str:
    if control is None:
        return f"{found.mean:.3f}"
    difference, error = found.against(control)
    return f"{difference:+.4f} ± {2 * error:.4f}"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder with what the recipes name as data.dev")
    parser.add_argument("runs", type=Path, nargs="+", help="run folders, the control first")
    parser.add_argument("--lines", type=int, default=2000, help="of each language")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    data = replace(load_run(options.runs[0]).recipe.data, root=str(options.data))
    pairs = list(_first(load_dev(data), options.lines))
    kinds = kinds_of_texts(pairs)
    print(markdown(["", *(f"{each.name} ({len(each.pairs)})" for each in kinds)], []))
    for row in rows(list(dict.fromkeys(options.runs)), kinds):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
