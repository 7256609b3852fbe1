"""From a recipe to a trained model, in one screenful."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import torch

from subfit.decoding.devices import keep_freed_memory
from subfit.errors import RecipeError
from subfit.evaluation.corpus import Pair
from subfit.evaluation.evaluation import dev_scorer
from subfit.model.checkpoint import Checkpoint, load_tokenizer
from subfit.model.families import ConfigWithLengths
from subfit.model.tokenizer import TARGET_TOKENIZER_FILE, AnyTokenizer
from subfit.model.transformer import SubfitForTranslation, TrainableConfig, TrainableModel
from subfit.training.data.class_bounds import with_class_bounds
from subfit.training.data.dataset import Dataset
from subfit.training.data.fertilities import aligned_fertilities, fertility_counts, most_aligned
from subfit.training.data.form_labels import formality_labels
from subfit.training.data.sampling import describe_short, length_weights
from subfit.training.data.selection import Corpus, corpus_of, describe_data, load_dev
from subfit.training.data.variations import describe_variations
from subfit.training.data.vocabulary import run_tokenizer
from subfit.training.recipe.file import dump_recipe, load_recipe
from subfit.training.recipe.recipe import Recipe
from subfit.training.run.board import check_board
from subfit.training.run.curves import NO_CURVES, can_draw, draw_curves
from subfit.training.run.distributed import first_before_others, is_first, training_device
from subfit.training.run.environment import record_data, record_environment
from subfit.training.run.folder import (
    RECIPE_FILE,
    START_FILE,
    UNTIED,
    clear,
    empty_model,
    keep_start,
    load_config,
    load_run_tokenizer,
    reopen,
)
from subfit.training.run.model_config import config_for, config_with_lengths, with_sizes
from subfit.training.run.precision import NO_BFLOAT16, lacks_bfloat16
from subfit.training.run.start import (
    copy_weights,
    is_own,
    load_start,
    with_lengths,
    with_vocabulary,
)
from subfit.training.run.state import has_state, names_of_state
from subfit.training.run.trainer import Announce, Measured, Progress, Trainer


def train(
    recipe: Recipe,
    folder: Path,
    *,
    report: Callable[[Progress], None] | None = None,
    measured: Measured = lambda _step, _figures: None,
    announce: Announce = lambda _: None,
) -> TrainableModel:
    """Train by a recipe, or go on with the run that stands in ``folder``.

    Under `subfit.training.run.distributed.process_group` every process calls this with the same
    arguments; the first alone writes, and calls ``report`` and ``measured``.

    Args:
        recipe: What to train.
        folder: The run folder: tokenizer, state, log, curves, resolved recipe, and what the run
            was made with and on.
        report: Called with every line of progress.
        measured: Called with a step and what was measured on the dev set after it.
        announce: Called with a line of text on everything else worth knowing.

    Returns:
        The model as it is after the last step.

    Raises:
        InputFileError: A data file is missing or damaged.
        RecipeError: The recipe and its data do not go together.
        KeyboardInterrupt: The run was interrupted; its state is saved.
    """
    trainer = prepare(recipe, folder, report=report, measured=measured, announce=announce)
    keep_freed_memory(of_all_sizes=True)
    trainer.run()
    return trainer.model


def prepare(
    recipe: Recipe,
    folder: Path,
    *,
    report: Callable[[Progress], None] | None = None,
    measured: Measured = lambda _step, _figures: None,
    announce: Announce = lambda _: None,
) -> Trainer:
    """Read the data and make what is trained: a run that is ready to start, or to go on.

    Arguments and errors are those of `train`, but for interruptions.
    """
    if recipe.run.tensorboard:
        check_board()
    corpus = corpus_of(recipe)
    dev_pairs = load_dev(recipe.data)
    _describe(recipe, corpus, dev_pairs, announce)
    recipe = with_class_bounds(recipe, corpus.pairs)
    begun = has_state(folder)
    if begun:
        check_resumable(recipe, folder)
    start = load_start(recipe) if recipe.model.start and not begun else None
    with first_before_others():  # what others need of the folder, the first has written
        _open(folder, begun=begun)
        tokenizer = _tokenizer(recipe, corpus.pairs, folder, start)
        config = load_config(folder) if begun else _config(recipe, tokenizer, start)
    dataset = dataset_of(corpus.pairs, tokenizer, config, recipe, training=True)
    if not begun:
        config.mean_length_ratio = round(dataset.mean_length_ratio, 4)
        if config.length_unit == "tokens":
            config.token_characters = round(dataset.token_characters, 4)
    if is_first():
        if not begun:
            config.save_pretrained(folder)
        _record(folder, with_sizes(recipe, config), corpus, dev_pairs)
    if not can_draw():
        announce(NO_CURVES)
    if lacks_bfloat16(recipe, training_device()):
        announce(NO_BFLOAT16)
    tied = UNTIED not in names_of_state(folder)
    model = new_model(recipe, config, tokenizer, start, tied=tied)
    if not begun:
        start_fertilities(model, dataset)
    if is_first() and recipe.run.start_share and not begun:
        had_head = start is not None and getattr(start.model, "length_head", None) is not None
        keep_start(folder, model, head=had_head)

    def drawn(step: int, figures: Mapping[str, float]) -> None:
        draw_curves(folder)
        measured(step, figures)

    return Trainer(
        recipe,
        model,
        dataset,
        dataset_of(dev_pairs, tokenizer, config, recipe),
        folder,
        score=dev_scorer(dev_pairs, tokenizer, recipe.run.score_lines),
        report=report,
        measured=drawn,
        announce=announce,
    )


def _open(folder: Path, *, begun: bool) -> None:
    """Make the folder of a run, and record what it runs on."""
    folder.mkdir(parents=True, exist_ok=True)
    if is_first():
        record_environment(folder)
        if not begun:
            clear(folder)


def _record(folder: Path, recipe: Recipe, corpus: Corpus, dev_pairs: Sequence[Pair]) -> None:
    """Record in the folder of a run what is trained, and on what data."""
    reopen(folder)
    (folder / RECIPE_FILE).write_text(dump_recipe(recipe), encoding="utf-8")
    record_data(folder, corpus, dev_pairs)


def _describe(
    recipe: Recipe, corpus: Corpus, dev_pairs: Sequence[Pair], announce: Announce
) -> None:
    """Tell what is trained on, and how it is shown."""
    announce(describe_data(corpus, dev_pairs))
    if recipe.data.variations:
        announce(describe_variations(corpus.pairs, recipe.data.variations))
    if recipe.data.short_weight != 1:
        announce(describe_short(corpus.pairs, recipe.data))


def check_resumable(recipe: Recipe, folder: Path) -> None:
    """Check that a recipe can go on with the run in a folder.

    Steps, rates and what is measured may change; what gave the weights their shape, and the order
    in which pairs are seen, may not.

    Raises:
        RecipeError: Names every value that differs; or the share of weights that were not kept.
    """
    if recipe.run.start_share and not (folder / START_FILE).is_file():
        raise RecipeError(
            f"cannot go on with the run in {folder}: run.start_share was not set when it began, so"
            " the weights it began with were not kept; leave it 0"
        )
    path = folder / RECIPE_FILE
    if not path.is_file():
        return
    former, now = _fixed(load_recipe(path)), _fixed(recipe)
    if recipe.length.by_quantile:  # the bounds are known, and checked, when the pairs are read
        del now["length.classes"]
    changed = [f"{key} was {former[key]}, is {now[key]}" for key in now if former[key] != now[key]]
    if changed:
        raise RecipeError(f"cannot go on with the run in {folder}: {'; '.join(changed)}")


OWN_BESIDE_START = (
    "model.start",
    "model.grown_encoder",
    "model.grown_width",
    "model.grown_feed_forward",
    "model.dropout",
    "model.attention_dropout",
)
"""What a recipe says of a model that starts from another; the rest is that one's."""


def _fixed(recipe: Recipe) -> dict[str, object]:
    """The values that may not change during a run, by their names in the recipe.

    A run that starts from a trained model has that one's sizes and vocabulary.
    """
    everything = asdict(recipe)
    values = {
        f"{section}.{key}": value
        for section in ("data", "vocabulary", "length", "attention", "model")
        for key, value in everything[section].items()
        if (section, key) != ("data", "root")
    }
    if recipe.model.start:
        grown = recipe.vocabulary.grown
        values = {
            key: value
            for key, value in values.items()
            if key in OWN_BESIDE_START
            or not key.startswith(("model.",) if grown else ("model.", "vocabulary."))
        }
    run = {f"run.{key}": everything["run"][key] for key in ("seed", "batch_tokens")}
    return {**values, **run, "optimizer.name": recipe.optimizer.name}


def _tokenizer(
    recipe: Recipe, pairs: Sequence[Pair], folder: Path, start: Checkpoint | None
) -> AnyTokenizer:
    """Return the run's tokenizer: what is there already, the start's, or a new one."""
    if recipe.vocabulary.grown or not recipe.model.start:
        return run_tokenizer(recipe, pairs, folder)
    if start is None:
        return load_run_tokenizer(folder, load_config(folder))
    start.tokenizer.save(folder)
    if not is_own(start):
        return start.tokenizer
    return load_tokenizer(folder, shared=not (folder / TARGET_TOKENIZER_FILE).is_file())


def _config(recipe: Recipe, tokenizer: AnyTokenizer, start: Checkpoint | None) -> TrainableConfig:
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
    if isinstance(config, ConfigWithLengths):
        made = empty_model(config, tied=tied) if start is None else with_lengths(config, start)
        return _prepared(made, tokenizer)
    # On CPU, plain attention with a padding mask trains faster than the fused kernel.
    config._attn_implementation = "sdpa" if torch.cuda.is_available() else "eager"
    model = SubfitForTranslation(config)
    if start is not None:
        if recipe.vocabulary.grown:
            start = with_vocabulary(start, tokenizer)
        copy_weights(start, model)
    return _prepared(model, tokenizer)


def _prepared(model: TrainableModel, tokenizer: AnyTokenizer) -> TrainableModel:
    """A model with the characters of its pieces, on the accelerator."""
    model.set_piece_table(tokenizer.target.piece_characters, tokenizer.target.piece_leads)
    return model.to(training_device())


def start_fertilities(model: TrainableModel, dataset: Dataset) -> None:
    """Give a model's fertilities, where it has any, what is known of them before the first step."""
    if model.fertility is None:
        return
    if model.fertility.way == "max-align":
        size = model.config.vocab_size
        model.fertility.set_table(most_aligned(dataset.examples, size))
    elif model.fertility.way == "predicted":
        model.fertility.set_frequencies(fertility_counts(dataset.examples))


def dataset_of(
    pairs: Sequence[Pair],
    tokenizer: AnyTokenizer,
    config: TrainableConfig,
    recipe: Recipe,
    *,
    training: bool = False,
) -> Dataset:
    """Return pairs in pieces.

    Args:
        pairs: To train or to validate on.
        tokenizer: The run's.
        config: The model's.
        recipe: The run's.
        training: Whether they are shown as ``data.variations``, ``data.short_weight``,
            ``data.framed``, ``data.formality`` and ``vocabulary.sampling`` say,
            and aligned where ``attention.fertility`` needs it; otherwise each once, as it is, in
            its best pieces.

    Raises:
        RecipeError: All of them are too long for the model.
        UsageError: They are to be aligned, and the aligner is not installed.
    """
    labels = None
    if training and recipe.data.formality:
        labels = formality_labels(pairs, config.target_language or "", recipe.run.workers or 0)
    dataset = Dataset(
        pairs,
        tokenizer,
        config,
        recipe.model.max_tokens,
        lowercased=recipe.data.tagged,
        sampling=recipe.vocabulary.sampling if training else 0.0,
        variations=recipe.data.variations if training else None,
        weights=length_weights(pairs, recipe.data) if training else None,
        framed=recipe.data.framed if training else None,
        labels=labels,
        formality=recipe.data.formality if training else 0.0,
        unseen=frozenset(recipe.data.unseen_characters) if training else (),
    )
    if not dataset.examples:
        raise RecipeError(
            f"none of {len(pairs)} pairs is shorter than model.max_tokens={recipe.model.max_tokens}"
        )
    if training and recipe.attention.needs_alignment:
        dataset.tell_fertilities(
            aligned_fertilities(dataset.examples, recipe.attention.alignment_pairs)
        )
    return dataset
