"""Totals of files; a figure that is declared once is in every report."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from openpyxl import load_workbook

from subfit.batch.items import Item, Result
from subfit.batch.outcome import cue_document
from subfit.cli.running import figures_of, short_figures
from subfit.reporting import figures
from subfit.reporting.figures import (
    CUE_FIGURES,
    TOTALS,
    Column,
    CueFigure,
    Flag,
    Judged,
    Total,
    add_totals,
    definitions,
    file_columns,
    file_values,
    totals_of,
)
from subfit.reporting.page import files_page, page_data, written_file
from subfit.reporting.report import Report, report_on
from subfit.reporting.tables import Table, table_of, to_csv, to_xlsx
from subfit.subtitles.formats import parse_track
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK, with_outcome

CUES = list(report_on(OUTCOMES, TRACK, NETFLIX).cues)
CUES[0] = with_outcome(CUES[0], losses=("end",), end=1_200)
CUES[1] = with_outcome(CUES[1], omitted=("Well,",))

PACE = CueFigure("pace", lambda cue: cue.characters / 100)
HASTY = Total(
    "hasty",
    lambda judged: sum(cue.characters > 30 for cue in judged.cues),
    columns=(Column("hasty", "Hasty"),),
    label="in haste",
    line=lambda many: f"{many} cues are too fast",
    flag=Flag("pace", note="too fast ({})", tile="too fast to say", is_bad=True),
)
ITEM = Item("a.en.srt", "a.de.srt", "de")


def flat(values: Any, above: str = "") -> dict[str, Any]:
    if not isinstance(values, dict):
        return {above: values}
    return {
        key: item for name in values for key, item in flat(values[name], f"{above}.{name}").items()
    }


@pytest.mark.parametrize("at", range(len(CUES) + 1))
def test_the_sum_of_parts_is_the_whole(at: int) -> None:
    parts = [totals_of(Judged(CUES[:at], NETFLIX, 2)), totals_of(Judged(CUES[at:], NETFLIX, 1))]
    added, whole = flat(add_totals(parts)), flat(totals_of(Judged(CUES, NETFLIX, 3)))
    assert set(added) == set(whole)
    for name, value in whole.items():
        assert added[name] == (value if value is None else pytest.approx(value)), name


def test_totals_that_an_earlier_version_kept_lack_what_is_new() -> None:
    whole = totals_of(Judged(CUES, NETFLIX))
    old = {k: v for k, v in whole.items() if k not in ("lost", "timing", "terms", "risky")}
    assert add_totals([old])["lost"] == 0 and add_totals([old])["timing"]["moved"] == 0
    assert add_totals([old, whole])["timing"] == whole["timing"]
    assert "moved" not in file_values(old)


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> Iterator[Report]:
    """A report that has a figure of cues and one of files more; the cues have 10 to 61."""
    monkeypatch.setattr(figures, "CUE_FIGURES", (*CUE_FIGURES, PACE))
    monkeypatch.setattr(figures, "TOTALS", (*TOTALS, HASTY))
    yield report_on(OUTCOMES, TRACK, NETFLIX, {"source_language": "en", "target_language": "de"})


def test_a_figure_is_in_json_csv_and_workbooks_beside_what_they_mean(report: Report) -> None:
    document = json.loads(json.dumps(report.to_dict()))
    assert [cue["pace"] for cue in document["cues"]] == [0.1, 0.6, 0.4, 0.01, 0.03]
    assert document["totals"]["hasty"] == 2
    table = table_of([("a.srt", report)])
    assert table.columns[-1] == "pace"
    text = to_csv(table)
    assert "# definition of cpl: characters of each line" in text and ",0.6\n" in text
    book = load_workbook(io.BytesIO(to_xlsx(table)))
    assert [cell.value for cell in book["Cues"][3]][-1] == 0.6
    assert "withheld" in [row[0].value for row in book["Definitions"]]


def test_the_terminal_tells_it(report: Report) -> None:
    assert ("in haste", "2 cues are too fast") in list(figures_of(report.totals))
    assert "2 in haste" in short_figures(Result(ITEM, "done", {"totals": report.totals}))


def test_the_page_has_a_filter_a_tile_and_a_note_for_it(report: Report) -> None:
    cues = "\n\n".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\nHi" for n in range(1, 6))
    written = written_file(parse_track(cues.encode(), format="srt"), "srt")
    data = page_data(cue_document(ITEM, report), written, NETFLIX)
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
    assert ">Hasty</th>" in page


def test_every_figure_has_a_name_of_its_own_and_most_a_definition() -> None:
    for table in (CUE_FIGURES, TOTALS):
        names = [figure.name for figure in table]
        assert len(names) == len(set(names))
    plain = {"number", "line", "start", "source_end", "source", "target", "note"}
    plain |= {"cues", "translated", "untranslated"}
    assert {figure.name for figure in (*CUE_FIGURES, *TOTALS)} - plain == definitions().keys()
