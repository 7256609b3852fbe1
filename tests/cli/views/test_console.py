"""What the terminal says of translations that may end too early."""

from __future__ import annotations

import pytest

from subfit.cli.views.console import Messages
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.subtitles.formats import parse_track
from tests.scripted import ScriptedTranslator

FILE = b"1\n00:00:00,000 --> 00:00:01,000\nThe moon fell into the pond!\n"


class Cut(ScriptedTranslator):
    """Has no short translation but one without its end."""

    def _answers(self, request: Request) -> list[Hypothesis]:
        text = "Der Mond fiel in den Teich!" if request.asked == FREE else "Der Mond fiel!"
        return [Hypothesis(text, float(len(text)), -0.1, -0.1, closing=-7.0)]


def test_the_summary_counts_them_and_shows_them_first(capsys: pytest.CaptureFixture[str]) -> None:
    track = parse_track(FILE, name="scene.srt", format="srt")
    strict = Options(strict_budget=True)
    done = localize(track, Cut({}), Guideline.load("netflix", "de"), strict)
    Messages(data_on_stdout=False, quiet=False).summary("scene.srt", "scene.de.srt", done.report)
    out = capsys.readouterr().out
    assert "in doubt        1 shortened cue may end too early" in out
    assert "losing          1 shortened cue lost something by it" in out
    assert "All fit; most worth a look:" in out
    assert "Der Mond fiel!" in out.partition("most worth a look:")[2]
