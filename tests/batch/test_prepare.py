"""What is found out about a file before any model is loaded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.batch.items import Item, Source
from subfit.batch.job import Job, Writing
from subfit.batch.setup import Prepared, RunSetup, prepare
from subfit.errors import InputFileError, SubfitError, UsageError

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
