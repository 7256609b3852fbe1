"""``subfit translate --channel-model``: translations ranked by how well they give sources back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from subfit.cli.main import run

FILM = """\
1
00:00:01,000 --> 00:00:03,000
Who is there?

2
00:00:03,100 --> 00:00:05,000
Open the door.
"""


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.en.srt"
    path.write_text(FILM, encoding="utf-8")
    return path


@pytest.fixture
def back(tiny_model_folder: Path, tmp_path: Path) -> Path:
    """A model that says it translates German to English."""
    folder = tmp_path / "back"
    shutil.copytree(tiny_model_folder, folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config |= {"source_language": "de", "target_language": "en"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def translated(film: Path, model: Path, *options: str) -> tuple[int, Path]:
    report = film.with_suffix(".json")
    arguments = ["translate", str(film), "-t", "de", "--model", str(model), "--overwrite", "-q"]
    return run([*arguments, "--report", str(report), *options]), report


def test_the_report_names_the_model_that_ranked(film, back, tiny_model_folder) -> None:
    def told(*options: str) -> str:
        code, report = translated(film, tiny_model_folder, *options)
        assert code in (0, 3)
        return report.read_text(encoding="utf-8")

    assert '"channel_model": "back"' in told("--channel-model", str(back))
    assert '"channel_model"' not in told()  # the model comes with none


def test_one_that_translates_the_same_way_is_refused(film, tiny_model_folder, capsys) -> None:
    code, _ = translated(film, tiny_model_folder, "--channel-model", str(tiny_model_folder))
    assert code == 2
    assert "tiny translates from en, not from de" in capsys.readouterr().err
