"""Figures over many files."""

from __future__ import annotations

from types import SimpleNamespace

from subfit.batch.failures import failure_of
from subfit.batch.items import Item, Result
from subfit.batch.job import Job
from subfit.batch.setup import RunSetup
from subfit.batch.summary import summary_document, summary_table, totals_of_results
from subfit.errors import InputFileError
from subfit.reporting.report import report_on
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK

TOTALS = report_on(OUTCOMES, TRACK, NETFLIX).totals
BROKEN = failure_of(InputFileError("b.srt", "there is no cue in it", line=7))


def result(name: str, language: str, *, failed: bool = False) -> Result:
    item = Item(f"{name}.srt", f"out/{name}.{language}.srt", language)
    if failed:
        return Result(item, "failed", failure=BROKEN)
    shortcomings = {"model": "m", "cannot": ["poems"]}
    figures = {"totals": TOTALS, "repairs": [], "shortcomings": shortcomings}
    return Result(item, "done" if name == "a" else "earlier", figures)


RESULTS = [
    result("a", "de"),
    result("a", "fr"),
    result("b", "de", failed=True),
    result("b", "fr"),
]


def setup() -> RunSetup:
    job = Job(("s",), ("de", "fr"))
    guidelines = {(one, True): job.guideline_for(one) for one in job.languages}
    return RunSetup(job, {"de": ("m",), "fr": ("m",)}, guidelines)


def test_files_are_counted_by_what_became_of_them_and_cues_are_added_up() -> None:
    totals = totals_of_results(RESULTS)
    files = {key: count for key, count in totals["files"].items() if count}
    assert files == {"all": 4, "done": 2, "earlier": 1, "failed": 1}
    assert totals["cues"] == 3 * len(OUTCOMES)
    before, after = (totals["overflow"][when]["over"] for when in ("before", "after"))
    assert (before, after) == (6, 3)


def test_each_language_has_its_own_totals_and_what_its_model_cannot_do() -> None:
    document = summary_document(RESULTS, setup())
    german, french = document["languages"]["de"], document["languages"]["fr"]
    assert (german["files"]["failed"], french["files"]["failed"]) == (1, 0)
    assert (german["cues"], french["cues"]) == (len(OUTCOMES), 2 * len(OUTCOMES))
    assert document["settings"]["de"]["model_cannot"] == ["poems"]
    assert not any("shortcomings" in file for file in document["files"])
    assert document["files"][2]["error"]["line"] == 7


def test_the_table_has_a_row_for_every_file_also_for_those_that_failed() -> None:
    table = summary_table(RESULTS, setup())
    rows = [SimpleNamespace(**row) for row in table.rows]
    assert [(row.input, row.language, row.state) for row in rows] == [
        ("a.srt", "de", "done"),
        ("a.srt", "fr", "done"),
        ("b.srt", "de", "failed"),
        ("b.srt", "fr", "earlier"),
    ]
    assert [row.cues for row in rows] == [5, 5, None, 5]
    assert rows[2].error == "b.srt:7: there is no cue in it" and rows[0].error is None
    assert set(table.rows[0]) == set(table.columns)
