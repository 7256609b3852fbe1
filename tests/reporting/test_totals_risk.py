"""The risk of every cue in every report, and reports in its order."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from openpyxl import load_workbook

from subfit.batch.items import Item, Result
from subfit.batch.outcome import cue_document, cue_forms, cue_page
from subfit.cli.console import WORST, Messages
from subfit.cli.running import short_figures
from subfit.cli.summary import _CELLS, _cells_of, figures_of, show_report
from subfit.fitting.outcomes import CueOutcome
from subfit.fitting.risk import RISKY, WEIGHTS, RiskFeatures, risk_of
from subfit.reporting.files.page_data import page_data
from subfit.reporting.files.spreadsheet import to_xlsx
from subfit.reporting.files.table import table_of, to_csv
from subfit.reporting.files.written import written_file
from subfit.reporting.report import CueOrder, Report, report_on
from subfit.reporting.totals import add_totals
from subfit.subtitles.formats import parse_track
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK

SOUND = RiskFeatures(**dict.fromkeys(WEIGHTS, 0.0))
BAD = RiskFeatures(**dict.fromkeys(WEIGHTS, 9.0))
ITEM = Item("a.en.srt", "a.de.srt", "de")


def with_features(outcome: CueOutcome, *features: RiskFeatures) -> CueOutcome:
    return replace(outcome, risk_features=features)


@pytest.fixture
def report() -> Report:
    """Cues 1 to 5: sound, bad, over its budget and sound, a song, untranslated."""
    first, second, third, *others = OUTCOMES
    outcomes = [
        with_features(first, SOUND),
        with_features(second, BAD),
        with_features(third, SOUND),
        *others,
    ]
    return report_on(outcomes, TRACK, NETFLIX, {"source_language": "en", "target_language": "de"})


def test_json_has_it_of_translated_cues_only_and_says_what_it_is(report: Report) -> None:
    document = json.loads(json.dumps(report.to_dict()))
    risks = [cue["risk"] for cue in document["cues"]]
    assert risks[:3] == pytest.approx([risk_of(SOUND), risk_of(BAD), risk_of(SOUND)])
    assert risks[3:] == [None, None]
    assert [cue["risky"] for cue in document["cues"]] == [False, True, False, False, False]
    assert risks[0] < RISKY < risks[1]
    assert document["totals"]["risky"] == 1
    assert {"risk", "risky"} <= document["definitions"].keys()


@pytest.mark.parametrize(("order", "numbers"), [("cue", "12345"), ("risk", "21345")])
def test_json_csv_and_workbooks_list_the_riskiest_first_if_asked(
    report: Report, order: CueOrder, numbers: str
) -> None:
    document = cue_document(ITEM, report, order)
    assert [str(cue["number"]) for cue in document["cues"]] == list(numbers)
    table = table_of([("a.srt", report), ("b.srt", report)], order)
    lines = [line for line in to_csv(table).splitlines() if not line.startswith("# ")]
    rows = list(csv.DictReader(lines))
    assert [row["number"] for row in rows if row["file"] == "b.srt"] == list(numbers)
    sheet = load_workbook(io.BytesIO(to_xlsx(table)))["Cues"]
    titles, *cells = sheet.iter_rows(values_only=True)
    at = titles.index("risk")
    assert [row[at] for row in cells[:5]] == pytest.approx(
        [document["cues"][number]["risk"] for number in range(5)]
    )
    assert sheet.auto_filter.ref is not None  # whoever opens it sorts by any column


def test_the_terminal_lists_what_is_over_then_untranslated_then_the_riskiest(
    report: Report,
) -> None:
    assert [cue.number for cue in report.worst(5)] == [3, 5, 2, 1]
    assert ("at risk", f"1 cue with a risk of {RISKY} or more") in list(figures_of(report))
    risks = [dict(zip(_CELLS, _cells_of(cue), strict=True))["risk"] for cue in report.cues]
    assert risks[1:] == [f"{100 * risk_of(BAD):.0f} %", f"{100 * risk_of(SOUND):.0f} %", "–", "–"]
    assert "1 at risk" in short_figures(Result(ITEM, "done", {"totals": report.totals}))


def test_the_page_gets_it_with_a_filter_and_the_order_it_opens_in(report: Report) -> None:
    cues = "\n\n".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\nHi" for n in range(1, 6))
    written = written_file(parse_track(cues.encode(), format="srt"), "srt")
    data = page_data(cue_document(ITEM, report), written, NETFLIX)
    assert [cue["number"] for cue in data["cues"]] == [1, 2, 3, 4, 5]
    assert {flag["name"]: flag["figure"] for flag in data["flags"]}["risky"] == "risky"
    for order in ("cue", "risk"):
        forms = cue_forms(ITEM, report, written, order)
        assert forms.page is not None and forms.page() == cue_page(ITEM, report, written, order)
        assert f'"order":"{order}"' in forms.page()


def test_cues_at_risk_add_up_over_files_also_with_totals_that_have_none(report: Report) -> None:
    earlier = {name: value for name, value in report.totals.items() if name != "risky"}
    assert add_totals([report.totals, earlier, report.totals])["risky"] == 2


def test_the_terminal_lists_the_riskiest_below_many_that_are_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    risky, over = with_features(OUTCOMES[1], BAD), with_features(OUTCOMES[2], SOUND)
    outcomes = [OUTCOMES[0], risky, *[over] * WORST]
    track = replace(TRACK, cues=tuple(one.cue for one in outcomes), repairs=())
    shown = Messages(data_on_stdout=False, quiet=False)
    show_report(shown, "a.srt", "b.srt", report_on(outcomes, track, NETFLIX))
    _, worst, others = capsys.readouterr().out.partition("Worst cues:")
    worst, _, others = others.partition("Riskiest of the others:")
    assert "aaaa" not in worst and "aaaa" in others and "abcdefghij" not in others
