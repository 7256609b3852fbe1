"""Measuring a translator on sentence pairs, by the same way its users' texts go."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import Any

import yaml

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.search_types import Ensemble, Normalization, SearchSettings
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair
from subfit.evaluation.length_control import NATURAL, LengthControl
from subfit.evaluation.metrics import Floats, Lines, Metric, metrics_of
from subfit.evaluation.outputs import NO_LIMITS, Outputs, translate_pairs
from subfit.evaluation.significance import TRIALS, Difference, difference, interval
from subfit.limits.guideline import Guideline
from subfit.localization import OnProgress
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.model.tokenizer import AnyTokenizer
from subfit.model.transformer import TrainableModel
from subfit.reporting.lengths import plain_data
from subfit.text.counting import EVERYTHING, Counting

NATURAL_LENGTH = LengthControl(NATURAL)


@dataclass(frozen=True, slots=True)
class EvaluationSetup:
    """Which model was measured, and all that was asked of it."""

    model: str
    ask: str
    """What lengths were asked for: one of `subfit.evaluation.length_control.DESIRED_LENGTHS`."""
    length_class: str | None = None
    """The length token that was asked for by name, if one was."""
    length_ratio: str | None = None
    """Floor and ceiling as multiples of the source's characters, if there were any."""
    beam: int = 5
    length_penalty: float = 1.0
    length_normalization: Normalization = "mean"
    coverage_penalty: float = 0.0
    """β of Wu et al. 2016."""
    ensemble: Ensemble | None = None
    """What was averaged of models that translated together, if there were several."""
    target_language: str | None = None
    """The language that was asked for, where a model has several."""
    natural_ratio: float | None = None
    """Ceiling as a multiple of the natural translation's characters, if there was one."""
    strict_budget: bool = True
    """Whether the ceiling gave way where a sentence would have ended too early."""
    condense: bool = True
    """Whether words that can be spared were left out where a source had no room."""
    beside: tuple[str, ...] = ()
    """Models that translated together with it."""
    rerank: int | None = None
    """Of how many hypotheses the one was taken that says most of its source."""
    memory: tuple[str, ...] = ()
    """Translation memories that were followed."""
    channel_model: str | None = None
    """The model that ranked translations by how well they give their sources back, if one did."""
    unit: str = "characters"
    """What lengths were asked for in."""
    precision: str = "fp32"
    """The arithmetic of the model."""
    device: str = "cpu"
    """What the model was computed on."""
    seed: int | None = None
    """The seed of the model's training, where its recipe tells."""

    @classmethod
    def of(
        cls,
        translator: AnyTranslator,
        control: LengthControl,
        *,
        beside: Sequence[str] = (),
        rerank: int | None = None,
        memory: Sequence[str] = (),
    ) -> EvaluationSetup:
        """Return the setup of a translator under one length control."""
        more: dict[str, Any] = {"beside": tuple(beside), "rerank": rerank, "memory": tuple(memory)}
        if not isinstance(translator, Translator):
            setup = cls.by(translator.name, control, SearchSettings(beams=translator.beams))
            return replace(
                setup,
                target_language=translator.language,
                precision=translator.precision,
                device=str(getattr(translator, "device", "server")),
                **more,
            )
        return replace(
            cls.by(translator.name, control, translator.settings),
            target_language=translator.target_language,
            precision=translator.checkpoint.precision,
            unit=translator.length_unit.name,
            ensemble=translator.settings.ensemble if beside else None,
            device=translator.checkpoint.model.device.type,
            seed=training_seed(translator.checkpoint),
            channel_model=translator.channel_model if control.length.kind == "natural" else None,
            **more,
        )

    @classmethod
    def by(cls, model: str, control: LengthControl, search: SearchSettings) -> EvaluationSetup:
        """Return the setup of a model under one length control, whatever it translates into."""
        ratio = control.length_ratio
        text = None
        if ratio is not None:
            text = f"{ratio.minimum:g}:" + (
                f"{ratio.maximum:g}" if math.isfinite(ratio.maximum) else ""
            )
        return cls(
            model=model,
            ask=control.length.text,
            length_class=control.length_class,
            length_ratio=text,
            beam=search.beams,
            length_penalty=search.length_penalty,
            length_normalization=search.length_normalization,
            coverage_penalty=search.coverage_penalty,
            natural_ratio=control.natural_ratio,
            strict_budget=control.strict_budget,
            condense=control.condense,
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """What a metric finds of some translations."""

    value: float
    signature: str
    """The settings that made it."""
    low: float | None = None
    """The lower end of its 95 % interval; None where none was drawn."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of some translations."""

    setup: EvaluationSetup | None
    """What made them; None for translations from elsewhere."""
    lines: int
    figures: Mapping[str, Figure]
    """By name of the metric, as far as there is something to measure."""
    hypotheses: tuple[str, ...]
    asked_lines: int = 0
    """Lines a length was asked for."""
    untranslated: int = 0
    """Lines the model could not take or found nothing for, which are kept as they are."""
    seconds: float = 0.0
    """Spent on translating."""
    condensed: int = 0
    """Lines that words of the source were left out of."""
    checksum: str = ""
    """SHA-256 of the translations, one a line, as ``-o`` writes them."""
    statistics: Mapping[str, Floats] = field(default_factory=dict, repr=False, compare=False)
    """By name of the metric what its figure is the sum of, line by line."""

    def value(self, name: str) -> float:
        """Return the figure of a metric; NaN where there is none."""
        figure = self.figures.get(name)
        return math.nan if figure is None else figure.value

    @property
    def sentences_per_second(self) -> float:
        """Speed of the translation, on the machine and threads it had."""
        return self.lines / self.seconds if self.seconds else math.inf

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without the translations; None for what is not a number."""
        setup = None if self.setup is None else asdict(self.setup)
        names = ("lines", "asked_lines", "untranslated", "condensed", "seconds")
        values = {name: getattr(self, name) for name in (*names, "sentences_per_second")}
        figures = {name: asdict(figure) for name, figure in self.figures.items()}
        document = {"setup": setup, "figures": figures, **values, "checksum": self.checksum}
        plain: dict[str, Any] = plain_data(document)
        return plain


def evaluate(
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    control: LengthControl = NATURAL_LENGTH,
    *,
    guideline: Guideline = NO_LIMITS,
    on_progress: OnProgress | None = None,
    metrics: Sequence[str] = (),
    samples: int = 0,
) -> Evaluation:
    """Translate the sources of a test set and measure the outcome.

    Args:
        translator: The model; its counting must be the guideline's.
        pairs: Sources and references, at least one pair.
        control: Which lengths are asked for.
        guideline: Counts characters; its limits, if it has any that untimed text can break, hold.
        on_progress: Called with the lines that are done and all that there are.
        metrics: Names of metrics besides those that are always measured.
        samples: Sets of lines that are drawn for intervals; 0 for none.

    Raises:
        UsageError: The model cannot be asked for that, or there is no such metric.
    """
    outputs = translate_pairs(
        translator, pairs, control, guideline=guideline, on_progress=on_progress
    )
    setup = EvaluationSetup.of(translator, control)
    return measure(
        outputs,
        pairs,
        setup,
        guideline.counting,
        metrics=metrics_of(metrics),
        samples=samples,
        language=translator.language,
    )


def measure(
    outputs: Outputs,
    pairs: Sequence[Pair],
    setup: EvaluationSetup | None = None,
    counting: Counting = EVERYTHING,
    *,
    metrics: Sequence[Metric] | None = None,
    samples: int = 0,
    language: str = "und",
    more_references: Sequence[Sequence[str]] = (),
) -> Evaluation:
    """Measure translations.

    Args:
        outputs: The translations, one per pair.
        pairs: Sources and references, at least one pair.
        setup: What made the translations, if that is known.
        counting: What a character is.
        metrics: Those to measure; by default those that are always measured.
        samples: Sets of lines that are drawn for intervals; 0 for none.
        language: Of the translations.
        more_references: Further references, each one text per pair.
    """
    lines = lines_of(outputs, pairs, setup, counting, language, more_references)
    figures, statistics = {}, {}
    for metric in metrics_of() if metrics is None else metrics:
        rows = metric.of(lines)
        if rows is not None:
            bounds = interval(metric, rows, samples) if samples else (None, None)
            figures[metric.name] = Figure(metric.value(rows), metric.signature, *bounds)
            statistics[metric.name] = rows
    return Evaluation(
        setup=setup,
        lines=len(pairs),
        figures=figures,
        hypotheses=outputs.texts,
        asked_lines=sum(map(bool, outputs.asked)),
        untranslated=outputs.untranslated,
        seconds=outputs.seconds,
        condensed=outputs.condensed,
        checksum=checksum_of(outputs.texts),
        statistics=statistics,
    )


def lines_of(
    outputs: Outputs,
    pairs: Sequence[Pair],
    setup: EvaluationSetup | None = None,
    counting: Counting = EVERYTHING,
    language: str = "und",
    more_references: Sequence[Sequence[str]] = (),
) -> Lines:
    """Return what metrics are taken of; arguments as for `measure`."""
    return Lines(
        [pair.source for pair in pairs],
        list(zip([pair.target for pair in pairs], *more_references, strict=True)),
        outputs.texts,
        language,
        counting,
        outputs.asked,
        outputs.ceilings,
        outputs.tokens,
        outputs.reference_tokens,
        "characters" if setup is None else setup.unit,
    )


def differences(
    own: Evaluation, other: Evaluation, metrics: Sequence[Metric], trials: int = TRIALS
) -> dict[str, Difference]:
    """Compare the figures of two systems on the same lines, by metric.

    Args:
        own: A system.
        other: The one that it is compared with.
        metrics: Those that both were measured by.
        trials: Random exchanges.
    """
    return {
        metric.name: difference(
            metric, own.statistics[metric.name], other.statistics[metric.name], trials
        )
        for metric in metrics
        if metric.name in own.statistics and metric.name in other.statistics
    }


def checksum_of(texts: Sequence[str]) -> str:
    """Return the SHA-256 of texts as they are written to a file, one a line."""
    return sha256("".join(f"{text}\n" for text in texts).encode("utf-8")).hexdigest()


def training_seed(checkpoint: Checkpoint) -> int | None:
    """Return the seed that a model was trained with; None where no recipe in its folder tells."""
    if checkpoint.folder is None:
        return None
    try:
        recipe = yaml.safe_load((checkpoint.folder / "recipe.yaml").read_text(encoding="utf-8"))
        seed = recipe["run"]["seed"]
    except (OSError, ValueError, LookupError, TypeError, yaml.YAMLError):
        return None
    return seed if isinstance(seed, int) else None


def dev_scorer(
    pairs: Sequence[Pair], tokenizer: AnyTokenizer, lines: int
) -> Callable[[TrainableModel], dict[str, float]]:
    """Return a function that translates part of the dev set with a model in training.

    Args:
        pairs: The dev set. Files are often sorted by corpus, so lines from all over it are taken.
        tokenizer: The model's.
        lines: How many lines to take.
    """
    sample = pairs[:: max(1, len(pairs) // lines)][:lines]
    languages = list(dict.fromkeys(pair.language for pair in sample))
    samples = {
        language: [pair for pair in sample if pair.language == language] for language in languages
    }

    def score(model: TrainableModel) -> dict[str, float]:
        # The search runs on the CPU, wherever the model trains.
        on_cpu = model if model.device.type == "cpu" else deepcopy(model).cpu()
        checkpoint = Checkpoint("training", on_cpu.eval(), tokenizer)
        search = SearchSettings(nbest=1)
        scores: dict[str, dict[str, float]] = {}
        for language, part in samples.items():
            source, target = Directions.of_config(on_cpu.config).pair_of(language)
            translator = Translator(
                checkpoint, settings=search, target_language=target, source_language=source
            )
            scores[language] = _scores(evaluate(translator, part))
        if len(scores) == 1:
            return next(iter(scores.values()))
        return _over_languages(scores)

    return score


def _scores(evaluation: Evaluation) -> dict[str, float]:
    names = {"bleu": "BLEU", "chrf": "chrF", "length_ratio": "LR source"}
    return {key: evaluation.value(name) for key, name in names.items()}


def _over_languages(scores: dict[str, dict[str, float]]) -> dict[str, float]:
    """The means over languages, and the figures of each."""
    names = next(iter(scores.values()))
    means = {
        name: sum(of_language[name] for of_language in scores.values()) / len(scores)
        for name in names
    }
    of_each = {f"{name}_{tag}": value for tag, of in scores.items() for name, value in of.items()}
    return {**means, **of_each}
