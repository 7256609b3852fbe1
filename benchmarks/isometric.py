"""Isometric translation by the field's own test set, beside the systems that were sent in.

    python -m benchmarks.isometric FOLDER --model en-multi -t de [--length-ratio isometric]

FOLDER is a clone of the public data of IWSLT 2022's isometric task (or a folder like it):
``isometric-mt-test.en-de.en`` and ``.de``, one line each, and outputs of systems beside them,
``SYSTEM_en-de_TRACK.de``. LC is the official rule: the share of lines whose characters, spaces not
counted, are within 10 % of the source's; sources of at most ten characters are free.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from subfit.evaluation.comparison import Bench, RowResult, measure_rows, read_translations
from subfit.evaluation.corpus import EvaluationSet, read_evaluation_set
from subfit.evaluation.metrics import metrics_of
from subfit.evaluation.outputs import Outputs
from subfit.evaluation.rows import Row
from subfit.evaluation.tables import Table
from subfit.model.config import EXACT

SHOWN = ("BLEU", "chrF", "LC IWSLT")
_TEST = "isometric-mt-test"


def test_set(folder: Path, language: str, limit: int | None = None) -> EvaluationSet:
    """Return the blind lines of a language, read from two parallel files."""
    source, target = (folder / f"{_TEST}.en-{language}.{side}" for side in ("en", language))
    return read_evaluation_set(Path(f"{source}:{target}"), limit)


def sent_in(folder: Path, test: EvaluationSet, language: str) -> dict[str, Outputs]:
    """Return what systems sent in for a language, by name and track."""
    files = sorted(folder.glob(f"*_en-{language}*.{language}"))
    return {
        " ".join(part for part in file.stem.split("_") if part != f"en-{language}"): (
            read_translations(str(file), test)
        )
        for file in files
    }


def measured(test: EvaluationSet, systems: dict[str, Outputs]) -> list[RowResult]:
    """Measure all systems, the first one the one that all are compared with."""
    metrics = [metric for metric in metrics_of() if metric.name in SHOWN]
    return measure_rows(systems, test, metrics, next(iter(systems)), trials=2_000)


def table(rows: Sequence[RowResult]) -> Table:
    """Return the figures with their 95 % intervals."""
    cells = []
    for row in rows:
        found = [row.evaluation.figures[name] for name in SHOWN]
        shown = [f"{one.value:.1f} [{one.low:.1f}, {one.high:.1f}]" for one in found]
        cells.append([row.label, *shown])
    return Table(["system", *SHOWN], cells)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of a language."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.isometric")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", help="the model; by default only what systems sent in")
    parser.add_argument("-t", "--target-language", default="de", choices=("de", "es", "fr", "it"))
    parser.add_argument(
        "--length-ratio", action="append", help="isometric, 0.9:1.1; repeatable; else natural"
    )
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    language = options.target_language
    test = test_set(options.folder, language, options.limit)
    systems: dict[str, Outputs] = {}
    if options.model:
        asked = {
            f"{options.model}, {ratio or 'natural'}": Row(
                options.model, source_language="en", target_language=language, length_ratio=ratio
            )
            for ratio in options.length_ratio or [None]
        }
        systems |= Bench(test, computing=EXACT).translate(asked)
    systems |= sent_in(options.folder, test, language)
    rows = measured(test, systems)
    print(table(rows).markdown(), end="")
    if options.json is not None:
        document: dict[str, Any] = {"lines": len(test.pairs), "sha256": test.checksum}
        document["rows"] = [row.to_dict() for row in rows]
        options.json.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
