"""Progress in lines, where there is no terminal."""

from __future__ import annotations

import pytest

from subfit.cli import console


def test_lines_of_progress_keep_their_distance(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 29.0, 31.0, 31.0, 60.0, 61.5, 61.5])
    with console.Bar(4, name="film.srt") as bar:
        monkeypatch.setattr(console, "monotonic", lambda: next(clock))
        bar._next = next(clock) + console.INTERVAL
        for done, figures in enumerate(("one", "two", "three", "four"), 1):
            bar.update(done, figures)
    told = capsys.readouterr().err
    assert told == "subfit: film.srt: 50.0 % two\nsubfit: film.srt: 100.0 % four\n"
