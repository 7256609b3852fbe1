"""Pairs as token arrays, and the tensors of a step."""

from __future__ import annotations

import random
from array import array
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from subfit.decoding.source_tokens import LanguageTokens, language_tokens
from subfit.evaluation.corpus import Pair
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.model.length import UNASKED
from subfit.model.tokenizer import AnyTokenizer
from subfit.model.transformer import TrainableConfig
from subfit.text.formality import FORMALITIES
from subfit.training.sections import Data, VariationName
from subfit.training.variations import vary

IGNORED = -100
"""Label of places that no loss is taken from."""
ENCODED_AT_ONCE = 20_000
"""Pairs that are cut into pieces at once."""

MIXED = "mixed"
TOLD_IN_VAIN = 0.2
"""Of texts that address nobody, so many are shown with a token for a form as of those that do."""

Unit = tuple[int, ...]
"""Indices of the examples that are shown as one text: one, or two short ones joined."""
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Example:
    """One pair in pieces, with its lengths in characters."""

    corpus: str
    source: Sequence[int]
    target: Sequence[int]
    source_characters: int
    target_characters: int
    language: str = ""
    """The target's language, where a model has several."""
    group: int = 0
    """The same number for all translations of one source into one language."""
    weight: float = 1.0
    """How often it is shown for its length, see ``data.short_weight``."""
    formality: str | None = None
    """How the target addresses somebody, where that is known and the model has tokens for it;
    `MIXED` where the halves of a joined text differ."""
    fertilities: tuple[int, ...] | None = None
    """How many target pieces stand for each source piece, where the model wants to know."""

    @property
    def tokens(self) -> int:
        """Pieces of the longer side."""
        return max(len(self.source), len(self.target))

    @property
    def bucket(self) -> tuple[int, int]:
        """Sorting by it puts examples side by side whose sources *and* targets are as long."""
        return self.tokens // 2, len(self.source) - len(self.target)

    def followed_by(self, other: Example) -> Example:
        """This example and another as one text, with a space between them."""
        forms = {self.formality, other.formality} - {None}
        told = self.fertilities is not None and other.fertilities is not None
        return replace(
            self,
            source=[*self.source, *other.source],
            target=[*self.target, *other.target],
            source_characters=self.source_characters + 1 + other.source_characters,
            target_characters=self.target_characters + 1 + other.target_characters,
            weight=self.weight * other.weight,
            formality=forms.pop() if len(forms) == 1 else MIXED if forms else None,
            fertilities=(*(self.fertilities or ()), *(other.fertilities or ())) if told else None,
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts of one step, one behind the other, without padding.

    What is left over of places are texts without labels, so that all batches of a run can have one
    shape. S, T and N are the places of sources and targets and the texts.
    """

    source: Tensor
    """(S,) token ids"""
    source_places: Tensor
    """(S,) place of each in its text"""
    source_bounds: Tensor
    """(N + 1,) int32; text n holds the places from n's to n + 1's"""
    target: Tensor
    """(T,) what the decoder is fed"""
    target_places: Tensor
    target_bounds: Tensor
    labels: Tensor
    """(T,) `IGNORED` where there is none"""
    asked: Tensor
    """(N,) lengths asked for, in the model's unit; 0 where none are"""
    emitted: Tensor
    """(T,) what is written up to and including each target token, in that unit"""
    characters: Tensor
    """(N, 2) characters of source and target; 0 of texts that are none"""
    longest: tuple[int, int]
    """Tokens of the longest source and target, or more"""
    fertilities: Tensor | None = None
    """(S,) target tokens that stand for each source token, `IGNORED` where that is not known; None
    where no model asks"""
    rehearsed: Tensor | None = None
    """(T,) whether a target token is of a text that the start teaches; None where it teaches
    none"""

    @property
    def target_tokens(self) -> int:
        """Labels there are."""
        return int((self.labels != IGNORED).sum())


def tensors_of(batch: Batch) -> dict[str, Tensor]:
    """Return the tensors of a batch by their names."""
    named = {each.name: getattr(batch, each.name) for each in fields(batch)}
    return {name: value for name, value in named.items() if isinstance(value, Tensor)}


def moved(batch: Batch, device: torch.device) -> Batch:
    """Return a batch on a device."""
    if device.type == "cpu":
        return batch
    there = {name: value.to(device, non_blocking=True) for name, value in tensors_of(batch).items()}
    return replace(batch, **there)  # type: ignore[arg-type]


class Shape(NamedTuple):
    """The size that packed batches have, filled up with texts that are none."""

    source: int
    target: int
    texts: int
    longest: int
    """Tokens of a text, at most."""

    @property
    def spare(self) -> int:
        """Places and texts to leave free, for what fills a batch up."""
        return max(self.source, self.target) // self.longest + 2


@dataclass(frozen=True, slots=True)
class Shown:
    """How pairs are shown in training; each once and as it is by default."""

    variations: Mapping[VariationName, float] = field(default_factory=dict)
    """Shares of the texts shown as subtitles would have them, see `subfit.training.variations`."""
    weights: Sequence[float] = ()
    """How often each pair is shown for its length; once each where there are none."""
    labels: Sequence[str | None] = ()
    """The form of address of each pair's target, where it is known."""
    formality: float = 0.0
    """Share of the labelled texts that are shown behind the token for their form."""
    unseen: Container[int] = ()
    """Characters that no target may have as it is shown, see ``data.unseen_characters``."""
    rehearsed: Container[str] = ()
    """Corpora that the start teaches, see ``data.rehearsed``."""


PLAIN = Shown()


class Dataset:
    """Pairs in pieces.

    Args:
        pairs: What to train or validate on.
        tokenizer: Makes the pieces.
        config: Gives the special tokens and the length classes.
        max_tokens: Longer sides are left out, as are pairs with an empty side.
        shown: How they are shown.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        tokenizer: AnyTokenizer,
        config: TrainableConfig,
        max_tokens: int,
        shown: Shown = PLAIN,
    ) -> None:
        self.tokenizer, self.config = tokenizer, config
        self.max_tokens, self.shown = max_tokens, shown
        self.room = max_tokens - 1 - config.most_source_tokens  # the end token comes with it
        self._languages: dict[str, LanguageTokens] = {}
        self.pairs: list[Pair] = []
        self.examples: list[Example] = []
        groups: dict[tuple[str, str], int] = {}
        weights = shown.weights or [1.0] * len(pairs)
        forms = shown.labels or [None] * len(pairs)
        rows = zip(pairs, self._pieces(pairs), weights, forms, strict=True)
        for pair, (source, target), weight, form in rows:
            if pair.source and pair.target and max(len(source), len(target)) < self.room:
                group = groups.setdefault((pair.language, pair.source), len(groups))
                lengths = len(pair.source), len(pair.target)
                example = Example(
                    pair.corpus, source, target, *lengths, pair.language, group, weight, form
                )
                self.pairs.append(pair)
                self.examples.append(example)

    def _pieces(self, pairs: Sequence[Pair]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """The pieces of pairs, in arrays.

        A list has a Python object for each piece: nine times the memory, which processes that make
        batches would each get a copy of, since reading an object writes its count of references.
        """
        for start in range(0, len(pairs), ENCODED_AT_ONCE):
            some = pairs[start : start + ENCODED_AT_ONCE]
            sources = self.tokenizer.source.encode_all([pair.source for pair in some])
            targets = self.tokenizer.target.encode_all([pair.target for pair in some])
            for source, target in zip(sources, targets, strict=True):
                yield array("i", source), array("i", target)

    @cached_property
    def mean_length_ratio(self) -> float:
        """Mean target/source characters, as budgets ask for when nothing else is known."""
        ratios = [each.target_characters / each.source_characters for each in self.examples]
        return sum(ratios) / len(ratios)

    @cached_property
    def token_characters(self) -> float:
        """Mean characters of a target token."""
        characters = sum(example.target_characters for example in self.examples)
        return characters / max(sum(len(example.target) for example in self.examples), 1)

    def tell_fertilities(self, fertilities: Sequence[tuple[int, ...]]) -> None:
        """Store how many target pieces stand for each source piece, for every example."""
        pairs = zip(self.examples, fertilities, strict=True)
        self.examples = [replace(example, fertilities=counts) for example, counts in pairs]

    def text(self, unit: Unit) -> Example:
        """The text of a unit as it is."""
        first = self.examples[unit[0]]
        return first if len(unit) == 1 else first.followed_by(self.examples[unit[1]])

    def texts(self, units: Sequence[Unit], drawn: int) -> list[Example]:
        """The texts of units as the epoch of a seed shows them, some of them varied."""
        anew: dict[int, tuple[str, str]] = {}
        for number, unit in enumerate(units) if self.shown.variations else ():
            pairs = [self.pairs[index] for index in unit]
            sides = " ".join(pair.source for pair in pairs), " ".join(pair.target for pair in pairs)
            varied = vary(*sides, self.shown.variations, random.Random(f"{drawn} {unit}"))
            if varied is not None and len(varied[1]) not in self.shown.unseen:
                anew[number] = varied
        sources = self.tokenizer.source.encode_all([source for source, _ in anew.values()])
        targets = self.tokenizer.target.encode_all([target for _, target in anew.values()])
        texts = [self.text(unit) for unit in units]
        for number, source, target in zip(anew, sources, targets, strict=True):
            ours, theirs = map(len, anew[number])
            lengths: Any = {"source_characters": ours, "target_characters": theirs}
            changed = {"source": source, "target": target, "fertilities": None, **lengths}
            other = replace(texts[number], **changed)
            if other.tokens < self.room:
                texts[number] = other
        return texts

    def batch(
        self,
        units: Sequence[Unit],
        shape: Shape | None = None,
        *,
        seed: int = 0,
        drawn: int | None = None,
        noise: int = 0,
        free: float = 0.0,
    ) -> Batch:
        """Make a batch.

        Args:
            units: Which texts.
            shape: That it is filled up to, if any.
            seed: Determines the noise and which texts go without a length signal.
            drawn: The seed of the epoch that they are of, which determines the texts that are
                varied, and how; by default that of the batch.
            noise: Uniform integer noise of [-noise, noise] on the asked length (Oka 2020).
            free: Share of texts without length signal; of those that are shown more often for
                their length, as much less, so that what is usual when no length is asked for stays
                as it is.
        """
        rows = list(self._rows(units, seed, seed if drawn is None else drawn, noise, free))
        sources = [np.asarray(row.source) for row in rows]
        fed = [np.asarray([*row.before, *row.target[:-1]]) for row in rows]
        labels = [np.asarray([*[IGNORED] * (len(row.before) - 1), *row.target]) for row in rows]
        emitted = [self._emitted(each) for each in fed]
        asked, characters = [row.asked for row in rows], [row.characters for row in rows]
        longest = max(map(len, sources)), max(map(len, fed))
        if shape is not None:
            spare = _spare(shape, sum(map(len, sources)), sum(map(len, fed)))
            pad = int(self.config.pad_token_id or 0)
            sources += [np.full(size, pad) for size, _ in spare]
            fed += [np.full(size, pad) for _, size in spare]
            labels += [np.full(size, IGNORED) for _, size in spare]
            emitted += [np.zeros(size, dtype=np.int64) for _, size in spare]
            none = shape.texts - len(rows)
            asked, characters = asked + [UNASKED] * none, characters + [(0, 0)] * none
            longest = (shape.longest, shape.longest)
        texts = len(asked)
        taught = [row.rehearsed for row in rows] + [False] * (len(fed) - len(rows))
        counts = list(chain.from_iterable(row.fertilities for row in rows))
        return Batch(
            *_row_of(sources, texts),
            *_row_of(fed, texts),
            torch.from_numpy(np.concatenate(labels)),
            torch.tensor(asked),
            torch.from_numpy(np.concatenate(emitted)),
            torch.tensor(characters),
            longest,
            torch.tensor(counts) if self.config.fertility == "predicted" else None,
            torch.from_numpy(np.repeat(taught, [*map(len, fed)])) if self.shown.rehearsed else None,
        )

    def _rows(
        self, units: Sequence[Unit], seed: int, drawn: int, noise: int, free: float
    ) -> Iterator[_Row]:
        chooser, config = random.Random(seed), self.config
        start, end = config.decoder_start_token_id, int(config.eos_token_id)  # type: ignore[arg-type]
        for text in self.texts(units, drawn):
            is_free = chooser.random() < free / text.weight
            shift = 0 if is_free else chooser.randint(-noise, noise)
            is_rehearsed = text.corpus in self.shown.rehearsed
            form, share = text.formality, 0.0 if is_rehearsed else self.shown.formality
            if form is None and share:  # of what addresses nobody the token changes nothing
                form, share = chooser.choice(FORMALITIES), share * TOLD_IN_VAIN
            is_told = form != MIXED and chooser.random() < share
            ratio = text.target_characters / text.source_characters
            language = self._language_tokens(text.language)
            shown_as = None if is_free else config.class_for(ratio)
            told = None if shown_as is None else shown_as.token_id
            begins = config.length_class_side == "target" and told is not None
            tokens = (
                language.before_source,
                None if begins else told,
                config.formality_token(form) if is_told else None,
            )
            ahead = [token for token in tokens if token is not None]
            behind = [token for token in (end, config.sink_token) if token is not None]
            counts = [IGNORED] * (len(ahead) + len(text.source) + len(behind))
            if text.fertilities is not None:
                counts = [*[0] * len(ahead), *text.fertilities, *[0] * len(behind)]
            yield _Row(
                [*ahead, *text.source, *behind],
                [*text.target, end],
                [one for one in (told if begins else start, language.first) if one is not None],
                UNASKED if is_free else self._told(text, shift),
                (text.source_characters, text.target_characters),
                counts,
                is_rehearsed,
            )

    def _told(self, text: Example, shift: int) -> int:
        """The length that is asked of a text, in the model's unit, with noise."""
        if self.config.length_unit == "tokens":
            return max(1, len(text.target) + shift)
        characters = max(1, text.target_characters + shift)
        return text.target_characters if characters in self.shown.unseen else characters

    def _language_tokens(self, language: str) -> LanguageTokens:
        """What tells the model its languages, for the one that pairs name; empty for but one."""
        if language not in self._languages:
            model = Checkpoint("the model", SimpleNamespace(config=self.config), self.tokenizer)
            pair = Directions.of_config(self.config).pair_of(language)
            self._languages[language] = language_tokens(model, *pair)
        return self._languages[language]

    def _emitted(self, tokens: Numbers) -> Numbers:
        """As `subfit.model.length.LengthSignal.emitted`, of one text."""
        if self.config.length_unit == "tokens":
            written: Numbers = (tokens != self.config.decoder_start_token_id).cumsum()
            return written
        counts, leads = self._printed[:, tokens]
        bare = (counts - leads).cumsum()
        characters: Numbers = (counts - leads * (bare - (counts - leads) == 0)).cumsum()
        return characters

    @cached_property
    def _printed(self) -> Numbers:
        """Of each target piece its characters, and 1 where it opens with a space."""
        side = self.tokenizer.target
        table = np.array([side.piece_characters, side.piece_leads], dtype=np.int64)
        extra = max(0, int(self.config.decoder_vocab_size or 0) - table.shape[1])
        return np.pad(table, ((0, 0), (0, extra)))


class _Row(NamedTuple):
    """One text as the model is shown it."""

    source: list[int]
    target: list[int]
    before: list[int]
    asked: int
    characters: tuple[int, int]
    fertilities: list[int]
    rehearsed: bool


def _row_of(texts: Sequence[Numbers], count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return texts in one row, the place of each token in its text, and the bounds of ``count``."""
    lengths = np.array([len(text) for text in texts] + [0] * (count - len(texts)))
    bounds = np.concatenate([[0], lengths.cumsum()])
    places = np.arange(bounds[-1]) - np.repeat(bounds[:-1], lengths)
    row = np.concatenate(texts).astype(np.int64)
    return torch.from_numpy(row), torch.from_numpy(places), torch.from_numpy(bounds).int()


def _spare(shape: Shape, source: int, target: int) -> list[tuple[int, int]]:
    """Return the sizes of texts that fill a batch up: some of both sides in each."""
    left = shape.source - source, shape.target - target
    count = -(-max(left) // shape.longest)
    parts = [[size // count + (n < size % count) for n in range(count)] for size in left]
    return list(zip(*parts, strict=True)) if count else []


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
        shape: Of all batches, which hold texts as they come; without one, texts of like length
            share a batch, and batches come in random order.

    Returns:
        Batches of units for `Dataset.batch`.
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
    waiting: dict[tuple[str, bool], int] = {}
    for index in drawn:
        example = dataset.examples[index]
        longest = max(example.source_characters, example.target_characters)
        if longest > settings.join_characters or chooser.random() >= settings.join:
            yield (index,)
            continue
        kind = example.language, example.corpus in dataset.shown.rehearsed
        other = waiting.pop(kind, None)
        if other is None:
            waiting[kind] = index
            continue
        text = dataset.text((other, index))
        if text.tokens < dataset.room and text.target_characters not in dataset.shown.unseen:
            yield other, index
        else:
            waiting[kind] = other
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
