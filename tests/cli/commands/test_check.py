"""``subfit check``, and what it has in common with ``subfit budget``."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import SCENE, Cli

TWO_LINES = "1\n00:00:01,000 --> 00:00:03,000\n"


@pytest.mark.parametrize(
    ("text", "on_screen", "in_one_line"),
    [
        ("I wrote you three letters.", 26, 26),
        ("I wrote you\nthree letters.", 25, 26),
        ("<i>I wrote you \nthree letters.</i>", 25, 26),
        ("- Who wrote?\n- I did, and more\nthan once.", 39, 41),
    ],
)
def test_budget_and_check_count_the_same_characters(text, on_screen, in_one_line, cli, tmp_path):
    (tmp_path / "film.srt").write_text(TWO_LINES + text + "\n", encoding="utf-8")
    budgeted = cli("budget", "film.srt", "--json").json["cues"][0]
    checked = cli("check", "film.srt", "--source", "film.srt", "--json").json["cues"][0]
    assert budgeted["characters"] == checked["characters"] == on_screen
    assert budgeted["source_cps"] == checked["cps"] == on_screen / 2
    assert budgeted["source_characters"] == checked["source"]["characters"] == in_one_line
    row = cli("budget", "film.srt").out.splitlines()[1]
    assert row.split()[:5] == ["1", "0:01", "2", "2.00", str(on_screen)]


def test_a_file_that_keeps_its_limits_is_exit_code_0(cli: Cli) -> None:
    outcome = cli("check", "scene.en.srt")
    assert outcome.code == 0
    assert "3: 3 keep every limit" in outcome.out


def test_broken_limits_are_exit_code_3_and_named(cli: Cli) -> None:
    outcome = cli("check", "scene.en.srt", "--cps", "10", "--cpl", "20")
    assert outcome.code == 3
    assert "reading speed   1 (33.3 %)" in outcome.out
    assert "line length 28 > 20" in outcome.out


def test_of_several_files_one_that_fails_does_not_stop_the_others(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.en.srt").write_text("nothing here\n")
    outcome = cli("check", "bad.en.srt", "scene.en.srt")
    assert outcome.code == 1
    assert "bad.en.srt" in outcome.err and "3: 3 keep every limit" in outcome.out
    files = cli("check", "bad.en.srt", "scene.en.srt", "--json").json["files"]
    assert ["error" in one for one in files] == [True, False]


def test_a_rule_that_is_skipped_is_in_no_figure(cli: Cli) -> None:
    outcome = cli("check", "scene.en.srt", "--cps", "10", "--skip", "cps")
    assert outcome.code == 0 and "3: 3 keep every limit" in outcome.out


def test_short_sources_are_free_by_the_isometric_rule(cli: Cli, tmp_path: Path) -> None:
    cues = "1\n00:00:01,000 --> 00:00:04,000\n{}\n\n2\n00:00:05,000 --> 00:00:08,000\n{}\n"
    (tmp_path / "a.en.srt").write_text(cues.format("Yes, I do.", "I saw the old harbour."))
    (tmp_path / "a.de.srt").write_text(cues.format("Aber ja, natürlich.", "Ich sah den Hafen."))
    broken = cli(
        "check", "a.de.srt", "--source", "a.en.srt", "--length-ratio", "isometric", "--json"
    )
    told = [[one["kind"] for one in cue["violations"]] for cue in broken.json["cues"]]
    assert told == [[], ["length_ratio"]]


def test_what_is_mended_stays_in_its_format(cli: Cli) -> None:
    outcome = cli("check", "scene.en.srt", "--fix", "-o", "scene.vtt")
    assert outcome.code == 2 and "the format stays that of scene.en.srt" in outcome.err


def test_a_source_that_cannot_be_paired_is_named(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("Where is it?\n")
    outcome = cli("check", "scene.en.srt", "--source", "lines.txt")
    assert outcome.code == 2
    told = "lines.txt has 1 line and scene.en.srt 3 cues: to be paired they need as many, or times"
    assert told in outcome.err


@pytest.mark.parametrize(
    ("command", "place"), [("check", "2 more; --json or --report"), ("reflow", "7 more; --json")]
)
def test_that_more_cues_are_over_is_told(command, place, cli, tmp_path):
    cues = [
        f"{n}\n00:00:{2 * n:02},000 --> 00:00:{2 * n + 1:02},500\nLighthouses everywhere\n"
        for n in range(1, 13)
    ]
    (tmp_path / "few.en.srt").write_text("\n".join(cues[:5]))
    (tmp_path / "many.en.srt").write_text("\n".join(cues))
    options = ("--cpl", "8", *(["--dry-run"] if command == "reflow" else []))
    assert f"  and {place} lists them all\n" in cli(command, "many.en.srt", *options).out
    few = cli(command, "few.en.srt", *options)
    assert few.code == 3 and "more;" not in few.out


def test_the_language_comes_from_the_name_unless_given(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "scene.ko.sdh.srt").write_text(SCENE, encoding="utf-8")
    named = cli("check", "scene.ko.sdh.srt", "--json").json["guideline"]
    given = cli("check", "scene.ko.sdh.srt", "-t", "de", "--json").json["guideline"]
    assert (named["language"], named["cps"]) == ("ko", 12)
    assert (given["language"], given["cps"]) == ("de", 17)


def test_check_against_the_source_gives_both_compliance_rules(cli: Cli, tmp_path: Path) -> None:
    longer = SCENE.replace("The door is open.", "Die Tür ist offen, mein Freund.")
    (tmp_path / "scene.de.srt").write_text(longer, encoding="utf-8")
    outcome = cli("check", "scene.de.srt", "--source", "scene.en.srt", "--report", "r.csv")
    assert "LC              50.0 % (IWSLT rule), 50.0 % (strict rule)" in outcome.out
    assert "kept            1 cue as in the source, without LR and LC" in outcome.out
    lines = (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()
    assert len(list(csv.DictReader(line for line in lines if line[0] != "#"))) == 3
    again = cli("check", "scene.de.srt", "--report", "r.csv")
    assert again.code == 1 and "exists already" in again.err
    page = cli("check", "scene.de.srt", "--report", "r.html")
    assert page.code == 2 and "must end in .xlsx, .csv or .json" in page.err


def test_quiet_check_speaks_by_its_exit_code_only(cli: Cli) -> None:
    outcome = cli("check", "scene.en.srt", "--cps", "1", "-q")
    assert (outcome.code, outcome.out, outcome.err) == (3, "", "")


def test_limits_of_screens_do_not_pass_silently_for_plain_text(cli: Cli) -> None:
    budget = ("budget", "-", "--input-format", "txt")
    lines = b"How are you?\n"
    assert "only --length-ratio" in cli(*budget, "--cps", "9", stdin=lines).out
    assert "only --length-ratio" not in cli(*budget, stdin=lines).out
    check = ("check", "-", "--input-format", "txt")
    assert "only --length-ratio" in cli(*check, "--cps", "9", stdin=lines).out
    assert "only --length-ratio" not in cli(*check, stdin=lines).out


def test_broken_limits_have_their_units(cli: Cli, tmp_path: Path) -> None:
    times = ("00:00:01,000 --> 00:00:01,400", "00:00:01,440 --> 00:00:03,000")
    times += ("00:00:02,900 --> 00:00:04,000",)
    cues = [f"{number}\n{each}\nYes!\n" for number, each in enumerate(times, start=1)]
    (tmp_path / "tight.srt").write_text("\n".join(cues), encoding="utf-8")
    out = cli("check", "tight.srt", "-t", "de").out
    assert "too short 400 ms < 833 ms; gap 40 ms < " in " ".join(out.split())
    assert "overlap 100 ms" in out


@pytest.mark.parametrize(
    ("command", "words"),
    [(("budget", "--length-ratio", ":1.1"), "quietly"), (("check",), "of a parking lot!")],
)
def test_tables_fit_a_terminal_of_80_columns(command, words, cli, project_root, monkeypatch):
    monkeypatch.setattr("subfit.cli.console.PLAIN_WIDTH", 80)
    scene = project_root / "examples" / "lighthouse.en.srt"
    (name, *options) = command
    out = cli(name, scene, "-t", "de", "--cps", "12", *options).out
    assert max(len(line) for line in out.splitlines() if str(scene) not in line) <= 80
    assert words in out, "texts are folded, not cut off"


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
