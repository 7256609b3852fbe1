"""A job done to its files: where it is told of, what it warns of, and its exit code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from subfit.batch.items import Item, Result
from subfit.cli import console
from subfit.cli.running import short_figures
from subfit.reporting.report import report_on
from subfit.subtitles.cues import Track
from tests.batch.conftest import write
from tests.cli.conftest import Cli
from tests.reporting.conftest import NETFLIX, OUTCOMES

ITEM = Item("film.srt", "film.de.srt", "de")


def line(*numbers: int) -> str:
    """The figures of a file with some of the outcomes."""
    outcomes = [OUTCOMES[number] for number in numbers]
    report = report_on(outcomes, Track(tuple(one.cue for one in outcomes), "srt"), NETFLIX)
    return short_figures(Result(ITEM, "done", {"totals": report.totals}))


def test_a_file_that_fits_says_so() -> None:
    assert line(0, 1).startswith("2 cues, all fit, ")
    assert line(0).startswith("1 cue, all fit, ")


def test_what_is_over_and_what_was_not_translated_is_counted() -> None:
    assert line(0, 1, 2).startswith("3 cues, 1 over, ")
    told = line(0, 4)
    assert told.startswith("2 cues, none over, 1 untranslated, ")
    assert told.endswith("LR 1")


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
