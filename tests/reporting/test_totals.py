"""Totals over files: what is added up is what all cues together give."""

from typing import Any

import pytest

from subfit.reporting.report import report_on
from subfit.reporting.totals import add_totals, file_columns, file_values, told_in_short, totals_of
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK, with_outcome

CUES = list(report_on(OUTCOMES, TRACK, NETFLIX).cues)
CUES[0] = with_outcome(CUES[0], doubtful=True, end=1_200)
CUES[1] = with_outcome(CUES[1], omitted=("Well,",), unfamiliar=("siehte",))


def flat(values: Any, above: str = "") -> dict[str, Any]:
    if not isinstance(values, dict):
        return {above: values}
    return {
        key: item for name in values for key, item in flat(values[name], f"{above}.{name}").items()
    }


@pytest.mark.parametrize("at", range(len(CUES) + 1))
def test_the_sum_of_parts_is_the_whole(at: int) -> None:
    parts = [totals_of(CUES[:at], NETFLIX, unread=2), totals_of(CUES[at:], NETFLIX, unread=1)]
    added, whole = flat(add_totals(parts)), flat(totals_of(CUES, NETFLIX, unread=3))
    assert set(added) == set(whole)
    for name, value in whole.items():
        assert added[name] == (value if value is None else pytest.approx(value)), name


def test_of_no_files_there_are_no_shares() -> None:
    added = flat(add_totals([]))
    assert added[".cues"] == 0 and added[".compliance.strict"] is added[".cps.worst"] is None


def test_totals_that_an_earlier_version_kept_lack_what_is_new() -> None:
    old = {
        k: v for k, v in totals_of(CUES, NETFLIX).items() if k not in ("lost", "timing", "terms")
    }
    assert add_totals([old])["lost"] == 0 and add_totals([old])["timing"]["moved"] == 0
    assert "moved" not in file_values(old)


def test_columns_have_the_order_that_users_know() -> None:
    assert " ".join(column.name for column in file_columns()) == (
        "cues translated passed untranslated unread risky doubtful condensed unfamiliar lost over "
        "excess lines_overflow length_ratio compliance cps cps_worst losing withheld moved "
        "moved_ms requests prompt_tokens completion_tokens cost"
    )


def test_one_line_on_a_file_has_only_what_there_is() -> None:
    assert told_in_short(totals_of(CUES, NETFLIX)) == ["1 in doubt", "1 condensed"]
    assert told_in_short(totals_of(CUES[3:], NETFLIX)) == []
