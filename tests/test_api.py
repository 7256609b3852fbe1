"""The public interface: its names, what importing it costs, and the examples of docs/api.md."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import subfit

from .places import EXAMPLES, ROOT

CUES = 8
DOCUMENT = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
SECTIONS = {
    part.splitlines()[0]: "".join(re.findall(r"```python\n(.*?)```", part, re.DOTALL))
    for part in DOCUMENT.split("\n## ")[1:]
}
PAIRS = "Who is there?\tWer ist da?\nThe door is open.\tDie Tür ist offen.\n"


def test_all_names_are_there() -> None:
    assert sorted(subfit.__all__) == subfit.__all__
    for name in subfit.__all__:
        assert getattr(subfit, name) is not None, name
    assert callable(subfit.localize)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = subfit.Nothing


def test_importing_it_imports_no_torch() -> None:
    code = "import subfit, sys; subfit.read_track, subfit.cue_budgets\n"
    code += "sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loaded_once: None) -> Path:
    """A folder with the files that the examples read."""
    monkeypatch.chdir(tmp_path)
    cues = (EXAMPLES / "lighthouse.en.srt").read_text(encoding="utf-8").split("\n\n")[:CUES]
    Path("movie.en.srt").write_text("\n\n".join(cues) + "\n", encoding="utf-8")
    Path("test.tsv").write_text(PAIRS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("title", [title for title, code in SECTIONS.items() if code])
def test_examples_run(title: str, desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(SECTIONS[title], {})
    printed = capsys.readouterr().out
    if title == "Translate a file":
        assert len(subfit.read_track("movie.de.srt").cues) == CUES
        assert subfit.read_track("movie.de.vtt").format == "vtt"
        assert re.search(r"\d of \d+ cues are over\n$", printed)
    elif title == "Budgets only":
        assert len(printed.splitlines()) == CUES
        assert re.fullmatch(r"(\d+ \d+\.\d (cps|cpl)\n)+", printed)
    else:
        assert "nrefs:1" in printed


def test_a_track_is_written_whole_and_replaces_nothing_unasked(desk: Path) -> None:
    track = subfit.read_track("movie.en.srt")
    subfit.write_track(track, "copy.srt")
    assert Path("copy.srt").read_bytes() == Path("movie.en.srt").read_bytes()
    with pytest.raises(subfit.OutputFileError, match="exists already"):
        subfit.write_track(track, "copy.srt")
    subfit.write_track(track, "copy.srt", overwrite=True, encoding="utf-16")
    assert Path("copy.srt").read_bytes().startswith((b"\xff\xfe", b"\xfe\xff"))
    with pytest.raises(subfit.InputFileError, match="no format is known"):
        subfit.write_track(track, "copy.docx")


def test_a_translator_must_count_as_the_guideline_does(tiny_model_folder: Path) -> None:
    german = subfit.Translator.load(tiny_model_folder)
    korean = subfit.Guideline.load("netflix", "ko")
    track = subfit.Track((subfit.Cue(0, 1000, "Who is there?"),), "srt")
    with pytest.raises(subfit.UsageError, match="does not count characters as netflix does"):
        subfit.localize(track, german, korean)
    german = subfit.Translator.load(tiny_model_folder, counting=korean.counting)
    assert len(subfit.localize(track, german, korean).track.cues) == 1
