"""``subfit guidelines``."""

from tests.cli.conftest import Cli


def test_guidelines_are_listed_and_shown_for_a_language(cli: Cli) -> None:
    assert "netflix-children" in cli("guidelines").out
    assert "cps: 12" in cli("guidelines", "netflix", "-t", "ko").out
    assert cli("guidelines", "netflix", "-t", "ko", "--json").json["cpl"] == 16
