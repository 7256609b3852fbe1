"""What a run led to: whether it failed, and whether what is done keeps its limits."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from subfit.batch.failures import failure_of
from subfit.batch.items import Item, Result
from subfit.batch.outcome import Outcome
from subfit.errors import InputFileError
from subfit.reporting.report import report_on
from subfit.subtitles.cues import Track
from tests.reporting.conftest import NETFLIX, OUTCOMES

ITEM = Item("film.srt", "film.de.srt", "de")
ERROR = failure_of(InputFileError("film.srt", "there is no cue in it", line=3))


def outcome_of(*results: Result, unread: tuple[object, ...] = ()) -> Outcome:
    plan = SimpleNamespace(listing=SimpleNamespace(failures=unread), keeps_manifest=False)
    job = SimpleNamespace(writing=SimpleNamespace(sort="cue"))
    return Outcome(SimpleNamespace(plan=plan, job=job), results)


@pytest.mark.parametrize(
    ("state", "failed"),
    [("done", False), ("earlier", False), ("edited", False), ("failed", True), ("stopped", True)],
)
def test_a_run_failed_if_a_file_did_or_was_not_begun(state, failed: bool) -> None:
    assert outcome_of(Result(ITEM, "done"), Result(ITEM, state)).failed == failed


def test_a_folder_that_cannot_be_read_is_a_failure_too() -> None:
    assert outcome_of(Result(ITEM, "done"), unread=(("season", ERROR),)).failed


@pytest.mark.parametrize(("number", "over"), [(0, False), (2, True)])
def test_cues_over_their_budget_are_no_failure_but_are_told(number: int, over: bool) -> None:
    one = OUTCOMES[number]
    report = report_on((one,), Track((one.cue,), "srt"), NETFLIX)
    outcome = outcome_of(Result(ITEM, "done", {"totals": report.totals}, report=report))
    assert (outcome.over, outcome.failed) == (over, False)


def test_a_document_has_every_cue_and_every_error() -> None:
    one = OUTCOMES[0]
    report = report_on((one,), Track((one.cue,), "srt"), NETFLIX)
    outcome = outcome_of(
        Result(ITEM, "done", {"totals": report.totals}, report=report),
        Result(ITEM, "failed", failure=ERROR),
    )
    done, failed = outcome.to_dict()["files"]
    assert [cue["target"] for cue in done["cues"]] == [one.target]
    assert (failed["input"], failed["output"]) == ("film.srt", "film.de.srt")
    assert "there is no cue in it" in str(failed["error"])
