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
from subfit.decoding.search_types import SearchSettings
from subfit.decoding.translator import Translator
from subfit.errors import OutputFileError, reason_of
from subfit.evaluation.corpus import Pair
from subfit.evaluation.length_control import (
    DesiredLength,
    check_length_control,
    desired_lengths,
    unit_of,
)
from subfit.evaluation.rows import Row, file_name
from subfit.files import write_bytes
from subfit.fitting.options import DEFAULT_OPTIONS, DEFAULT_SETTINGS, Options
from subfit.limits.budget import LengthBudget, budget_for
from subfit.limits.guideline import Guideline
from subfit.localization import OnProgress, localize
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.reporting.lengths import plain_data
from subfit.subtitles.cues import Cue, Track
from subfit.version import __version__

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
            "channel_model": translator.channel_model if desired.kind == "natural" else None,
            "precision": translator.checkpoint.precision,
            "device": translator.checkpoint.model.device.type,
            "seed": training_seed(translator.checkpoint),
        }
    else:
        search = SearchSettings(beams=translator.beams)
        made = {
            "target_language": translator.language,
            "channel_model": None,
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
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    row: Row,
    on_progress: OnProgress | None,
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
            made |= {name: tuple(one) for name, one in made.items() if isinstance(one, list)}
            return Outputs(tuple(lines[:-1]), **made)
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
