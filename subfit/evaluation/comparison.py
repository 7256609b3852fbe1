"""Several systems on one test set: the rows of a table, translated once and measured alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from subfit.decoding.any_translator import AnyTranslator
from subfit.errors import UsageError
from subfit.evaluation.comparison_file import Comparison, Row
from subfit.evaluation.evaluation import (
    Evaluation,
    EvaluationSetup,
    differences,
    lines_of,
    measure,
)
from subfit.evaluation.evaluation_set import EvaluationSet
from subfit.evaluation.length_control import LengthControl, check_length_control
from subfit.evaluation.metrics import Metric, metrics_of
from subfit.evaluation.output_store import OutputStore, StoredOutputs
from subfit.evaluation.outputs import Outputs, check_reranking, translate_pairs
from subfit.evaluation.significance import SAMPLES, TRIALS, Difference, holm
from subfit.evaluation.systems import (
    load_system,
    memory_checksum,
    model_checksum,
    read_translations,
    with_languages,
)
from subfit.hub.contents import is_translations
from subfit.model.config import MEASURING, Computing
from subfit.reporting.lengths import plain_data


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
    control = _control_on(row, test)
    wanted = with_languages(row.model, test, row.wanted)
    pair = wanted.source_language or "und", wanted.target_language or "und"
    return {
        "model": model_checksum(row.model, pair),
        "test": test.checksum,
        "ask": control.length.text,
        "lengths": list(control.length.lengths),
        "length_class": row.length_class,
        "length_ratio": row.length_ratio,
        "length_penalty": row.settings.length_penalty,
        "beam": row.settings.beams,
        **({"coverage_penalty": row.coverage_penalty} if row.coverage_penalty else {}),
        **({"length_normalization": row.length_normalization} if row.length_normalization else {}),
        **({"ensemble": row.ensemble} if row.ensemble else {}),
        **({"beside": [model_checksum(one) for one in row.beside]} if row.beside else {}),
        **({"rerank": row.rerank} if row.rerank else {}),
        **({"memory": [memory_checksum(one) for one in row.memory]} if row.memory else {}),
        "precision": computing.precision,
        "device": computing.device,
        **({"target_language": wanted.target_language} if wanted.target_language else {}),
        **({"source_language": wanted.source_language} if wanted.source_language else {}),
    }


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
