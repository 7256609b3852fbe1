"""The end of a run: its model is measured and described, in ``metrics.json`` and ``README.md``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from subfit.evaluation.weaknesses import (
    MeasuredLine,
    by_source_length,
    least_like_references,
    worst_lengths,
)
from subfit.files import write_bytes
from subfit.model.checkpoint import METRICS_FILE
from subfit.reporting.lengths import plain_data
from subfit.reporting.wording import spread_of
from subfit.training.release.card import DescribedModel, model_card
from subfit.training.release.card_text import table
from subfit.training.release.facts import ENERGY, read_training
from subfit.training.release.measurements import (
    MeasuredRow,
    ShowProgress,
    Slot,
    full_key,
    no_progress,
)
from subfit.training.release.results import Results, measure_run
from subfit.training.release.test_sets import REFERENCE, figures_of
from subfit.training.run.environment import write_json
from subfit.training.run.folder import CARD_FILE
from subfit.training.run.trainer import Announce


def finish_run(
    folder: Path, *, announce: Announce = lambda _: None, show: ShowProgress = no_progress
) -> Results:
    """Measure the model of a finished run, and write figures and card into its folder.

    Args:
        folder: The run folder.
        announce: Called with a line of text on what is measured.
        show: Shows the progress of each pass over the dev set.

    Raises:
        ModelError: There is no run, or nothing is saved in it.
        InputFileError: The dev set cannot be read.
        OutputFileError: The folder cannot be written to.
    """
    results = measure_run(folder, announce, show)
    write_bytes(folder / CARD_FILE, run_card(results, folder).encode("utf-8"), overwrite=True)
    write_json(folder / METRICS_FILE, results.to_dict())  # last: it marks the run as finished
    return results


def run_card(results: Results, folder: Path) -> str:
    """Return the card of a run's model, in Markdown."""
    recipe = results.recipe
    model = DescribedModel(
        recipe.name, results.config, results.parameters, recipe, _weaknesses(results)
    )
    facts = {"training": read_training(folder), "energy": ENERGY, "losses": results.losses}
    return model_card(model, list(_rows(results)), facts)


def _rows(results: Results) -> Iterable[MeasuredRow]:
    files = ", ".join(name for _, name in results.recipe.data.dev_files)
    for evaluation in results.evaluations.values():
        control = REFERENCE if evaluation is results.asked else "natural"
        figures = figures_of(evaluation, results.pairs)
        yield MeasuredRow(
            Slot("dev", "", "dev", control),
            full_key({}),
            results.command(evaluation),
            {**figures, "file": files, "file_lines": evaluation.lines},
        )


def _weaknesses(results: Results) -> str:
    """Say where the dev set shows the model to be weak."""
    pairs, natural = results.pairs, results.natural
    buckets = by_source_length(pairs, natural.hypotheses)
    worst = min(buckets, key=lambda bucket: bucket.chrf)
    rows = [
        (
            bucket.label,
            str(bucket.lines),
            f"{bucket.chrf:.1f}",
            spread_of(plain_data(bucket.reference_ratio), 2),
        )
        for bucket in buckets
    ]
    bad_lengths = worst_lengths(pairs, (results.asked or natural).hypotheses)
    asked = "although that was asked for" if results.asked else "which was not asked for"
    parts = (
        f"On the dev set, by length of the source; worst at {worst.label} characters:",
        table(("source characters", "lines", "chrF", "LR reference"), rows),
        "The translations least like their references:",
        _lines("chrF of the line", least_like_references(pairs, natural.hypotheses)),
        f"The translations furthest from the length of their references, {asked}:",
        _lines("LR reference", bad_lengths),
        f"{natural.untranslated} of {natural.lines} lines were left untranslated. Bias and"
        " offensive output were not measured.",
    )
    return "\n\n".join(parts)


def _lines(figure: str, lines: Iterable[MeasuredLine]) -> str:
    rows = ((line.source, line.reference, line.output, f"{line.value:.2f}") for line in lines)
    return table(("source", "reference", "output", figure), rows)
