"""Systems compared length by length: BLEU by the references' lengths, VAR at lengths asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from subfit.errors import UsageError
from subfit.evaluation.comparison import LastModel, translate_rows
from subfit.evaluation.comparison_file import Comparison, Row
from subfit.evaluation.evaluation import EvaluationSetup
from subfit.evaluation.evaluation_set import EvaluationSet
from subfit.evaluation.length_control import check_length_control, make_length_control
from subfit.evaluation.metrics import translation_quality
from subfit.evaluation.output_store import OutputStore
from subfit.evaluation.outputs import Outputs
from subfit.hub.contents import is_translations
from subfit.model.config import MEASURING, Computing
from subfit.reporting.lengths import length_variance
from subfit.text.counting import count_characters


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
