"""What became of a translated file, in words and figures that can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.cli.console import Messages
from subfit.cli.running import figures_of, guideline_of, remarks_of, show_report
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.reporting.report import Report, report_on
from subfit.subtitles.formats import parse_track
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK
from tests.scripted import ScriptedTranslator


@pytest.fixture(scope="module")
def report() -> Report:
    return report_on(OUTCOMES, TRACK, NETFLIX, {"model": "en-de"})


def test_figures_are_those_of_the_cues(report: Report) -> None:
    told = dict(figures_of(report.totals))
    assert told["cues"] == "5: 3 translated, 1 passed by rule, 1 untranslated"
    assert told["over budget"].startswith("1 cue by 6 characters")
    assert "without length control 2 by 9" in told["over budget"]
    assert told["LR"].startswith("1.34")


def test_markup_without_a_place_is_told() -> None:
    outcomes = (
        replace(OUTCOMES[0], unplaced=("<i>", "<b>")),
        *OUTCOMES[1:],
    )
    remarks = list(remarks_of(report_on(outcomes, TRACK, NETFLIX)))
    assert [one.partition(": ")[2] for one in remarks] == ["no place for <i> <b>"]


@pytest.mark.parametrize(
    ("guideline", "told"),
    [
        (NETFLIX, "netflix (CPS 17, CPL 42, lines 2)"),
        (Guideline.load("none", "de"), "none (no limits)"),
        (Guideline.load("netflix", "und"), "general values, as no language is named"),
        (Guideline.load("netflix", "sw"), "it has no values of its own for sw"),
    ],
)
def test_a_guideline_is_told_with_its_limits(guideline: Guideline, told: str) -> None:
    assert told in guideline_of(guideline)


FILE = b"1\n00:00:00,000 --> 00:00:01,000\nThe moon fell into the pond!\n"


class Cut(ScriptedTranslator):
    """Has no short translation but one without its end."""

    def _answers(self, request: Request) -> list[Hypothesis]:
        text = "Der Mond fiel in den Teich!" if request.asked == FREE else "Der Mond fiel!"
        return [Hypothesis(text, float(len(text)), -0.1, -0.1, closing=-7.0)]


def test_the_summary_counts_them_and_shows_them_first(capsys: pytest.CaptureFixture[str]) -> None:
    track = parse_track(FILE, name="scene.srt", format="srt")
    options = Options(strict_budget=True)
    done = localize(track, Cut({}), Guideline.load("netflix", "de"), options)
    show_report(Messages(data_on_stdout=False, quiet=False), "a.srt", "b.srt", done.report)
    out = capsys.readouterr().out
    assert "losing          1 shortened cue lost something by it" in out
    assert "All fit; most worth a look:" in out
    assert "Der Mond fiel!" in out.partition("most worth a look:")[2]
