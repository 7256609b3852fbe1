"""A job done to its files: where it is told of, what it warns of, and its exit code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from subfit.batch.items import Item
from subfit.cli import console
from tests.batch.conftest import write
from tests.cli.conftest import Cli

ITEM = Item("film.srt", "film.de.srt", "de")


@pytest.fixture
def season(cli: Cli, tmp_path: Path) -> Path:
    write(tmp_path / "season", "1.srt", "2.srt")
    return tmp_path / "season"


@pytest.mark.parametrize("quiet", [(), ("-q",)])
def test_without_a_terminal_no_progress_is_shown(quiet, translate: Cli, season: Path) -> None:
    outcome = translate("season", "-o", "out", *quiet)
    assert outcome.err == ""
    told = "season/1.srt -> out/1.de.srt: 3 cues, all fit, LR"
    assert outcome.out == "" if quiet else told in outcome.out


@pytest.mark.parametrize("place", ["season", "season/1.srt"])
def test_without_a_terminal_long_runs_tell_their_progress_in_lines(
    place: str, translate: Cli, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "INTERVAL", 0.0)
    outcome = translate(place, "-o", "out" if place == "season" else "out.srt")
    lines = outcome.err.splitlines()
    assert lines and all(re.match(r"subfit: (season/1\.srt: )?[\d.]+ %", line) for line in lines)
    assert translate(place, "-o", "again/" if place == "season" else "b.srt", "-q").err == ""
