"""What a run trains: a new model, or a trained one with a length signal added.

Lakew et al. 2019, §3.4. With ``length.gate_steps`` a fine-tuned model begins exactly as the one it
starts from; what it adds (rows for length tokens) changes no output before it is trained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import sentencepiece
import torch
from torch import Tensor

from subfit.decoding.source_tokens import language_tokens
from subfit.errors import ModelError, RecipeError
from subfit.evaluation.corpus import Pair
from subfit.files import read_bytes
from subfit.hub.names import is_causal, is_server
from subfit.model import families
from subfit.model.bundled import find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint, load_tokenizer
from subfit.model.config import ModelConfig
from subfit.model.tokenizer import (
    TARGET_TOKENIZER_FILE,
    TOKENIZER_FILE,
    AnyTokenizer,
    Tokenizer,
    TokenizerPair,
)
from subfit.model.transformer import TrainableConfig, TrainableModel, Transformer
from subfit.text.formality import FORMALITIES
from subfit.training import folder as runs
from subfit.training.distributed import training_device
from subfit.training.recipe import Recipe
from subfit.training.sections import Attention


def class_piece(name: str) -> str:
    """The source token of a length class, for example ``<short>``."""
    return f"<{name}>"


def language_piece(language: str) -> str:
    """The source token of a language, for example ``<2de>``; whether it is that of the target or of
    the source, the model's configuration says."""
    return f"<2{language}>"


def formality_piece(formality: str) -> str:
    """The source token of a form of address, for example ``<formal>``."""
    return f"<{formality}>"


SINK_PIECE = "<sink>"
"""The token behind sources that may have any amount of attention."""


def source_pieces(recipe: Recipe) -> list[str]:
    """Return all tokens that a recipe puts before or behind sources."""
    return [
        *map(class_piece, recipe.length.classes),
        *map(language_piece, recipe.told_languages),
        *(map(formality_piece, FORMALITIES) if recipe.data.formality else ()),
        *([SINK_PIECE] if recipe.attention.constrained else []),
    ]


Side = Literal["both", "source", "target"]
"""Whose pieces a SentencePiece model has."""


def run_tokenizer(recipe: Recipe, pairs: Sequence[Pair], folder: Path) -> AnyTokenizer:
    """Return the tokenizer of a run; what is not in its folder yet is trained on its pairs.

    Args:
        recipe: Its ``vocabulary.target_type`` says whether the target side has one of its own.
        pairs: The training pairs.
        folder: The run folder.

    Raises:
        RecipeError: The pairs cannot give a vocabulary of that size.
        InputFileError: ``vocabulary.file`` cannot be read.
    """

    def made(name: str, side: Side) -> Tokenizer:
        path = folder / name
        if recipe.vocabulary.file and not path.exists():
            path.write_bytes(read_bytes(recipe.vocabulary.file))
        return Tokenizer(path) if path.exists() else train_tokenizer(recipe, pairs, path, side)

    if recipe.vocabulary.target_type is None:
        return made(TOKENIZER_FILE, "both")
    return TokenizerPair(made(TOKENIZER_FILE, "source"), made(TARGET_TOKENIZER_FILE, "target"))


def train_tokenizer(
    recipe: Recipe, pairs: Sequence[Pair], path: Path, side: Side = "both"
) -> Tokenizer:
    """Train a SentencePiece model and write it to ``path``.

    Ids: 0 padding, 1 unknown, 2 end of sentence, then `source_pieces`, which no target side
    has of its own, then pieces. Characters outside ``character_coverage`` are spelt in UTF-8 bytes,
    so nothing is ever unknown, and no normalisation changes the text (`Tokenizer.encode` composes
    it to NFC).

    Args:
        recipe: Its ``vocabulary`` and ``length.classes`` say what to train.
        pairs: The training pairs.
        path: Where the ``.model`` file goes.
        side: Which texts of the pairs it is for.

    Raises:
        RecipeError: The pairs cannot give a vocabulary of that size.
    """
    settings = recipe.vocabulary
    kind, key = settings.type, "pieces"
    if side == "target":
        kind = settings.target_type or kind
        key = "pieces" if settings.target_pieces is None else "target_pieces"
    pieces = getattr(settings, key)
    symbols = [] if side == "target" else source_pieces(recipe)
    model = BytesIO()
    sentencepiece.set_random_generator_seed(recipe.run.seed)
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(_texts(pairs, side)),
            model_writer=model,
            model_type=kind,
            vocab_size=pieces,
            control_symbols=symbols,
            # There may be fewer characters than the recipe allows for.
            hard_vocab_limit=kind != "char",
            character_coverage=settings.character_coverage,
            input_sentence_size=settings.sentences,
            **_ALWAYS,
        )
    except RuntimeError as error:
        # "Internal: src/trainer_interface.cc(582) [...] Vocabulary size too high (500). …"
        reason = str(error).strip().rpartition("] ")[2]
        raise RecipeError(f"vocabulary.{key}={pieces}: {reason}") from error
    path.write_bytes(model.getvalue())
    return Tokenizer(path)


_ALWAYS: dict[str, Any] = {
    "shuffle_input_sentence": True, "normalization_rule_name": "identity", "minloglevel": 2,
    "remove_extra_whitespaces": True, "byte_fallback": True, "num_threads": 2,
    "pad_id": 0, "unk_id": 1, "eos_id": 2, "bos_id": -1,
}  # fmt: skip
"""What all our SentencePiece models have in common."""


def _texts(pairs: Sequence[Pair], side: Side) -> list[str]:
    if side == "both":
        return [text for pair in pairs for text in (pair.source, pair.target)]
    return [pair.source if side == "source" else pair.target for pair in pairs]


ROWS_SEED = 20
"""Draws the embeddings of added pieces."""
ANEW = ("length_signal.", "fertility.table")
"""What a model has of its own from the start, whatever it starts from."""
ADDED_BIAS = -30.0
"""Output bias of added length tokens, which no target holds: e^-30 changes no probability."""


def load_start(recipe: Recipe) -> Checkpoint:
    """Load the model that a recipe starts from.

    Args:
        recipe: Its ``model.start`` names a training run's folder, a model folder, a bundled model,
            or an encoder-decoder model or family of the Hugging Face hub. Only these may use the
            network.

    Raises:
        ModelError: There is none, it is damaged, or of a kind that cannot be fine-tuned so.
    """
    start = _load(recipe)
    if not is_own(start):
        for own, wanted in (
            ("attention", recipe.attention != Attention()),
            ("length.positions: false", not recipe.length.positions),
            ("length.class_side: target", recipe.length.class_side == "target"),
        ):
            if wanted:
                problem = f"{own} is for models of subfit's own; this is a model of Hugging Face's"
                raise ModelError(f"{start.name}: {problem}")
        families.settle(body_of(start))
    return start


def is_own(start: Checkpoint) -> bool:
    """Whether a model is of subfit's own shape, not one of Hugging Face's."""
    return isinstance(start.model, Transformer)


def body_of(start: Checkpoint) -> Any:
    """Return the model as Hugging Face has it, without lengths that it may have been taught."""
    return start.model.body if isinstance(start.model, families.ModelWithLengths) else start.model


def _load(recipe: Recipe) -> Checkpoint:
    folder = Path(recipe.model.start)
    if runs.has_state(folder):
        run = runs.load_run(folder)
        return Checkpoint(folder.name, run.model, run.tokenizer)
    place = find_model(recipe.model.start, recipe.source_languages[0], recipe.target_languages[0])
    if is_server(place) or is_causal(place):
        raise ModelError(
            f"{place}: told in words what to do; subfit trains encoder-decoder models: its own,"
            " Marian, M2M100, NLLB, mBART-50 and T5"
        )
    start = load_checkpoint(place)
    shared = getattr(body_of(start).config, "share_encoder_decoder_embeddings", True)
    if start.tokenizer.shared != shared:
        raise ModelError(
            f"{place}: one vocabulary with embeddings for each side, which subfit cannot fine-tune"
        )
    return start


@torch.no_grad()
def with_lengths(
    config: families.ConfigWithLengths, start: Checkpoint
) -> families.ModelWithLengths:
    """Return a model of Hugging Face's that takes lengths, which changes nothing yet."""
    body = body_of(start)
    if body.config.to_dict() != config.family.to_dict():  # another dropout
        former, tied = body, body.lm_head.weight is body.get_input_embeddings().weight
        body = families.new_body(config, tied=tied)
        body.load_state_dict(former.state_dict())
    model = families.ModelWithLengths(body, config)
    if model.source_rows is not None:
        table = families.stacks_of(body)[0].embed_tokens.weight
        size = torch.Size((len(table) + len(model.source_rows), table.shape[1]))
        model.source_rows.copy_(_with_drawn_rows(table, size)[len(table) :])
    head = getattr(start.model, "length_head", None)
    if head is not None and model.length_head is not None:
        model.length_head.load_state_dict(head.state_dict())
    return model


@torch.no_grad()
def copy_weights(start: Checkpoint, model: Transformer) -> None:
    """Give a model the weights of the one it starts from.

    Pieces that only ``model`` has, at the end of its vocabulary, get embeddings drawn around the
    mean one, as far apart as those of others: pieces that begin alike are learned much later.

    Args:
        start: The trained model.
        model: One of the same sizes; its vocabulary may be larger.
    """
    own = model.state_dict()
    weights = {
        name: value
        for name, value in start.model.state_dict().items()
        if name in own and not name.startswith(ANEW)
    }
    bias = weights.pop(runs.OUTPUT_BIAS)
    # Only embeddings can have more rows.
    grown = {name: _with_drawn_rows(value, own[name].shape) for name, value in weights.items()}
    padding = bias.new_full((1, own[runs.OUTPUT_BIAS].shape[1] - bias.shape[1]), ADDED_BIAS)
    grown[runs.OUTPUT_BIAS] = torch.cat([bias, padding], dim=1)
    model.load_state_dict(grown, strict=False)


def _with_drawn_rows(weight: Tensor, shape: torch.Size) -> Tensor:
    if weight.shape == shape:
        return weight
    generator = torch.Generator().manual_seed(ROWS_SEED)  # the same for embeddings that are tied
    drawn = torch.randn(shape[0] - len(weight), weight.shape[1], generator=generator)
    return torch.cat([weight, weight.mean(dim=0) + weight.std(dim=0) * drawn])


def config_with_lengths(recipe: Recipe, start: Checkpoint) -> families.ConfigWithLengths:
    """Return the configuration of the model that a recipe makes of one of Hugging Face's.

    Args:
        recipe: What to train. Its source tokens are numbered from behind the model's vocabulary;
            those of languages are the model's own.
        start: What the recipe starts from.

    Raises:
        UsageError: It does not know a language of the recipe.
    """
    body = body_of(start)
    family = deepcopy(body.config)
    families.set_dropout(family, recipe.model.dropout, recipe.model.attention_dropout)
    named = recipe.told_languages or recipe.target_languages
    languages = {
        language: language_tokens(start, *_pair_of(recipe, language)) for language in named
    }
    tokens: dict[str, int | None] = {
        language_piece(language): own.before_source if own.first is None else own.first
        for language, own in languages.items()
    }
    added = [piece for piece in source_pieces(recipe) if tokens.get(piece) is None]
    tokens |= {piece: int(family.vocab_size) + number for number, piece in enumerate(added)}
    lengths = _signals(recipe, tokens, named if len(named) > 1 else ())
    return families.ConfigWithLengths.of(family, body.generation_config, lengths)


def config_for(
    recipe: Recipe, tokenizer: AnyTokenizer, start: Checkpoint | None = None
) -> ModelConfig:
    """Return the configuration of the model that a recipe trains.

    Args:
        recipe: What to train.
        tokenizer: Its pieces; tokens before sources that the source side lacks are added behind.
        start: What the recipe starts from, if anything; gives the sizes then.
    """
    tokens = {piece: tokenizer.source.token_id(piece) for piece in source_pieces(recipe)}
    former: ModelConfig = _new_config(recipe, tokenizer) if start is None else start.model.config
    added = len(tokenizer.source) if start is None else former.vocab_size
    forms = former.formality_tokens or {}  # a start has them behind its tokenizer's pieces
    tokens |= {formality_piece(name): token_id for name, token_id in forms.items()}
    for piece in [piece for piece, token_id in tokens.items() if token_id is None]:
        tokens[piece], added = added, added + 1
    return replace(
        former,
        vocab_size=added,
        decoder_vocab_size=added if tokenizer.shared else len(tokenizer.target),
        share_encoder_decoder_embeddings=tokenizer.shared,
        dropout=recipe.model.dropout,
        attention_dropout=recipe.model.attention_dropout,
        token_characters=1.0,
        **_signals(recipe, tokens, recipe.told_languages),
        source_attention=recipe.attention.kind,
        coverage_vector=recipe.attention.coverage_vector,
        sink_token=tokens[SINK_PIECE] if recipe.attention.constrained else None,
        fertility=recipe.attention.fertility,
        constant_fertility=recipe.attention.constant,
        exhaustion=recipe.attention.exhaustion,
    )


def _signals(
    recipe: Recipe, tokens: Mapping[str, int | None], several: Sequence[str]
) -> dict[str, Any]:
    """What a `LengthConfig` says: of lengths, of languages (the one of a side, or tokens for the
    several), and of other source tokens."""
    length, forms = recipe.length, [one for one in FORMALITIES if formality_piece(one) in tokens]
    sides = (recipe.source_language, recipe.target_language)
    source, target = (side if isinstance(side, str) else None for side in sides)
    classes = [[name, tokens[class_piece(name)], upper] for name, upper in length.classes.items()]
    return {
        "length_encodings": list(length.encodings),
        "length_unit": length.unit,
        "rel_steps": length.rel_steps,
        "decoder_positions": length.positions,
        "closed_gate": length.gate_steps > 0,
        "length_classes": classes,
        "length_class_side": length.class_side,
        "length_predictor": length.has_head,
        "free_translation": length.free > 0 or not (length.encodings or length.classes),
        "formality_tokens": {form: tokens[formality_piece(form)] for form in forms} or None,
        "source_language": source,
        "target_language": target,
        "language_tokens": {one: tokens[language_piece(one)] for one in several} or None,
    }


_SIZES = {
    "d_model": "width",
    "decoder_layers": "decoder_layers",
    "decoder_ffn_dim": "feed_forward",
    "decoder_attention_heads": "heads",
    "max_position_embeddings": "max_tokens",
    "encoder_layers": "encoder_layers",
    "encoder_ffn_dim": "feed_forward",
    "encoder_attention_heads": "heads",
}
"""What a configuration calls the sizes of a recipe; where sides differ, the encoder's count."""


def with_sizes(recipe: Recipe, config: TrainableConfig) -> Recipe:
    """Return the recipe with the sizes that a configuration has, whoever decided them."""
    sizes: Any = {theirs: getattr(config, own) for own, theirs in _SIZES.items()}
    return replace(recipe, model=replace(recipe.model, **sizes))


def _new_config(recipe: Recipe, tokenizer: AnyTokenizer) -> ModelConfig:
    sizes: Any = {own: getattr(recipe.model, theirs) for own, theirs in _SIZES.items()}
    return ModelConfig(
        **sizes,
        activation_function="relu",
        scale_embedding=True,
        init_std=recipe.model.width**-0.5,
        pad_token_id=tokenizer.pad_id,
        decoder_start_token_id=tokenizer.pad_id,
        eos_token_id=tokenizer.eos_id,
    )


def _pair_of(recipe: Recipe, language: str) -> tuple[str | None, str | None]:
    """The source and the target language of pairs that name one of the recipe's languages."""
    sides = (recipe.source_language, recipe.target_language)
    source, target = (side if isinstance(side, str) else language for side in sides)
    return source, target


def tokenizer_of(
    recipe: Recipe, pairs: Sequence[Pair], folder: Path, start: Checkpoint | None
) -> AnyTokenizer:
    """Return the run's tokenizer: what is there already, the start's, or a new one."""
    if not recipe.model.start:
        return run_tokenizer(recipe, pairs, folder)
    if start is None:
        return runs.load_run_tokenizer(folder, runs.load_config(folder))
    start.tokenizer.save(folder)
    if not is_own(start):
        return start.tokenizer
    return load_tokenizer(folder, shared=not (folder / TARGET_TOKENIZER_FILE).is_file())


def config_of(recipe: Recipe, tokenizer: AnyTokenizer, start: Checkpoint | None) -> TrainableConfig:
    """The configuration of what a new run trains."""
    if start is None or is_own(start):
        return config_for(recipe, tokenizer, start)
    return config_with_lengths(recipe, start)


def new_model(
    recipe: Recipe,
    config: TrainableConfig,
    tokenizer: AnyTokenizer,
    start: Checkpoint | None = None,
    *,
    tied: bool = True,
) -> TrainableModel:
    """Return a model before its first step, on the accelerator, if there is one.

    Args:
        recipe: Its ``run.seed`` draws the weights that do not come from ``start``.
        config: From `config_for` or `config_with_lengths`.
        tokenizer: The run's.
        start: What the recipe starts from, if anything.
        tied: Whether the output layer shares its weights, of a run that goes on.
    """
    torch.manual_seed(recipe.run.seed)
    model: TrainableModel
    if isinstance(config, families.ConfigWithLengths):
        model = (
            runs.empty_model(config, tied=tied) if start is None else with_lengths(config, start)
        )
    else:
        model = Transformer(config).start()
        if start is not None:
            copy_weights(start, model)
    model.set_piece_table(tokenizer.target.piece_characters, tokenizer.target.piece_leads)
    freeze(model, recipe.model.frozen)
    return model.to(training_device())


def teacher_of(recipe: Recipe, config: TrainableConfig, tokenizer: AnyTokenizer) -> TrainableModel:
    """Return what teaches ``data.rehearsed``: ``model.teacher``, or the start as it was.

    Raises:
        ModelError: As of `load_start`.
        RecipeError: ``model.teacher`` has another vocabulary or other sizes than the run.
    """
    place = recipe.model.teacher or recipe.model.start
    known = load_start(replace(recipe, model=replace(recipe.model, start=place)))
    if recipe.model.teacher:
        pieces = [(one.source.piece_texts, one.piece_texts) for one in (known.tokenizer, tokenizer)]
        sizes = [with_sizes(recipe, one) for one in (known.model.config, config)]
        if pieces[0] != pieces[1] or sizes[0] != sizes[1]:
            problem = "has another vocabulary or other sizes than the model it is to teach"
            raise RecipeError(f"model.teacher: {place} {problem}")
    return new_model(recipe, config, tokenizer, known).requires_grad_(False).eval()


def freeze(model: TrainableModel, parts: Sequence[str]) -> None:
    """Keep parts of a model as they are: no gradients are computed for them, and no steps taken.

    Raises:
        RecipeError: The model has no such part.
    """
    for part in parts:
        weights = [w for name, w in model.named_parameters() if f"{name}.".startswith(f"{part}.")]
        if not weights:
            raise RecipeError(f"model.frozen: the model has no {part!r}")
        for weight in weights:
            weight.requires_grad = False
