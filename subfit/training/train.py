"""From a recipe to a trained model: pairs, vocabulary, dataset, model, loop, figures.

A recipe in stages is trained stage by stage, each in a folder of its own inside the run's, which
the last one has for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Unpack

import torch

from subfit.decoding.loading import keep_freed_memory
from subfit.decoding.predictor import find_predictor
from subfit.decoding.source_tokens import language_token
from subfit.errors import RecipeError
from subfit.evaluation.corpus import Pair
from subfit.evaluation.evaluation import Evaluation, measure
from subfit.evaluation.outputs import Outputs, translate_languages
from subfit.evaluation.rows import Row
from subfit.model.bundled import Directions
from subfit.model.checkpoint import METRICS_FILE, Checkpoint
from subfit.model.length import length_unit
from subfit.model.length_predictor import PREDICTOR_FOLDER
from subfit.model.lexicon import save_lexicon
from subfit.model.tokenizer import AnyTokenizer
from subfit.model.transformer import TrainableConfig, TrainableModel
from subfit.training import distributed, lexicon
from subfit.training import folder as kept
from subfit.training import pairs as corpora
from subfit.training import start as beginning
from subfit.training.batches import workers_of
from subfit.training.dataset import PLAIN, Dataset, Shown
from subfit.training.loss import precision_note
from subfit.training.predictor import mean_ratio, measure_predictor, train_predictor, usable
from subfit.training.recipe import Recipe, dump_recipe, load_recipe
from subfit.training.trainer import Announce, Listeners, Scorer, Trainer, silent


def stage_runs(stages: Sequence[Recipe], folder: Path) -> list[tuple[Recipe, Path]]:
    """Return the stages of a recipe with their run folders, each starting from the one before."""
    runs: list[tuple[Recipe, Path]] = []
    for stage in stages:
        last = stage is stages[-1]
        place = folder if last else folder / stage.name.removeprefix(f"{stages[-1].name}-")
        if runs:
            stage = replace(stage, model=replace(stage.model, start=str(runs[-1][1])))
        runs.append((stage, place))
    return runs


def train(recipe: Recipe, folder: Path, **listeners: Unpack[Listeners]) -> TrainableModel:
    """Train by a recipe of one stage, or go on with the run that stands in ``folder``.

    Under `subfit.training.distributed.process_group` every process calls this with the same
    arguments; the first alone writes, and calls ``report``.

    Args:
        recipe: What to train.
        folder: The run folder: tokenizer, state, log, resolved recipe, and what the run
            was made with and on.
        listeners: What is called.

    Returns:
        The model as it is after the last step.

    Raises:
        InputFileError: A data file is missing or damaged.
        RecipeError: The recipe and its data do not go together.
        KeyboardInterrupt: The run was interrupted; its state is saved.
    """
    trainer = prepare(recipe, folder, **listeners)
    keep_freed_memory(of_all_sizes=True)
    trainer.run()
    return trainer.model


def prepare(recipe: Recipe, folder: Path, **listeners: Unpack[Listeners]) -> Trainer:
    """Read the data and make what is trained: a run that is ready to start, or to go on.

    Arguments and errors are those of `train`, but for interruptions.
    """
    if recipe.data.rehearsed and not recipe.model.start:
        raise RecipeError("data.rehearsed needs a model.start that knows what is to be kept")
    if recipe.length.predictor and not recipe.length.has_head:
        from subfit.model.length_predictor import load_encoder

        load_encoder(recipe.length.predictor)  # it is trained behind the last step
    if recipe.model.teacher and not recipe.data.rehearsed:
        raise RecipeError("model.teacher teaches data.rehearsed, which names no corpora")
    announce = listeners.get("announce", silent)
    corpus = corpora.load_corpus(recipe)
    dev_pairs = corpora.load_dev(recipe.data)
    announce(corpora.describe_data(corpus, dev_pairs))
    begun = kept.has_state(folder)
    if begun:
        check_resumable(recipe, folder)
    start = beginning.load_start(recipe) if recipe.model.start and not begun else None
    with distributed.first_before_others():  # what others need of the folder, the first has written
        if distributed.is_first():
            folder.mkdir(parents=True, exist_ok=True)
            kept.record_environment(folder)
            if not begun:
                kept.clear(folder)
        tokenizer = beginning.tokenizer_of(recipe, corpus.pairs, folder, start)
        config = (
            kept.load_config(folder) if begun else beginning.config_of(recipe, tokenizer, start)
        )
    dataset = dataset_of(corpus.pairs, tokenizer, config, recipe, training=True)
    if not begun:
        config.mean_length_ratio = round(dataset.mean_length_ratio, 4)
        if config.length_unit == "tokens":
            config.token_characters = round(dataset.token_characters, 4)
    if distributed.is_first():
        if not begun:
            config.save(folder)
        (folder / METRICS_FILE).unlink(missing_ok=True)  # of other weights
        recorded = beginning.with_sizes(recipe, config)
        (folder / kept.RECIPE_FILE).write_text(dump_recipe(recorded), encoding="utf-8")
        kept.record_data(folder, recorded, corpus, dev_pairs)
    note = precision_note(recipe, distributed.training_device())
    if note:
        announce(note)
    teacher = beginning.teacher_of(recipe, config, tokenizer) if recipe.data.rehearsed else None
    tied = kept.UNTIED not in (kept.weights_of_state(folder) or ())
    model = beginning.new_model(recipe, config, tokenizer, start, tied=tied)
    if not begun:
        start_fertilities(model, dataset)

    return Trainer(
        recipe,
        model,
        dataset,
        dataset_of(dev_pairs, tokenizer, config, recipe),
        folder,
        score=dev_scorer(dev_pairs, tokenizer, recipe.run.score_lines),
        teacher=teacher,
        **listeners,
    )


def check_resumable(recipe: Recipe, folder: Path) -> None:
    """Check that a recipe can go on with the run in a folder.

    Steps, rates and what is measured may change; what gave the weights their shape, and the order
    in which pairs are seen, may not.

    Raises:
        RecipeError: Names every value that differs.
    """
    path = folder / kept.RECIPE_FILE
    if not path.is_file():
        return
    former, now = _fixed(load_recipe(path)), _fixed(recipe)
    changed = [f"{key} was {former[key]}, is {now[key]}" for key in now if former[key] != now[key]]
    if changed:
        raise RecipeError(f"cannot go on with the run in {folder}: {'; '.join(changed)}")


OWN_BESIDE_START = tuple(
    f"model.{key}" for key in ("start", "teacher", "frozen", "dropout", "attention_dropout")
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
        values = {
            key: value
            for key, value in values.items()
            if key in OWN_BESIDE_START or not key.startswith(("model.", "vocabulary."))
        }
    run = {f"run.{key}": everything["run"][key] for key in ("seed", "batch_tokens", "packed")}
    values.pop("length.predictor", None)  # one beside the model is trained when all else is
    own = {"optimizer.name": recipe.optimizer.name, "length.head": recipe.length.has_head}
    return {**values, **run, **own}


def start_fertilities(model: TrainableModel, dataset: Dataset) -> None:
    """Give a model's fertilities, where it has any, what is known of them before the first step."""
    if model.fertility is None:
        return
    if model.fertility.way == "max-align":
        size = model.config.vocab_size
        model.fertility.set_table(lexicon.most_aligned(dataset.examples, size))
    elif model.fertility.way == "predicted":
        model.fertility.set_frequencies(lexicon.fertility_counts(dataset.examples))


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
        training: Whether they are shown as ``data.variations``, ``data.short_weight`` and
            ``data.formality`` say, and aligned where ``attention.fertility`` needs it; otherwise
            each once, as it is.

    Raises:
        RecipeError: All of them are too long for the model.
        UsageError: They are to be aligned, and the aligner is not installed.
    """
    shown = PLAIN
    if training:
        data = recipe.data
        weights: list[float] = []
        if data.short_weight != 1:
            short = corpora.are_short(pairs, data.short_ratio)
            weights = [data.short_weight if each else 1.0 for each in short]
        told = data.formality if config.formality_tokens else 0.0
        labels: Sequence[str | None] = ()
        if told:
            workers = workers_of(
                recipe.run, accelerator=distributed.training_device().type == "cuda"
            )
            labels = corpora.formality_labels(pairs, config.target_language or "", workers)
        unseen, rehearsed = frozenset(data.unseen_characters), frozenset(data.rehearsed)
        shown = Shown(data.variations, weights, labels, told, unseen, rehearsed)
    dataset = Dataset(pairs, tokenizer, config, recipe.model.max_tokens, shown)
    if not dataset.examples:
        raise RecipeError(
            f"none of {len(pairs)} pairs is shorter than model.max_tokens={recipe.model.max_tokens}"
        )
    if training and recipe.attention.needs_alignment:
        dataset.tell_fertilities(
            lexicon.aligned_fertilities(dataset.examples, recipe.attention.alignment_pairs)
        )
    return dataset


_SCORED = {"bleu": "BLEU", "chrf": "chrF", "length_ratio": "LR source"}
"""What is logged of the dev set, with the names of the figures."""


def dev_scorer(pairs: Sequence[Pair], tokenizer: AnyTokenizer, lines: int) -> Scorer:
    """Return a function that translates part of the dev set with a model in training.

    Every process translates its share, on the device that the model trains on.

    Args:
        pairs: The dev set. Files are often sorted by corpus, so lines from all over it are taken.
        tokenizer: The model's.
        lines: How many lines to take.
    """
    count = min(lines, len(pairs))
    sample = [pairs[n * len(pairs) // count] for n in range(count)]
    languages = list(dict.fromkeys(pair.language for pair in sample))

    def score(model: TrainableModel) -> dict[str, float]:
        checkpoint = Checkpoint("training", model.eval(), tokenizer)
        found = {
            language: _measured(checkpoint, [p for p in sample if p.language == language])
            for language in languages
        }
        figures = {}
        for key, name in _SCORED.items():
            of_each = {f"{key}_{tag}": one.value(name) for tag, one in found.items()}
            figures[key] = fmean(of_each.values())
            figures |= of_each if len(found) > 1 else {}
        return figures

    return score


def _dealt(shares: Sequence[Sequence[Any]]) -> list[Any]:
    """Put together what was dealt to the processes in turn."""
    count = sum(map(len, shares))
    return [shares[number % len(shares)][number // len(shares)] for number in range(count)]


def finish_run(
    folder: Path, *, announce: Announce = silent, whole: bool = True
) -> dict[str, Evaluation]:
    """Measure the model of a finished run, and learn what is learnt of pairs alone.

    Lexical tables (``run.lexicon_pairs``) and a pre-trained length predictor (``length.predictor``)
    go into the folder, and so does ``metrics.json``, which marks the run as finished. Every process
    calls this and translates its share of the dev set.

    Args:
        folder: The run folder.
        announce: Called with a line of text on what is done.
        whole: Whether to translate the dev set; otherwise figures of the training are all.

    Returns:
        The figures of the dev set, with natural lengths as ``dev``, and with those of the
        references as ``dev-ref`` for a model that can be asked for lengths.

    Raises:
        ModelError: There is no run, or nothing is saved in it.
        InputFileError: The dev set cannot be read.
        OutputFileError: The folder cannot be written to.
    """
    recipe, model, tokenizer = kept.load_run(folder)
    made = {**kept.logged(folder), "device": kept.device_name(), "seed": recipe.run.seed}
    metrics: dict[str, Any] = {"training": made}
    evaluations: dict[str, Evaluation] = {}
    if whole:
        with torch.no_grad():
            for weight in model.parameters():  # as they are exported
                weight.copy_(weight.half())
        checkpoint = Checkpoint(
            recipe.name, model.to(distributed.training_device()).eval(), tokenizer
        )
        pairs = corpora.load_dev(recipe.data)
        announce(f"measuring the model on {len(pairs)} lines of the dev set")
        dev = dataset_of(pairs, tokenizer, model.config, recipe)
        metrics |= Trainer(recipe, model, dev, dev, folder).validate()
        evaluations["dev"] = _measured(checkpoint, pairs)
        if model.config.length_encodings or model.config.length_classes:
            evaluations["dev-ref"] = _measured(checkpoint, pairs, "reference")
        metrics |= {name: each.to_dict() for name, each in evaluations.items()}
        if distributed.is_first():
            metrics |= _learnt_of_pairs(recipe, folder, checkpoint, pairs, announce)
    if distributed.is_first():
        kept.write_json(folder / METRICS_FILE, metrics)  # last: it marks the run as finished
    return evaluations


def _measured(checkpoint: Checkpoint, pairs: Sequence[Pair], ask: str = "natural") -> Evaluation:
    mine = pairs[distributed.process_rank() :: distributed.process_count()]
    outputs = (
        translate_languages(checkpoint, mine, Row(checkpoint.name, ask=ask))
        if mine
        else Outputs(())
    )
    shares = distributed.gathered(outputs)
    asked = _dealt([each.asked for each in shares]) if any(each.asked for each in shares) else ()
    whole = Outputs(
        tuple(_dealt([each.texts for each in shares])),
        tuple(asked),
        untranslated=sum(each.untranslated for each in shares),
        seconds=max(each.seconds for each in shares),
        setup=next((each.setup for each in shares if each.setup), None),
    )
    return measure(whole, pairs)


def _learnt_of_pairs(
    recipe: Recipe, folder: Path, checkpoint: Checkpoint, dev: Sequence[Pair], announce: Announce
) -> dict[str, Any]:
    """Learn lexical tables and a pre-trained length predictor, and measure the predictor."""
    length = recipe.length.predictor
    if not (recipe.run.lexicon_pairs or length):
        return {}
    pairs, tokenizer = usable(corpora.load_corpus(recipe).pairs), checkpoint.tokenizer
    if recipe.run.lexicon_pairs:
        announce("learning which pieces translate each other")
        only, seed = recipe.target_languages[0], recipe.run.seed
        save_lexicon(
            folder,
            tokenizer,
            lexicon.learn_lexicon(pairs, tokenizer, only, recipe.run.lexicon_pairs, seed),
        )
    unit = length_unit(checkpoint.model.config, tokenizer)
    if length and not recipe.length.has_head:
        from subfit.model.length_predictor import PretrainedPredictor

        announce(f"training a length predictor on {length}")
        made = PretrainedPredictor.start(length, mean_ratio(pairs))
        train_predictor(made, pairs, recipe.run.seed, unit)
        made.save(folder / PREDICTOR_FOLDER)
    measured: dict[str, Any] = {}
    for language in dict.fromkeys(pair.language for pair in dev) if length else ():
        source, target = Directions.of_config(checkpoint.model.config).pair_of(language)
        token = language_token(checkpoint, target, source)
        predictor = find_predictor(replace(checkpoint, folder=folder), token)
        assert predictor is not None
        own, trained = (
            [pair for pair in some if pair.language == language] for some in (dev, pairs)
        )
        measured[language or str(target)] = measure_predictor(predictor, own, trained, unit)
    return {"length_predictor": measured} if measured else {}
