"""The tables of `benchmarks.decode`, in Markdown."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from benchmarks.contestants import CONTESTANTS
from benchmarks.measuring import Spread, markdown, ratios


def tables(document: dict[str, Any]) -> str:
    """Write results as Markdown.

    Args:
        document: What ``--json`` writes.
    """
    parts = [f"{document['machine']}.", _settings_line(document)]
    runs = document["runs"]
    for (threads, beams), group in groupby(runs, key=lambda run: (run["threads"], run["beams"])):
        parts.append(f"{threads} thread{'s' * (threads > 1)}, beam {beams}:")
        parts.append(_table(list(group), document["baseline"], document["clock"]))
    what = [f"- {name}: {CONTESTANTS[name].what}." for name in document["contestants"]]
    return "\n\n".join([*parts, "\n".join(what)]) + "\n"


def _settings_line(document: dict[str, Any]) -> str:
    some = " (a quarter of them in batches of one)" if document["runs"][0]["batch"] == 1 else ""
    second = {"wall": "a second", "cpu": "a second of CPU time"}[document["clock"]]
    return (
        f"{document['model']}, {document['sentences']} sentences{some},"
        f" {document['rounds']} rounds. Sentences {second}, the median; in brackets how many"
        f" times those of {document['baseline']}: median of the rounds, lowest to highest. On the"
        f" right, with the largest batch: characters {second}, milliseconds"
        " for one sentence alone, peak memory of the process, and the share of translations that"
        " are the baseline's."
    )


def _table(runs: list[dict[str, Any]], baseline: str, clock: str) -> str:
    titles = ["", *(f"batch {run['batch']}" for run in runs)]
    titles += ["characters", "one, ms", "peak, MiB", "same"]
    rows = []
    for name in runs[0]["results"]:
        cells = [name]
        for run in runs:
            found, compared = run["results"][name], run["results"][baseline]
            median = Spread.of(found[clock]).median
            times = ratios(compared[clock], found[clock])
            cells.append(f"{run['sentences'] / median:.1f} [{times}]")
        cells.append(f"{found['characters'] / median:.0f}")
        cells.append(f"{1000 * Spread.of(found[f'single_{clock}']).median:.0f}")
        cells.append("" if found["peak_mib"] is None else f"{found['peak_mib']:.0f}")
        cells.append(f"{found['same']:.0%}")
        rows.append(cells)
    return markdown(titles, rows)
