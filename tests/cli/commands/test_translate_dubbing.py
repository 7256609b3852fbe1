"""Dubbing scripts through the command line, with a model of random weights."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import openpyxl
import pytest

from tests.cli.conftest import Cli
from tests.places import EXAMPLES

BOOK, TABLE = EXAMPLES / "lighthouse-script.en.xlsx", EXAMPLES / "lighthouse-script.en.csv"
HEADINGS = ["LR", "Estimated s", "Speed factor", "Over/under", "Status"]


def test_a_workbook_agrees_with_its_report(translate, tmp_path):
    shutil.copy(BOOK, tmp_path / "script.en.xlsx")
    outcome = translate("script.en.xlsx", "--fps", "25", "--json")
    assert outcome.code in (0, 3)
    (document,) = outcome.json["files"]
    after = openpyxl.load_workbook(tmp_path / "script.de.xlsx")["Reel 1"]
    assert [cell.value for cell in after[4][6:]] == ["Translation", *HEADINGS]
    assert len(document["cues"]) == 23
    for cue in document["cues"]:
        spoken = cue["speaking"]
        row = [cell.value for cell in after[cue["line"]]]
        assert row[3] == (spoken["speaker"] or None)
        ratio = cue["length_ratio"] if cue["status"] in ("fits", "overflow") else None
        assert row[7:] == [
            None if ratio is None else pytest.approx(ratio, abs=0.0051),
            spoken["estimated"],
            spoken["speed_factor"],
            spoken["sync"],
            cue["status"],
        ]
        if "(" not in row[4] and "[" not in row[4] and "/" not in row[4]:
            assert row[6] == cue["target"]
        if spoken["slot"] and spoken["estimated"]:
            assert spoken["speed_factor"] == pytest.approx(
                spoken["estimated"] / spoken["slot"], abs=0.02
            )
    totals = document["totals"]["speaking"]
    syncs = [cue["speaking"]["sync"] for cue in document["cues"]]
    assert {each: totals[each] for each in ("ok", "over", "under")} == {
        each: syncs.count(each) for each in ("ok", "over", "under")
    }
    assert outcome.code == (3 if "overflow" in [cue["status"] for cue in document["cues"]] else 0)


def test_a_table_keeps_its_bytes_and_gains_columns(translate: Cli, tmp_path: Path) -> None:
    shutil.copy(TABLE, tmp_path / "script.en.csv")
    assert translate("script.en.csv", "--fps", "25").code in (0, 3)
    old = TABLE.read_bytes().decode().split("\r\n")
    new = (tmp_path / "script.de.csv").read_bytes().decode().split("\r\n")
    assert new[0] == ";".join([old[0], "Translation", *HEADINGS])
    assert len(new) == len(old)
    assert all(after.startswith(before) for before, after in zip(old, new, strict=True))
    rows = list(csv.reader(io.StringIO("\n".join(new)), delimiter=";"))
    assert {len(row) for row in rows if row} == {11}
    assert rows[3][5:] == ["[DOOR SLAMS]", "", "", "", "", "passed"]


def test_translations_that_are_there_are_kept_and_measured(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "script.csv").write_text(
        "Start,End,Text,Translation\n"
        "0,2,Who is there?,Wer (flüstert) ist da?\n"
        "3,3.3,Who is there?,Wer in aller Welt steht da vor meiner Tür?\n",
        encoding="utf-8",
    )
    outcome = translate("script.csv", "--json", "-o", "script.de.csv")
    assert outcome.code == 3
    (document,) = outcome.json["files"]
    first, second = document["cues"]
    assert first["target"] == "Wer ist da?"
    assert (first["status"], first["speaking"]["sync"]) == ("fits", "ok")
    assert (second["status"], second["speaking"]["sync"]) == ("overflow", "over")
    totals = document["totals"]
    assert totals["speaking"]["kept"] == totals["length_ratio"]["count"] == 2
    assert (totals["overflow"]["before"]["texts"], totals["overflow"]["after"]["over"]) == (0, 1)
    rows = list(csv.reader((tmp_path / "script.de.csv").read_text(encoding="utf-8").split("\n")))
    assert [row[3] for row in rows[1:3]] == [
        "Wer (flüstert) ist da?",
        "Wer in aller Welt steht da vor meiner Tür?",
    ]
    assert rows[2][7:] == ["over", "overflow"]
    again = translate("script.de.csv", "-o", "again.csv")
    assert again.code == 3
    assert "2: 2 translated (2 already)" in again.out and "LR              2." in again.out
    assert "over budget     1 cue by " in again.out and "length control" not in again.out
    assert "Wer in aller Welt" in again.out.partition("Worst cues:")[2]
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "script.de.csv").read_bytes()


@pytest.mark.parametrize("place", [(), ("-o", "./")])
def test_a_translated_script_is_written_in_place_only_if_asked(place, translate, tmp_path):
    rows = "Start,End,Text,Translation\n0,2,Who is there?,Wer ist da?\n"
    (tmp_path / "script.de.csv").write_text(rows, encoding="utf-8")
    outcome = translate("script.de.csv", *place)
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert "name another output with -o, or pass --overwrite" in outcome.err
    assert (tmp_path / "script.de.csv").read_text(encoding="utf-8") == rows
    assert translate("script.de.csv", *place, "--overwrite").code == 0
    assert "Wer ist da?,0.85," in (tmp_path / "script.de.csv").read_text(encoding="utf-8")
    assert translate("script.de.csv", "-o", "out/").code == 0
    assert sorted(each.name for each in tmp_path.rglob("*.csv")) == ["script.de.csv"] * 2


def test_scripts_of_a_folder_are_translated(translate: Cli, tmp_path: Path) -> None:
    for reel in ("one", "two"):
        (tmp_path / "reels" / reel).mkdir(parents=True)
        shutil.copy(BOOK, tmp_path / "reels" / reel / "script.en.xlsx")
    options = ("reels", "-o", "out", "--include", "*.xlsx", "--fps", "25")
    assert translate(*options).code in (0, 3)
    first, second = (tmp_path / "out" / each / "script.de.xlsx" for each in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()
    assert "2 translated earlier" in translate(*options).out
    assert "2 translated" in translate(*options, "--speed-factor", "1.5").out


@pytest.mark.parametrize(
    ("option", "value"),
    [("--columns", "source=Text"), ("--sheet", "Reel 1"), ("--dub-budget", "both")],
)
def test_a_file_that_is_no_script_has_none_of_its_options(option, value, translate, tmp_path):
    outcome = translate("scene.en.srt", option, value)
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert f"scene.en.srt: {option} is for dubbing scripts" in outcome.err
    assert not (tmp_path / "scene.de.srt").exists()


def test_other_commands_say_that_scripts_are_not_for_them(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "script.de.csv").write_text("Start,Text\n00:00:01:10,Hello.\n", encoding="utf-8")
    for wrong in (("script.de.csv",), ("scene.en.srt", "--source", "script.de.csv")):
        for fps in ((), ("--fps", "25")):
            outcome = cli("check", *wrong, *fps)
            assert outcome.code == 2 and outcome.err.count("\n") == 1
            assert "script.de.csv: check is for subtitles; translate keeps" in outcome.err
    told = cli("check", "--help").out
    assert "--columns" not in told and "--sheet" not in told
    assert "--columns" in cli("budget", "--help").out
    refused = cli("check", "scene.en.srt", "--input-format", "csv")
    assert refused.code == 2 and "csv" in refused.err
    assert cli("budget", "script.de.csv", "--input-format", "csv", "--fps", "25").code == 0
    assert "no lines to break" in cli("reflow", "script.de.csv", "-o", "x.csv").err


def test_columns_can_be_told(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "script.tsv").write_text("Who\tSays\nAnn\tThe door is open.\n", encoding="utf-8")
    assert translate("script.tsv").code == 2
    outcome = translate("script.tsv", "--columns", "source=Says,speaker=Who,target=German")
    assert outcome.code in (0, 3)
    header = (tmp_path / "script.de.tsv").read_text(encoding="utf-8").split("\n")[0]
    assert header.split("\t")[:3] == ["Who", "Says", "German"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--speed-factor", "0.5"), "--speed-factor 0.5: it must be from 1 to 3"),
        (("--columns", "Text"), "--columns: 'Text' is not one of start"),
        (("--fps", "0"), "--fps 0"),
        ((), "counts frames; pass --fps"),
        (("--fps", "25", "--sheet", "Reel 2"), "no sheet 'Reel 2'; it has 'Reel 1', 'Cast'"),
        (("--fps", "25", "-o", "script.srt"), "cannot be converted"),
    ],
)
def test_wrong_usage_is_told_in_a_line(translate, tmp_path, arguments, told):
    shutil.copy(BOOK, tmp_path / "script.en.xlsx")
    outcome = translate("script.en.xlsx", *arguments)
    assert outcome.code == 2
    assert told in outcome.err
    assert "Traceback" not in outcome.err


def test_budgets_of_a_script_are_about_time(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "script.csv").write_text(
        "Start,End,Text\n0,2,The door is open.\n,,The door is open.\n", encoding="utf-8"
    )
    timed, untimed = cli("budget", "script.csv", "-t", "de", "--json").json["cues"]
    assert (timed["binding"], untimed["binding"]) == ("speech", "length_ratio")
    assert untimed["budget"] == 18
    isometric = cli("budget", "script.csv", "-t", "de", "--dub-budget", "isometric", "--json")
    assert [cue["binding"] for cue in isometric.json["cues"]] == ["length_ratio"] * 2
