"""``subfit budget``."""

import json

import pytest

from tests.cli.conftest import Cli


def test_budget_names_the_limit_that_binds_and_every_ceiling(cli: Cli) -> None:
    outcome = cli("budget", "scene.en.srt", "-t", "de", "--length-ratio", ":1.1", "--json")
    first, music, last = outcome.json["cues"]
    assert (first["budget"], first["binding"]) == (30, "length_ratio")  # 1.1 x 28 characters
    assert first["limits"] == {"cps": 34, "cpl": 84, "length_ratio": 30}
    assert (first["source_characters"], first["source_cps"]) == (28, 14)
    assert music["kind"] == "music"
    assert outcome.json["totals"] == {"cues": 3, "binding": {"length_ratio": 3}}
    assert last["line"] == 10


@pytest.mark.parametrize(
    ("options", "budget"),
    [((), 34), (("--cps", "10"), 20), (("--cpl", "10"), 20), (("--cpl", "10", "--lines", "1"), 10)],
)
def test_options_overrule_the_guideline(options: tuple[str, ...], budget: int, cli: Cli) -> None:
    outcome = cli("budget", "scene.en.srt", "-t", "de", "--json", *options)
    assert outcome.json["cues"][0]["budget"] == budget


def test_budget_as_a_table(cli: Cli) -> None:
    out = cli("budget", "scene.en.srt", "-t", "de").out
    (row,) = (line for line in out.splitlines() if "lighthouse" in line)
    assert row.split()[2:9] == ["2", "2.00", "28", "14", "34", "reading", "speed"]
    assert "scene.en.srt: 3 cues; bound by reading speed 3" in out


def test_budget_of_plain_text_without_ratio_has_no_limit(cli: Cli) -> None:
    outcome = cli("budget", "-", "--input-format", "txt", "--json", stdin=b"How are you?\n")
    assert (outcome.json["cues"][0]["budget"], outcome.json["cues"][0]["start"]) == (None, None)


def test_json_is_utf_8_whatever_the_text(cli: Cli) -> None:
    assert "♪" in json.dumps(cli("budget", "scene.en.srt", "--json").json, ensure_ascii=False)
