"""What is trained on: the sections ``data`` and ``vocabulary`` of a recipe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from subfit.configuration.checking import (
    AtLeastOne,
    Condition,
    Count,
    NotNegative,
    Positive,
    Share,
    Within,
    require,
)

VariationName = Literal[
    "unpunctuated", "fragment", "ellipsis", "emphasis", "stutter", "shouted", "renamed"
]
"""What a text can be shown as, see `subfit.training.data.variations`."""


@dataclass(frozen=True, slots=True)
class Data:
    """Which sentence pairs are trained and validated on."""

    root: str = "data"
    """Folder the paths below are relative to."""
    train: tuple[str, ...] | dict[str, tuple[str, ...]] = ()
    """Files of ``corpus <TAB> source <TAB> target`` lines, plain or ``.xz``/``.gz``; with several
    target languages, or several source languages, a mapping of each to its files."""
    turned: bool = False
    """Whether the files, those of ``dev`` and ``drop`` too, have the target before the source: what
    was gathered to translate one way is trained on the other way round."""
    drop: tuple[str, ...] = ()
    """Files of pairs, in the same form, that are left out of what is trained on."""
    dev: str | dict[str, str] = ""
    """The validation set, in the same form; with several languages, one for each."""
    weights: dict[str, NotNegative] = field(default_factory=dict)
    """How often a corpus is seen per epoch; 1 where it is not named, 0 leaves it out."""
    language_weights: dict[str, Positive] = field(default_factory=dict)
    """How often a language, of several, is seen per epoch, on top of ``weights``; 1 where it is not
    named. A ``temperature`` flattens this as well."""
    language_shares: dict[str, Positive] = field(default_factory=dict)
    """Shares of an epoch's target tokens, of each language, in proportion to one another. Unlike
    ``language_weights`` and ``temperature``, which are of pairs, they make up for a language whose
    pairs are entries of dictionaries."""
    join: Share = 0.0
    """Share of the short pairs that are shown two at a time as one text, since a cue often holds
    more than one sentence."""
    join_characters: int = 50
    """A pair is short when neither side is longer."""
    variations: dict[VariationName, Share] = field(default_factory=dict)
    """Share of the texts that are shown in another form, by the name of the variation. Texts that
    a variation cannot be made of stay as they are."""
    min_characters: AtLeastOne = 1
    """Pairs with a shorter side are left out."""
    max_characters: AtLeastOne = 400
    """Pairs with a longer side are left out."""
    max_ratio: Annotated[float, Within(ge=1)] = 3.0
    """Pairs whose sides differ by more than this factor (plus ten characters) are left out."""
    unseen_characters: tuple[AtLeastOne, ...] = ()
    """Leave out pairs whose target has one of these numbers of characters, to see what a model
    does with lengths that it never saw (Takase & Okazaki 2019, §3.3); and join or vary none so
    that it has one of them as it is shown."""
    scripts: bool = False
    """Leave out pairs with a side of whose letters half or more are not in the language's script;
    a language whose scripts are not known is not filtered, which is said at the start."""
    untranslated: bool = True
    """Keep pairs whose two sides are the same text, but for case and punctuation."""
    dedup: Literal["none", "pairs", "near", "sources"] = "pairs"
    """What counts as a duplicate, of which the first is kept: ``pairs``, the same pair in the same
    corpus; ``near``, the same pair in any corpus, but for case, punctuation and spaces;
    ``sources``, the same source likewise, whatever its target."""
    targets_per_source: Count = 0
    """Show at most this many translations of one source in each epoch, drawn anew every time and
    of different lengths where there are such; 0 shows all."""
    short_ratio: Annotated[float, Within(gt=0, le=1)] = 0.8
    """A translation is short when its target/source characters are below this share of their mean
    in its language."""
    short_weight: Annotated[float, Within(ge=1)] = 1.0
    """How often short translations of sources of 20 characters or more are shown, on top of the
    other weights. The times above one are with a length signal, so that what is usual when no
    length is asked for stays as it is."""
    framed: dict[str, Share] = field(default_factory=dict)
    """Corpora that are dictionaries, with the share of their verbs ("to haunt") that are shown
    inside a short sentence or without the "to" (see `subfit.training.data.dictionary`). Their
    entries are never joined with another text."""
    damaged: bool = True
    """Keep pairs with a bracket that is not closed or opened, with a target that breaks off where
    its source does not, or with a mark that stands for a missing translation."""
    formality: Share = 0.0
    """Share of the texts with a known form of address (`subfit.text.formality`) that are shown
    behind the token for it, so that a translation can be asked to be ``formal`` or ``informal``
    (Sennrich et al. 2016, "Controlling politeness in neural machine translation via side
    constraints"); 0 for no such tokens."""
    lowercased: dict[str, Literal["tag", "recase", "drop"]] = field(default_factory=dict)
    """Corpora of lower-cased text: ``tag`` puts a token before their sources that is never used in
    translation, ``recase`` gives words the case they mostly have in the other corpora, ``drop``
    leaves the corpus out."""
    temperature: Annotated[float, Within(ge=1)] = 1.0
    """T of the draw over several languages: a language of n pairs gets a share of the epoch
    proportional to n^(1/T) (Arivazhagan et al. 2019)."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that files are named for; none where there is one list of files."""
        return tuple(self.train) if isinstance(self.train, dict) else ()

    @property
    def train_files(self) -> tuple[tuple[str, str], ...]:
        """Every training file with its language, which is empty where none is named."""
        if isinstance(self.train, dict):
            return tuple(
                (language, file) for language in self.train for file in self.train[language]
            )
        return tuple(("", file) for file in self.train)

    @property
    def dev_files(self) -> tuple[tuple[str, str], ...]:
        """Every validation file, likewise."""
        return tuple(self.dev.items()) if isinstance(self.dev, dict) else (("", self.dev),)

    @property
    def tagged(self) -> frozenset[str]:
        """The corpora whose sources are shown behind the token for lower-cased text."""
        return frozenset(name for name, way in self.lowercased.items() if way == "tag")

    @property
    def whole(self) -> Data:
        """These settings, but with every pair shown once and by itself, as in validation."""
        plain = replace(self, weights={}, language_weights={}, language_shares={})
        return replace(plain, targets_per_source=0, join=0.0, temperature=1.0)

    def __post_init__(self) -> None:
        require(*self._files_go_together(), *self._shares_go_together())

    def _files_go_together(self) -> Iterator[Condition]:
        dev = self.dev if isinstance(self.dev, dict) else {}
        yield (
            self.train and all(self.train.values() if isinstance(self.train, dict) else [1]),
            "train",
            "data.train must name at least one file",
        )
        yield (self.dev and all(dev.values()), "dev", "data.dev must name a file")
        yield (
            not self.train or not self.dev or set(dev) == set(self.languages),
            "train dev",
            "data.train and data.dev must be for the same languages",
        )
        yield (
            set(self.language_weights) <= set(self.languages) or not self.train,
            "language_weights train",
            "data.language_weights must be for languages that data.train has files for",
        )
        yield (
            not self.language_shares
            or not self.train
            or set(self.language_shares) == set(self.languages),
            "language_shares train",
            "data.language_shares must be for the languages that data.train has files for, for all"
            " of them",
        )
        yield (
            not self.language_shares or (self.temperature == 1 and not self.language_weights),
            "language_shares language_weights temperature",
            "data.language_shares say how much of each language is shown;"
            " data.language_weights and data.temperature would change nothing",
        )
        yield (
            self.temperature == 1 or not self.train or self.languages,
            "temperature train",
            "data.temperature needs several target languages to draw from",
        )

    def _shares_go_together(self) -> Iterator[Condition]:
        yield (
            self.min_characters <= self.max_characters,
            "min_characters max_characters",
            f"data.min_characters={self.min_characters} is more than"
            f" data.max_characters={self.max_characters}",
        )
        yield (
            sum(self.variations.values()) <= 1,
            "variations",
            "data.variations are shares, 1 or less together",
        )
        yield (
            self.dedup != "sources" or self.targets_per_source == 0,
            "dedup targets_per_source",
            "data.dedup: sources leaves one target per source; data.targets_per_source has"
            " nothing to draw from",
        )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The SentencePiece model, trained on both sides of the training pairs, or one for each side.

    A target side of type ``char`` gives the character decoder of Takase & Okazaki 2019 (§3.1).
    """

    type: Literal["unigram", "bpe", "char"] = "unigram"
    pieces: AtLeastOne = 8000
    """Size of the vocabulary; with ``char``, the most it may have."""
    target_type: Literal["unigram", "bpe", "char"] | None = None
    """Gives the target side a vocabulary of its own, of this type, and embeddings of its own; null
    for one vocabulary for both sides."""
    target_pieces: AtLeastOne | None = None
    """Size of the target side's own vocabulary; null for that of ``pieces``."""
    character_coverage: Annotated[float, Within(ge=0.9, le=1)] = 0.9999
    """Share of the characters that get a piece; the rest is spelt in bytes."""
    sentences: Annotated[int, Within(gt=100)] = 500_000
    """At most this many lines, drawn at random, are read to train it."""
    file: str = ""
    """A SentencePiece model made before, by the same recipe as far as ``vocabulary`` goes, to be
    used in place of a new one; a path of its own. Tokens before sources that it lacks are added
    behind it."""
    grown: bool = False
    """With ``model.start``, train this vocabulary all the same: pieces that the start has too keep
    their embeddings, every other one begins as the mean of the pieces that the start cuts it into.
    Otherwise the start's own vocabulary is used."""
    sampling: Share = 0.0
    """In training, cut every text into other pieces each time: alpha of the sampling for
    ``unigram`` (Kudo 2018, e.g. 0.2; smaller is more varied), the share of merges left out for
    ``bpe`` (BPE-dropout, Provilkov et al. 2020, e.g. 0.1); 0 always takes the best pieces."""

    def __post_init__(self) -> None:
        require(
            (
                not self.sampling or "char" not in (self.type, self.target_type),
                "sampling type target_type",
                "vocabulary.sampling needs vocabulary.type (and target_type, if there is one)"
                " unigram or bpe; single characters can be cut in one way only",
            ),
            (
                self.target_pieces is None or self.target_type is not None,
                "target_pieces target_type",
                "vocabulary.target_pieces needs vocabulary.target_type; name it or drop"
                " target_pieces",
            ),
            (
                not self.file or self.target_type is None,
                "file target_type",
                "vocabulary.file is one vocabulary for both sides; drop target_type",
            ),
        )
