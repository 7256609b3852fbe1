"""What a run depends on: whether a second one must translate again is told by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.batch.job import Job, Limits, ReadingOptions, Writing
from subfit.batch.setup import RunSetup, make_setup, place_checksum

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


def test_a_model_is_its_weights_wherever_it_stands_and_whatever_is_written_about_it(
    tmp_path: Path,
) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.safetensors").write_bytes(b"weights")
    (tmp_path / "other" / "README.md").write_text("a card")
    one, other = str(tmp_path / "one"), str(tmp_path / "other")
    same = place_checksum(one)
    assert place_checksum(other) == same
    (tmp_path / "other" / "model.safetensors").write_bytes(b"others")
    assert place_checksum(other) != same


def test_a_channel_model_is_part_of_what_a_translation_depends_on() -> None:
    def made(channel: str) -> RunSetup:
        return make_setup(Job(("a.de.srt",), ("en",), channel_model=channel).translating_from("de"))

    auto, none = made("auto"), made("none")
    assert auto.describe("en")["channel_model"] == "en-multi"
    assert "channel_model" not in none.describe("en")
    assert auto.fingerprint("en") != none.fingerprint("en")
    assert auto.fingerprint("en") == made("en-multi").fingerprint("en")
