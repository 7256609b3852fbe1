"""``subfit translate --timing``, with a tiny model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import SCENE, Cli

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
def test_wrong_values_are_one_line(
    options: tuple[str, ...], code: int, told: str, translate: Cli, tmp_path: Path
) -> None:
    (tmp_path / "bad").write_text("1.0\nsoon\n", encoding="utf-8")
    outcome = translate("scene.en.srt", *options)
    assert outcome.code == code and outcome.err.count("\n") == 1, outcome.err
    assert told in outcome.err
    assert not (tmp_path / "scene.de.srt").exists()
