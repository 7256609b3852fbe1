"""Several systems on one test set: the rows of a table, translated once and measured alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from subfit.decoding.any_translator import AnyTranslator
from subfit.errors import UsageError
from subfit.evaluation.comparison_file import Comparison, Row
from subfit.evaluation.evaluation import Evaluation, EvaluationSetup, measure
from subfit.evaluation.evaluation_set import EvaluationSet
from subfit.evaluation.length_control import LengthControl, check_length_control
from subfit.evaluation.output_store import OutputStore, StoredOutputs
from subfit.evaluation.outputs import Outputs, translate_pairs
from subfit.evaluation.reranking import check_reranking
from subfit.evaluation.significance import Significance, paired_test
from subfit.evaluation.systems import (
    load_system,
    model_checksum,
    read_translations,
    with_languages,
)
from subfit.hub.contents import is_translations
from subfit.model.config import MEASURING, Computing


@dataclass(frozen=True, slots=True)
class RowResult:
    """The figures of a row."""

    label: str
    evaluation: Evaluation
    significance: Significance | None = None
    """How likely chance makes the differences to the row that all are tested against."""


def compare(
    comparison: Comparison,
    test: EvaluationSet,
    store: OutputStore,
    *,
    trials: int,
    on_row: Callable[[str], None] | None = None,
    computing: Computing = MEASURING,
) -> list[RowResult]:
    """Translate and measure every row.

    Args:
        comparison: The rows.
        test: What to translate.
        store: Keeps translations; what it holds already is not translated again.
        trials: Random trials of the test for significance.
        on_row: Called with the label of a row that is about to be translated.
        computing: Where and how precisely the models compute.

    Raises:
        SubfitError: A model or file cannot be used.
        UsageError: Rows ask what their models cannot be asked for; names all of them.
    """
    outputs = translate_rows(comparison.systems, test, store, on_row=on_row, computing=computing)
    against = outputs.get(comparison.baseline or "")
    results = []
    for label, (setup, output) in outputs.items():
        evaluation = measure(output, test.pairs, setup)
        tested = against is not None and label != comparison.baseline
        p = _test(against[1], output, test, trials) if against and tested else None
        results.append(RowResult(label, evaluation, p))
    return results


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
        outputs = translate_pairs(translator, test.pairs, control, rerank=row.rerank or 0)
        setup = EvaluationSetup.of(translator, control)
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
        **({"beside": [model_checksum(one) for one in row.beside]} if row.beside else {}),
        **({"rerank": row.rerank} if row.rerank else {}),
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


def _test(baseline: Outputs, outputs: Outputs, test: EvaluationSet, trials: int) -> Significance:
    return paired_test(
        baseline.texts,
        outputs.texts,
        sources=test.sources,
        references=test.references,
        trials=trials,
    )
