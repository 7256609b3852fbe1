from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.errors import UsageError
from subfit.limits.budget import LengthRatio
from subfit.limits.cue_budgets import Dubbing, cue_budgets
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.speech import estimate_seconds
from subfit.subtitles.cues import Cue, Track
from tests.scripted import ScriptedTranslator

GERMAN = Guideline.load("none", "de")
SOURCE = "The last boat left an hour ago."
SHORT, MEDIUM, LONG = (
    "Es ist weg.",
    "Das letzte Boot ist seit einer Stunde weg.",
    "Das allerletzte Boot hat den Hafen bereits vor einer ganzen Stunde verlassen.",
)


def script(*lines: tuple[str, int]) -> Track:
    """A script of lines with the milliseconds they have."""
    return Track(tuple(Cue(0, length, text, speaker="ANN") for text, length in lines), "csv")


def dubbed(track: Track, answers: list[str], **options: object) -> Localization:
    translator = ScriptedTranslator(dict.fromkeys([cue.text for cue in track.cues], answers))
    options = {"strict_budget": True, **options}
    return localize(track, translator, GERMAN, Options(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("budget", "bindings"),
    [
        ("isochronous", [["speech"], ["length_ratio"]]),
        ("isometric", [["length_ratio"], ["length_ratio"]]),
        ("both", [["length_ratio", "speech"], ["length_ratio"]]),
    ],
)
def test_each_kind_of_budget_has_its_limits(budget: str, bindings: list[list[str]]) -> None:
    track = script((SOURCE, 2000), (SOURCE, 0))
    dubbing = Dubbing(budget=budget)  # type: ignore[arg-type]
    budgets = cue_budgets(track, GERMAN, dubbing=dubbing)
    assert [[name for name, _ in each.limits] for each in budgets] == bindings
    assert budgets[1].floor == 28
    assert budgets[1].characters == 34


def test_a_ratio_that_is_asked_for_holds_besides() -> None:
    track = script((SOURCE, 2000), (SOURCE, 0))
    budgets = cue_budgets(track, GERMAN, LengthRatio(0.5, 1.0))
    assert [dict(each.limits)["length_ratio"] for each in budgets] == [31, 31]


def test_directions_take_no_time() -> None:
    with_directions = script((f"(OFF) {SOURCE} [sighs]", 2000))
    budgets = cue_budgets(with_directions, GERMAN)
    track = script((SOURCE, 2000))
    assert budgets == cue_budgets(track, GERMAN)


@pytest.mark.parametrize(
    ("milliseconds", "expected", "sync", "status"),
    [
        (4000, LONG, "ok", "fits"),  # the best one, where there is time
        (2000, MEDIUM, "ok", "fits"),
        (600, SHORT, "ok", "fits"),
        (300, LONG, "over", "overflow"),  # none does: the best one stays, rather than a short one
    ],
)
def test_the_best_translation_that_can_be_said_in_time_is_taken(
    milliseconds: int, expected: str, sync: str, status: str
) -> None:
    done = dubbed(script((SOURCE, milliseconds)), [LONG, MEDIUM, SHORT])
    (verdict,) = done.outcomes
    assert verdict.target == expected
    assert verdict.speaking is not None
    assert (verdict.speaking.sync, verdict.status) == (sync, status)
    assert verdict.speaking.slot == milliseconds / 1000
    estimated = estimate_seconds(expected, "de")
    assert verdict.speaking.estimated == round(estimated, 2)
    assert verdict.speaking.speed_factor == round(estimated / milliseconds * 1000, 2)


def test_a_translation_that_is_too_short_gives_way_to_one_that_fills_the_time() -> None:
    done = dubbed(script((SOURCE, 2400)), [SHORT, MEDIUM])
    assert done.outcomes[0].target == MEDIUM
    alone = dubbed(script((SOURCE, 2400)), [SHORT])
    (verdict,) = alone.outcomes
    assert verdict.speaking is not None
    assert (verdict.target, verdict.speaking.sync, verdict.status) == (SHORT, "under", "fits")
    assert alone.report.clean


def test_a_greater_speed_factor_allows_more() -> None:
    track = script((SOURCE, 2000))
    slow, fast = (
        dubbed(track, [LONG, MEDIUM, SHORT], dubbing=Dubbing(speed_factor=factor))
        for factor in (1.0, 2.5)
    )
    assert len(slow.outcomes[0].target) < len(fast.outcomes[0].target)
    with pytest.raises(UsageError, match=r"--speed-factor 0\.9"):
        Dubbing(speed_factor=0.9)


def test_what_is_over_in_time_is_told_in_characters() -> None:
    done = dubbed(script((SOURCE, 300)), [SHORT])
    (verdict,) = done.report.cues
    estimated = estimate_seconds(SHORT, "de")
    assert verdict.excess == pytest.approx(len(SHORT) * (1 - 0.36 / estimated))
    totals = done.report.totals
    assert (totals["overflow"]["after"]["over"], totals["lines_overflow"]) == (1, 0)
    assert (totals["speaking"]["over"], totals["speaking"]["lines"]) == (1, 1)


def test_rows_are_translated_each_by_itself() -> None:
    first, second = "I asked for one in May, but", "someone told me to use a candle."
    track = script((first, 3000), (second, 3000))
    track = replace(track, cues=(track.cues[0], replace(track.cues[1], start=3100, end=6000)))
    translator = ScriptedTranslator({first: "Ich bat im Mai,", second: "doch man riet ab."})
    done = localize(track, translator, GERMAN)  # type: ignore[arg-type]
    assert [cue.joined for cue in done.outcomes] == [(), ()]


def test_what_stands_beside_each_line_is_what_the_report_says() -> None:
    done = dubbed(script((SOURCE, 2000), ("(laughs)", 900)), [MEDIUM])
    spoken = done.outcomes[0].speaking
    assert spoken is not None
    assert done.track.remarks[0] == {
        "LR": round(len(MEDIUM) / len(SOURCE), 2),
        "Estimated s": spoken.estimated,
        "Speed factor": spoken.speed_factor,
        "Over/under": spoken.sync,
        "Status": "fits",
    }
    assert set(done.track.remarks[1].values()) == {None, "passed"}
