"""Translating a test set as a row of a table asks."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import yaml

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import FREE, Request, SearchSettings
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair
from subfit.evaluation.length_control import (
    DesiredLength,
    check_length_control,
    desired_lengths,
    unit_of,
)
from subfit.evaluation.rows import Row
from subfit.fitting.options import DEFAULT_OPTIONS, Options
from subfit.limits.budget import LengthBudget, budget_for
from subfit.limits.guideline import Guideline
from subfit.localization import OnProgress, localize
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.reporting.lengths import plain_data
from subfit.subtitles.cues import Cue, Track

_OF_SEARCH = ("length_penalty", "length_normalization", "coverage_penalty")


def setup_of(translator: AnyTranslator, row: Row) -> dict[str, Any]:
    """Return all that is asked of a model, and what computes it, as JSON values."""
    desired = row.desired
    if isinstance(translator, Translator):
        search = translator.settings
        made = {
            "target_language": translator.target_language,
            "unit": translator.length_unit.name,
            "ensemble": search.ensemble if len(translator.checkpoints) > 1 else None,
            "precision": translator.checkpoint.precision,
            "device": translator.checkpoint.model.device.type,
            "seed": training_seed(translator.checkpoint),
        }
    else:
        search = SearchSettings(beams=translator.beams)
        made = {
            "target_language": translator.language,
            "ensemble": None,
            "precision": translator.precision,
            "device": str(getattr(translator, "device", "server")),
            "seed": None,
        }
    asked = {
        "model": translator.name,
        "ask": desired.text,
        "length_ratio": None if row.ratio is None else str(row.ratio),
        "beam": search.beams,
        **{name: getattr(search, name) for name in _OF_SEARCH},
    }
    wished = asdict(row)
    del wished["runs"]
    return plain_data(wished | asked | made)  # type: ignore[no-any-return]


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
    setup: Mapping[str, Any] | None = None
    """What made them, of `setup_of`; None for translations from elsewhere."""

    @property
    def unit(self) -> str:
        """What lengths were asked for in: characters or tokens."""
        return str((self.setup or {}).get("unit", "characters"))


def translate_pairs(
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    row: Row,
    length: DesiredLength | None = None,
    on_progress: OnProgress | None = None,
) -> Outputs:
    """Translate the sources of a test set.

    Args:
        translator: The model.
        pairs: Sources and references.
        row: What is asked of it. At ``natural`` length the lines go the way of users' texts.
        length: Its length for these pairs, where that stands in a file.
        on_progress: Called with the lines that are done and all that there are.

    Raises:
        UsageError: The model cannot be asked for that.
    """
    length = length or row.desired
    check_length_control(translator, length, row.length_class)
    start = time.perf_counter()
    if length.kind == "natural":
        outputs = _localized(translator, pairs, row, on_progress)
    else:
        outputs = _asked(translator, pairs, row, length, on_progress)
    return replace(
        outputs,
        asked=outputs.asked if any(outputs.asked) else (),
        seconds=time.perf_counter() - start,
        setup=setup_of(translator, row),
    )


def translate_languages(checkpoint: Checkpoint, pairs: Sequence[Pair], row: Row) -> Outputs:
    """Translate pairs, each of its own languages where a model has several, without ceilings.

    Args:
        checkpoint: The model.
        pairs: Sources and references, at least one.
        row: Which lengths to ask for.

    Raises:
        UsageError: The model cannot be asked for that.
    """
    directions, untranslated, seconds = Directions.of_config(checkpoint.model.config), 0, 0.0
    done: dict[int, tuple[str, int]] = {}
    for language in dict.fromkeys(pair.language for pair in pairs):
        own = [number for number, pair in enumerate(pairs) if pair.language == language]
        source, target = directions.pair_of(language)
        translator = Translator(checkpoint, target_language=target, source_language=source)
        found = translate_pairs(translator, [pairs[number] for number in own], row)
        asked = found.asked or [FREE] * len(own)  # there are none where none was for any
        done |= zip(own, zip(found.texts, asked, strict=True), strict=True)
        untranslated, seconds = untranslated + found.untranslated, seconds + found.seconds
    texts, lengths = zip(*(done[number] for number in range(len(pairs))), strict=True)
    asked = lengths if any(lengths) else ()
    setup = {**(found.setup or {}), "target_language": None}
    return Outputs(texts, asked, (), untranslated, seconds, setup=setup)


def _localized(
    translator: AnyTranslator, pairs: Sequence[Pair], row: Row, on_progress: OnProgress | None
) -> Outputs:
    cues = tuple(Cue(0, 0, pair.source, line=number) for number, pair in enumerate(pairs, start=1))
    track = Track(cues, "txt")
    guideline = Guideline(language=translator.language, counting=translator.counting)
    source = translator.source_language
    options = Options(
        row.ratio,
        source_language=DEFAULT_OPTIONS.source_language if source == "und" else source,
        strict_budget=row.strict_budget,
        memory=row.memory,
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


def _asked(
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    row: Row,
    length: DesiredLength,
    on_progress: OnProgress | None,
) -> Outputs:
    """Translate by one search, asking for lengths of our own, within ceilings if there are any."""
    able = [number for number, pair in enumerate(pairs) if translator.accepts(pair.source)]
    lengths = desired_lengths(length.at(able), translator, [pairs[number] for number in able])
    unit, guideline = unit_of(translator), Guideline(counting=translator.counting)
    budgets = [budget_for(pair.source, None, guideline, row.ratio) for pair in pairs]
    requests = [
        Request(
            pairs[number].source,
            budgets[number].characters,
            asked=round(wanted * unit.characters),
            asked_tokens=wanted if unit.name == "tokens" else FREE,
            length_class=row.length_class,
            dense=budgets[number].dense,
        )
        for number, wanted in zip(able, lengths, strict=True)
    ]
    free: list[Request] = []
    reranking = row.reranking
    if reranking is not None and reranking.by == "mbr" and row.ratio is not None:
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
