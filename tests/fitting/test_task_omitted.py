"""What was left out of a sentence before it was translated is told of the cue where it stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from subfit import localization as module
from subfit.batch.items import Item, Result
from subfit.batch.outcome import totals_of_results
from subfit.cli.console import Messages
from subfit.cli.running import ManyFiles
from subfit.cli.summary import show_report
from subfit.fitting.state import Fitted
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.subtitles.formats import parse_track
from tests.scripted import ScriptedTranslator

FILE = """\
1
00:00:00,000 --> 00:00:03,000
Well, you know, I told him

2
00:00:03,100 --> 00:00:06,000
to wait outside, John.

3
00:00:07,000 --> 00:00:11,000
- Look, John, a boat!
- Oh, a white one.

4
00:00:12,000 --> 00:00:15,000
Nobody is there.
"""
SCRIPT = {
    "Well, you know, I told him to wait outside, John.": "Er soll draußen warten.",
    "Look, John, a boat!": "Ein Boot!",
    "Oh, a white one.": "Ein weißes.",
    "Nobody is there.": "Niemand da.",
}
OMITTED = {
    "Well, you know, I told him to wait outside, John.": (("Well,", "you know,"), ("John",)),
    "Look, John, a boat!": (("Look, John,",),),
    "Oh, a white one.": (("Oh,",),),
}


def _places(fitted: Fitted) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Where in each part of a sentence the words of `OMITTED` stand."""
    sentence = fitted.task.sentence
    return tuple(
        tuple((at, at + len(each)) for each in words if (at := part.text.index(each)) >= 0)
        for part, words in zip(sentence.parts, OMITTED.get(sentence.text, ()), strict=False)
    )


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Localization:
    """A track with sentences that were condensed as `OMITTED` says."""
    search = module.fit_all

    def condensing(*arguments: Any, **options: Any) -> list[Sequence[Fitted]]:
        return [
            [replace(one, candidate=replace(one.candidate, omitted=_places(one))) for one in found]
            for found in search(*arguments, **options)
        ]

    monkeypatch.setattr(module, "fit_all", condensing)
    track = parse_track(FILE.encode(), name="scene.srt", format="srt")
    guideline = Guideline.load("netflix", "de")
    return localize(track, ScriptedTranslator(SCRIPT), guideline, Options(strict_budget=True))


def test_every_cue_has_what_was_left_out_of_its_part_and_its_speakers(done: Localization) -> None:
    assert [each.joined for each in done.report.cues] == [(1, 2), (1, 2), (), ()]
    assert [each.omitted for each in done.outcomes] == [
        ("Well,", "you know,"),
        ("John",),
        ("Look, John,", "Oh,"),
        (),
    ]
    assert done.report.totals["condensed"] == 3 and done.report.clean


def test_the_summary_counts_condensed_cues_and_names_what_was_left_out(
    done: Localization, capsys: pytest.CaptureFixture[str]
) -> None:
    messages = Messages(data_on_stdout=False, quiet=False)
    show_report(messages, "scene.srt", "scene.de.srt", done.report)
    out = capsys.readouterr().out
    assert "condensed       3 cues with words of the source left out" in out
    assert ", line 2: left out: Well, | you know," in out
    assert ", line 10: left out: Look, John, | Oh," in out
    assert "All fit; most worth a look:" in out


def test_the_totals_of_many_files_add_them_up(
    done: Localization, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = done.report.to_dict()
    items = [Item(f"{name}.srt", f"{name}.de.srt", "de") for name in "ab"]
    results = [Result(each, "done", figures=figures) for each in items]
    assert totals_of_results(results)["condensed"] == 6
    view = ManyFiles(Messages(data_on_stdout=False, quiet=False))
    view.finished(results[0], 4)
    view.end(results)
    out = capsys.readouterr().out
    assert "a.srt -> a.de.srt: 4 cues, all fit, 3 condensed, LR" in out
    assert "condensed       6 cues with words of the source left out" in out
