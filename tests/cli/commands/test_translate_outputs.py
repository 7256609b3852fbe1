"""Where ``subfit translate`` writes, and what it refuses before it begins."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import SCENE, Cli


def test_an_existing_output_is_refused_before_the_model_is_loaded(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "scene.de.srt").write_text("mine")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{")
    outcome = cli("translate", "scene.en.srt", "-t", "de", "--model", "model")
    assert outcome.code == 1
    assert "scene.de.srt: the file exists already; pass --overwrite" in outcome.err
    assert (tmp_path / "scene.de.srt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--lines", "-1"], "--lines must be more than 0"),
        (["--model", "no/such/model"], "no model here"),
        (["--output-encoding", "klingon"], "unknown encoding 'klingon'"),
        (["--guideline", "ted", "--timing", "extend"], "pass --out-slack"),
        (["-t", "tlh", "-o", "scene.de.srt"], "no model comes with subfit"),
        (["--report", "scene.de.xml"], "the name must end in"),
    ],
)
def test_a_wrong_argument_is_told_before_outputs_that_exist(arguments, part, cli, tmp_path):
    taken = [tmp_path / "scene.de.srt", tmp_path / "report.json"]
    for path in taken:
        path.write_text("mine")
    if "-t" not in arguments:
        arguments = ["-t", "de", *arguments]
    outcome = cli("translate", "scene.en.srt", "--report", "report.json", *arguments)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert part in outcome.err
    assert [path.read_text() for path in taken] == ["mine", "mine"]


def test_overwrite_replaces(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "scene.de.srt").write_text("old")
    assert translate("scene.en.srt", "--overwrite").code == 0
    assert "-->" in (tmp_path / "scene.de.srt").read_text(encoding="utf-8")


def test_an_input_named_as_in_the_target_language_is_translated_with_a_warning(translate, tmp_path):
    for name in ("a.de.srt", "b.ger.srt"):
        (tmp_path / name).write_text(SCENE, encoding="utf-8")
    one = translate("a.de.srt", "-o", "x.srt")
    assert one.code == 0 and one.err.count("\n") == 1
    assert "subfit: warning: a.de.srt: named as in de already, translated all" in one.err
    two = translate("scene.en.srt", "a.de.srt", "b.ger.srt", "-o", "out", "--dry-run")
    assert "warning: a.de.srt (and 1 more file): named as in de already" in two.err
    assert "warning" not in translate("scene.en.srt", "-o", "y.srt").err


@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_no_input_is_the_output_of_another(overwrite, translate, tmp_path):
    (tmp_path / "scene.de.srt").write_text(SCENE, encoding="utf-8")
    outcome = translate("scene.en.srt", "scene.de.srt", *overwrite)
    assert outcome.code == 2 and "would" in outcome.err
    assert (tmp_path / "scene.de.srt").read_text(encoding="utf-8") == SCENE


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-o", "absent/out.srt"), "absent/out.srt: there is no folder absent; make it first"),
        (("-o", "scene.en.srt/"), "scene.en.srt: is a file, not a folder"),
        (("-o", "scene.en.srt/in/"), "scene.en.srt/in: cannot be made (not a directory)"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_at_once(options, told, cli):
    outcome = cli("translate", "scene.en.srt", "-t", "de", *options)
    assert outcome.code == 1 and outcome.err.count("\n") == 1
    assert told in outcome.err


@pytest.mark.parametrize("output", ["out.docx", "out.sub2", "out.vt"])
def test_an_output_of_no_known_format_is_refused(output: str, cli: Cli, tmp_path: Path) -> None:
    outcome = cli("translate", "scene.en.srt", "-t", "de", "-o", output)
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert f"suffix {Path(output).suffix!r}; use one of .srt, .vtt" in outcome.err
    assert not (tmp_path / output).exists()


@pytest.mark.parametrize("place", ["there", "there/", "absent/", "in.srt/"])
def test_an_output_that_is_a_folder_or_ends_as_one_takes_the_file(place, translate, tmp_path):
    (tmp_path / "there").mkdir()
    assert translate("scene.en.srt", "-o", place, "--report", "r.json").code == 0
    assert [each.name for each in (tmp_path / place).iterdir()] == ["scene.de.srt"]
    assert translate("scene.en.srt", "-o", place).code == 1
    stdin = translate("-", "-o", place, stdin=SCENE.encode())
    assert stdin.code == 2 and "standard input has no name" in stdin.err


def test_webvtt_named_srt_is_written_as_the_output_is_named(translate: Cli, tmp_path: Path) -> None:
    scene = "WEBVTT - a scene\n\n00:01.000 --> 00:03.000\nThe door is open.\n"
    (tmp_path / "movie.en.srt").write_text(scene, encoding="utf-8")
    for options, begins in ((), "1\n00:00:01,000 -->"), (("-o", "movie.vtt"), "WEBVTT - a scene\n"):
        outcome = translate("movie.en.srt", *options)
        assert outcome.code in (0, 3)
        assert outcome.out.count("line 1: it begins as WebVTT") == 1
        name = options[-1] if options else "movie.de.srt"
        written = (tmp_path / name).read_text(encoding="utf-8")
        assert written.startswith(begins) and written.count("-->") == 1


TIMES = re.compile(r"^.*-->.*$", re.MULTILINE)
# "Wo ist der alte Leuchtturm?" has 27 characters and the cue 2 seconds.
EXTEND = ("--timing", "extend", "--cps", "12")


def times(path: Path) -> list[str]:
    return TIMES.findall(path.read_text(encoding="utf-8"))


def test_a_cue_ends_later_and_the_report_says_so(translate: Cli, cli: Cli, tmp_path: Path) -> None:
    outcome = translate("scene.en.srt", *EXTEND, "--report", "r.json")
    assert outcome.code == 0, outcome.err
    assert "out-times       1 cue later, by 0.2 s in all, 250 ms at most; 24 frames" in outcome.out
    first, *others = times(tmp_path / "scene.de.srt")
    assert first == "00:00:01,000 --> 00:00:03,250" and others == TIMES.findall(SCENE)[1:]
    (report,) = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["files"]
    assert report["settings"]["timing"] == "extend"
    assert report["settings"]["guideline"]["out_slack"] == 500
    assert report["totals"]["timing"] == {"moved": 1, "milliseconds": 250, "longest": 250}
    cue = report["cues"][0]
    assert (cue["source_end"], cue["end"]) == (3000, 3250)
    assert cli("check", "scene.de.srt", "--cps", "12").code == 0


def test_shot_changes_and_slack(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "shots").write_text("3.1\n", encoding="utf-8")
    translate("scene.en.srt", *EXTEND, "--shot-changes", "shots", "-o", "shots.srt")
    assert times(tmp_path / "shots.srt") == TIMES.findall(SCENE)
    translate("scene.en.srt", *EXTEND, "--out-slack", "0.1", "-o", "less.srt")
    # Two frames are of no use to it.
    assert times(tmp_path / "less.srt") == TIMES.findall(SCENE)


def test_a_guideline_without_slack_needs_some(translate: Cli, tmp_path: Path) -> None:
    ted = ("scene.en.srt", *EXTEND, "--guideline", "ted")
    outcome = translate(*ted)
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert "guideline ted does not say how much later a cue may end" in outcome.err
    assert "--out-slack SECONDS" in outcome.err
    assert translate(*ted, "--out-slack", "0.4").code == 0
    assert times(tmp_path / "scene.de.srt")[0].endswith("03,280")


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (("--timing", "stretch"), 2, "'stretch' is not one of 'keep', 'extend'"),
        (("--fps", "fast"), 2, "a frame rate is a number such as 25, 23.976 or 29.97"),
        (("--fps", "0"), 2, "a frame rate is a number"),
        (("--timing", "extend", "--out-slack", "11"), 2, "11.0 is not in the range"),
        (("--out-slack", "0.5"), 2, "--out-slack and --shot-changes are for --timing extend"),
        (("--shot-changes", "x"), 2, "--out-slack and --shot-changes are for --timing extend"),
        (("--timing", "extend", "--shot-changes", "absent"), 1, "absent: cannot be read"),
        (("--timing", "extend", "--shot-changes", "bad"), 1, "bad:2: no shot change: “soon”"),
        (("--timing", "extend", "--shot-changes", "."), 1, "scene.shots.txt: cannot be read"),
    ],
)
def test_wrong_values_are_one_line(options, code, told, translate, tmp_path):
    (tmp_path / "bad").write_text("1.0\nsoon\n", encoding="utf-8")
    outcome = translate("scene.en.srt", *options)
    assert outcome.code == code and outcome.err.count("\n") == 1, outcome.err
    assert told in outcome.err
    assert not (tmp_path / "scene.de.srt").exists()
