"""Options of commands that write many files with reports."""

from __future__ import annotations

from typing import get_args

import click

from subfit.cli.options.types import FILE
from subfit.reporting.files.rendering import REPORT_SUFFIXES
from subfit.reporting.report import CueOrder

fail_fast_option = click.option(
    "--fail-fast", is_flag=True, help="Stop at the first file that fails."
)
cue_reports_option = click.option(
    "--cue-reports",
    type=FILE,
    metavar="FOLDER",
    help="Of several files in one folder: write a report on every cue of each.",
)
cue_report_format_option = click.option(
    "--cue-report-format",
    type=click.Choice([suffix[1:] for suffix in REPORT_SUFFIXES]),
    help="What --cue-reports writes.  [default: json]",
)
sort_option = click.option(
    "--sort",
    type=click.Choice(get_args(CueOrder)),
    default="cue",
    help="How reports and --json list cues: as the file has them, or the riskiest first.",
)
