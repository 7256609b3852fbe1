"""The page of ``subfit check``: any file, whoever made it."""

from pathlib import Path

import pytest

from subfit.cli.main import run

from .browser import RERUN
from .conftest import Opener

pytestmark = [pytest.mark.browser, RERUN]

SOUND = "\n3\n00:00:05,000 --> 00:00:07,000\n[DOOR SLAMS]\n"
SOURCE = (
    "1\n00:00:01,000 --> 00:00:02,000\nGo away!\n\n2\n00:00:02,010 --> 00:00:04,000\nMe?\n" + SOUND
)
TARGET = SOURCE.replace("Go away!", "<i>Verschwinde von hier!</i>").replace("Me?", "Ich...")


def test_broken_limits_are_shown_and_can_be_mended(
    opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.en.srt").write_text(SOURCE, encoding="utf-8")
    Path("a.de.srt").write_text(TARGET, encoding="utf-8")
    options = ["--source", "a.en.srt", "--guideline", "netflix", "--report", "check.html", "-q"]
    assert run(["check", "a.de.srt", *options]) == 3
    page = opened(Path("check.html").read_text(encoding="utf-8"))
    assert page.errors() == []
    assert page.text("#cue-1 .chip") == "● over +4"
    assert "gap 10 ms < 83 ms" in page.text("#cue-1 .notes")
    assert "ellipsis: an ellipsis that is not …" in page.text("#cue-2 .notes")
    assert page.text("#cue-1 .source") == "Go away!"
    assert "Length ratio (LR)2.31" in page.text("#tiles")
    page.edit(1, "Verschwinde!")
    assert page.text("#cue-1 .chip") == "✓ fits"
    mended = TARGET.replace("Verschwinde von hier!", "Verschwinde!")
    assert page.download("#download", "a.de.srt").decode() == mended
