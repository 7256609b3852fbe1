"""A figure that is declared once is in every report: JSON, CSV, workbook, page and terminal."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from openpyxl import load_workbook

from subfit.batch.items import Item, Result
from subfit.batch.outcome import cue_document
from subfit.cli.running import short_figures
from subfit.cli.summary import figures_of
from subfit.reporting import figures, totals
from subfit.reporting.definitions import definitions
from subfit.reporting.figures import CUE_FIGURES, CueFigure, cue_values
from subfit.reporting.files.files_page import files_page
from subfit.reporting.files.page_data import page_data
from subfit.reporting.files.spreadsheet import to_xlsx
from subfit.reporting.files.table import Table, table_of, to_csv
from subfit.reporting.files.written import written_file
from subfit.reporting.report import Report, report_on
from subfit.reporting.total import Flag, Total
from subfit.reporting.totals import TOTALS, add_totals, file_columns, file_values
from subfit.subtitles.formats import parse_track
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK

PACE = CueFigure("pace", lambda cue: cue.characters / 100, "how fast a translation must be said")
HASTY = Total(
    "hasty",
    lambda judged: judged.count(lambda cue: cue.characters > 30),
    "cues that must be said fast",
    heading="Hasty",
    label="in haste",
    told=lambda many: f"{many} cues are too fast",
    in_short=True,
    flag=Flag("pace", note="too fast ({})", tile="too fast to say", is_bad=True),
)


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> Iterator[Report]:
    """A report that has a figure of cues and one of files more; the cues have 10 to 61."""
    monkeypatch.setattr(figures, "CUE_FIGURES", (*CUE_FIGURES, PACE))
    monkeypatch.setattr(totals, "TOTALS", (*TOTALS, HASTY))
    yield report_on(OUTCOMES, TRACK, NETFLIX, {"source_language": "en", "target_language": "de"})


def test_it_is_in_json_with_its_definition(report: Report) -> None:
    document = json.loads(json.dumps(report.to_dict()))
    assert [cue["pace"] for cue in document["cues"]] == [0.1, 0.6, 0.4, 0.01, 0.03]
    assert document["totals"]["hasty"] == 2
    assert {"pace", "hasty"} <= document["definitions"].keys()


def test_it_is_a_column_of_csv_and_workbooks(report: Report) -> None:
    table = table_of([("a.srt", report)])
    assert table.columns[-1] == "pace"
    text = to_csv(table)
    assert "# definition of pace: how fast" in text and ",0.6\n" in text
    book = load_workbook(io.BytesIO(to_xlsx(table)))
    assert [cell.value for cell in book["Cues"][3]][-1] == 0.6
    assert "hasty" in [row[0].value for row in book["Definitions"]]


def test_the_terminal_tells_it(report: Report) -> None:
    assert ("in haste", "2 cues are too fast") in list(figures_of(report))
    item = Item("a.en.srt", "a.de.srt", "de")
    assert "2 in haste" in short_figures(Result(item, "done", {"totals": report.totals}))


def test_the_page_has_a_filter_a_tile_and_a_note_for_it(report: Report) -> None:
    item = Item("a.en.srt", "a.de.srt", "de")
    cues = "\n\n".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\nHi" for n in range(1, 6))
    written = written_file(parse_track(cues.encode(), format="srt"), "srt")
    data = page_data(cue_document(item, report), written, NETFLIX)
    assert data["flags"][-1] == {
        "name": "hasty",
        "heading": "Hasty",
        "figure": "pace",
        "note": "too fast ({})",
        "tile": "too fast to say",
        "is_bad": True,
    }
    assert data["cues"][1]["pace"] == 0.6


def test_many_files_have_it_in_table_and_page(report: Report) -> None:
    added = add_totals([report.totals, report.totals])
    assert added["hasty"] == 4
    names = ("output", "language", "state", *(column.name for column in file_columns()), "error")
    assert names[-2] == "hasty"
    row = {**dict.fromkeys(names, ""), **file_values(report.totals), "error": None}
    facts = {"subfit": "0", "totals": {"files": {"all": 1}, **added}}
    page = files_page(Table("Files", names, [row], facts, definitions()), {})
    assert ">Hasty</th>" in page and "must be said fast" in page


def test_every_figure_of_the_tables_has_a_name_of_its_own_and_most_a_definition() -> None:
    for table in (CUE_FIGURES, TOTALS):
        names = [figure.name for figure in table]
        assert len(names) == len(set(names))
    plain = {"number", "line", "start", "source_end", "source", "target", "lines", "note"}
    plain |= {"natural_characters", "natural_excess"}
    assert {figure.name for figure in CUE_FIGURES if not figure.definition} == plain


def test_figures_are_json_values() -> None:
    verdict = report_on(OUTCOMES, TRACK, NETFLIX).cues[0]
    assert json.loads(json.dumps(cue_values(verdict))) == cue_values(verdict)
    moved = replace(verdict, outcome=replace(verdict.outcome, end=1500))
    assert (moved.moved, cue_values(moved)["end"], cue_values(moved)["source_end"]) == (
        500,
        1500,
        1000,
    )
