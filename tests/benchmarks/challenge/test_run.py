"""The runner, with the frozen tiny model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.challenge import __main__ as command
from benchmarks.challenge.cases import Case, Properties
from benchmarks.challenge.checks import Answer
from benchmarks.challenge.results import count, describe, judge, table
from benchmarks.challenge.run import track_of
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import join_cues, parse_cues

NETFLIX = Guideline.load("netflix", "de")


def case(name: str, *source: str, seconds: float = 7.0, **properties: Properties) -> Case:
    return Case(name, name.split("-")[0], source, properties, seconds=seconds)


CASES = (
    case("ask-who", "Who is there?", de={"asks": True}),
    case("ask-storm", "The storm was stronger than the ship.", de={"has": ("Hafen",)}),
    case("song-la", "♪ la la ♪", de={"kept": True}),
    case("late-ship", "The ship comes back tomorrow.", de={"closes": True}),
)


def test_cues_of_a_case_are_one_sentence_and_cases_are_not() -> None:
    cases = (case("one", "The old man", "and the sea"), case("two", "was tired"))
    track = track_of(cases, "de", NETFLIX)
    sentences = join_cues(track.cues, parse_cues(track.cues, track.format))
    assert [each.text for each in sentences] == ["The old man and the sea", "was tired"]


def test_a_cut_leaves_the_wanted_share_of_the_natural_length() -> None:
    cut = Case("id", "cuts", ("A",), {}, cut=30, natural={"de": "x" * 50, "it": "x" * 60})
    assert [cut.duration(each, 17) * 17 // 1000 for each in ("de", "it")] == [35, 42]


def test_the_command_prints_what_failed_and_writes_counts(
    tiny_model_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "read_cases", lambda: CASES)
    counts = tmp_path / "counts.json"
    arguments = ["--model", str(tiny_model_folder), "-t", "de", "--json", str(counts)]
    command.main([*arguments, "--threads", "1"])
    found = json.loads(counts.read_text())
    assert found == {"de": {"ask": [1, 2], "song": [1, 1], "late": [1, 1]}}
    printed = capsys.readouterr().out
    assert "  source    The storm was stronger than the ship.\n" in printed
    assert "  expected  one of: Hafen (has)\n" in printed
    assert printed.splitlines()[-1].split() == ["all", "3/4"]


def test_a_model_for_another_language_is_refused(tiny_model_folder: Path) -> None:
    with pytest.raises(SystemExit):
        command.main(["--model", str(tiny_model_folder), "-t", "fr"])


def test_without_languages_all_of_the_model_are_tried(tiny_model_folder: Path) -> None:
    assert command.languages_of(str(tiny_model_folder)) == ["de"]
    with pytest.raises(SystemExit):
        command.main([])


def test_the_table_has_a_column_for_each_language() -> None:
    asks: dict[str, Properties] = {each: {"asks": True} for each in ("de", "es")}
    who = case("ask-who", "Who?", **asks)
    verdicts = judge([Answer(who, "de", ("Wer?",)), Answer(who, "es", ("Quién?",))])
    rows = table(count(verdicts)).splitlines()
    assert [row.split() for row in rows] == [
        ["category", "de", "es"],
        ["ask", "1/1", "0/1"],
        ["all", "1/1", "0/1"],
    ]
    assert describe(verdicts[1]).splitlines()[-1] == "  expected  1 × ¿ (asks)"
