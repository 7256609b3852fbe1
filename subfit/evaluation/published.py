"""Tables that can be made again: what ``subfit compare --json`` wrote, read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from subfit.errors import InputFileError, reason_of
from subfit.evaluation.comparison import RowResult
from subfit.evaluation.evaluation import Evaluation, EvaluationSetup, TokenLengths
from subfit.evaluation.metrics import Quality, Score
from subfit.evaluation.significance import Significance
from subfit.limits.budget import LengthRatio
from subfit.reporting.lengths import Compliance, Overflow, Spread

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Published:
    """A comparison as it stands in a JSON file."""

    document: dict[str, Any]
    """All of it."""
    results: tuple[RowResult, ...]
    """Its rows, without their translations."""

    @property
    def places(self) -> dict[str, str]:
        """By label the model of each row as it was named."""
        return {row["label"]: str(row.get("place", "")) for row in self.document["rows"]}


def read_published(path: Path) -> Published:
    """Read what ``subfit compare --json`` wrote.

    Raises:
        InputFileError: It cannot be read, or is something else.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        results = tuple(_result(row) for row in document["rows"])
        _ = document["lines"], document["file"], document["command"]
    except OSError as error:
        raise InputFileError(path, f"cannot be read ({reason_of(error)})") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        remedy = "give what 'subfit compare --json' wrote"
        raise InputFileError(path, "is no comparison", remedy=remedy) from error
    if not results:
        raise InputFileError(path, "has no rows")
    return Published(document, results)


def _result(row: Mapping[str, Any]) -> RowResult:
    tested = row["significance"]
    significance = None if tested is None else Significance(**tested)
    return RowResult(row["label"], _evaluation(row), significance)


def _evaluation(row: Mapping[str, Any]) -> Evaluation:
    quality, compliance = row["quality"], row["compliance"]
    over, tokens = row["overflow"], row.get("tokens")
    return Evaluation(
        setup=_setup(row) if "model" in row else None,
        lines=row["lines"],
        quality=Quality(*(Score(**quality[name]) for name in ("bleu", "bleu_star", "chrf"))),
        source_ratio=_spread(row["source_ratio"]),
        reference_ratio=_spread(row["reference_ratio"]),
        compliance=Compliance(_number(compliance["iwslt"]), _number(compliance["strict"])),
        asked_lines=row["asked_lines"],
        variance=row["variance"],
        reference_variance=_number(row["reference_variance"]),
        overflow=over and Overflow(over["texts"], over["over"], over["characters"]),
        untranslated=row["untranslated"],
        seconds=row["seconds"],
        hypotheses=(),
        doubtful=row.get("doubtful", 0),
        condensed=row.get("condensed", 0),
        tokens=tokens
        and TokenLengths(_spread(tokens["reference_ratio"]), _number(tokens["reference_variance"])),
        checksum=row.get("checksum", ""),
    )


def _setup(row: Mapping[str, Any]) -> EvaluationSetup:
    values = {field.name: row[field.name] for field in fields(EvaluationSetup) if field.name in row}
    budget = values.get("budget")
    if budget is not None:
        most = budget["maximum"]
        values["budget"] = LengthRatio(budget["minimum"], float("inf") if most is None else most)
    return EvaluationSetup(**values)


def _spread(values: Mapping[str, Any]) -> Spread:
    return Spread(_number(values["mean"]), _number(values["sd"]), values["count"])


def _number(value: float | None) -> float:
    return NAN if value is None else value
