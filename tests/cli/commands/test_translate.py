"""``subfit translate`` from files to files, with a tiny model of random weights."""

import csv
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.cli.conftest import SCENE, Cli

TIMES = re.compile(r"^.*-->.*$", re.MULTILINE)


def test_writes_beside_the_input_and_keeps_every_cue(translate: Cli, tmp_path: Path) -> None:
    outcome = translate("scene.en.srt")
    written = (tmp_path / "scene.de.srt").read_text(encoding="utf-8")
    assert outcome.code == 0, outcome.err
    assert TIMES.findall(written) == TIMES.findall(SCENE)
    assert "♪" in written
    assert "3: 2 translated, 1 passed by rule, 0 untranslated" in outcome.out


def test_a_cue_without_a_translation_is_no_cue_within_its_budget(translate, tmp_path):
    endless = "and so it went on, " * 300
    (tmp_path / "long.en.txt").write_text(f"{endless}\n", encoding="utf-8")
    outcome = translate("long.en.txt")
    assert outcome.code == 3
    assert "over budget     –; 1 cue without a translation not counted" in outcome.out
    assert "…" in outcome.out and outcome.out.count("went on") <= 2 * 160 // 19  # of 300
    (tmp_path / "short.en.txt").write_text("Who is there?\n", encoding="utf-8")
    many = translate("long.en.txt", "short.en.txt", "-o", "out/").out
    assert "long.de.txt: 1 cue, none over, 1 untranslated" in many
    assert "even without length control; 1 cue without a translation not counted" in many


def test_stdin_to_stdout_has_nothing_else_on_stdout(translate: Cli) -> None:
    outcome = translate("-", stdin=SCENE.encode())
    assert outcome.code == 0, outcome.err
    assert TIMES.findall(outcome.out) == TIMES.findall(SCENE)
    assert outcome.out.startswith("1\n") and "LR" not in outcome.out
    assert "2 translated" in outcome.err


def test_plain_text_has_no_limits_but_the_ratio(translate: Cli) -> None:
    text = b"How are you?\nThe door is open.\n"
    options = ("--input-format", "txt", "-s", "en", "-q")
    free = translate("-", *options, stdin=text)
    tight = translate("-", *options, "--length-ratio", ":1.1", stdin=text)
    assert free.code == 0 and free.err == ""
    assert len(free.out.splitlines()) == len(tight.out.splitlines()) == 2
    for source, line in zip(text.decode().splitlines(), tight.out.splitlines(), strict=True):
        assert tight.code == 3 or len(line) <= 1.1 * len(source)


def test_over_budget_is_exit_code_3_and_still_written(translate: Cli, tmp_path: Path) -> None:
    outcome = translate("scene.en.srt", "--cps", "0.1", "--json")
    assert outcome.code == outcome.json["exit_code"] == 3
    assert outcome.json["files"][0]["totals"]["overflow"]["after"]["over"] == 2
    assert (tmp_path / "scene.de.srt").exists()


def test_a_block_without_times_is_counted_and_exit_code_3(translate: Cli, tmp_path: Path) -> None:
    scene = (tmp_path / "scene.en.srt").read_text(encoding="utf-8")
    broken = scene.replace("00:00:06,000", "00:00:xx", 1)
    (tmp_path / "scene.en.srt").write_text(broken, encoding="utf-8")
    outcome = translate("scene.en.srt", "--guideline", "none")
    assert outcome.code == 3
    assert "2: 1 translated, 1 passed by rule, 0 untranslated" in outcome.out
    assert "1 block without times that can be read, kept untranslated" in outcome.out
    (tmp_path / "again.en.srt").write_text(broken, encoding="utf-8")
    for _ in range(2):  # the second time from the manifest
        many = translate(".", "--guideline", "none", "-o", "out", "--json")
        assert (many.code, many.json["totals"]["unread"]) == (3, 2)
        assert "2 blocks without times" in many.err


def test_one_bad_file_does_not_stop_the_others(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.srt").write_bytes(b"nothing\n")
    (tmp_path / "other.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:03.000\nWho is there?\n")
    outcome = translate("bad.srt", "absent.srt", "scene.en.srt", "other.vtt", "-o", "out/")
    assert outcome.code == 1
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*")) == [
        "other.de.vtt",
        "scene.de.srt",
    ]
    told = [line.split(":")[2].strip() for line in outcome.err.splitlines()]
    assert told == ["absent.srt", "bad.srt"]  # what is not there is told before anything is read


def test_repairs_are_told_with_their_lines(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "odd.srt").write_text("00:00:01,000 -> 00:00:03,000\nWho is there?\n")
    outcome = translate("odd.srt")
    assert outcome.code in (0, 3)
    assert re.search(r"^  line 1: ", outcome.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--output-encoding", "klingon"], "klingon"),
        (["-s", "fr"], "translates from en, not from fr"),
        (["--guideline", "nefltix"], "did you mean netflix?"),
    ],
)
def test_wrong_requests_write_nothing(arguments, part, translate, tmp_path):
    outcome = translate("scene.en.srt", *arguments)
    assert outcome.code in (1, 2) and part in outcome.err
    assert not (tmp_path / "scene.de.srt").exists()


def test_a_batch_has_one_json_document(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.srt").write_bytes(b"nothing\n")
    outcome = translate("bad.srt", "scene.en.srt", "--json")
    bad, good = outcome.json["files"]
    assert (outcome.code, outcome.json["exit_code"]) == (1, 1)
    assert bad["error"]["kind"] == "InputFileError"
    assert good["output"] == "scene.de.srt" and len(good["cues"]) == 3


def test_report_as_json_csv_and_workbook(translate: Cli, tmp_path: Path) -> None:
    translate("scene.en.srt", "--report", "report.json")
    translate("scene.en.srt", "--report", "report.csv", "--overwrite")
    translate("scene.en.srt", "--report", "report.xlsx", "--overwrite")
    (file,) = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["files"]
    assert file["settings"]["guideline"]["name"] == "netflix"
    assert str(tmp_path) not in json.dumps(file)
    lines = (tmp_path / "report.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("# ")))
    assert [row["status"] for row in rows] == [cue["status"] for cue in file["cues"]]
    sheet = load_workbook(tmp_path / "report.xlsx")["Cues"]
    (target,) = (column for column in sheet.iter_cols(values_only=True) if column[0] == "target")
    assert list(target[1:]) == [cue["target"] for cue in file["cues"]]


VOICES = (
    "WEBVTT\n\nNOTE mine\n\n00:01.000 --> 00:03.000 line:0 align:left\n"
    "<v Ann>Where is the ship?\n\n"
    "00:04.000 --> 00:06.000 line:0\nThe door is open.\n"
)


@pytest.mark.parametrize("dry_run", [(), ("--dry-run",)])
def test_what_another_format_has_no_place_for_is_a_warning(dry_run, translate, tmp_path):
    (tmp_path / "film.vtt").write_text(VOICES, encoding="utf-8")
    lost = "not written to SubRip: the position of 1 cue, the voice of 1 cue, 1 note"
    outcome = translate("film.vtt", "-o", "film.srt", *dry_run, "--json")
    assert f"subfit: warning: line 5: {lost}" in outcome.err.splitlines()
    assert outcome.json["files"][0]["repairs"] == [{"line": 5, "problem": lost}]
    if not dry_run:
        assert (tmp_path / "film.srt").read_text(encoding="utf-8").count("{\\an8}") == 2
    again = translate("film.vtt", "-o", "film.srt", *dry_run, "--overwrite")
    assert again.err == f"subfit: warning: line 5: {lost}\n" and lost not in again.out
    assert translate("film.vtt", "-o", "film.srt", *dry_run, "--overwrite", "-q").err == ""


def test_text_without_times_cannot_become_subtitles(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("How are you?\n")
    outcome = translate("lines.txt", "-o", "lines.srt")
    assert outcome.code == 2 and "no times" in outcome.err


def test_markup_and_escapes_in_cues_are_printed_as_text(cli: Cli, tmp_path: Path) -> None:
    cue = "1\n00:00:01,000 --> 00:00:03,000\n[bold]Who[/bold] \x1b[31mis there?\n"
    (tmp_path / "odd.srt").write_text(cue, encoding="utf-8")
    outcome = cli("budget", "odd.srt", "-t", "de")
    assert "[bold]Who[/bold]" in outcome.out and "\x1b" not in outcome.out


def test_an_internal_error_in_one_file_does_not_stop_the_others(translate, tmp_path, monkeypatch):
    from subfit.batch.job import ReadingOptions

    parse = ReadingOptions.parse

    def failing(self: ReadingOptions, data: bytes, name: str, *more: Any) -> object:
        return 1 / 0 if name == "odd.srt" else parse(self, data, name, *more)

    (tmp_path / "odd.srt").write_text(SCENE, encoding="utf-8")
    monkeypatch.setattr(ReadingOptions, "parse", failing)
    outcome = translate("odd.srt", "scene.en.srt")
    assert outcome.code == 1 and outcome.err.count("\n") == 1
    assert "internal error: ZeroDivisionError" in outcome.err
    assert (tmp_path / "scene.de.srt").exists()


def test_alternatives_at_several_lengths_are_in_the_report(translate: Cli) -> None:
    outcome = translate("scene.en.srt", "--alternatives", "3", "--json")
    assert outcome.code in (0, 3), outcome.err
    (document,) = outcome.json["files"]
    assert document["settings"]["alternatives"] == 3
    cues = [cue for cue in document["cues"] if cue["status"] == "fits"]
    assert any(cue["alternatives"] for cue in cues)
    for cue in cues:
        for each in cue["alternatives"]:
            assert each.keys() == {"text", "characters", "share", "score", "target", "payload"}
            assert each["target"].replace("\n", " ") == each["text"]
            assert each["characters"] <= cue["budget"]


def test_several_models_translate_together_and_all_are_named(cli, tiny_model_folder, tmp_path):
    other = Path(shutil.copytree(tiny_model_folder, tmp_path / "other"))
    models = ("--model", tiny_model_folder, "--model", other)
    outcome = cli("translate", "scene.en.srt", "-t", "de", *models, "--beam", "2", "--json")
    assert outcome.code == 0, outcome.err
    (document,) = outcome.json["files"]
    assert document["settings"]["model"] == "tiny + other"


def test_a_source_language_that_was_guessed_is_told(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "film.fr.srt").write_text(SCENE, encoding="utf-8")
    outcome = translate("film.fr.srt")
    assert "source language: fr, by the name of film.fr.srt; -s names another" in outcome.out
    assert outcome.code == 2
    assert "tiny translates from en, not from fr" in outcome.err
    outcome = translate("film.fr.srt", "-s", "en")
    assert "source language" not in outcome.out
    assert outcome.code == 0
