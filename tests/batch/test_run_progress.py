"""How far a run is: a bar on a terminal, elsewhere a line at times."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from subfit.cli.views import batch as catalogue_view
from subfit.cli.views import console
from subfit.cli.views.console import LiveBar

from .conftest import Translate


@pytest.mark.parametrize("quiet", [(), ("-q",)])
def test_without_a_terminal_no_progress_is_shown(
    quiet: tuple[str, ...], translate: Translate, season: Path
) -> None:
    outcome = translate("season", "-o", "out", *quiet)
    assert outcome.err == ""
    told = "season/1.srt -> out/1.de.srt: 3 cues, all fit, LR"
    assert outcome.out == "" if quiet else told in outcome.out


def test_on_a_terminal_a_bar_shows_files_and_no_cues_that_are_only_guessed(
    translate: Translate, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    class Bar(LiveBar):
        def update(self, done: int, figures: str) -> None:
            shown.append(figures)
            columns = [column.render(self._bar.tasks[0]) for column in self._bar.columns[1:2]]
            shown.extend(map(str, columns))

    monkeypatch.setattr(catalogue_view, "LiveBar", Bar)
    translate("season", "-o", "out")
    assert re.fullmatch(r"3/3 files  \S+ left", shown[-2])
    assert shown[-1].endswith("%")


@pytest.mark.parametrize("place", ["season", "season/1.srt"])
def test_without_a_terminal_long_runs_tell_their_progress_in_lines(
    place: str, translate: Translate, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "INTERVAL", 0.0)
    outcome = translate(place, "-o", "out" if place == "season" else "out.srt")
    lines = outcome.err.splitlines()
    assert lines and all(re.match(r"subfit: (season/1\.srt: )?[\d.]+ %", line) for line in lines)
    assert translate(place, "-o", "again/" if place == "season" else "b.srt", "-q").err == ""


def test_lines_of_progress_keep_their_distance(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 29.0, 31.0, 31.0, 60.0, 61.5, 61.5])
    monkeypatch.setattr(console, "monotonic", lambda: next(clock))
    progress = console.PlainProgress(quiet=False)
    for line in ("one", "two", "three", "four"):
        progress.update(line)
    assert capsys.readouterr().err == "subfit: two\nsubfit: four\n"
