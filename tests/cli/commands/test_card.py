"""``subfit card``: what it replaces, and how it fails."""

from __future__ import annotations

import shutil

import pytest

from tests.cli.conftest import Cli
from tests.training.release.conftest import (  # noqa: F401
    corpora,
    several_folder,
    translations,
)


def test_a_card_by_another_hand_is_replaced_only_if_told_to(
    cli: Cli,
    corpora,  # noqa: F811
    translations,  # noqa: F811
):
    path = corpora / "tiny" / "README.md"
    path.write_text("mine")
    refused = cli("card", "./tiny", "--data", ".")
    assert refused.code == 1
    assert "exists already" in refused.err
    assert (path.read_text(), translations.wishes) == ("mine", [])
    assert cli("card", "./tiny", "--overwrite").code == 0
    assert cli("card", "./tiny").code == 0  # it is ours now


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["nobody"], 2, "nobody: no model here"),
        (["./tiny", "--data", "nowhere"], 2, "nowhere"),
        (["./tiny", "--data", "films"], 1, "no test sets for this model in it"),
        (["./tiny", "--timed", "test"], 1, "no subtitle files such as film.en.srt in it"),
        (["./tiny", "--run", "films"], 1, "films: no training run in this folder"),
        (["./tiny", "--challenge", "bad.json"], 1, "no result of a challenge set"),
        (["./tiny", "--licences", "bad.json"], 1, "missing key weights"),
        (["./tiny", "--extremes", "no/lines.md"], 1, "there is no folder no"),
        (["./broken"], 1, "does not hold what subfit card wrote"),
    ],
)
def test_failures_are_one_line(cli: Cli, corpora, arguments, code, problem):  # noqa: F811
    (corpora / "bad.json").write_text('{"de": {"names": [5, 4]}}')
    shutil.copytree(corpora / "tiny", corpora / "broken")
    (corpora / "broken" / "measurements.json").write_text('{"rows": 3}')
    done = cli("card", *arguments)
    assert done.code == code
    assert problem in done.err
    assert done.err.count("\n") == 1
