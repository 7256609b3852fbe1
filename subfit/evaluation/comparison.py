"""Several systems on one test set: translated once, measured alike, also length by length."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.loading import Wanted, load_translator, needs_languages
from subfit.decoding.prompts import DEFAULT_TALK, TalkSettings
from subfit.errors import OutputFileError, RecipeError, UsageError, reason_of
from subfit.evaluation import evaluation as measuring
from subfit.evaluation.corpus import EvaluationSet, read_lines
from subfit.evaluation.length_control import check_length_control
from subfit.evaluation.metrics import Metric, metrics_of, translation_quality
from subfit.evaluation.outputs import Outputs, translate_pairs
from subfit.evaluation.rows import Comparison, Row, file_name
from subfit.files import write_bytes
from subfit.hub.names import is_translations
from subfit.localization import OnProgress
from subfit.model.bundled import find_model
from subfit.model.config import MEASURING, Computing
from subfit.reporting.lengths import length_variance, plain_data
from subfit.text.counting import count_characters


@dataclass(frozen=True, slots=True)
class RowResult:
    """The figures of a row."""

    label: str
    evaluation: measuring.Evaluation
    differences: Mapping[str, measuring.Difference]
    """By metric, to the row that all are compared with; none of that row itself."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        found = plain_data(self.differences)
        return {"label": self.label, **self.evaluation.to_dict(), "differences": found}


@dataclass
class Bench:
    """A test set, and what translates it: rows of a table, each by its model.

    The model that was loaded last is kept, since rows often share one.
    """

    test: EvaluationSet
    outputs: Path | None = None
    """A folder for the translations of each row, in ``LABEL.txt``; made if absent, else empty."""
    computing: Computing = MEASURING
    """Where and how precisely the models compute."""
    talk: TalkSettings = DEFAULT_TALK
    """Prompts and server settings, for language models."""
    on_row: Callable[[str], AbstractContextManager[OnProgress]] | None = None
    """Called with the label of a row that is about to be translated."""
    _loaded: tuple[tuple[object, ...], AnyTranslator] | None = None
    _done: dict[tuple[str, Row], Outputs] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.outputs is None:
            return
        try:
            self.outputs.mkdir(parents=True, exist_ok=True)
            taken = any(self.outputs.iterdir())
        except OSError as error:
            problem = f"the folder cannot be made ({reason_of(error)})"
            raise OutputFileError(self.outputs, problem) from error
        if taken:
            raise OutputFileError(self.outputs, "is not empty", remedy="choose another folder")

    def translator(self, row: Row) -> AnyTranslator:
        """Return the translator of a row."""
        wanted = self._wanted(row)
        key = row.model, row.beside, wanted
        if self._loaded is None or self._loaded[0] != key:
            self._loaded = None  # two may not fit
            self._loaded = (
                key,
                load_translator(
                    row.model,
                    source_language=wanted.source_language,
                    target_language=wanted.target_language,
                    settings=wanted.settings,
                    computing=self.computing,
                    talk=self.talk,
                    beside=row.beside,
                ),
            )
        return self._loaded[1]

    def _wanted(self, row: Row) -> Wanted:
        """Search, and the languages that a model must be told: by default those of the test set."""
        source, target = row.source_language, row.target_language
        found = [
            one or known for one, known in zip((source, target), self.test.languages, strict=True)
        ]
        if needs_languages(find_model(row.model, found[0] or "und", found[1] or "und")):
            source, target = found
        return Wanted(source, target, settings=row.settings)

    def translate(self, rows: Mapping[str, Row]) -> dict[str, Outputs]:
        """Translate the rows, each but once; those that are files of translations are read.

        Returns:
            The translations by label.

        Raises:
            SubfitError: A model or file cannot be used.
            UsageError: Rows ask what their models cannot be asked for; names all of them.
        """
        done = {
            label: read_translations(row.model, self.test)
            for label, row in rows.items()
            if is_translations(row.model)
        }
        done |= {
            label: self._done[label, row]
            for label, row in rows.items()
            if (label, row) in self._done
        }
        todo = [label for label in rows if label not in done]
        problems = []
        for label in todo:
            try:
                self.check(rows[label])
            except UsageError as error:
                problems.append(f"row {label!r}: {error}" if len(rows) > 1 else str(error))
        if problems:
            raise UsageError("; ".join(problems))
        for label in todo:
            with self.on_row(label) if self.on_row else nullcontext() as advance:
                row, length = rows[label], rows[label].desired.of(self.test)
                pairs = self.test.pairs
                done[label] = translate_pairs(self.translator(row), pairs, row, length, advance)
            self._done[label, row] = done[label]
            if self.outputs is not None:
                text = "".join(f"{line}\n" for line in done[label].texts)
                place = self.outputs / f"{file_name(label)}.txt"
                write_bytes(place, text.encode("utf-8"), overwrite=False)
        return {label: done[label] for label in rows}

    def check(self, row: Row) -> None:
        """Check that a row's model can be asked for what the row asks.

        Raises:
            UsageError: It cannot.
        """
        translator = self.translator(row)
        check_length_control(translator, row.desired, row.length_class)
        if row.reranking is not None:
            row.reranking.check(translator)


def read_translations(system: str, test: EvaluationSet) -> Outputs:
    """Read translations from a file, one a line.

    Raises:
        InputFileError: It cannot be read, or has another number of lines.
    """
    return Outputs(test.select(read_lines(Path(system)), Path(system)))


def compare(
    comparison: Comparison,
    bench: Bench,
    metrics: Sequence[str] = (),
    trials: int = measuring.TRIALS,
    samples: int = measuring.SAMPLES,
) -> list[RowResult]:
    """Translate and measure every row; raises as `Bench.translate` does.

    Args:
        comparison: The rows.
        bench: Translates them.
        metrics: Names of metrics besides those that are always measured.
        trials: Random exchanges of the tests for significance.
        samples: Sets of lines that are drawn for intervals; 0 for no intervals.
    """
    chosen = metrics_of(metrics)
    outputs = bench.translate(comparison.systems)
    return measure_rows(outputs, bench.test, chosen, comparison.baseline, trials, samples)


def measure_rows(
    outputs: Mapping[str, Outputs],
    test: EvaluationSet,
    metrics: Sequence[Metric],
    baseline: str | None = None,
    trials: int = measuring.TRIALS,
    samples: int = measuring.SAMPLES,
) -> list[RowResult]:
    """Measure translations of several systems alike, and compare them with those of one.

    Args:
        outputs: The translations by label.
        test: What was translated.
        metrics: Those to measure.
        baseline: Label of the system that all others are compared with, if any.
        trials: Random exchanges of the tests for significance.
        samples: Sets of lines that are drawn for intervals; 0 for no intervals.
    """
    language = test.languages[1] or "und"
    known: dict[str, Any] = {"language": language, "more_references": test.more_references}
    everything = [measuring.lines_of(one, test.pairs, **known) for one in outputs.values()]
    for metric in metrics:
        metric.prepare([lines.without_breaks() for lines in everything])
    found = {
        label: measuring.measure(one, test.pairs, metrics=metrics, samples=samples, **known)
        for label, one in outputs.items()
    }
    against = found.get(baseline or "")
    tested: dict[str, dict[str, measuring.Difference]] = {
        label: measuring.differences(evaluation, against, metrics, trials)
        for label, evaluation in found.items()
        if against is not None and label != baseline
    }
    for metric in metrics:
        _correct(tested, metric.name)
    return [RowResult(label, one, tested.get(label, {})) for label, one in found.items()]


def differences_over_runs(
    comparison: Comparison, results: Sequence[RowResult], metrics: Sequence[Metric]
) -> dict[str, dict[str, measuring.Difference]]:
    """Compare rows that have several runs with the row that all are compared with.

    Returns:
        By label and metric; nothing without such rows, or without a row to compare with.
    """
    found = {one.label: one.evaluation.statistics for one in results}
    runs = {
        label: [found[run] for run in comparison.runs.get(label, (label,))]
        for label in comparison.rows
    }
    against = comparison.against or ""
    tested: dict[str, dict[str, measuring.Difference]] = {
        label: {} for label in comparison.runs if against and label != against
    }
    for metric in metrics:
        name = metric.name
        labels = [
            label for label in tested if all(name in one for one in (*runs[label], *runs[against]))
        ]
        for label in labels:
            own, other = ([one[name] for one in runs[side]] for side in (label, against))
            tested[label][name] = measuring.difference_over_runs(metric, own, other)
        _correct(tested, name)
    return tested


def _correct(tested: Mapping[str, dict[str, measuring.Difference]], name: str) -> None:
    """Correct the p-values of a metric for the number of rows."""
    labels = [label for label in tested if name in tested[label]]
    corrected = measuring.holm([tested[label][name].p for label in labels])
    for label, p in zip(labels, corrected, strict=True):
        tested[label][name] = replace(tested[label][name], p_holm=p)


def variances_at(
    comparison: Comparison, lengths: Sequence[int], bench: Bench
) -> dict[str, dict[int, float]]:
    """Measure VAR when every line is asked for the same length: characters, or a model's tokens.

    A model without length control is asked for none, and its lengths are compared with
    that number all the same (Takase & Okazaki 2019, table 4). Rows with a length ratio, and files
    of translations, are left out. Raises as `Bench.translate` does.

    Returns:
        By label and length the mean squared difference to that length.
    """
    names: dict[tuple[str, int], str] = {}
    rows: dict[str, Row] = {}
    for label, row in comparison.systems.items():
        if row.length_ratio is not None or is_translations(row.model):
            continue
        try:
            asked = {length: replace(row, ask=length) for length in lengths}
            bench.check(asked[lengths[0]])
        except (UsageError, RecipeError):
            asked = dict.fromkeys(lengths, row)
        for length, one in asked.items():
            names[label, length] = label if one is row else f"{label}@{length}"
            rows[names[label, length]] = one
    outputs = bench.translate(rows)
    variances: dict[str, dict[int, float]] = {}
    for (label, length), name in names.items():
        written = _written(outputs[name])
        variances.setdefault(label, {})[length] = length_variance(written, [length] * len(written))
    return variances


def _written(outputs: Outputs) -> list[float]:
    """How long translations are, in the unit that their model is asked in."""
    if outputs.unit == "tokens" and outputs.tokens:
        return list(map(float, outputs.tokens))
    return [count_characters(text) for text in outputs.texts]


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
        sides = [list(side) for side in zip(*inside, strict=True)]
        scores.append((len(inside), translation_quality(*sides)["BLEU"] if inside else None))
    return scores
