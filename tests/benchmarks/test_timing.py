from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.timing import main

ENGLISH = """\
1
00:00:01,000 --> 00:00:02,500
Where is the old lighthouse?

2
00:00:05,000 --> 00:00:07,000
The door is open.
"""


def test_both_ways_are_measured_on_the_same_cues(
    tmp_path: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scene.en.srt").write_text(ENGLISH, encoding="utf-8")
    german = ENGLISH.replace("The door is open.", "Die Tür ist offen.")
    (tmp_path / "scene.de.srt").write_text(german, encoding="utf-8")
    main([str(tiny_model_folder), str(tmp_path), "-t", "de", "--json", str(tmp_path / "r.json")])
    figures = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    keep, extend = figures["de, keep"], figures["de, extend"]
    assert keep["moved"] == 0 and extend["moved"] == 1
    assert keep["cues"] == extend["cues"] == keep["references"] == 2
    assert keep["natural_over"] == extend["natural_over"] == 1
    assert "| de, extend | 2 | 1 | 0 | 0 |" in capsys.readouterr().out
