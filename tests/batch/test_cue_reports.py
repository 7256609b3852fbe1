"""Reports on cues, one for each translation."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.batch.test_run import states

from .conftest import Translate, tree


def test_every_translation_has_a_report_on_its_cues_if_wished_also_later(
    translate: Translate, season: Path
) -> None:
    translate("season", "-o", "out")
    options = ("season", "-o", "out", "--cue-reports", "cues", "--report", "r.json")
    assert translate(*options).code == 0
    assert set(states(Path("r.json")).values()) == {"done"}
    names = [f"{name}.json" for name in tree(Path("out"))]
    assert list(tree(Path("cues"))) == names
    report = json.loads(Path("cues/specials/1.de.srt.json").read_text(encoding="utf-8"))
    assert report["output"] == "out/specials/1.de.srt"
    assert [cue["number"] for cue in report["cues"]] == [1, 2, 3]
    assert translate(*options).code == 0
    assert set(states(Path("r.json")).values()) == {"earlier"}
    Path("cues/1.de.srt.json").unlink()
    Path("cues/2.de.srt.json").write_text("mine")
    outcome = translate(*options)
    assert outcome.code == 1 and "cues/2.de.srt.json: the file exists already" in outcome.err
    files = json.loads(Path("r.json").read_text(encoding="utf-8"))["files"]
    assert [each["state"] for each in files] == ["earlier", "failed", "earlier"]
    assert list(tree(Path("cues"))) == names
    assert translate("season/1.srt", "-o", "x.srt", "--cue-reports", "cues").code == 2


@pytest.mark.parametrize("inputs", [("season/1.srt", "-o", "x.srt"), ("season", "-o", "out")])
def test_a_format_of_reports_on_cues_that_nothing_writes_is_refused(
    inputs: tuple[str, ...], translate: Translate, season: Path
) -> None:
    outcome = translate(*inputs, "--cue-report-format", "html")
    assert outcome.code == 2 and outcome.err.startswith("subfit: error: --cue-report-format is for")
    assert not Path(inputs[-1]).exists()


def test_reports_on_cues_may_be_pages_to_edit_in(translate: Translate, season: Path) -> None:
    options = ("season", "-o", "out", "--cue-reports", "cues", "--cue-report-format", "html")
    assert translate(*options).code == 0
    assert list(tree(Path("cues"))) == [f"{name}.html" for name in tree(Path("out"))]
    assert "<!DOCTYPE html>" in Path("cues/1.de.srt.html").read_text(encoding="utf-8")
    assert translate(*options).code == 0
    assert translate(*options, "--report", "r.html").code == 0
    page = Path("r.html").read_text(encoding="utf-8")
    links = re.findall(r'<a href="([^"]*)">', page)
    assert links == [f"cues/{name}" for name in tree(Path("cues"))]
    assert "<script" not in page
