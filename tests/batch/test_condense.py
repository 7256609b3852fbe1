"""The engine that shortens files in their own language."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from subfit.cli.main import run

FILM = "1\n00:00:01,000 --> 00:00:02,000\nIn order to win, you do not have to run.\n"
SCRIPT = "start,end,source\n00:00:01.000,00:00:02.000,Hello.\n"


def test_a_dubbing_script_is_refused_and_does_not_stop_the_others(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("film.srt").write_text(FILM, encoding="utf-8")
    Path("lines.csv").write_text(SCRIPT, encoding="utf-8")
    code = run(["condense", "film.srt", "lines.csv", "-t", "en", "--output-dir", "out"])
    told = capsys.readouterr()
    assert code != 0 and "lines.csv" in told.err
    assert "Traceback" not in told.err


def test_rules_alone_take_no_torch(tmp_path: Path) -> None:
    (tmp_path / "film.srt").write_text(FILM, encoding="utf-8")
    code = (
        "import sys; from subfit.cli.main import run; "
        "done = run(['condense', 'film.srt', '-t', 'en', '-o', 'out.srt', '-q']); "
        "sys.exit(done not in (0, 3) or 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""},
        check=False,
    )
    assert done.returncode == 0
    assert (tmp_path / "out.srt").read_text(encoding="utf-8").count("-->") == 1
