"""Which file becomes which, and what cannot be meant so."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from subfit.batch.job import Job, ReadingOptions, Writing
from subfit.batch.plan import Plan, plan_items
from subfit.errors import UsageError
from subfit.subtitles.scripts.columns import ScriptReading

from .conftest import write


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "a.srt", "b.en.vtt", "s/1.srt", "s/x/2.srt")


def plan(*inputs: str, to: str = "de", shots: str | None = None, **writing: object) -> Plan:
    job = Job(inputs, tuple(to.split()), writing=Writing(**writing))  # type: ignore[arg-type]
    if shots is not None:
        extending = replace(job.options, timing="extend")
        job = replace(job, options=extending, shot_changes=Path(shots))
    return plan_items(job)


def targets(*inputs: str, to: str = "de", **writing: object) -> list[str]:
    return [Path(item.target).as_posix() for item in plan(*inputs, to=to, **writing).items]


@pytest.mark.parametrize(
    ("inputs", "to", "output", "expected"),
    [
        (["a.srt"], "de", None, ["a.de.srt"]),
        (["b.en.vtt"], "de", None, ["b.de.vtt"]),
        (["a.srt"], "de", "new.vtt", ["new.vtt"]),
        (["-"], "de", None, ["-"]),
        (["a.srt"], "de fr", None, ["a.de.srt", "a.fr.srt"]),
        (["a.srt", "b.en.vtt"], "de", "out", ["out/a.de.srt", "out/b.de.vtt"]),
        (["s"], "de", "out", ["out/1.de.srt", "out/x/2.de.srt"]),
        (["a.srt"], "de", "out/", ["out/a.de.srt"]),
    ],
)
def test_where_translations_go(
    inputs: list[str], to: str, output: str | None, expected: list[str]
) -> None:
    assert targets(*inputs, to=to, output=output) == expected


def test_only_several_files_in_one_folder_can_be_resumed() -> None:
    assert plan("s", output="out").keeps_manifest
    assert not plan("a.srt", output="out/").keeps_manifest
    assert not plan("a.srt", to="de fr").keeps_manifest


@pytest.mark.parametrize(
    ("inputs", "writing", "told"),
    [
        (["-", "a.srt"], {"output": "out"}, "must be the only input"),
        (["s"], {}, "s is a folder; name one for its translations with -o"),
        (["a.srt", "s/1.srt"], {"output": "new.srt"}, "several files go into a folder"),
        (["a.srt"], {"output": "a.srt"}, "a.srt is an input and would be overwritten"),
        (["a.srt"], {"report": Path("a.srt")}, "is an input or output as well"),
        (["a.srt"], {"output": "b", "output_dir": Path("c")}, "exclude each other"),
        (["a.srt"], {"cue_reports": Path("r")}, "--cue-reports is for several translations"),
    ],
)
def test_what_cannot_be_meant_is_told(
    inputs: list[str], writing: dict[str, object], told: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        plan(*inputs, **writing)


def test_of_many_names_that_collide_five_are_told() -> None:
    write(Path(), *(f"{folder}/{n}.srt" for folder in "pq" for n in range(8)))
    files = [f"{folder}/{n}.srt" for folder in "pq" for n in range(8)]
    with pytest.raises(UsageError) as error:
        plan(*files, output="out")
    assert str(error.value).count("would both be written to") == 5
    assert str(error.value).endswith("; and 3 more like these")


def test_every_film_has_its_own_shot_changes() -> None:
    write(Path(), "shots/1.shots.txt", "shots/b.shots.txt")
    items = plan("s/1.srt", "b.en.vtt", "a.srt", output="out", shots="shots").items
    found = [Path(item.shot_changes or "").as_posix() for item in items]
    assert found == ["shots/1.shots.txt", "shots/b.shots.txt", "shots/a.shots.txt"]
    with pytest.raises(UsageError, match="several inputs need a folder"):
        plan("a.srt", "s/1.srt", output="out", shots="shots/1.shots.txt")


def test_options_about_scripts_are_refused_for_subtitles() -> None:
    reading = ReadingOptions(script=ScriptReading(sheet="Reel 1"))
    with pytest.raises(UsageError, match=r"a\.srt: --sheet is for dubbing scripts"):
        plan_items(Job(("a.srt",), ("de",), reading=reading))
