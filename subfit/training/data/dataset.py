"""Pairs as token arrays, and the order in which a run sees them."""

from __future__ import annotations

import random
from array import array
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple

import torch

from subfit.decoding.source_tokens import LanguageTokens, language_tokens
from subfit.evaluation.corpus import Pair
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.model.length import UNASKED
from subfit.model.tokenizer import AnyTokenizer, Side
from subfit.model.transformer import TrainableConfig
from subfit.training.data.batch import IGNORED, Batch, padded
from subfit.training.data.dictionary import in_sentence
from subfit.training.data.example import Example
from subfit.training.data.sampling import draw
from subfit.training.data.variations import Sides, vary
from subfit.training.recipe.data import Data, VariationName

ENCODED_AT_ONCE = 20_000
"""Pairs that are cut into pieces at once."""

Unit = tuple[int, ...]
"""Indices of the examples that are shown as one text: one, or two short ones joined."""


class Dataset:
    """The training pairs of a recipe in pieces.

    Args:
        pairs: What to train on.
        tokenizer: Makes the pieces.
        config: Gives the special tokens and the length classes.
        max_tokens: Longer sides are left out, as are pairs with an empty side.
        lowercased: Corpora whose sources are shown behind the token for lower-cased text.
        sampling: Subword regularisation, see `subfit.training.recipe.data.Vocabulary`.
        variations: Shares of the texts shown as subtitles would have them, see
            `subfit.training.data.variations`.
        weights: How often each pair is shown for its length; once each where there are none.
        framed: Shares of dictionaries' verbs shown inside sentences, by corpus.
        labels: The form of address of each pair's target, where it is known; see
            `subfit.training.data.form_labels`.
        formality: Share of the labelled texts that are shown behind the token for their form.
        unseen: Characters that no target may have as it is shown; see
            `subfit.training.recipe.data.Data.unseen_characters`. Pairs of such a length are for
            the caller to leave out.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        tokenizer: AnyTokenizer,
        config: TrainableConfig,
        max_tokens: int,
        *,
        lowercased: frozenset[str] = frozenset(),
        sampling: float = 0.0,
        variations: Mapping[VariationName, float] | None = None,
        weights: Sequence[float] | None = None,
        framed: Mapping[str, float] | None = None,
        labels: Sequence[str | None] | None = None,
        formality: float = 0.0,
        unseen: Container[int] = (),
    ) -> None:
        self.config, self.max_tokens, self.lowercased = config, max_tokens, lowercased
        self.unseen = unseen
        self.tokenizer, self.sampling, self.variations = tokenizer, sampling, variations or {}
        self.framed = framed or {}
        self.formality = formality if config.formality_tokens else 0.0
        self._room = max_tokens - 1 - config.most_source_tokens  # the end token comes with it
        self._languages: dict[str, LanguageTokens] = {}
        groups: dict[tuple[str, str], int] = {}
        self.pairs: list[Pair] = []
        self.examples: list[Example] = []
        each_weight = weights or [1.0] * len(pairs)
        forms = labels or [None] * len(pairs)
        rows = zip(pairs, self._pieces(pairs), each_weight, forms, strict=True)
        for pair, (source, target), weight, form in rows:
            if pair.source and pair.target and max(len(source), len(target)) < self._room:
                group = groups.setdefault((pair.language, pair.source), len(groups))
                lengths = len(pair.source), len(pair.target)
                example = Example(
                    pair.corpus, source, target, *lengths, pair.language, group, weight, form
                )
                self.pairs.append(pair)
                self.examples.append(example)

    def _pieces(self, pairs: Sequence[Pair]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """The pieces of pairs, of some at a time, in arrays.

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
        ratios = [
            example.target_characters / example.source_characters for example in self.examples
        ]
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

    def epoch(self, seed: int, settings: Data, batch_tokens: int) -> list[list[Unit]]:
        """Draw one epoch: which examples stand together in which batch, in order.

        `draw` says which examples. Some short ones are joined to texts of two. Texts of like
        length share a batch; batches come in random order.

        Args:
            seed: Determines everything.
            settings: What is drawn, and how many examples are joined.
            batch_tokens: Most target tokens of a batch, padding included.

        Returns:
            Batches of units for `batch`.
        """
        chooser = random.Random(seed)
        drawn = draw(self.examples, settings, chooser)
        chooser.shuffle(drawn)  # the sort is stable: other neighbours meet in every epoch
        units = list(self._join(drawn, settings, chooser))
        shapes = list(self._shapes(units, seed))
        order = sorted(range(len(units)), key=lambda place: shapes[place].bucket)
        lengths = [shape.tokens + 2 for shape in shapes]
        batches = [[units[place] for place in part] for part in _cut(order, lengths, batch_tokens)]
        chooser.shuffle(batches)
        return batches

    def _join(self, drawn: Sequence[int], settings: Data, chooser: random.Random) -> Iterator[Unit]:
        """Join a share of the short examples with the next short one drawn of their kind."""
        waiting: dict[tuple[str, bool], int] = {}
        for index in drawn:
            example = self.examples[index]
            longest = max(example.source_characters, example.target_characters)
            kind = example.language, example.corpus in self.lowercased
            alone = longest > settings.join_characters or example.corpus in settings.framed
            if alone or chooser.random() >= settings.join:
                yield (index,)
            elif kind not in waiting:
                waiting[kind] = index
            elif self._may_join(waiting[kind], index):
                yield (waiting.pop(kind), index)
            else:
                yield (index,)
        for index in waiting.values():
            yield (index,)

    def _may_join(self, one: int, other: int) -> bool:
        """Tell whether two examples fit into the model as one text, of a length it may see."""
        text = self._text((one, other))
        return text.tokens < self._room and text.target_characters not in self.unseen

    def _text(self, unit: Unit) -> Example:
        first = self.examples[unit[0]]
        return first if len(unit) == 1 else first.followed_by(self.examples[unit[1]])

    def _shapes(self, units: Sequence[Unit], seed: int) -> Iterator[_TextShape]:
        """How long texts are as an epoch shows them."""
        for start in range(0, len(units), ENCODED_AT_ONCE):
            for text in self._shown(units[start : start + ENCODED_AT_ONCE], seed, seed):
                yield _TextShape(text.bucket, text.tokens)

    def batch(
        self,
        units: Sequence[Unit],
        *,
        seed: int = 0,
        drawn: int | None = None,
        noise: int = 0,
        free: float = 0.0,
    ) -> Batch:
        """Make the tensors of one step.

        Args:
            units: Which texts.
            seed: Determines the noise, which texts go without a length signal, and the pieces
                where they are sampled.
            drawn: The seed of the epoch that they are of, which determines the texts that are
                varied, and how: batches are of texts that are as long as shown. By default that of
                the batch.
            noise: Uniform integer noise of [-noise, noise] on the asked length (Oka 2020).
            free: Share of texts without length signal; of those that are shown more often for
                their length, as much less, so that what is usual when no length is asked for stays
                as it is.
        """
        chooser = random.Random(seed)
        sources, targets, asked, characters, before = [], [], [], [], []
        fertilities: list[list[int]] = []
        pad, end, begin = self._shape.special
        for text in list(self._shown(units, seed, seed if drawn is None else drawn)):
            is_free = chooser.random() < free / text.weight
            asked.append(UNASKED if is_free else self._told(text, chooser.randint(-noise, noise)))
            characters.append((text.source_characters, text.target_characters))
            is_told = bool(text.formality) and chooser.random() < self.formality
            sources.append(self._source(text, is_free, is_told))
            if self._shape.fertilities:
                fertilities.append(self._fertilities(text, sources[-1]))
            targets.append([*text.target, end])
            first = self._language_tokens(text.language).first
            before.append([begin] if first is None else [begin, first])
        source = padded(sources, pad)
        lengths = torch.tensor([len(pieces) for pieces in sources])
        mask = (torch.arange(source.shape[1]) < lengths.unsqueeze(1)).long()
        labels = padded(targets, IGNORED)
        per_text = torch.tensor(asked), torch.tensor(characters), torch.tensor(before)
        stood = padded(fertilities, IGNORED) if fertilities else None
        return Batch(source, mask, labels, *per_text, stood)

    @cached_property
    def _shape(self) -> _Shape:
        """What every text needs of the configuration, whose own values are slow to get."""
        config = self.config
        return _Shape(
            special=_special(config),
            classes=tuple(
                (length_class.upper, length_class.token_id) for length_class in config.classes
            ),
            lowercase=config.lowercase_token,
            sink=() if config.sink_token is None else (config.sink_token,),
            in_tokens=config.length_unit == "tokens",
            fertilities=config.fertility == "predicted",
        )

    def _told(self, text: Example, shift: int) -> int:
        """The length that is asked of a text, in the model's unit, with noise."""
        if self._shape.in_tokens:
            return max(1, len(text.target) + shift)
        characters = max(1, text.target_characters + shift)
        return text.target_characters if characters in self.unseen else characters

    def _sides(self, unit: Unit) -> Sides:
        pairs = [self.pairs[index] for index in unit]
        return " ".join(pair.source for pair in pairs), " ".join(pair.target for pair in pairs)

    def _shown(self, units: Sequence[Unit], seed: int, drawn: int) -> Iterator[Example]:
        """The texts of units, some of them varied, in pieces drawn at random where these are."""
        anew: dict[int, Sides] = {}
        for number, unit in enumerate(units):
            varied = self._varied(unit, drawn)
            if varied or self.sampling:
                anew[number] = varied or self._sides(unit)
        sources = self._encoded(
            self.tokenizer.source, [source for source, _ in anew.values()], seed
        )
        targets = self._encoded(
            self.tokenizer.target, [target for _, target in anew.values()], seed
        )
        encoded = dict(zip(anew, zip(sources, targets, strict=True), strict=True))
        for number, unit in enumerate(units):
            text = self._text(unit)
            if number in anew:
                lengths = len(anew[number][0]), len(anew[number][1])
                other = Example(
                    text.corpus,
                    *encoded[number],
                    *lengths,
                    text.language,
                    weight=text.weight,
                    formality=text.formality,
                )
                text = other if other.tokens < self._room else text
            yield text

    def _varied(self, unit: Unit, drawn: int) -> Sides | None:
        """The sides of a unit as an epoch shows them, where that is not as they are."""
        if not self.variations and not self.framed:
            return None
        sides = self._vary(unit, random.Random(f"{drawn} {unit}"))
        return None if sides is None or len(sides[1]) in self.unseen else sides

    def _vary(self, unit: Unit, chooser: random.Random) -> Sides | None:
        pair = self.pairs[unit[0]]
        share = self.framed.get(pair.corpus, 0.0) if len(unit) == 1 else 0.0
        if share and chooser.random() < share:
            turned = self.config.target_language == "en"
            only = self.config.source_language if turned else self.config.target_language
            framed = in_sentence(pair, pair.language or only or "", chooser, turned=turned)
            if framed is not None:
                return framed
        return vary(*self._sides(unit), self.variations, chooser) if self.variations else None

    def _language_tokens(self, language: str) -> LanguageTokens:
        """What tells the model its languages, for the one that pairs name; empty for but one."""
        if language not in self._languages:
            model = Checkpoint("the model", SimpleNamespace(config=self.config), self.tokenizer)
            pair = Directions.of_config(self.config).pair_of(language)
            self._languages[language] = language_tokens(model, *pair)
        return self._languages[language]

    def _encoded(self, side: Side, texts: list[str], seed: int) -> list[list[int]]:
        if self.sampling:
            return side.sample_all(texts, self.sampling, seed)
        return side.encode_all(texts)

    def _source(self, example: Example, is_free: bool, is_told: bool) -> list[int]:
        """The tokens before a source, as far as it has each, then its pieces and the end.

        They are those of language, length class, form of address and lower case. The sink of
        bounded attention stands last.
        """
        shape = self._shape
        ratio = example.target_characters / example.source_characters
        length_class = None if is_free else shape.class_for(ratio)
        before = [
            self._language_tokens(example.language).before_source,
            length_class,
            self.config.formality_token(example.formality) if is_told else None,
            shape.lowercase if example.corpus in self.lowercased else None,
        ]
        tokens = [token for token in before if isinstance(token, int)]
        return [*tokens, *example.source, shape.special[1], *shape.sink]

    def _fertilities(self, example: Example, shown: Sequence[int]) -> list[int]:
        """What stands for each token of a source as it is shown: nothing for those beside it."""
        if example.fertilities is None:
            return [IGNORED] * len(shown)
        behind = 1 + (self.config.sink_token is not None)
        before = len(shown) - len(example.source) - behind
        return [0] * before + list(example.fertilities) + [0] * behind


class _TextShape(NamedTuple):
    """How long a text is."""

    bucket: tuple[int, int]
    tokens: int


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


class _Shape(NamedTuple):
    """What a configuration says about the tokens of texts."""

    special: tuple[int, int, int]
    """The tokens for padding, end and start."""
    classes: tuple[tuple[float, int], ...]
    """Largest ratio and token of each length class, ascending."""
    lowercase: int | None
    sink: tuple[int, ...]
    in_tokens: bool
    fertilities: bool

    def class_for(self, ratio: float) -> int | None:
        """Return the token of the class that a ratio falls into, if there are classes."""
        return next((token for upper, token in self.classes if ratio <= upper), None)


def _special(config: TrainableConfig) -> tuple[int, int, int]:
    """The tokens for padding, end and start."""
    values: Any = (config.pad_token_id, config.eos_token_id, config.decoder_start_token_id)
    pad, end, start = values
    return pad, end, start
