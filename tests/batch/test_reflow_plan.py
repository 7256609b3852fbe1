"""Where files that are broken into lines anew are written: never over anything unasked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from subfit.batch.job import Writing
from subfit.batch.reflow_plan import plan_reflow
from subfit.errors import OutputFileError, UsageError

FILM = "1\n00:00:01,000 --> 00:00:02,000\nHello.\n"


@pytest.fixture(autouse=True)
def season(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.srt", "b.vtt", "season/a.srt", "season/specials/c.srt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(FILM, encoding="utf-8")


def targets(inputs: list[str], *, dry_run: bool = False, **writing: object) -> list[str]:
    plan = plan_reflow(inputs, Writing(**writing), dry_run=dry_run)
    return [Path(one.target).as_posix() if one.target else "" for one in plan.files]


@pytest.mark.parametrize(
    ("inputs", "writing", "expected"),
    [
        (["a.srt"], {"output": "new.srt"}, ["new.srt"]),
        (["a.srt"], {"overwrite": True}, ["a.srt"]),
        (["a.srt"], {"output": "-"}, ["-"]),
        (["-"], {}, ["-"]),
        (["a.srt", "b.vtt"], {"output_dir": "out"}, ["out/a.srt", "out/b.vtt"]),
        (["season"], {"output_dir": "out"}, ["out/a.srt", "out/specials/c.srt"]),
        (["season"], {"overwrite": True}, ["season/a.srt", "season/specials/c.srt"]),
    ],
)
def test_where_files_go(inputs, writing, expected) -> None:
    assert targets(inputs, **writing) == expected


def test_a_dry_run_needs_no_place() -> None:
    assert targets(["a.srt"], dry_run=True) == [""]


@pytest.mark.parametrize(
    ("inputs", "writing", "message"),
    [
        (["a.srt"], {}, "a.srt: where is it to be written?"),
        (["a.srt"], {"output": "a.srt"}, "pass --overwrite to replace it"),
        (["a.srt"], {"output": "a.vtt"}, "the format stays that of a.srt"),
        (["-", "a.srt"], {"output_dir": "out"}, "must be the only input"),
        (["-"], {"output_dir": "out"}, "standard input has no name"),
        (["a.srt", "season/a.srt"], {"output_dir": "out"}, "would both be written to"),
        (["a.srt", "b.vtt"], {"output_dir": "."}, "is an input and would be overwritten"),
    ],
)
def test_what_cannot_be_meant_is_told(inputs, writing, message) -> None:
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        targets(inputs, **writing)


def test_what_is_there_is_not_replaced_unasked() -> None:
    Path("new.srt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputFileError, match="--overwrite"):
        targets(["a.srt"], output="new.srt")
    assert targets(["a.srt"], output="new.srt", overwrite=True) == ["new.srt"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs symbolic links")
def test_another_name_of_an_input_is_that_input() -> None:
    Path("link.srt").symlink_to("a.srt")
    with pytest.raises(UsageError, match="is an input and would be overwritten"):
        targets(["a.srt"], output="link.srt")
