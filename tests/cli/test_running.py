"""A job done to its files: where it is told of, what it warns of, and its exit code."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from subfit.batch.items import STATES, Item, Result
from subfit.cli import console, running
from subfit.cli.console import Messages
from subfit.cli.running import STATE_NAMES, exit_code_of, messages_for, short_figures, tell_plan
from subfit.errors import UsageError
from subfit.reporting.report import report_on
from subfit.subtitles.cues import Track
from tests.batch.conftest import write
from tests.cli.conftest import Cli
from tests.reporting.conftest import NETFLIX, OUTCOMES


def job(output: str | None, *inputs: str, dry_run: bool = False):
    writing = SimpleNamespace(output=output)
    return SimpleNamespace(writing=writing, inputs=inputs, dry_run=dry_run)


@pytest.mark.parametrize(
    ("output", "inputs"), [("-", ("a.srt",)), (None, ("-",)), ("-", ("-",))]
)  # fmt: skip
def test_two_things_cannot_go_to_standard_output(output, inputs) -> None:
    with pytest.raises(UsageError, match="--json and the translation both go to stdout"):
        messages_for(job(output, *inputs), json=True, quiet=False)
    messages_for(job(output, *inputs, dry_run=True), json=True, quiet=False)
    messages_for(job(output, *inputs), json=False, quiet=False)


def test_standard_input_may_go_to_a_file_beside_a_document() -> None:
    messages_for(job("a.de.srt", "-"), json=True, quiet=False)


@pytest.mark.parametrize(
    ("failed", "over", "code"),
    [(True, True, 1), (True, False, 1), (False, True, 3), (False, False, 0)],
)
def test_what_failed_counts_before_what_is_over_its_limits(failed, over, code, capsys) -> None:
    outcome = SimpleNamespace(failed=failed, over=over, to_dict=lambda: {"files": []})
    assert exit_code_of(outcome, json=False) == code
    assert capsys.readouterr().out == ""
    assert exit_code_of(outcome, json=True) == code
    assert f'"exit_code": {code}' in capsys.readouterr().out


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


def test_every_state_has_its_word() -> None:
    assert STATE_NAMES.keys() == STATES.keys()


def test_files_named_as_of_another_language_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    failure = SimpleNamespace(message="season: cannot be read")
    listing = SimpleNamespace(failures=[("season", failure)], left_out=["a.de.srt", "b.de.srt"])
    tell_plan(SimpleNamespace(listing=listing), Messages(data_on_stdout=False, quiet=False))
    told = capsys.readouterr()
    assert "left out: 2 files named as of another language than the source, as a.de.srt" in told.out
    assert "season: cannot be read" in told.err


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


def test_a_bar_shows_files_and_no_cues_that_are_only_guessed(
    translate: Cli, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    class Bar(console.Bar):
        def update(self, done: int, figures: str) -> None:
            shown.append(figures)
            shown.extend(str(one.render(self._bar.tasks[0])) for one in self._bar.columns[2:3])

    monkeypatch.setattr(running, "Bar", Bar)
    translate("season", "-o", "out")
    assert re.fullmatch(r"2/2 files  \S+ left", shown[-2]) and shown[-1].endswith("%")


@pytest.mark.parametrize("place", ["season", "season/1.srt"])
def test_without_a_terminal_long_runs_tell_their_progress_in_lines(
    place: str, translate: Cli, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "INTERVAL", 0.0)
    outcome = translate(place, "-o", "out" if place == "season" else "out.srt")
    lines = outcome.err.splitlines()
    assert lines and all(re.match(r"subfit: (season/1\.srt: )?[\d.]+ %", line) for line in lines)
    assert translate(place, "-o", "again/" if place == "season" else "b.srt", "-q").err == ""
