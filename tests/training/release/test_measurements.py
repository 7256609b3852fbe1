"""Figures that are kept: nothing is measured twice, and what has changed is measured anew."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.conftest import SCENE, Cli, cli  # noqa: F401
from tests.tiny import write_pairs
from tests.training.release.conftest import LINES
from tests.training.release.test_card import ALL, rows


@pytest.mark.slow
def test_without_options_the_card_is_written_anew_from_what_is_known(
    cli: Cli,  # noqa: F811
    corpora,
    translations,
):
    assert cli("card", "./tiny", *ALL).code == 0
    path = corpora / "tiny" / "README.md"
    card = path.read_text(encoding="utf-8")
    assert len(translations.wishes) == 15
    path.unlink()
    assert cli("card", "./tiny").code == 0
    assert path.read_text(encoding="utf-8") == card
    again = cli("card", "./tiny", *ALL)
    assert (again.code, again.err, len(translations.wishes)) == (0, "", 15)
    (corpora / "tiny" / "limits.md").write_text("It knows thirty sentences.\n")
    assert cli("card", "./tiny").code == 0
    assert "## What it is bad at\n\nIt knows thirty sentences.\n" in path.read_text("utf-8")


def test_what_was_stopped_goes_on_and_ends_as_if_it_had_not_been(
    cli: Cli,  # noqa: F811
    corpora,
    translations,
):
    shutil.copytree(corpora / "tiny", corpora / "whole" / "tiny")
    command = ("--data", ".", "--limit", "2")
    assert cli("card", "whole/tiny", *command).code == 0
    translations.most = 15 + 7
    assert cli("card", "./tiny", *command).code == 130
    assert len(rows(corpora / "tiny")) == 7
    assert not (corpora / "tiny" / "README.md").exists()
    translations.most = None
    assert cli("card", "./tiny", *command).code == 0
    assert translations.wishes[15:] == translations.wishes[:15]
    for name in ("README.md", "measurements.json"):
        ours, theirs = corpora / "tiny" / name, corpora / "whole" / "tiny" / name
        assert ours.read_bytes() == theirs.read_bytes()


@pytest.mark.slow
def test_other_lines_and_other_weights_are_measured_anew(
    cli: Cli,  # noqa: F811
    corpora,
    translations,
):
    command = ("card", "./tiny", "--data", ".")
    (corpora / "passed.json").write_text('{"de": {"names": [3, 4]}}')
    assert cli(*command, "--watts", "50", "--challenge", "passed.json").code == 0
    write_pairs(corpora / "test" / "news.en-de.tsv", LINES[1:])
    assert cli(*command).code == 0
    assert translations.wishes[15:] == translations.wishes[5:10]
    assert cli(*command, "--limit", "5").code == 0  # the Italian set has three lines
    assert len(translations.wishes) == 15 + 5 + 5
    card = (corpora / "tiny" / "README.md").read_text("utf-8")
    assert "`test/mixed.en-de.tsv`: the first 5 of 6 lines, 5 of them" in card
    config = corpora / "tiny" / "config.json"
    config.write_text(config.read_text().replace('"mean_length_ratio": ', '"mean_length_ratio": 1'))
    assert cli("card", "./tiny").code == 0
    assert "### " not in (corpora / "tiny" / "README.md").read_text("utf-8")
    measured = json.loads((corpora / "tiny" / "measurements.json").read_text("utf-8"))
    assert measured["facts"]["energy"]["watts"] == 50
    assert "challenge" not in measured["facts"]
