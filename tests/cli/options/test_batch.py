"""Options of commands that write many files with reports."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from subfit.cli.options.batch import (
    cue_report_format_option,
    cue_reports_option,
    fail_fast_option,
    sort_option,
)
from subfit.cli.options.shared import all_of
from tests.cli.options.parsing import parsed

OPTIONS = all_of(fail_fast_option, cue_reports_option, cue_report_format_option, sort_option)


def test_by_default_cues_stand_as_in_the_file_and_nothing_stops_a_run() -> None:
    assert parsed(OPTIONS) == {
        "fail_fast": False, "cue_reports": None, "cue_report_format": None, "sort": "cue"
    }  # fmt: skip


def test_reports_go_to_a_folder_in_any_of_the_forms_that_reports_have() -> None:
    for form in ("html", "xlsx", "csv", "json"):
        given = parsed(OPTIONS, "--cue-reports", "cues", "--cue-report-format", form)
        assert (given["cue_reports"], given["cue_report_format"]) == (Path("cues"), form)
    for wrong in (("--cue-report-format", "pdf"), ("--sort", "length")):
        with pytest.raises(click.UsageError):
            parsed(OPTIONS, *wrong)
