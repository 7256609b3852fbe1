"""Tracebacks."""

import pytest

from tests.cli.test_failures import fail_with

from .conftest import Cli


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
