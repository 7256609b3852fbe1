"""Several systems on one test set: translated once, measured alike, also length by length."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from subfit.decoding.any_translator import AnyTranslator
from subfit.errors import UsageError
from subfit.evaluation.corpus import EvaluationSet
from subfit.evaluation.evaluation import (
    SAMPLES,
    TRIALS,
    Difference,
    Evaluation,
    differences,
    holm,
    lines_of,
    measure,
)
from subfit.evaluation.length_control import (
    LengthControl,
    check_length_control,
    make_length_control,
)
from subfit.evaluation.metrics import Metric, metrics_of, translation_quality
from subfit.evaluation.outputs import (
    EvaluationSetup,
    Outputs,
    OutputStore,
    StoredOutputs,
    check_reranking,
    translate_pairs,
)
from subfit.evaluation.systems import (
    Comparison,
    Row,
    load_system,
    read_translations,
    with_languages,
)
from subfit.hub.contents import is_translations, place_checksum
from subfit.memory.files import memory_checksum
from subfit.model.bundled import find_model
from subfit.model.config import MEASURING, Computing
from subfit.reporting.lengths import length_variance, plain_data
from subfit.text.counting import count_characters


@dataclass(frozen=True, slots=True)
class RowResult:
    """The figures of a row."""

    label: str
    evaluation: Evaluation
    differences: Mapping[str, Difference]
    """By metric, to the row that all are compared with; none of that row itself."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        found = {name: plain_data(asdict(one)) for name, one in self.differences.items()}
        return {"label": self.label, **self.evaluation.to_dict(), "differences": found}


def compare(
    comparison: Comparison,
    test: EvaluationSet,
    store: OutputStore,
    *,
    metrics: Sequence[str] = (),
    trials: int = TRIALS,
    samples: int = SAMPLES,
    on_row: Callable[[str], None] | None = None,
    computing: Computing = MEASURING,
) -> list[RowResult]:
    """Translate and measure every row.

    Args:
        comparison: The rows.
        test: What to translate.
        store: Keeps translations; what it holds already is not translated again.
        metrics: Names of metrics besides those that are always measured.
        trials: Random exchanges of the tests for significance.
        samples: Sets of lines that are drawn for intervals; 0 for no intervals.
        on_row: Called with the label of a row that is about to be translated.
        computing: Where and how precisely the models compute.

    Raises:
        SubfitError: A model or file cannot be used.
        UsageError: Rows ask what their models cannot be asked for; names all of them.
    """
    chosen = metrics_of(metrics)
    outputs = translate_rows(comparison.systems, test, store, on_row=on_row, computing=computing)
    return measure_rows(outputs, test, chosen, comparison.baseline, trials, samples)


def measure_rows(
    outputs: Mapping[str, tuple[EvaluationSetup | None, Outputs]],
    test: EvaluationSet,
    metrics: Sequence[Metric],
    baseline: str | None = None,
    trials: int = TRIALS,
    samples: int = SAMPLES,
) -> list[RowResult]:
    """Measure translations of several systems alike, and compare them with those of one.

    Args:
        outputs: By label what made the translations, if that is known, and these.
        test: What was translated.
        metrics: Those to measure.
        baseline: Label of the system that all others are compared with, if any.
        trials: Random exchanges of the tests for significance.
        samples: Sets of lines that are drawn for intervals; 0 for no intervals.
    """
    language = test.languages[1] or "und"
    known: dict[str, Any] = {"language": language, "more_references": test.more_references}
    everything = [lines_of(one, test.pairs, setup, **known) for setup, one in outputs.values()]
    for metric in metrics:
        metric.prepare([lines.without_breaks() for lines in everything])
    found = {
        label: measure(one, test.pairs, setup, metrics=metrics, samples=samples, **known)
        for label, (setup, one) in outputs.items()
    }
    against = found.get(baseline or "")
    tested: dict[str, dict[str, Difference]] = {
        label: differences(evaluation, against, metrics, trials)
        for label, evaluation in found.items()
        if against is not None and label != baseline
    }
    for metric in metrics:
        labels = [label for label in tested if metric.name in tested[label]]
        corrected = holm([tested[label][metric.name].p for label in labels])
        for label, p in zip(labels, corrected, strict=True):
            tested[label][metric.name] = replace(tested[label][metric.name], p_holm=p)
    return [RowResult(label, one, tested.get(label, {})) for label, one in found.items()]


def translate_rows(
    rows: Mapping[str, Row],
    test: EvaluationSet,
    store: OutputStore,
    *,
    on_row: Callable[[str], None] | None = None,
    computing: Computing = MEASURING,
) -> dict[str, tuple[EvaluationSetup | None, Outputs]]:
    """Translate the rows whose translations are not in the store yet.

    Arguments and errors are those of `compare`.

    Returns:
        By label what made the translations, if that is known, and these.
    """
    loaded = LastModel(computing)
    done: dict[str, tuple[EvaluationSetup | None, Outputs] | None] = {
        label: _known(label, row, test, store, computing) for label, row in rows.items()
    }
    todo = [label for label, outputs in done.items() if outputs is None]
    _check_controls({label: rows[label] for label in todo}, test, loaded)
    for label in todo:
        row = rows[label]
        if on_row:
            on_row(label)
        translator = loaded.translator(row, test)
        control = _control_on(row, test)
        outputs = translate_pairs(
            translator, test.pairs, control, rerank=row.rerank or 0, memory=row.memory
        )
        setup = EvaluationSetup.of(
            translator, control, beside=row.beside, rerank=row.rerank, memory=row.memory
        )
        store.save(label, _key(row, test, computing), StoredOutputs(setup, outputs))
        done[label] = (setup, outputs)
    return {label: outputs for label, outputs in done.items() if outputs is not None}


class LastModel:
    """Keeps the model that was loaded last, since rows often share one."""

    def __init__(self, computing: Computing = MEASURING) -> None:
        self._computing = computing
        self._key: tuple[object, ...] | None = None
        self._translator: AnyTranslator | None = None

    def translator(self, row: Row, test: EvaluationSet) -> AnyTranslator:
        """Return the translator of a row."""
        key = row.model, row.beside, row.wanted
        if self._translator is None or self._key != key:
            self._translator = load_system(
                row.model, test, row.wanted, self._computing, beside=row.beside
            )
            self._key = key
        return self._translator


def _known(
    label: str, row: Row, test: EvaluationSet, store: OutputStore, computing: Computing
) -> tuple[EvaluationSetup | None, Outputs] | None:
    if is_translations(row.model):
        return None, read_translations(row.model, test)
    stored = store.load(label, _key(row, test, computing))
    return None if stored is None else (stored.setup, stored.outputs)


def _key(row: Row, test: EvaluationSet, computing: Computing) -> dict[str, object]:
    """Return everything that the translations of a row depend on."""
    wanted = with_languages(row.model, test, row.wanted)
    pair = wanted.source_language or "und", wanted.target_language or "und"
    models = [place_checksum(find_model(one, *pair)) for one in (row.model, *row.beside)]
    memory = memory_checksum(row.memory) if row.memory else None
    asked = asdict(row) | {"model": "", "beside": (), "memory": ()}
    return plain_data(  # type: ignore[no-any-return]
        {"row": asked, "search": row.settings, "models": models, "memory": memory}
        | {"lengths": _control_on(row, test).length.lengths, "test": test.checksum}
        | {"languages": pair, "precision": computing.precision, "device": computing.device}
    )


def _control_on(row: Row, test: EvaluationSet) -> LengthControl:
    control = row.control
    return replace(control, length=control.length.of(test))


def _check_controls(rows: Mapping[str, Row], test: EvaluationSet, loaded: LastModel) -> None:
    problems = []
    for label, row in rows.items():
        try:
            check_length_control(loaded.translator(row, test), row.control)
            if row.rerank:
                check_reranking(loaded.translator(row, test))
        except UsageError as error:
            problems.append(f"row {label!r}: {error}")
    if problems:
        raise UsageError("; ".join(problems))


def variances_at(
    comparison: Comparison,
    lengths: Sequence[int],
    test: EvaluationSet,
    store: OutputStore,
    *,
    on_row: Callable[[str], None] | None = None,
    computing: Computing = MEASURING,
) -> dict[str, dict[int, float]]:
    """Measure VAR when every line is asked for the same length: characters, or a model's tokens.

    A model without length control is asked for none, and its lengths are compared with
    that number all the same (Takase & Okazaki 2019, table 4). Rows with a length ratio, and files
    of translations, are left out.

    Returns:
        By label and length the mean squared difference to that length. Other arguments and errors
        are those of `subfit.evaluation.comparison.compare`.
    """
    able = {
        label: row
        for label, row in comparison.systems.items()
        if row.length_ratio is None and not is_translations(row.model)
    }
    rows = _asked_for(able, lengths, test)
    outputs = translate_rows(rows, test, store, on_row=on_row, computing=computing)
    variances: dict[str, dict[int, float]] = {label: {} for label in able}
    for label in able:
        for length in lengths:
            name = _at(label, length) if _at(label, length) in outputs else label
            written = _written(*outputs[name])
            variances[label][length] = length_variance(written, [length] * len(written))
    return variances


def _written(setup: EvaluationSetup | None, outputs: Outputs) -> list[float]:
    """How long translations are, in the unit that their model is asked in."""
    if setup is not None and setup.unit == "tokens" and outputs.tokens:
        return list(map(float, outputs.tokens))
    return [count_characters(text) for text in outputs.texts]


def _asked_for(
    rows: Mapping[str, Row], lengths: Sequence[int], test: EvaluationSet
) -> dict[str, Row]:
    """Return each row once for each length, or as it is if its model takes no lengths."""
    loaded = LastModel()
    asked: dict[str, Row] = {}
    for label, row in rows.items():
        try:
            one = make_length_control("1", row.length_class)
            check_length_control(loaded.translator(row, test), one)
        except UsageError:
            asked[label] = row
            continue
        asked |= {_at(label, length): replace(row, ask=length) for length in lengths}
    return asked


def _at(label: str, length: int) -> str:
    return f"{label}@{length}"


def bucket_scores(
    hypotheses: Sequence[str], test: EvaluationSet, bounds: Sequence[int]
) -> list[tuple[int, float | None]]:
    """Return BLEU by buckets of the references' lengths (Oka 2020).

    Args:
        hypotheses: One for each line.
        test: Sources and references.
        bounds: Ascending; a bucket holds the references of more characters than the bound before
            it and at most its own. A last bucket holds what is longer.

    Returns:
        For each bucket its lines and BLEU; None where there is no line.
    """
    pairs = list(zip(hypotheses, test.references, strict=True))
    scores: list[tuple[int, float | None]] = []
    for low, high in pairwise([-1, *bounds, math.inf]):
        inside = [pair for pair in pairs if low < len(pair[1]) <= high]
        score = translation_quality(*map(list, zip(*inside, strict=True))).bleu if inside else None
        scores.append((len(inside), score and score.value))
    return scores
