"""``subfit man``."""

from __future__ import annotations

from tests.cli.conftest import Cli


def test_the_manual_page_has_every_command_and_option(cli: Cli) -> None:
    page = cli("man").out
    assert page.startswith(".TH SUBFIT 1 ")
    assert ".SS subfit translate" in page and ".SS subfit recipe cat" in page
    assert r"\fB\-t, \-\-target\-language TAG,...\fR" in page
    assert not any(line.startswith("'") for line in page.splitlines())
