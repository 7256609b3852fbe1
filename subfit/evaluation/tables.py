"""Comparisons as Markdown: tables that say below themselves how they were made."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from subfit.evaluation.adequacy import Adequacy
from subfit.evaluation.comparison import RowResult
from subfit.evaluation.comparison_file import Comparison
from subfit.evaluation.evaluation import Evaluation, Setup
from subfit.evaluation.metrics import Score
from subfit.evaluation.significance import LEVEL, Significance
from subfit.reporting.lengths import Spread

MARK = "†"
"""Behind figures that differ significantly from those of the row all are tested against."""
_NONE = "–"


def main_table(results: Sequence[RowResult]) -> str:
    """Return the figures of all rows."""
    columns = ("BLEU", "BLEU*", "chrF", "LR source", "LR reference", "VAR asked", "VAR reference")
    more = ("LC IWSLT", "LC strict", "over budget", "p BLEU", "p chrF", "p LR")
    rows = ([row.label, *_figures(row.evaluation, row.significance)] for row in results)
    return markdown(["system", *columns, *more], rows)


def token_table(results: Sequence[RowResult]) -> str | None:
    """Return lengths in tokens, as Oka et al. 2020 have them; None where no row is asked in tokens.

    VAR and LR are those of output and reference.
    """
    if not any(_in_tokens(row.evaluation) for row in results):
        return None
    return markdown(
        ["tokens", "VAR asked", "VAR reference", "LR reference"],
        ([row.label, *_token_figures(row.evaluation)] for row in results),
    )


def _token_figures(evaluation: Evaluation) -> list[str]:
    tokens = evaluation.tokens
    wished = _optional(evaluation.variance, 2) if _in_tokens(evaluation) else _NONE
    if tokens is None:
        return [wished, _NONE, _NONE]
    return [wished, f"{tokens.reference_variance:.2f}", _spread(tokens.reference_ratio)]


def setup_table(comparison: Comparison, results: Sequence[RowResult]) -> str:
    """Return what each row was asked for."""
    headings = ["system", "model", "ask", "class", "length ratio", "penalty", "beam", "seconds"]
    rows = []
    for result in results:
        setup, row = result.evaluation.setup, comparison.rows[result.label]
        place = f"{row.model}, {row.target_language}" if row.target_language else row.model
        seconds = f"{result.evaluation.seconds:.0f}" if setup else _NONE
        rows.append([result.label, place, *_asked(setup), seconds])
    return markdown(headings, rows, texts=5)


def bucket_table(
    bounds: Sequence[int], scores: Mapping[str, Sequence[tuple[int, Score | None]]]
) -> str:
    """Return BLEU by buckets of the references' characters.

    Args:
        bounds: Those of the buckets, ascending.
        scores: By label the lines and BLEU of every bucket.
    """
    lows = [0, *(bound + 1 for bound in bounds)]
    names = [f"{low}–{high}" for low, high in zip(lows, bounds, strict=False)]
    rows = [
        [label, *(_NONE if score is None else f"{score.value:.2f}" for _, score in buckets)]
        for label, buckets in scores.items()
    ]
    counts = [str(count) for count, _ in next(iter(scores.values()))]
    names = [*names, f"over {bounds[-1]}"]
    return markdown(["BLEU by reference characters", *names], [["lines", *counts], *rows])


def adequacy_table(scores: Mapping[str, Adequacy]) -> str:
    """Return REP and DROP of every row."""
    rows = [[label, f"{one.rep:.2f}", f"{one.drop:.2f}"] for label, one in scores.items()]
    return markdown(["adequacy", "REP", "DROP"], rows)


def length_table(variances: Mapping[str, Mapping[int, float]]) -> str:
    """Return VAR at fixed lengths.

    Args:
        variances: By label and length.
    """
    lengths = list(next(iter(variances.values()), {}))
    rows = [
        [label, *(f"{variance:.3f}" for variance in by.values())] for label, by in variances.items()
    ]
    return markdown(["VAR at a fixed length", *(str(length) for length in lengths)], rows)


def notes(comparison: Comparison, results: Sequence[RowResult]) -> list[str]:
    """Return what must be known to read the main table: definitions and signatures."""
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
            f"p, and {MARK} where it is below {LEVEL}: differences to {comparison.against!r} by"
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


def _figures(evaluation: Evaluation, p: Significance | None) -> list[str]:
    quality, compliance, over = evaluation.quality, evaluation.compliance, evaluation.overflow
    bleu, chrf, ratio = _values(p)
    return [
        f"{quality.bleu.value:.2f}{_mark(bleu)}",
        f"{quality.bleu_star.value:.2f}",
        f"{quality.chrf.value:.2f}{_mark(chrf)}",
        f"{_spread(evaluation.source_ratio)}{_mark(ratio)}",
        _spread(evaluation.reference_ratio),
        _NONE if _in_tokens(evaluation) else _optional(evaluation.variance, 2),
        f"{evaluation.reference_variance:.2f} ({_number(evaluation.reference_ratio.mean, 3)})",
        _percent(compliance.iwslt),
        _percent(compliance.strict),
        _NONE if over is None else _percent(over.share),
        *(_number(p_value, 4) for p_value in (bleu, chrf, ratio)),
    ]


def _values(p: Significance | None) -> tuple[float, float, float]:
    return (math.nan,) * 3 if p is None else (p.bleu, p.chrf, p.length_ratio)


def _asked(setup: Setup | None) -> list[str]:
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


def _optional(value: float | None, digits: int) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


def _in_tokens(evaluation: Evaluation) -> bool:
    return evaluation.setup is not None and evaluation.setup.unit == "tokens"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if math.isfinite(share) else _NONE


def _mark(p: float) -> str:
    return MARK if p < LEVEL else ""
