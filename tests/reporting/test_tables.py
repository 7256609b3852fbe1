"""Reports as CSV, JSON and Excel workbooks, read back as a spreadsheet program does."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from subfit.reporting.figures import definitions
from subfit.reporting.page import files_page
from subfit.reporting.report import Report
from subfit.reporting.tables import Forms, Table, render_report, table_of, to_csv, to_xlsx
from tests.reporting.conftest import with_outcome


def opened(table: Table) -> Workbook:
    return load_workbook(io.BytesIO(to_xlsx(table)))


def rows_of(book: Workbook, sheet: str) -> list[dict[str, Any]]:
    names, *rows = book[sheet].iter_rows(values_only=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.fixture(scope="module")
def book(report: Report) -> Workbook:
    return opened(table_of([("a.srt", report)]))


def test_a_row_per_cue_with_lists_as_people_read_them(book: Workbook) -> None:
    rows = rows_of(book, "Cues")
    assert [row["number"] for row in rows] == [1, 2, 3, 4, 5]
    assert (rows[2]["characters"], rows[2]["budget"], rows[2]["excess"]) == (40, 34, 6)
    assert rows[1]["target"] == "a" * 30 + "\n" + "b" * 30
    assert (rows[0]["limits.cps"], rows[0]["limits.cpl"], rows[1]["cpl"]) == (17, 84, "30, 30")
    assert rows[3]["budget"] is None and rows[0]["alternatives"] is None


def test_times_are_times(book: Workbook) -> None:
    sheet = book["Cues"]
    column = [cell.value for cell in sheet[1]].index("end") + 1
    assert sheet.cell(4, column).number_format == "[hh]:mm:ss.000"
    assert sheet.cell(4, column).value.total_seconds() == 32


def test_totals_and_definitions_have_sheets_of_their_own(book: Workbook) -> None:
    totals = {row["figure"]: row["value"] for row in rows_of(book, "Summary")}
    assert totals["totals of a.srt.overflow.after.over"] == 1
    assert totals["settings of a.srt.model"] == "en-de"
    names = [row["name"] for row in rows_of(book, "Definitions")]
    assert names == list(definitions())


def test_rules_colour_what_is_over_and_what_is_near(book: Workbook) -> None:
    (found,) = book["Cues"].conditional_formatting
    assert [rule.formula[0].split('="')[-1] for rule in found.rules[:2]] == [
        'overflow"',
        'untranslated"',
    ]
    assert len(found.rules) == 3


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "- Hi.", "@SUM(A1)", "=1\n=2"])
def test_no_text_is_a_formula(text: str, report: Report) -> None:
    cue = with_outcome(report.cues[0], source=text, target=text)
    sheet = opened(table_of([("=a.srt", replace(report, cues=(cue,)))]))["Cues"]
    cells = [cell for cell in sheet[2] if isinstance(cell.value, str)]
    assert [cell.value for cell in cells].count(text) == 2
    assert all(cell.data_type == "s" for cell in cells)
    assert all(cell.quotePrefix for cell in cells if cell.value in (text, "=a.srt"))


def test_what_a_workbook_cannot_hold_is_marked() -> None:
    table = Table("Cues", ("target",), [{"target": "a\x00b\ud800"}, {"target": "x" * 40_000}], {})
    first, second = rows_of(opened(table), "Cues")
    assert first["target"] == "a\ufffdb\ufffd"
    assert len(second["target"]) == 32_767 and second["target"].endswith("…")


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


def test_half_a_character_does_not_break_the_file() -> None:
    forms = Forms({"text": "\ud83d"}, lambda: Table((), ()))
    assert b"?" in render_report(Path("r.json"), forms)


TOTALS = {
    "files": {"all": 2, "done": 1, "failed": 1},
    **{"cues": 10, "translated": 8, "untranslated": 0, "lines_overflow": 1},
    **{"risky": 7, "losing": 8, "withheld": 5, "condensed": 4, "lost": 2},
    "overflow": {"after": {"over": 1, "characters": 3}},
    "length_ratio": {"mean": 1.0449},
    "compliance": {"strict": 0.5},
    "cps": {"mean": None, "worst": None},
}
NAMES = (  # noqa: SIM905
    "output language state cues over lines_overflow untranslated risky losing withheld condensed "
    "lost length_ratio compliance cps cps_worst error"
).split()


def row(*values: Any) -> dict[str, Any]:
    return dict(zip(NAMES, values, strict=True))


ROWS = (
    row("a.srt", "de", "done", 10, 1, 1, 0, 7, 8, 5, 4, 2, 1.0449, 0.5, None, None, None),
    row("<img src=x>.srt", "de", "failed", *[None] * 14),
)
ROWS[1]["error"] = "</td><script>x</script>"
TABLE = Table("Files", tuple(NAMES), ROWS, {"subfit": "0", "totals": TOTALS}, {"over": 'said "so"'})


def test_every_file_has_a_row_and_what_is_bad_is_marked() -> None:
    page = files_page(TABLE, {"a.srt": "pages/a%20b.html"})
    rows = re.findall(r"<tr.*?</tr>", page)
    assert len(rows) == 3
    assert '<a href="pages/a%20b.html">a.srt</a>' in rows[1]
    assert '<td class="number bad">1</td>' in rows[1] and "1.04" in rows[1] and "50 %" in rows[1]
    assert 'title="said &quot;so&quot;"' in rows[0]
    assert "<th" in rows[0] and "CPS" not in rows[0]  # nobody has any
    assert '<td class="number">7</td>' in rows[1] and ">At risk<" in rows[0]
    assert ">2: 1 done, 1 failed<" in page
    assert '<td class="number">5</td>' in rows[1] and ">Kept whole<" in rows[0]
    assert '<td class="number">4</td>' in rows[1] and ">Condensed<" in rows[0]
    assert '<td class="number">2</td>' in rows[1] and ">Lost<" in rows[0]


def test_names_and_errors_are_text_and_nothing_may_run() -> None:
    page = files_page(TABLE, {})
    assert "<img" not in page and "<script" not in page
    assert "&lt;img src=x&gt;.srt" in page
    assert "script-src &#x27;none&#x27;" in page
