"""Pairs as token arrays, and the order in which a run sees them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from subfit.model.config import SubfitConfig
from subfit.model.length import UNASKED
from subfit.tokenizer import Tokenizer
from subfit.training.corpus import Pair
from subfit.training.recipe_data import Data

IGNORED = -100
"""Label of padding, which no loss is taken from."""


@dataclass(frozen=True, slots=True)
class Example:
    """One pair in pieces, with its lengths in characters."""

    corpus: str
    source: list[int]
    target: list[int]
    source_characters: int
    target_characters: int

    @property
    def bucket(self) -> tuple[int, int]:
        """Sorting by it puts examples side by side whose sources *and* targets are as long."""
        return self.tokens // 2, len(self.source)

    @property
    def tokens(self) -> int:
        """Pieces of the longer side."""
        return max(len(self.source), len(self.target))

    def followed_by(self, other: Example) -> Example:
        """This example and another as one text, with a space between them."""
        return Example(
            self.corpus,
            self.source + other.source,
            self.target + other.target,
            self.source_characters + 1 + other.source_characters,
            self.target_characters + 1 + other.target_characters,
        )


Unit = tuple[int, ...]
"""Indices of the examples that are shown as one text: one, or two short ones joined."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of one training step, padded on the right."""

    source: Tensor
    """(batch_size, max_source_length)"""
    source_mask: Tensor
    """(batch_size, max_source_length), 1 where there is a token"""
    labels: Tensor
    """(batch_size, max_target_length), `IGNORED` where there is none"""
    asked: Tensor
    """(batch_size,) characters asked for; 0 where none are"""

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device."""
        tensors = (self.source, self.source_mask, self.labels, self.asked)
        return Batch(*(each.to(device) for each in tensors))

    @property
    def target_tokens(self) -> int:
        """Target tokens without padding, end tokens included."""
        return int((self.labels != IGNORED).sum())


class Dataset:
    """The training pairs of a recipe in pieces.

    Args:
        pairs: What to train on.
        tokenizer: Makes the pieces.
        config: Gives the special tokens and the length classes.
        max_tokens: Longer sides are left out, as are pairs with an empty side.
    """

    def __init__(
        self, pairs: Sequence[Pair], tokenizer: Tokenizer, config: SubfitConfig, max_tokens: int
    ) -> None:
        self.config, self.max_tokens = config, max_tokens
        sources = tokenizer.encode_all([pair.source for pair in pairs])
        targets = tokenizer.encode_all([pair.target for pair in pairs])
        self.examples = [
            Example(pair.corpus, source, target, len(pair.source), len(pair.target))
            for pair, source, target in zip(pairs, sources, targets, strict=True)
            if pair.source and pair.target and max(len(source), len(target)) < max_tokens - 2
        ]

    @cached_property
    def mean_length_ratio(self) -> float:
        """Mean target/source characters, as budgets ask for when nothing else is known."""
        ratios = [each.target_characters / each.source_characters for each in self.examples]
        return sum(ratios) / len(ratios)

    def epoch(self, seed: int, settings: Data, batch_tokens: int) -> list[list[Unit]]:
        """Draw one epoch: which examples stand together in which batch, in order.

        A corpus of weight 0.3 gives a random 30 % of its pairs, one of weight 2 gives all twice.
        Some short examples are joined to texts of two. Texts of like length share a batch;
        batches come in random order.

        Args:
            seed: Determines everything.
            settings: Weights of the corpora, and how many examples are joined.
            batch_tokens: Most target tokens of a batch, padding included.

        Returns:
            Batches of units for `batch`.
        """
        chooser = random.Random(seed)
        drawn: list[int] = []
        for index, example in enumerate(self.examples):
            weight = settings.weights.get(example.corpus, 1.0)
            copies = int(weight) + (chooser.random() < weight % 1)
            drawn.extend([index] * copies)
        chooser.shuffle(drawn)  # the sort is stable: other neighbours meet in every epoch
        units = list(self._join(drawn, settings, chooser))
        units.sort(key=lambda unit: self._text(unit).bucket)
        batches = list(self._cut(units, batch_tokens))
        chooser.shuffle(batches)
        return batches

    def _join(self, drawn: Sequence[int], settings: Data, chooser: random.Random) -> Iterator[Unit]:
        """Join a share of the short examples with the next short one drawn."""
        waiting: int | None = None
        for index in drawn:
            example = self.examples[index]
            longest = max(example.source_characters, example.target_characters)
            if longest > settings.join_characters or chooser.random() >= settings.join:
                yield (index,)
            elif waiting is None:
                waiting = index
            elif self._text((waiting, index)).tokens < self.max_tokens - 2:
                yield (waiting, index)
                waiting = None
            else:
                yield (index,)
        if waiting is not None:
            yield (waiting,)

    def _text(self, unit: Unit) -> Example:
        first = self.examples[unit[0]]
        return first if len(unit) == 1 else first.followed_by(self.examples[unit[1]])

    def _cut(self, units: Sequence[Unit], batch_tokens: int) -> Iterator[list[Unit]]:
        batch: list[Unit] = []
        longest = 0
        for unit in units:
            length = self._text(unit).tokens + 2
            if batch and max(longest, length) * (len(batch) + 1) > batch_tokens:
                yield batch
                batch, longest = [], 0
            batch.append(unit)
            longest = max(longest, length)
        if batch:
            yield batch

    def batch(
        self, units: Sequence[Unit], *, seed: int = 0, noise: int = 0, free: float = 0.0
    ) -> Batch:
        """Make the tensors of one step.

        Args:
            units: Which texts.
            seed: Determines the noise and which texts go without a length signal.
            noise: Uniform integer noise of [-noise, noise] on the asked length (Oka 2020).
            free: Share of texts without length signal.
        """
        chooser = random.Random(seed)
        sources, targets, asked = [], [], []
        for unit in units:
            text = self._text(unit)
            is_free = chooser.random() < free
            shift = chooser.randint(-noise, noise)
            asked.append(UNASKED if is_free else max(1, text.target_characters + shift))
            sources.append(self._source(text, is_free))
            targets.append([*text.target, self.config.eos_token_id])
        source = _pad(sources, self.config.pad_token_id)
        mask = _pad([[1] * len(each) for each in sources], 0)
        return Batch(source, mask, _pad(targets, IGNORED), torch.tensor(asked))

    def _source(self, example: Example, is_free: bool) -> list[int]:
        tokens = [*example.source, self.config.eos_token_id]
        ratio = example.target_characters / example.source_characters
        length_class = None if is_free else self.config.class_for(ratio)
        return tokens if length_class is None else [length_class.token_id, *tokens]


def _pad(rows: list[list[int]], value: int) -> Tensor:
    width = max(len(row) for row in rows)
    return torch.tensor([row + [value] * (width - len(row)) for row in rows])
