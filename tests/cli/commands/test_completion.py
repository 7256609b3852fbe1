"""``subfit completion``."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_a_shell(shell: str, cli: Cli) -> None:
    outcome = cli("completion", shell)
    assert outcome.code == 0 and "_SUBFIT_COMPLETE" in outcome.out
