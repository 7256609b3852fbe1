"""Measuring a translator on sentence pairs, by the same way its users' texts go."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, cast

import yaml

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.search_types import SearchSettings
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair
from subfit.evaluation.length_control import NATURAL, LengthControl
from subfit.evaluation.metrics import Quality, translation_quality
from subfit.evaluation.outputs import NO_LIMITS, Outputs, translate_pairs
from subfit.limits.budget import LengthRatio
from subfit.limits.guideline import Guideline
from subfit.localization import OnProgress
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.model.tokenizer import AnyTokenizer
from subfit.model.transformer import TrainableModel
from subfit.reporting.lengths import (
    Compliance,
    Overflow,
    Spread,
    length_compliance,
    length_ratios,
    length_variance,
    overflow,
    plain_data,
    spread,
)
from subfit.text.counting import EVERYTHING, Counting, count_characters

NATURAL_LENGTH = LengthControl(NATURAL)


@dataclass(frozen=True, slots=True)
class EvaluationSetup:
    """Which model was measured, and what was asked of it."""

    model: str
    ask: str
    """What lengths were asked for: one of `subfit.evaluation.length_control.DESIRED_LENGTHS`."""
    length_class: str | None
    """The length token that was asked for by name, if one was."""
    budget: LengthRatio | None
    """Floor and ceiling as multiples of the source's characters, if there were any."""
    beam: int
    length_penalty: float
    """Scores were log-probabilities over tokens ** length_penalty."""
    target_language: str | None = None
    """The language that was asked for, where a model has several."""
    natural_ratio: float | None = None
    """Ceiling as a multiple of the natural translation's characters, if there was one."""
    strict_budget: bool = True
    """Whether the ceiling gave way where a sentence would have ended too early."""
    condense: bool = True
    """Whether words that can be spared were left out where a source had no room."""
    precision: str = "fp32"
    """The arithmetic of the model."""
    coverage_penalty: float = 0.0
    """β of Wu et al. 2016."""
    unit: str = "characters"
    """What lengths were asked for in."""
    device: str = "cpu"
    """What the model was computed on."""
    seed: int | None = None
    """The seed of the model's training, where its recipe tells."""
    channel_model: str | None = None
    """The model that ranked translations by how well they give their sources back, if one did."""

    @classmethod
    def of(cls, translator: AnyTranslator, control: LengthControl) -> EvaluationSetup:
        """Return the setup of a translator under one length control."""
        if not isinstance(translator, Translator):
            search = SearchSettings(beams=translator.beams)
            setup = cls.by(translator.name, control, search)
            device = str(getattr(translator, "device", "server"))
            return replace(
                setup,
                target_language=translator.language,
                precision=translator.precision,
                device=device,
            )
        setup = cls.by(translator.name, control, translator.settings)
        return replace(
            setup,
            target_language=translator.target_language,
            precision=translator.checkpoint.precision,
            unit=translator.length_unit.name,
            device=translator.checkpoint.model.device.type,
            seed=training_seed(translator.checkpoint),
            channel_model=translator.channel_model if control.length.kind == "natural" else None,
        )

    @classmethod
    def by(cls, model: str, control: LengthControl, search: SearchSettings) -> EvaluationSetup:
        """Return the setup of a model under one length control, whatever it translates into."""
        return cls(
            model=model,
            ask=control.length.text,
            length_class=control.length_class,
            budget=control.length_ratio,
            beam=search.beams,
            length_penalty=search.length_penalty,
            coverage_penalty=search.coverage_penalty,
            natural_ratio=control.natural_ratio,
            strict_budget=control.strict_budget,
            condense=control.condense,
        )


@dataclass(frozen=True, slots=True)
class TokenLengths:
    """Lengths in tokens of the model's target vocabulary, as Oka et al. 2020 measure them."""

    reference_ratio: Spread
    """Tokens of translation / reference."""
    reference_variance: float
    """The mean squared difference of the tokens of output and reference."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of some translations. Lengths are characters by the guideline's counting."""

    setup: EvaluationSetup | None
    """What made them; None for translations from elsewhere."""
    lines: int
    quality: Quality
    source_ratio: Spread
    """LR_src: characters of translation / source."""
    reference_ratio: Spread
    """LR_ref: characters of translation / reference."""
    compliance: Compliance
    """LC, by both rules."""
    asked_lines: int
    """Lines a length was asked for."""
    variance: float | None
    """VAR, the mean squared difference of output and asked length (Takase & Okazaki 2019,
    equation 8), in the unit they were asked for in; None where none was asked."""
    reference_variance: float
    """The mean squared difference of output and reference length (Oka 2020)."""
    overflow: Overflow | None
    """Lines over their ceilings; None without ceilings."""
    untranslated: int
    """Lines the model could not take or found nothing for, which are kept as they are."""
    seconds: float
    """Spent on translating."""
    hypotheses: tuple[str, ...]
    doubtful: int = 0
    """Lines that were shortened so far that they may end too early."""
    condensed: int = 0
    """Lines that words of the source were left out of."""
    tokens: TokenLengths | None = None
    """Lengths in tokens; None where they are not known."""
    checksum: str = ""
    """SHA-256 of the translations, one a line, as ``-o`` writes them."""

    @property
    def sentences_per_second(self) -> float:
        """Speed of the translation, on the machine and threads it had."""
        return self.lines / self.seconds if self.seconds else math.inf

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without the translations; None for what is not a number."""
        values = asdict(self)
        del values["hypotheses"]
        setup = values.pop("setup") or {}
        values["sentences_per_second"] = self.sentences_per_second
        if self.overflow:
            values["overflow"]["share"] = self.overflow.share
        return cast(dict[str, Any], plain_data({**setup, **values}))


def evaluate(
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    control: LengthControl = NATURAL_LENGTH,
    *,
    guideline: Guideline = NO_LIMITS,
    on_progress: OnProgress | None = None,
) -> Evaluation:
    """Translate the sources of a test set and measure the outcome.

    Args:
        translator: The model; its counting must be the guideline's.
        pairs: Sources and references, at least one pair.
        control: Which lengths are asked for.
        guideline: Counts characters; its limits, if it has any that untimed text can break, hold.
        on_progress: Called with the lines that are done and all that there are.

    Raises:
        UsageError: The model cannot be asked for that.
    """
    outputs = translate_pairs(
        translator, pairs, control, guideline=guideline, on_progress=on_progress
    )
    return measure(outputs, pairs, EvaluationSetup.of(translator, control), guideline.counting)


def measure(
    outputs: Outputs,
    pairs: Sequence[Pair],
    setup: EvaluationSetup | None = None,
    counting: Counting = EVERYTHING,
) -> Evaluation:
    """Measure translations.

    Args:
        outputs: The translations, one per pair.
        pairs: Sources and references, at least one pair.
        setup: What made the translations, if that is known.
        counting: What a character is.
    """
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    lengths = [count_characters(text, counting) for text in outputs.texts]
    in_tokens = setup is not None and setup.unit == "tokens" and outputs.tokens
    measured = outputs.tokens if in_tokens else lengths
    wished = [length for length in zip(measured, outputs.asked, strict=False) if length[1]]
    return Evaluation(
        setup=setup,
        lines=len(pairs),
        quality=translation_quality(outputs.texts, references),
        source_ratio=length_ratios(sources, outputs.texts, counting),
        reference_ratio=length_ratios(references, outputs.texts, counting),
        compliance=length_compliance(sources, outputs.texts, counting),
        asked_lines=len(wished),
        variance=length_variance(*zip(*wished, strict=True)) if wished else None,
        reference_variance=length_variance(
            lengths, [count_characters(text, counting) for text in references]
        ),
        overflow=overflow(lengths, outputs.ceilings) if outputs.ceilings else None,
        untranslated=outputs.untranslated,
        seconds=outputs.seconds,
        hypotheses=outputs.texts,
        doubtful=outputs.doubtful,
        condensed=outputs.condensed,
        tokens=_token_lengths(outputs),
        checksum=checksum_of(outputs.texts),
    )


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


def _token_lengths(outputs: Outputs) -> TokenLengths | None:
    pairs = list(zip(outputs.tokens, outputs.reference_tokens, strict=True))
    if not pairs:
        return None
    ratios = [tokens / reference for tokens, reference in pairs if reference]
    return TokenLengths(spread(ratios), length_variance(*zip(*pairs, strict=True)))


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
    return {
        "bleu": evaluation.quality.bleu.value,
        "chrf": evaluation.quality.chrf.value,
        "length_ratio": evaluation.source_ratio.mean,
    }


def _over_languages(scores: dict[str, dict[str, float]]) -> dict[str, float]:
    """The means over languages, and the figures of each."""
    names = next(iter(scores.values()))
    means = {
        name: sum(of_language[name] for of_language in scores.values()) / len(scores)
        for name in names
    }
    of_each = {f"{name}_{tag}": value for tag, of in scores.items() for name, value in of.items()}
    return {**means, **of_each}
