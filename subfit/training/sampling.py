"""Which texts an epoch shows, and in which batches they stand."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from subfit.training.dataset import ENCODED_AT_ONCE, Dataset, Example, Shape, Unit
from subfit.training.sections import Data


def epoch(
    dataset: Dataset, seed: int, settings: Data, batch_tokens: int, shape: Shape | None = None
) -> list[list[Unit]]:
    """Draw one epoch: which examples stand together in which batch, in order.

    `draw` says which examples; some short ones are joined to texts of two.

    Args:
        dataset: The pairs.
        seed: Determines everything.
        settings: What is drawn, and how many examples are joined.
        batch_tokens: Most target tokens of a batch, padding included.
        shape: Of packed batches, which hold texts as they come; without one, texts of like length
            share a batch, and batches come in random order.

    Returns:
        Batches of units for `Dataset.batch` or `Dataset.packed`.
    """
    chooser = random.Random(seed)
    drawn = draw(dataset.examples, settings, chooser)
    chooser.shuffle(drawn)  # sorting is stable: other neighbours meet in every epoch
    units = list(_joined(dataset, drawn, settings, chooser))
    sizes = [_size(text) for text in _texts(dataset, units, seed)]
    if shape is not None:
        return [[units[place] for place in part] for part in _filled(sizes, shape, dataset)]
    order = sorted(range(len(units)), key=lambda place: sizes[place][0])
    lengths = [max(source, target) + 2 for _, source, target in sizes]
    batches = [[units[place] for place in part] for part in _cut(order, lengths, batch_tokens)]
    chooser.shuffle(batches)
    return batches


def shape_of(dataset: Dataset, settings: Data, batch_tokens: int) -> Shape:
    """Return the shape of packed batches of so many target places.

    It is estimated on a drawn epoch: sources get as many places as targets need of them, rounded
    up, and texts a fifth more than there are.
    """
    chooser = random.Random(0)
    some = draw(dataset.examples, settings, chooser)
    chooser.shuffle(some)
    units = [(index,) for index in some[:ENCODED_AT_ONCE]]
    sizes = [_size(text) for text in dataset.texts(units, 0)]
    ahead = dataset.config.most_source_tokens + 1
    source = sum(size + ahead for _, size, _ in sizes) / len(sizes)
    target = sum(size + 2 for _, _, size in sizes) / len(sizes)
    longest = dataset.max_tokens
    places = max(batch_tokens, longest + batch_tokens // longest + 2)
    sources = max(places * source / target * 1.02, longest + places // longest + 2)
    texts = int(places / target * 1.2) + 2 * (int(sources) // longest + 4)
    return Shape(-(-int(sources) // 64) * 64, -(-places // 64) * 64, texts, longest)


def draw(examples: Sequence[Example], settings: Data, chooser: random.Random) -> list[int]:
    """Draw the examples of an epoch, as ascending indices.

    A corpus of weight 0.3 gives a random 30 % of its examples, one of weight 2 gives all twice.
    """
    shown: Sequence[int] = range(len(examples))
    if settings.targets_per_source:
        shown = _few_targets(examples, settings.targets_per_source, chooser)
    weights = [
        examples[index].weight * settings.weights.get(examples[index].corpus, 1.0)
        for index in shown
    ]
    factors: Mapping[str, float] = {}
    if settings.language_shares:
        sizes: defaultdict[str, float] = defaultdict(float)
        for index, weight in zip(shown, weights, strict=True):
            sizes[examples[index].language] += weight * (len(examples[index].target) + 1)
        factors = share_factors(sizes, settings.language_shares)
    drawn: list[int] = []
    for index, weight in zip(shown, weights, strict=True):
        often = weight * factors.get(examples[index].language, 0.0) if factors else weight
        copies = int(often) + (chooser.random() < often % 1)
        drawn.extend([index] * copies)
    return drawn


def share_factors(sizes: Mapping[str, float], shares: Mapping[str, float]) -> dict[str, float]:
    """Return how often each language's examples are shown to have its share of an epoch.

    Args:
        sizes: Target tokens per language, the end of each text counted.
        shares: What each language is to have of them, in proportion to one another.

    Returns:
        By language, a factor that leaves the sum of target tokens as it is.
    """
    present = {name: size for name, size in sizes.items() if size > 0}
    scale = sum(present.values()) / max(sum(shares[name] for name in present), 1e-9)
    return {name: scale * shares[name] / size for name, size in present.items()}


def _few_targets(examples: Sequence[Example], most: int, chooser: random.Random) -> list[int]:
    """Draw at most so many examples of every source, of different lengths where there are such."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for index, example in enumerate(examples):
        groups[example.group].append(index)
    drawn: list[int] = []
    for members in groups.values():
        if len(members) > most:
            members = chooser.sample(members, len(members))
            first_of_length: dict[int, int] = {}
            for index in members:
                first_of_length.setdefault(examples[index].target_characters, index)
            # Those of lengths not drawn yet come first; sorting keeps the drawn order otherwise.
            members.sort(
                key=lambda index: first_of_length[examples[index].target_characters] != index
            )
        drawn += members[:most]
    return sorted(drawn)


def _joined(
    dataset: Dataset, drawn: Sequence[int], settings: Data, chooser: random.Random
) -> Iterator[Unit]:
    """Join a share of the short examples with the next short one drawn of their language."""
    waiting: dict[str, int] = {}
    for index in drawn:
        example = dataset.examples[index]
        longest = max(example.source_characters, example.target_characters)
        if longest > settings.join_characters or chooser.random() >= settings.join:
            yield (index,)
            continue
        other = waiting.pop(example.language, None)
        if other is None:
            waiting[example.language] = index
            continue
        text = dataset.text((other, index))
        if text.tokens < dataset.room and text.target_characters not in dataset.shown.unseen:
            yield other, index
        else:
            waiting[example.language] = other
            yield (index,)
    for index in waiting.values():
        yield (index,)


def _texts(dataset: Dataset, units: Sequence[Unit], seed: int) -> Iterator[Example]:
    for start in range(0, len(units), ENCODED_AT_ONCE):
        yield from dataset.texts(units[start : start + ENCODED_AT_ONCE], seed)


def _size(text: Example) -> tuple[tuple[int, int], int, int]:
    return text.bucket, len(text.source), len(text.target)


def _cut(order: Sequence[int], lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Cut an order of texts into batches of at most as many tokens, padding included."""
    batch: list[int] = []
    longest = 0
    for place in order:
        length = lengths[place]
        if batch and max(longest, length) * (len(batch) + 1) > batch_tokens:
            yield batch
            batch, longest = [], 0
        batch.append(place)
        longest = max(longest, length)
    if batch:
        yield batch


def _filled(
    sizes: Sequence[tuple[tuple[int, int], int, int]], shape: Shape, dataset: Dataset
) -> Iterator[list[int]]:
    """Fill batches of one shape with texts as they come."""
    ahead = dataset.config.most_source_tokens + 1
    batch: list[int] = []
    source, target = shape.source - shape.spare, shape.target - shape.spare
    left = [source, target, shape.texts - shape.spare]
    for place, (_, of_source, of_target) in enumerate(sizes):
        wanted = of_source + ahead, of_target + 2, 1
        if batch and any(want > room for want, room in zip(wanted, left, strict=True)):
            yield batch
            batch, left = [], [source, target, shape.texts - shape.spare]
        batch.append(place)
        left = [room - want for want, room in zip(wanted, left, strict=True)]
    if batch:
        yield batch
