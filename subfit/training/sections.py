"""The sections of a recipe: every key, its default, and which values cannot be together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from pydantic import AfterValidator

from subfit.configuration import (
    AtLeastOne,
    Count,
    NotNegative,
    Positive,
    Share,
    ShareBelowOne,
    Within,
    require,
)
from subfit.model.config import (
    CONSTRAINED,
    Fertility,
    LengthUnitName,
    SourceAttentionKind,
    known_encoding,
)

VariationName = Literal[
    "unpunctuated", "fragment", "ellipsis", "emphasis", "stutter", "shouted", "renamed"
]
"""What a text can be shown as, see `subfit.training.variations`."""


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
    language_shares: dict[str, Positive] = field(default_factory=dict)
    """Shares of an epoch's target tokens, of each language, in proportion to one another."""
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
    dedup: Literal["none", "pairs", "near"] = "pairs"
    """What counts as a duplicate, of which the first is kept: ``pairs``, the same pair in the same
    corpus; ``near``, the same pair in any corpus, but for case, punctuation and spaces."""
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
    damaged: bool = True
    """Keep pairs with a bracket that is not closed or opened, with a target that breaks off where
    its source does not, or with a mark that stands for a missing translation."""
    formality: Share = 0.0
    """Share of the texts with a known form of address (`subfit.text.formality`) that are shown
    behind the token for it, so that a translation can be asked to be ``formal`` or ``informal``
    (Sennrich et al. 2016, "Controlling politeness in neural machine translation via side
    constraints"); 0 for no such tokens."""
    rehearsed: tuple[str, ...] = ()
    """Corpora that teach what ``model.teacher`` says of their texts, not what their targets say, so
    that a fine-tuned model keeps what it knew while it learns the others (Li & Hoiem 2018,
    "Learning without forgetting"); they should be of the kind that it was trained on."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that files are named for; none where there is one list of files."""
        return tuple(self.train) if isinstance(self.train, dict) else ()

    @property
    def train_files(self) -> tuple[tuple[str, str], ...]:
        """Every training file with its language, which is empty where none is named."""
        return tuple((language, file) for language, own in self._train.items() for file in own)

    @property
    def _train(self) -> dict[str, tuple[str, ...]]:
        return self.train if isinstance(self.train, dict) else {"": self.train}

    @property
    def dev_files(self) -> tuple[tuple[str, str], ...]:
        """Every validation file, likewise."""
        return tuple(self.dev.items()) if isinstance(self.dev, dict) else (("", self.dev),)

    @property
    def whole(self) -> Data:
        """These settings, but with every pair shown once and by itself, as in validation."""
        return replace(self, weights={}, language_shares={}, targets_per_source=0, join=0.0)

    def __post_init__(self) -> None:
        dev = self.dev if isinstance(self.dev, dict) else {}
        named, shares = set(self.languages), set(self.language_shares)
        few, most = self.min_characters, self.max_characters
        require(
            self,
            (self.train and all(self._train.values()), "data.train names no file"),
            (self.dev and all(dev.values()), "data.dev names no file"),
            (not self.train or not self.dev or set(dev) == named,
             "data.train and data.dev must be for the same languages"),
            (not shares or not self.train or shares == named,
             "data.language_shares must be for all languages that data.train has files for"),
            (few <= most, f"data.min_characters={few} is more than data.max_characters={most}"),
            (sum(self.variations.values()) <= 1, "data.variations are shares, 1 or less together"),
        )  # fmt: skip


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

    def __post_init__(self) -> None:
        own, size = self.target_type, self.target_pieces
        require(
            self,
            (own or size is None, "vocabulary.target_pieces needs vocabulary.target_type"),
            (not (own and self.file), "vocabulary.file is for both sides; drop target_type"),
        )


@dataclass(frozen=True, slots=True)
class Length:
    """Length conditioning (Lakew 2019 §3, Takase & Okazaki 2019 §2, Oka 2020)."""

    classes: dict[str, float | None] = field(default_factory=dict)
    """Length tokens: name to the largest target/source ratio, ascending; the last has null."""
    class_side: Literal["source", "target"] = "source"
    """Where a length token stands: before the source (Lakew 2019), or where the target begins, in
    place of the decoder's start (verbosity tokens, Lakew et al. 2022)."""
    encodings: tuple[Annotated[str, AfterValidator(known_encoding)], ...] = ()
    """Length encodings summed into the decoder's input."""
    unit: LengthUnitName = "characters"
    """What the encodings and ``noise`` count: ``characters`` (Lakew, Takase), or ``tokens`` of the
    target side (Oka)."""
    gate_steps: Count = 0
    """Over so many steps, open the factor on the encodings from 0 to 1, so that a fine-tuned model
    begins as the one it starts from."""
    rel_steps: AtLeastOne = 5
    """N of the ``rel`` encoding."""
    positions: bool = True
    """Keep the decoder's ordinary position encoding ("+PE")."""
    noise: Count = 0
    """In training, add a uniform integer of [-noise, noise] to the reference's length (Oka), in
    ``unit``."""
    free: ShareBelowOne = 0.0
    """Share of training sentences shown without any length signal, so that the model can also be
    asked for no length at all."""
    predictor: Annotated[str, Within(min_length=1)] | None = None
    """What predicts natural lengths (Oka): ``encoder``, a head on the translator's own encoder,
    trained along without moving it, on texts without a length token (that would tell); or the
    folder or hub name of a pre-trained encoder (BERT), which is fine-tuned for it behind the last
    step. null for none."""

    def __post_init__(self) -> None:
        told, open_end = self.encodings, float("inf")
        bounds = [open_end if bound is None else bound for bound in self.classes.values()]
        require(
            self,
            (bounds == sorted(set(bounds)) and bounds[-1:] in ([], [open_end]),
             "length.classes must ascend and end with an open class (null)"),
            (len(set(told)) == len(told), "length.encodings names one twice"),
            (self.class_side == "source" or (self.classes and not told),
             "length.class_side: target is for length.classes without length.encodings"),
            (told or not self.noise, "length.noise needs length.encodings to act on"),
            (told or not self.gate_steps, "length.gate_steps needs length.encodings to act on"),
            (not (self.has_head and self.classes) or self.free > 0,
             "length.predictor: encoder with length.classes needs length.free to be more than 0: it"
             " learns from texts without a length token"),
        )  # fmt: skip

    @property
    def has_head(self) -> bool:
        """Whether a length head is trained with the translator."""
        return self.predictor == "encoder"


@dataclass(frozen=True, slots=True)
class Attention:
    """Attention of the decoder's last layer to the source (Malaviya et al. 2018; Ferreira 2018)."""

    kind: SourceAttentionKind = "softmax"
    """What makes attention of scores. ``csoftmax`` and ``csparsemax`` are constrained: no source
    token has more attention, over all steps, than its fertility. ``sparsemax`` needs
    ``subfit[attention]``."""
    fertility: Fertility = "constant"
    """Where the fertilities of constrained attention come from: ``constant``, the same for every
    token; ``max-align``, the most target tokens that were aligned with the token in training;
    ``predicted``, a head on the encoder that is trained along. The last two need
    ``subfit[adequacy]`` to train."""
    constant: Annotated[float, Within(ge=0.01, le=100)] = 2.0
    """The fertility of ``constant``."""
    exhaustion: Annotated[float, Within(ge=0, le=100)] = 0.0
    """c of ``z + c u``: tokens with more attention left are attended to more; 0 for none."""
    coverage_vector: bool = False
    """Tell the scores how much attention each token has had (Tu et al. 2016)."""
    alignment_pairs: AtLeastOne = 20_000
    """Pairs, drawn at random, that the aligner learns from before it aligns all."""

    def __post_init__(self) -> None:
        plain = self.fertility == "constant" and not self.exhaustion
        needed = "need attention.kind: csoftmax or csparsemax"
        text = f"attention.fertility and attention.exhaustion {needed}"
        require(self, (self.constrained or plain, text))

    @property
    def constrained(self) -> bool:
        """Whether source tokens have a bound of attention."""
        return self.kind in CONSTRAINED

    @property
    def needs_alignment(self) -> bool:
        """Whether training needs to know which tokens of a pair stand for each other."""
        return self.fertility != "constant"


@dataclass(frozen=True, slots=True)
class Architecture:
    """The Transformer: its size, or the trained model it starts from."""

    start: str = ""
    """Fine-tune this model: a folder (of a model or of a training run), a model that comes with
    subfit, or a Marian, M2M100, NLLB, mBART-50 or T5 (MADLAD) model by its folder, its hub name or
    that of its family. Sizes and vocabulary are then its own. A stage starts from the one before
    it."""
    encoder_layers: AtLeastOne = 6
    decoder_layers: AtLeastOne = 2
    width: AtLeastOne = 320
    """d, the width of the hidden states; a multiple of ``heads``."""
    feed_forward: AtLeastOne = 1280
    heads: AtLeastOne = 5
    dropout: ShareBelowOne = 0.1
    attention_dropout: ShareBelowOne = 0.0
    teacher: str = ""
    """What teaches ``data.rehearsed``, named as ``start`` is and of its vocabulary and sizes: the
    model before the first of several runs, say. Empty for ``start``."""
    frozen: tuple[str, ...] = ()
    """Parts that stay as ``start`` has them, by their names in the file of weights:
    ``model.shared`` (the embeddings), ``model.encoder.layers.0``."""
    max_tokens: Annotated[int, Within(ge=4)] = 512
    """Longest source or target in pieces."""

    def __post_init__(self) -> None:
        whole = self.heads < 1 or (self.width % 2 == 0 and self.width % self.heads == 0)
        text = f"model.width={self.width} must be even and a multiple of model.heads={self.heads}"
        require(self, (whole, text))


@dataclass(frozen=True, slots=True)
class Optimizer:
    """How the weights move."""

    name: Literal["adam", "muon"] = "adam"
    """``muon`` orthogonalises the update of the matrices inside the layers and leaves the rest to
    Adam."""
    learning_rate: Positive = 1e-3
    """Peak rate."""
    adam_learning_rate: Positive | None = None
    """With ``muon``, the peak rate of the weights that stay with Adam; null for the same rate."""
    betas: tuple[ShareBelowOne, ShareBelowOne] = (0.9, 0.98)
    weight_decay: NotNegative = 0.0
    clip: NotNegative = 1.0
    """Largest gradient norm; 0 does not clip."""
    label_smoothing: ShareBelowOne = 0.1
    rehearsal: Positive = 1.0
    """How much a token of ``data.rehearsed`` counts, against one of what is learnt."""

    def __post_init__(self) -> None:
        text = "optimizer.adam_learning_rate needs optimizer.name: muon; Adam alone has one rate"
        require(self, (self.adam_learning_rate is None or self.name == "muon", text))


@dataclass(frozen=True, slots=True)
class Schedule:
    """Steps, and the learning rate over them."""

    steps: AtLeastOne = 10_000
    warmup: Count = 500
    shape: Literal["inverse-sqrt", "cooldown"] = "inverse-sqrt"
    """``inverse-sqrt`` as in the papers; ``cooldown`` stays at the peak and falls to 0 over the
    last ``cooldown`` steps."""
    cooldown: Count = 0
    minutes: Positive | None = None
    """End after so many minutes of training at the latest, with the cooldown over the same share of
    them as of the steps: where time is what there is, or the speed is not known."""

    def __post_init__(self) -> None:
        falls = self.shape == "cooldown"
        require(
            self,
            (falls or self.minutes is None, "schedule.minutes needs schedule.shape: cooldown"),
            (self.warmup + self.cooldown <= self.steps,
             f"schedule.warmup={self.warmup} and schedule.cooldown={self.cooldown} together exceed"
             f" schedule.steps={self.steps}"),
            (falls or not self.cooldown,
             "schedule.cooldown needs schedule.shape: cooldown; inverse-sqrt has none"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Batches, numbers, and what is saved and measured on the way."""

    batch_tokens: AtLeastOne = 3000
    """Target pieces per batch, padding included; a step takes ``accumulate`` batches in every
    process."""
    accumulate: AtLeastOne = 1
    """Batches whose gradients are added up before the weights move, in every process."""
    seed: int = 1
    dtype: Literal["float32", "bfloat16"] = "float32"
    """``bfloat16`` computes in half precision; weights and optimiser stay in float32. A GPU without
    arithmetic for it computes in float16 with a scaled loss, a processor without it in float32,
    which is said at the start."""
    packed: bool | None = None
    """Fill batches with texts of any length up to ``batch_tokens``, without padding between them,
    so that all batches have one shape; otherwise texts of like length share a batch. null: where
    there is a GPU."""
    graph: bool | None = None
    """Record a step as a CUDA graph, so that nothing waits for Python; needs ``packed``. null:
    where there is a GPU."""
    compile: bool | None = None
    """Compile what moves most memory (sums with their norms, the loss over the vocabulary), some
    seconds before the first step. null: where there is a GPU."""
    workers: Count | None = None
    """Processes that make batches ahead, for an accelerator that would wait for them; 0 makes each
    when it is wanted. null: up to 14 where there is a GPU, none elsewhere."""
    save_minutes: NotNegative = 2.0
    log_steps: AtLeastOne = 50
    validate_steps: AtLeastOne = 500
    score_steps: Count = 2000
    """Steps between translations of the dev set for BLEU and chrF; 0 only at the end."""
    score_lines: AtLeastOne = 500
    """How many lines of the dev set those translations cover."""
    average: AtLeastOne = 1
    """Average this many checkpoints, saved at validations, into the final model."""
    keep: Literal["last", "best"] | None = None
    """Which validations' checkpoints make the final model: the last, or those of the lowest dev
    loss; null for ``best`` with ``patience`` and otherwise ``last``."""
    patience: Count = 0
    """Stop after this many validations in a row without a lower dev loss, those of the warm-up not
    counted; 0 never does."""
    lexicon_pairs: Count = 0
    """When the run ends, learn which pieces of source and target translate each other, from at most
    so many pairs of each language, drawn at random; 0 for no such tables."""

    @property
    def keeps_best(self) -> bool:
        """Whether the final model is that of the lowest dev loss, not the last."""
        return self.keep == "best" or (self.keep is None and self.patience > 0)

    def __post_init__(self) -> None:
        text = "run.graph needs batches of one shape; drop run.packed: false"
        require(self, (not self.graph or self.packed is not False, text))
