"""Comparisons as Markdown: tables that say below themselves how they were made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from subfit.errors import UsageError
from subfit.evaluation.comparison import RowResult
from subfit.evaluation.evaluation import Evaluation, EvaluationSetup
from subfit.evaluation.significance import LEVEL
from subfit.reporting.lengths import Spread
from subfit.reporting.wording import percent

MARK = "†"
"""Behind figures that differ significantly from those of the row all are tested against."""
_NONE = "–"


def main_table(results: Sequence[RowResult], columns: Sequence[str] = ()) -> str:
    """Return figures of all rows.

    Args:
        results: The rows.
        columns: Names of `COLUMNS`; by default all but those in tokens.

    Raises:
        UsageError: There is no such column.
    """
    for name in columns:
        if name not in COLUMNS:
            raise UsageError(f"there is no column {name!r}; there are {', '.join(COLUMNS)}")
    names = list(columns) or [name for name in COLUMNS if name not in TOKEN_COLUMNS]
    rows = ([row.label, *(COLUMNS[name](row) for name in names)] for row in results)
    return markdown(["system", *names], rows)


def token_table(results: Sequence[RowResult]) -> str | None:
    """Return lengths in tokens, as Oka et al. 2020 have them; None where no row is asked in tokens.

    VAR and LR are those of output and reference.
    """
    if not any(_in_tokens(row.evaluation) for row in results):
        return None
    return main_table(results, TOKEN_COLUMNS)


def setup_table(places: Mapping[str, str], results: Sequence[RowResult]) -> str:
    """Return what made each row: model, what it was asked for, arithmetic, and what came out.

    Args:
        places: By label the model as it was named.
        results: The rows.
    """
    asked = ["ask", "class", "length ratio", "penalty", "beam"]
    made = ["precision", "device", "seed", "seconds", "SHA-256 of output"]
    rows = []
    for result in results:
        setup, evaluation = result.evaluation.setup, result.evaluation
        place = places[result.label]
        language = setup and setup.target_language
        place = f"{place}, {language}" if language else place
        rows.append([result.label, place, *_asked(setup), *_made(setup, evaluation)])
    return markdown(["system", "model", *asked, *made], rows, texts=5)


def runs_table(runs: Mapping[str, Sequence[str]], results: Sequence[RowResult]) -> str:
    """Return mean and standard deviation of the figures of systems that were trained several times.

    Args:
        runs: By system the labels of its runs, two or more.
        results: The rows, these among them.
    """
    by_label = {row.label: row.evaluation for row in results}
    rows = []
    for label, names in runs.items():
        evaluations = [by_label[name] for name in names]
        figures = [_over_runs(list(map(read, evaluations)), digits) for read, digits in _RUN]
        rows.append([label, str(len(evaluations)), *figures])
    columns = ["BLEU", "BLEU*", "chrF", "LR source", "LR reference", "VAR asked", "VAR reference"]
    return markdown(["mean ± sd over runs", "runs", *columns], rows)


_RUN: tuple[tuple[Callable[[Evaluation], float | None], int], ...] = (
    (lambda result: result.quality.bleu.value, 2),
    (lambda result: result.quality.bleu_star.value, 2),
    (lambda result: result.quality.chrf.value, 2),
    (lambda result: result.source_ratio.mean, 3),
    (lambda result: result.reference_ratio.mean, 3),
    (lambda result: result.variance, 2),
    (lambda result: result.reference_variance, 2),
)
"""The figures that runs are compared by, and their decimals."""


def _over_runs(values: Sequence[float | None], digits: int) -> str:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return _NONE
    return f"{fmean(known):.{digits}f} ± {stdev(known):.{digits}f}"


def _made(setup: EvaluationSetup | None, evaluation: Evaluation) -> list[str]:
    checksum = evaluation.checksum[:12] or _NONE
    if setup is None:
        return [_NONE] * 4 + [checksum]
    seed = _NONE if setup.seed is None else str(setup.seed)
    return [setup.precision, setup.device, seed, f"{evaluation.seconds:.0f}", checksum]


def bucket_table(
    bounds: Sequence[int], lines: Sequence[int], scores: Mapping[str, Sequence[float | None]]
) -> str:
    """Return BLEU by buckets of the references' characters.

    Args:
        bounds: Those of the buckets, ascending.
        lines: Of every bucket.
        scores: By label the BLEU of every bucket; None where there is no line.
    """
    lows = [0, *(bound + 1 for bound in bounds)]
    names = [f"{low}–{high}" for low, high in zip(lows, bounds, strict=False)]
    names = [*names, f"over {bounds[-1]}"]
    rows = [[label, *(_optional(score) for score in row)] for label, row in scores.items()]
    counts = ["lines", *map(str, lines)]
    return markdown(["BLEU by reference characters", *names], [counts, *rows])


def adequacy_table(scores: Mapping[str, Mapping[str, Any]]) -> str:
    """Return REP and DROP of every row, from `subfit.evaluation.adequacy.Adequacy` as a mapping."""
    rows = [[label, f"{one['rep']:.2f}", f"{one['drop']:.2f}"] for label, one in scores.items()]
    return markdown(["adequacy", "REP", "DROP"], rows)


def rouge_table(scores: Mapping[str, Mapping[str, Any]]) -> str:
    """Return ROUGE recall of every row.

    Args:
        scores: By label, as `subfit.evaluation.rouge.Rouge.to_dict` gives them.
    """
    cut = next(iter(scores.values()))["bytes"]
    heading = f"ROUGE recall, {cut} bytes" if cut else "ROUGE recall"
    names = ("rouge_1", "rouge_2", "rouge_l")
    rows = [[label, *(f"{one[name]:.2f}" for name in names)] for label, one in scores.items()]
    return markdown([heading, "1", "2", "L"], rows)


def length_table(lengths: Sequence[int], variances: Mapping[str, Sequence[float]]) -> str:
    """Return VAR at fixed lengths."""
    rows = [[label, *(f"{variance:.3f}" for variance in by)] for label, by in variances.items()]
    return markdown(["VAR at a fixed length", *map(str, lengths)], rows)


def notes(against: str | None, results: Sequence[RowResult]) -> list[str]:
    """Return what must be known to read the main table: definitions and signatures.

    Args:
        against: Label of the row that all were tested against, if any.
        results: The rows.
    """
    quality = results[0].evaluation.quality
    lines = [
        "LR: mean ± standard deviation of the length ratio in characters. VAR: mean squared"
        " difference in characters of output and asked length, over the lines a length was asked"
        " for, or of output and reference, there with LR reference in parentheses. LC: share of"
        " lines with a source ratio from 0.9 to 1.1. Over budget: share of lines over their"
        " ceilings.",
        f"BLEU: {quality.bleu.signature}; BLEU\\*: {quality.bleu_star.signature};"
        f" chrF: {quality.chrf.signature}",
    ]
    tested = next((row.significance for row in results if row.significance), None)
    if tested is not None:
        lines.append(
            f"p, and {MARK} where it is below {LEVEL}: differences to {against!r} by"
            f" paired approximate randomisation ({tested.signature})"
        )
    return lines


def markdown(headings: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1) -> str:
    """Return a table whose first ``texts`` columns are text, and the others figures."""
    rules = ["---"] * texts + ["---:"] * (len(headings) - texts)
    lines = [headings, rules, *rows]
    return "".join(f"| {' | '.join(_escaped(cell) for cell in line)} |\n" for line in lines)


def _escaped(cell: str) -> str:
    return " ".join(cell.replace("|", "\\|").replace("*", "\\*").split())


def _tokens(result: RowResult) -> str:
    tokens = result.evaluation.tokens
    if tokens is None:
        return _NONE
    return f"{tokens.reference_variance:.2f} ({_number(tokens.reference_ratio.mean, 3)})"


def _p(result: RowResult) -> tuple[float, float, float]:
    p = result.significance
    return (math.nan,) * 3 if p is None else (p.bleu, p.chrf, p.length_ratio)


def _reference(evaluation: Evaluation) -> str:
    ratio = _number(evaluation.reference_ratio.mean, 3)
    return f"{evaluation.reference_variance:.2f} ({ratio})"


def _over(evaluation: Evaluation) -> str:
    return _NONE if evaluation.overflow is None else percent(evaluation.overflow.share)


def _variance(evaluation: Evaluation, in_tokens: bool) -> str:
    asked = evaluation.variance if _in_tokens(evaluation) == in_tokens else None
    return _optional(asked)


COLUMNS: dict[str, Callable[[RowResult], str]] = {
    "BLEU": lambda row: f"{row.evaluation.quality.bleu.value:.2f}{_mark(_p(row)[0])}",
    "BLEU*": lambda row: f"{row.evaluation.quality.bleu_star.value:.2f}",
    "chrF": lambda row: f"{row.evaluation.quality.chrf.value:.2f}{_mark(_p(row)[1])}",
    "LR source": lambda row: f"{_spread(row.evaluation.source_ratio)}{_mark(_p(row)[2])}",
    "LR reference": lambda row: _spread(row.evaluation.reference_ratio),
    "VAR asked": lambda row: _variance(row.evaluation, in_tokens=False),
    "VAR reference": lambda row: _reference(row.evaluation),
    "LC IWSLT": lambda row: percent(row.evaluation.compliance.iwslt),
    "LC strict": lambda row: percent(row.evaluation.compliance.strict),
    "over budget": lambda row: _over(row.evaluation),
    "p BLEU": lambda row: _number(_p(row)[0], 4),
    "p chrF": lambda row: _number(_p(row)[1], 4),
    "p LR": lambda row: _number(_p(row)[2], 4),
    "VAR asked tokens": lambda row: _variance(row.evaluation, in_tokens=True),
    "VAR (LR) tokens": _tokens,
}
"""What a table may show of each row, by its heading."""
TOKEN_COLUMNS = ("VAR asked tokens", "VAR (LR) tokens")


def _asked(setup: EvaluationSetup | None) -> list[str]:
    if setup is None:
        return [_NONE] * 5
    budget = setup.budget
    limits = _NONE
    if budget is not None:
        high = "" if math.isinf(budget.maximum) else f"{budget.maximum:g}"
        limits = f"{budget.minimum:g}:{high}"
    return [
        setup.ask,
        setup.length_class or _NONE,
        limits,
        f"{setup.length_penalty:g}",
        str(setup.beam),
    ]


def _spread(values: Spread) -> str:
    return f"{_number(values.mean, 3)} ± {_number(values.sd, 3)}"


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else _NONE


def _optional(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"


def _in_tokens(evaluation: Evaluation) -> bool:
    return evaluation.setup is not None and evaluation.setup.unit == "tokens"


def _mark(p: float) -> str:
    return MARK if p < LEVEL else ""
