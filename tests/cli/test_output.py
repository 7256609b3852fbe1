"""What is printed: failures in one line, with an exit code each, and text that steers nothing."""

from pathlib import Path

import click
import pytest

from subfit.cli import main
from subfit.cli.output import failure_of, one_line, printable
from subfit.errors import InputFileError, UsageError

from .conftest import Cli


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
def test_a_traceback_is_for_debugging_only(
    debug: str, shown: bool, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUBFIT_DEBUG", debug)
    fail_with(ZeroDivisionError("oh"), monkeypatch)
    outcome = cli("budget")
    assert outcome.code == 1
    assert ("Traceback" in outcome.err) is shown
    assert "internal error: ZeroDivisionError: oh; please report it" in outcome.err


def test_nothing_steers_the_terminal() -> None:
    assert printable("a\x1b[31mb\u202ec\u2028d\ne") == "a\ufffd[31mbc d\ne"
    assert one_line(" a\n b\tc ") == "a b c"
