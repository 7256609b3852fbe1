"""The end of a run: its model is measured and described, in ``metrics.json`` and ``README.md``."""

from __future__ import annotations

from pathlib import Path

from subfit.files import write_bytes
from subfit.model.checkpoint import METRICS_FILE
from subfit.training.release.results import Results, ShowProgress, measure_run, no_progress
from subfit.training.release.run_card import model_card
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
    card = model_card(results, folder)
    write_bytes(folder / CARD_FILE, card.encode("utf-8"), overwrite=True)
    write_json(folder / METRICS_FILE, results.to_dict())  # last: it marks the run as finished
    return results
