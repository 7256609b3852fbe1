"""How far a run over many files is, is shown on a terminal only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from subfit.cli.views import batch as catalogue_view
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
