"""Reports made again of what is kept, without translating."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Translate, write


def test_another_form_of_report_is_made_without_translating_again(
    translate: Translate, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Path("season"), "1.srt", "2.srt")
    command = ("season", "-o", "out", "--cue-reports", "cues")
    assert translate(*command, "--cue-report-format", "json").code in (0, 3)
    with monkeypatch.context() as patched:
        patched.setattr("subfit.batch.work.load_model", no_model)
        assert translate(*command, "--cue-report-format", "csv").code in (0, 3)
        assert translate(*command, "--cue-report-format", "html").code in (0, 3)
    later = {place.name: place.read_bytes() for place in Path("cues").iterdir()}
    for form in ("csv", "html"):
        fresh = ("season", "-o", f"{form}/out", "--cue-reports", f"{form}/cues")
        assert translate(*fresh, "--cue-report-format", form).code in (0, 3)
        for name in ("1", "2"):
            made = Path(f"{form}/cues/{name}.de.srt.{form}").read_bytes()
            assert made.replace(f"{form}/out".encode(), b"out") == later[f"{name}.de.srt.{form}"]


def test_a_report_is_not_made_of_a_translation_that_has_changed(translate: Translate) -> None:
    write(Path("season"), "1.srt", "2.srt")
    command = ("season", "-o", "out", "--cue-reports", "cues")
    assert translate(*command).code in (0, 3)
    edited = Path("out/1.de.srt")
    edited.write_text(edited.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    translate(*command, "--cue-report-format", "csv")
    assert not Path("cues/1.de.srt.csv").exists() and Path("cues/2.de.srt.csv").exists()


def no_model(*_: object) -> None:
    pytest.fail("a model was loaded")
