"""Translating a test set under one length control, and keeping what came of it."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import FREE, Request
from subfit.decoding.search_types import Ensemble, Normalization, SearchSettings
from subfit.decoding.translator import Translator
from subfit.errors import OutputFileError, reason_of
from subfit.evaluation.corpus import Pair
from subfit.evaluation.length_control import (
    NATURAL,
    LengthControl,
    check_length_control,
    desired_lengths,
    unit_of,
)
from subfit.evaluation.reranking import By, Reranking
from subfit.evaluation.rows import file_name
from subfit.files import write_bytes
from subfit.fitting.options import DEFAULT_OPTIONS, DEFAULT_SETTINGS, Options
from subfit.limits.budget import LengthBudget, budget_for
from subfit.limits.guideline import Guideline
from subfit.localization import OnProgress, localize
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.subtitles.cues import Cue, Track
from subfit.version import __version__

NATURAL_LENGTH = LengthControl(NATURAL)
_OF_CONTROL = ("length_class", "strict_budget")
_OF_SEARCH = ("length_penalty", "length_normalization", "coverage_penalty")


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
    strict_budget: bool = True
    """Whether the ceiling gave way where a sentence would have ended too early."""
    beside: tuple[str, ...] = ()
    """Models that translated together with it."""
    rerank: int | None = None
    """Of how many hypotheses one was chosen by other than its score."""
    rerank_by: By = "words"
    """By what."""
    alpha: float = 0.5
    """With what weight of the score (`subfit.evaluation.reranking`)."""
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
    def of(cls, translator: AnyTranslator, control: LengthControl, **more: Any) -> EvaluationSetup:
        """Return the setup of a translator under one length control; ``more`` are other fields."""
        if not isinstance(translator, Translator):
            made: dict[str, Any] = {
                "target_language": translator.language,
                "precision": translator.precision,
                "device": str(getattr(translator, "device", "server")),
            }
            search = SearchSettings(beams=translator.beams)
        else:
            search, natural = translator.settings, control.length.kind == "natural"
            made = {
                "target_language": translator.target_language,
                "precision": translator.checkpoint.precision,
                "unit": translator.length_unit.name,
                "ensemble": search.ensemble if len(translator.checkpoints) > 1 else None,
                "device": translator.checkpoint.model.device.type,
                "seed": training_seed(translator.checkpoint),
                "channel_model": translator.channel_model if natural else None,
            }
        return replace(cls.by(translator.name, control, search), **(made | more))

    @classmethod
    def by(cls, model: str, control: LengthControl, search: SearchSettings) -> EvaluationSetup:
        """Return the setup of a model under one length control, whatever it translates into."""
        ratio = control.length_ratio
        return cls(
            model=model,
            ask=control.length.text,
            length_ratio=None if ratio is None else str(ratio),
            beam=search.beams,
            **{name: getattr(control, name) for name in _OF_CONTROL},
            **{name: getattr(search, name) for name in _OF_SEARCH},
        )


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


@dataclass(frozen=True, slots=True)
class Outputs:
    """The translations of a test set and how they came about."""

    texts: tuple[str, ...]
    """One per line; lines that could not be translated are kept as they are."""
    asked: tuple[int, ...] = ()
    """Per line the length asked for in the model's unit, 0 for none; empty if none was for any."""
    ceilings: tuple[float, ...] = ()
    """Per line the most characters allowed; empty without ceilings."""
    untranslated: int = 0
    """Lines the model could not take or found nothing for."""
    seconds: float = 0.0
    """Spent on translating; 0 where that is not known."""
    tokens: tuple[int, ...] = ()
    """Per line the tokens that the model wrote; empty where lines go the way of users' texts."""
    reference_tokens: tuple[int, ...] = ()
    """Per line the tokens of the reference, by the model's vocabulary; empty likewise."""
    setup: EvaluationSetup | None = None
    """What made them; None for translations from elsewhere."""


def translate_pairs(
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    control: LengthControl,
    *,
    on_progress: OnProgress | None = None,
    reranking: Reranking | None = None,
    memory: Sequence[str] = (),
) -> Outputs:
    """Translate the sources of a test set.

    Args:
        translator: The model.
        pairs: Sources and references.
        control: Which lengths to ask for. With ``natural`` the lines go the way of users' texts.
        on_progress: Called with the lines that are done and all that there are.
        reranking: What chooses among hypotheses; None for their score. Nothing to ``natural``.
        memory: Translation memories, as ``subfit translate --memory`` takes them; only with
            ``natural``.

    Raises:
        UsageError: The model cannot be asked for that.
    """
    check_length_control(translator, control)
    start = time.perf_counter()
    if control.length.kind == "natural":
        outputs = _localized(translator, pairs, control, on_progress, tuple(memory))
    else:
        outputs = _asked(translator, pairs, control, on_progress, reranking)
    return replace(
        outputs,
        asked=outputs.asked if any(outputs.asked) else (),
        seconds=time.perf_counter() - start,
        setup=EvaluationSetup.of(
            translator, control, memory=tuple(memory), **_chosen_by(reranking)
        ),
    )


def translate_languages(
    checkpoint: Checkpoint, pairs: Sequence[Pair], control: LengthControl
) -> Outputs:
    """Translate pairs, each of its own languages where a model has several, without ceilings.

    Args:
        checkpoint: The model.
        pairs: Sources and references, at least one.
        control: Which lengths to ask for.

    Raises:
        UsageError: The model cannot be asked for that.
    """
    directions, untranslated, seconds = Directions.of_config(checkpoint.model.config), 0, 0.0
    done: dict[int, tuple[str, int]] = {}
    for language in dict.fromkeys(pair.language for pair in pairs):
        own = [number for number, pair in enumerate(pairs) if pair.language == language]
        source, target = directions.pair_of(language)
        translator = Translator(checkpoint, target_language=target, source_language=source)
        found = translate_pairs(translator, [pairs[number] for number in own], control)
        asked = found.asked or [FREE] * len(own)  # there are none where none was for any
        done |= zip(own, zip(found.texts, asked, strict=True), strict=True)
        untranslated, seconds = untranslated + found.untranslated, seconds + found.seconds
    texts, lengths = zip(*(done[number] for number in range(len(pairs))), strict=True)
    return Outputs(texts, lengths if any(lengths) else (), (), untranslated, seconds)


def _localized(
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    control: LengthControl,
    on_progress: OnProgress | None,
    memory: tuple[str, ...],
) -> Outputs:
    cues = tuple(Cue(0, 0, pair.source, line=number) for number, pair in enumerate(pairs, start=1))
    track, ratio = Track(cues, "txt"), control.length_ratio
    guideline = Guideline(language=translator.language, counting=translator.counting)
    source = translator.source_language
    options = Options(
        ratio,
        source_language=DEFAULT_OPTIONS.source_language if source == "und" else source,
        strict_budget=control.strict_budget,
        memory=memory,
        scene=0,
    )
    done = localize(track, translator, guideline, options, on_progress)
    return Outputs(
        tuple(" ".join(outcome.target.split()) for outcome in done.outcomes),
        tuple(outcome.asked for outcome in done.outcomes),
        _ceilings([outcome.budget for outcome in done.outcomes]),
        sum(outcome.status == "untranslated" for outcome in done.outcomes),
    )


def _ceilings(budgets: Sequence[LengthBudget | None]) -> tuple[float, ...]:
    ceilings = tuple(math.inf if budget is None else budget.characters for budget in budgets)
    return () if all(math.isinf(ceiling) for ceiling in ceilings) else ceilings


def _chosen_by(reranking: Reranking | None) -> dict[str, Any]:
    if reranking is None:
        return {}
    return {"rerank": reranking.hypotheses, "rerank_by": reranking.by, "alpha": reranking.alpha}


def _asked(
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    control: LengthControl,
    on_progress: OnProgress | None,
    reranking: Reranking | None,
) -> Outputs:
    """Translate by one search, asking for lengths of our own, within ceilings if there are any."""
    able = [number for number, pair in enumerate(pairs) if translator.accepts(pair.source)]
    lengths = desired_lengths(
        control.length.at(able), translator, [pairs[number] for number in able]
    )
    unit, guideline = unit_of(translator), Guideline(counting=translator.counting)
    budgets = [budget_for(pair.source, None, guideline, control.length_ratio) for pair in pairs]
    requests = [
        Request(
            pairs[number].source,
            budgets[number].characters,
            asked=round(length * unit.characters),
            asked_tokens=length if unit.name == "tokens" else FREE,
            length_class=control.length_class,
            dense=budgets[number].dense,
        )
        for number, length in zip(able, lengths, strict=True)
    ]
    free: list[Request] = []
    if reranking is not None and reranking.by == "mbr" and control.length_ratio is not None:
        free = [replace(one, ceiling=math.inf, dense=math.inf) for one in requests]
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        if on_progress:
            on_progress(min(done, len(requests)), len(requests))

    found = translator.translate([*requests, *free], advance)
    nbests = dict(zip(able, found, strict=False))
    if reranking is not None:
        others = dict(zip(able, found[len(able) :], strict=False))
        nbests = {
            number: reranking.ordered(pairs[number].source, nbest, others.get(number, ()))
            for number, nbest in nbests.items()
        }
    texts = dict(enumerate(pair.source for pair in pairs))
    texts |= {number: nbest[0].text for number, nbest in nbests.items() if nbest}
    asked = dict.fromkeys(range(len(pairs)), FREE) | dict(zip(able, lengths, strict=True))
    untranslated = len(pairs) - sum(bool(nbest) for nbest in nbests.values())
    ceilings = _ceilings(budgets)
    outputs = Outputs(tuple(texts.values()), tuple(asked.values()), ceilings, untranslated)
    if not isinstance(translator, Translator):
        return outputs
    kept = translator.count_tokens([pair.source for pair in pairs])
    written = {number: len(nbest[0].token_ids) for number, nbest in nbests.items() if nbest}
    tokens = dict(enumerate(kept)) | written
    references = translator.count_tokens([pair.target for pair in pairs])
    return replace(outputs, tokens=tuple(tokens.values()), reference_tokens=tuple(references))


class OutputStore:
    """Keeps each row's translations in ``LABEL.txt``, and what made them in ``LABEL.json``.

    Args:
        folder: Made when something is kept; None to keep nothing.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def load(self, label: str, key: Mapping[str, object]) -> Outputs | None:
        """Return the translations of a row, if they are there.

        Args:
            label: The row's.
            key: Everything the translations depend on, as JSON values. Translations with another
                key, or that have been edited, do not count.
        """
        if self.folder is None:
            return None
        texts, record = self._paths(self.folder, label)
        try:
            values = json.loads(record.read_text(encoding="utf-8"))
            data = texts.read_bytes()
            if values["key"] != _full(key) or values["sha256"] != _digest(data):
                return None
            made, lines = values["outputs"], data.decode("utf-8").split("\n")
            setup = EvaluationSetup(**_with_tuples(made.pop("setup")))
            return Outputs(tuple(lines[:-1]), setup=setup, **_with_tuples(made))
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def save(self, label: str, key: Mapping[str, object], outputs: Outputs) -> None:
        """Keep the translations of a row, in place of those of another key.

        Raises:
            OutputFileError: They cannot be written, or a file is in the way that is none of ours.
        """
        if self.folder is None:
            return
        texts, record = self._paths(self.folder, label)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"the folder cannot be made ({reason_of(error)})"
            raise OutputFileError(self.folder, problem) from error
        data = "".join(f"{text}\n" for text in outputs.texts).encode("utf-8")
        made = {name: one for name, one in asdict(outputs).items() if name != "texts"}
        document = {"key": _full(key), "sha256": _digest(data), "outputs": made}
        # The record comes first: translations without one are taken for somebody else's.
        write_bytes(record, json.dumps(document, indent=1).encode("utf-8"), overwrite=True)
        write_bytes(texts, data, overwrite=True)

    def check(self, labels: list[str]) -> None:
        """Find out before the work whether the rows can be kept.

        Raises:
            OutputFileError: The folder is none, or a file is in the way that is none of ours.
        """
        if self.folder is None:
            return
        if self.folder.exists() and not self.folder.is_dir():
            raise OutputFileError(self.folder, "is no folder")
        for label in labels:
            texts, record = self._paths(self.folder, label)
            if texts.exists() and not record.exists():
                remedy = "move it away, or choose another folder"
                raise OutputFileError(texts, "is in the way of translations", remedy=remedy)

    @staticmethod
    def _paths(folder: Path, label: str) -> tuple[Path, Path]:
        name = file_name(label)
        return folder / f"{name}.txt", folder / f"{name}.json"


def _full(key: Mapping[str, object]) -> dict[str, object]:
    return {**key, "subfit": __version__, "policy": DEFAULT_SETTINGS.checksum}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _with_tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}
