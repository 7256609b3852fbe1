"""What a run depends on: whether a second one must translate again is told by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.batch.items import Item, Source
from subfit.batch.job import Job, Limits, ReadingOptions, Writing
from subfit.batch.setup import Prepared, RunSetup, place_checksum, prepare
from subfit.errors import InputFileError, SubfitError, UsageError

JOB = Job(("a.srt",), ("de", "fr"))


def setup(job: Job) -> RunSetup:
    pairs = [(language, timed) for language in job.languages for timed in (True, False)]
    guidelines = {(one, timed): job.guideline_for(one, timed=timed) for one, timed in pairs}
    return RunSetup(job, dict.fromkeys(job.languages, ("someone/model",)), guidelines)


@pytest.mark.parametrize(
    "changed",
    [
        replace(JOB, limits=Limits(cps=12)),
        replace(JOB, beam=9),
        replace(JOB, options=replace(JOB.options, formality="formal")),
        replace(JOB, reading=ReadingOptions(encoding="cp1252")),
        replace(JOB, writing=Writing(bilingual="source-first")),
        replace(JOB, computing=replace(JOB.computing, precision="bf16")),
    ],
)
def test_what_changes_a_translation_changes_its_fingerprint(changed: Job) -> None:
    assert setup(changed).fingerprint("de") != setup(JOB).fingerprint("de")


@pytest.mark.parametrize(
    "changed",
    [
        replace(JOB, dry_run=True),
        replace(JOB, fail_fast=True),
        replace(JOB, inputs=("b.srt",)),
        replace(JOB, languages=("de",)),
        replace(JOB, writing=Writing(report=Path("r.html"), overwrite=True)),
        replace(JOB, computing=replace(JOB.computing, threads=1)),
    ],
)
def test_what_changes_no_translation_leaves_its_fingerprint(changed: Job) -> None:
    assert setup(changed).fingerprint("de") == setup(JOB).fingerprint("de")


def test_a_model_is_its_weights_wherever_it_stands_and_whatever_is_written_about_it(tmp_path):
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.safetensors").write_bytes(b"weights")
    (tmp_path / "other" / "README.md").write_text("a card")
    one, other = str(tmp_path / "one"), str(tmp_path / "other")
    same = place_checksum(one)
    assert place_checksum(other) == same
    (tmp_path / "other" / "model.safetensors").write_bytes(b"others")
    assert place_checksum(other) != same


FILM = b"1\n00:00:01,000 --> 00:00:02,000\n<b>Hello.</b>\n\n2\n00:00:02,500 --> 00:00:03,000\nHo.\n"
TOP = b"WEBVTT\n\n00:01.000 --> 00:02.000 position:20%\nHello.\n"
SCRIPT = b"start,end,source\n00:00:01.000,00:00:02.000,Hello.\n"


def prepared(
    data: bytes,
    name: str = "a.srt",
    target: str = "b.srt",
    *,
    writing: Writing | None = None,
    shots: bytes | None = None,
    timing: str = "keep",
) -> Prepared:
    job = Job((name,), ("de",), writing=writing or Writing())
    job = replace(job, options=replace(job.options, timing=timing))
    guidelines = {("de", timed): job.guideline_for("de", timed=timed) for timed in (True, False)}
    item = Item(name, target, "de", None if shots is None else "cuts.shots.txt")
    return prepare(Source(0, item, data, 1, shots), RunSetup(job, {"de": ()}, guidelines))


def test_shot_changes_of_the_film_come_with_it() -> None:
    made = prepared(FILM, shots=b"00:00:02.000\n00:00:00.500\n", timing="extend")
    assert made.track.shot_changes == (500, 2000)
    with pytest.raises(InputFileError, match=r"cuts\.shots\.txt.*2"):
        prepared(FILM, shots=b"00:00:02.000\nnever\n", timing="extend")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: prepared(SCRIPT, "a.csv", "b.csv", timing="extend"), "times of a dubbing script"),
        (lambda: prepared(SCRIPT, "a.csv", "b.srt"), "cannot be converted"),
        (lambda: prepared(FILM, writing=Writing(output_encoding="utf-99")), "utf-99"),
        (
            lambda: prepared(SCRIPT, "a.csv", "b.csv", writing=Writing(bilingual="source-first")),
            "bilingual",
        ),
    ],
)
def test_what_cannot_be_written_is_told_before_it_is_translated(call, error: str) -> None:
    with pytest.raises(SubfitError, match=error) as told:
        call()
    assert isinstance(told.value, UsageError)
