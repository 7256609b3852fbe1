"""Several systems on one test set: the rows of a table, translated once and measured alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from subfit.budget import LengthRatio
from subfit.errors import SubfitError, UsageError
from subfit.guideline import count_characters
from subfit.lengths import length_variance
from subfit.metrics import Score, translation_quality
from subfit.model.search import SearchSettings
from subfit.significance import Significance, paired_test
from subfit.training.asking import Wish, check_wish, make_wish
from subfit.training.contradictions import require
from subfit.training.evaluation import Evaluation, Setup, measure
from subfit.training.evaluation_set import EvaluationSet
from subfit.training.output_store import OutputStore, Stored
from subfit.training.outputs import Outputs, translate_pairs
from subfit.training.systems import (
    is_translations,
    load_translator,
    model_checksum,
    read_translations,
    settings_of,
)
from subfit.translate import Translator


@dataclass(frozen=True, slots=True)
class Row:
    """A system and what is asked of it."""

    model: str
    """A model folder, a bundled model's name or a hub model; or a file of translations, one a
    line, to which nothing below applies."""
    ask: str | int | None = None
    """The length asked for, as ``subfit evaluate --ask`` takes it."""
    length_class: str | None = None
    """The length token to use, whatever length is asked for."""
    length_ratio: str | None = None
    """Floor and ceiling as multiples of the source's characters: ``0.9:1.1``."""
    length_penalty: float | None = None
    """Scores are divided by tokens to this power; 1 by default."""
    beam: int | None = None
    """Hypotheses kept while searching."""

    def __post_init__(self) -> None:
        require(
            (not self._wrong_wish(), "ask length_class length_ratio", self._wrong_wish()),
            (self.beam is None or 1 <= self.beam <= 64, "beam", "beam must be from 1 to 64"),
            (
                self.length_penalty is None or 0 <= self.length_penalty <= 10,
                "length_penalty",
                "length_penalty must be from 0 to 10",
            ),
            (
                not is_translations(self.model) or self._asks_nothing,
                "ask length_class length_ratio length_penalty beam",
                f"{self.model} is a file of translations; there is nothing to ask of it",
            ),
        )

    @property
    def _asks_nothing(self) -> bool:
        given = (self.ask, self.length_class, self.length_ratio, self.length_penalty, self.beam)
        return all(each is None for each in given)

    @property
    def wish(self) -> Wish:
        """What is asked of the model about lengths."""
        ask = None if self.ask is None else str(self.ask)
        ratio = None if self.length_ratio is None else LengthRatio.parse(self.length_ratio)
        return make_wish(ask, self.length_class, ratio)

    @property
    def settings(self) -> SearchSettings:
        """The settings of the search."""
        return settings_of(self.beam, self.length_penalty)

    def _wrong_wish(self) -> str:
        try:
            self.wish  # noqa: B018
        except SubfitError as error:
            return str(error)
        return ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of a table."""

    rows: Mapping[str, Row]
    """By label, in order."""
    against: str | None = None
    """Label of the row that all others are tested against."""


@dataclass(frozen=True, slots=True)
class RowResult:
    """The figures of a row."""

    label: str
    evaluation: Evaluation
    significance: Significance | None = None
    """Of the differences to the row that all are tested against."""


def compare(
    comparison: Comparison,
    test: EvaluationSet,
    store: OutputStore,
    *,
    trials: int,
    on_row: Callable[[str], None] | None = None,
) -> list[RowResult]:
    """Translate and measure every row.

    Args:
        comparison: The rows.
        test: What to translate.
        store: Keeps translations; what it holds already is not translated again.
        trials: Random trials of the test for significance.
        on_row: Called with the label of a row that is about to be translated.

    Raises:
        SubfitError: A model or file cannot be used.
        UsageError: Rows ask what their models cannot be asked for; names all of them.
    """
    outputs = translate_rows(comparison.rows, test, store, on_row=on_row)
    against = outputs.get(comparison.against or "")
    results = []
    for label, (setup, output) in outputs.items():
        found = measure(output, test.pairs, setup)
        tested = against is not None and label != comparison.against
        p = _test(against[1], output, test, trials) if against and tested else None
        results.append(RowResult(label, found, p))
    return results


def translate_rows(
    rows: Mapping[str, Row],
    test: EvaluationSet,
    store: OutputStore,
    *,
    on_row: Callable[[str], None] | None = None,
) -> dict[str, tuple[Setup | None, Outputs]]:
    """Translate the rows whose translations are not in the store yet.

    Arguments and errors are those of `compare`.

    Returns:
        By label what made the translations, if that is known, and these.
    """
    loaded = _Loaded()
    done: dict[str, tuple[Setup | None, Outputs] | None] = {
        label: _known(label, row, test, store) for label, row in rows.items()
    }
    todo = [label for label, each in done.items() if each is None]
    _check_wishes({label: rows[label] for label in todo}, loaded)
    for label in todo:
        row = rows[label]
        if on_row:
            on_row(label)
        translator = loaded.translator(row)
        wish = _wish_on(row, test)
        outputs = translate_pairs(translator, test.pairs, wish)
        setup = Setup.of(translator, wish)
        store.save(label, _key(row, test), Stored(setup, outputs))
        done[label] = (setup, outputs)
    return {label: each for label, each in done.items() if each is not None}


def variances_at(
    comparison: Comparison,
    lengths: Sequence[int],
    test: EvaluationSet,
    store: OutputStore,
    *,
    on_row: Callable[[str], None] | None = None,
) -> dict[str, dict[int, float]]:
    """Measure VAR when every line is asked for the same number of characters.

    A model that takes no wish for a length is asked for none, and its lengths are compared with
    that number all the same (Takase & Okazaki 2019, table 4). Rows with a length ratio, and files
    of translations, are left out.

    Returns:
        By label and length the mean squared difference to that length. Other arguments and errors
        are those of `compare`.
    """
    able = {
        label: row
        for label, row in comparison.rows.items()
        if row.length_ratio is None and not is_translations(row.model)
    }
    rows = _asked_for(able, lengths)
    outputs = translate_rows(rows, test, store, on_row=on_row)
    found: dict[str, dict[int, float]] = {}
    for label in able:
        found[label] = {}
        for length in lengths:
            name = _at(label, length) if _at(label, length) in outputs else label
            characters = [count_characters(text) for text in outputs[name][1].texts]
            found[label][length] = length_variance(characters, [length] * len(characters))
    return found


def _asked_for(rows: Mapping[str, Row], lengths: Sequence[int]) -> dict[str, Row]:
    """Return each row once for each length, or as it is if its model takes no lengths."""
    loaded = _Loaded()
    asked: dict[str, Row] = {}
    for label, row in rows.items():
        try:
            check_wish(loaded.translator(row), make_wish("1", row.length_class))
        except UsageError:
            asked[label] = row
            continue
        asked |= {_at(label, length): replace(row, ask=length) for length in lengths}
    return asked


def _at(label: str, length: int) -> str:
    return f"{label}@{length}"


def bucket_scores(
    hypotheses: Sequence[str], test: EvaluationSet, bounds: Sequence[int]
) -> list[tuple[int, Score | None]]:
    """Return BLEU by buckets of the references' lengths (Oka 2020).

    Args:
        hypotheses: One for each line.
        test: Sources and references.
        bounds: Ascending; a bucket holds the references of more characters than the bound before
            it and at most its own. A last bucket holds what is longer.

    Returns:
        For each bucket its lines and BLEU; None where there is no line.
    """
    edges = [-1, *bounds, math.inf]
    scores: list[tuple[int, Score | None]] = []
    for low, high in pairwise(edges):
        inside = [
            (text, reference)
            for text, reference in zip(hypotheses, test.references, strict=True)
            if low < len(reference) <= high
        ]
        score = translation_quality(*map(list, zip(*inside, strict=True))).bleu if inside else None
        scores.append((len(inside), score))
    return scores


class _Loaded:
    """Keeps the model that was loaded last, since rows often share one."""

    def __init__(self) -> None:
        self._key: tuple[str, SearchSettings] | None = None
        self._translator: Translator | None = None

    def translator(self, row: Row) -> Translator:
        key = (row.model, row.settings)
        if self._translator is None or self._key != key:
            self._translator = load_translator(row.model, row.beam, row.length_penalty)
            self._key = key
        return self._translator


def _known(
    label: str, row: Row, test: EvaluationSet, store: OutputStore
) -> tuple[Setup | None, Outputs] | None:
    if is_translations(row.model):
        return None, read_translations(row.model, test)
    stored = store.load(label, _key(row, test))
    return None if stored is None else (stored.setup, stored.outputs)


def _key(row: Row, test: EvaluationSet) -> dict[str, object]:
    """Return everything that the translations of a row depend on."""
    wish = _wish_on(row, test)
    return {
        "model": model_checksum(row.model),
        "test": test.checksum,
        "ask": wish.ask.text,
        "lengths": list(wish.ask.lengths),
        "length_class": row.length_class,
        "length_ratio": row.length_ratio,
        "length_penalty": row.settings.length_penalty,
        "beam": row.settings.beams,
    }


def _wish_on(row: Row, test: EvaluationSet) -> Wish:
    wish = row.wish
    return replace(wish, ask=wish.ask.of(test))


def _check_wishes(rows: Mapping[str, Row], loaded: _Loaded) -> None:
    problems = []
    for label, row in rows.items():
        try:
            check_wish(loaded.translator(row), row.wish)
        except UsageError as error:
            problems.append(f"row {label!r}: {error}")
    if problems:
        raise UsageError("; ".join(problems))


def _test(baseline: Outputs, outputs: Outputs, test: EvaluationSet, trials: int) -> Significance:
    return paired_test(
        baseline.texts,
        outputs.texts,
        sources=test.sources,
        references=test.references,
        trials=trials,
    )
