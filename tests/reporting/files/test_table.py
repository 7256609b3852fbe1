"""Reports as CSV, as a script or spreadsheet would read it."""

import csv
import json
from dataclasses import replace

from subfit.reporting.files.table import table_of, to_csv
from subfit.reporting.report import Report
from tests.reporting.conftest import with_outcome


def test_csv_has_a_row_per_cue_behind_its_comments(report: Report) -> None:
    condensed = with_outcome(report.cues[1], omitted=("Well,", "you know,"))
    report = replace(report, cues=(report.cues[0], condensed, *report.cues[2:]))
    text = to_csv(table_of([("a.srt", report), ("b.srt", report)]))
    lines = text.splitlines(keepends=True)
    comments = [line for line in lines if line.startswith("# ")]
    rows = list(csv.DictReader(lines[len(comments) :]))
    assert [row["file"] for row in rows] == ["a.srt"] * 5 + ["b.srt"] * 5
    assert rows[1]["target"] == "a" * 30 + "\n" + "b" * 30
    assert json.loads(rows[0]["limits"]) == {"cps": 17, "cpl": 84}
    assert (rows[0]["characters"], rows[3]["budget"]) == ("10", "")
    assert json.loads(rows[1]["omitted"]) == ["Well,", "you know,"] and rows[0]["omitted"] == ""
    assert any('"name": "netflix"' in line for line in comments)
    assert any(line.startswith("# definition of budget: ") for line in comments)
