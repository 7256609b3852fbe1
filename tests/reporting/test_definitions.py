"""What figures mean stands beside them."""

import json

from subfit.reporting.definitions import definitions
from subfit.reporting.report import Report


def test_json_is_json_with_settings_and_definitions(report: Report) -> None:
    document = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert document["settings"]["guideline"]["cps"] == 17
    assert document["settings"]["model"] == "en-de"
    assert document["definitions"] == definitions()
    assert document["repairs"] == [{"line": 7, "problem": "no index"}]
    assert document["cues"][3]["budget"] is None
    assert document["totals"]["overflow"]["before"]["characters"] == 9


def test_every_figure_of_the_totals_is_defined(report: Report) -> None:
    counts = {"cues", "translated", "passed", "untranslated"}
    totals = set(report.to_dict()["totals"]) - counts
    defined = {name.split(".")[0] for name in definitions()}
    assert totals <= defined
