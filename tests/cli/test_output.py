"""What is printed: failures in one line, with an exit code each, and text that steers nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import click
import pytest

from subfit.batch.items import Item
from subfit.cli import console, main
from subfit.cli.console import Messages
from subfit.cli.output import failure_of, one_line, printable
from subfit.cli.running import figures_of, guideline_of, remarks_of, show_report
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.errors import InputFileError, UsageError
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.reporting.report import Report, report_on
from subfit.subtitles.formats import parse_track
from tests.batch.conftest import write
from tests.cli.conftest import Cli
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK
from tests.scripted import ScriptedTranslator


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["translate", "--json"], 2),
        (["translate", "-", "-t", "de", "--json"], 2),
        (["budget", "--json", "absent.srt"], 1),
        (["check", "--json", "scene.en.srt", "--guideline", "nefltix"], 2),
        (["translate", "scene.en.srt", "-t", "xx", "--json"], 2),
    ],
)
def test_with_json_a_failure_is_a_json_document(arguments: list[str], code: int, cli: Cli) -> None:
    outcome = cli(*arguments)
    assert outcome.code == outcome.json["error"]["exit_code"] == code
    assert outcome.err == f"subfit: error: {outcome.json['error']['message']}\n"


def test_a_broken_file_is_named_with_its_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "broken.srt").write_bytes(b"no subtitles here\n")
    error = cli("budget", "broken.srt", "--json").json["error"]
    assert (error["kind"], error["path"], error["line"]) == ("InputFileError", "broken.srt", 1)
    assert error["remedy"]


@pytest.mark.parametrize(
    ("error", "code", "part"),
    [
        (UsageError("no"), 2, "no"),
        (InputFileError("a.srt", "bad", line=3, remedy="mend it"), 1, "a.srt:3: bad; mend it"),
        (OSError(28, "No space left on device", "a.srt"), 1, "a.srt: no space left on device"),
        (OSError(28, "No space left on device"), 1, "standard output: no space left on device"),
        (MemoryError(), 1, "out of memory"),
        (ZeroDivisionError("oh\nno"), 1, "internal error: ZeroDivisionError: oh no"),
        (UsageError("a\x1b[31mb"), 2, "a\ufffd[31mb"),
    ],
)
def test_every_exception_becomes_one_line(error: Exception, code: int, part: str) -> None:
    failure = failure_of(error)
    assert failure.exit_code == code
    assert part in failure.message and "\n" not in failure.message


def fail_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command raise this."""

    @click.command()
    def failing() -> None:
        raise error

    monkeypatch.setattr(main.LazyGroup, "get_command", lambda *_: failing)


def test_an_interrupt_is_exit_code_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(KeyboardInterrupt(), monkeypatch)
    outcome = cli("budget")
    assert outcome.code == 130
    assert outcome.err.strip() == "subfit: error: interrupted"


@pytest.mark.parametrize(("debug", "shown"), [("", False), ("1", True)])
def test_a_traceback_is_for_debugging_only(debug, shown, cli, monkeypatch):
    monkeypatch.setenv("SUBFIT_DEBUG", debug)
    fail_with(ZeroDivisionError("oh"), monkeypatch)
    outcome = cli("budget")
    assert outcome.code == 1
    assert ("Traceback" in outcome.err) is shown
    assert "internal error: ZeroDivisionError: oh; please report it" in outcome.err


def test_nothing_steers_the_terminal() -> None:
    assert printable("a\x1b[31mb\u202ec\u2028d\ne") == "a\ufffd[31mbc d\ne"
    assert one_line(" a\n b\tc ") == "a b c"


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
