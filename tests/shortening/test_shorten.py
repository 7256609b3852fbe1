"""Through `subfit.shortening.condensation`, which makes what `shorten_all` takes of a track."""

from dataclasses import replace

import pytest

from subfit.fitting.options import Options
from subfit.limits.guideline import Guideline, override
from subfit.shortening.condensation import condense
from subfit.subtitles.formats import parse_track

TIMES = ("00:00:01,000 --> 00:00:03,000", "00:00:03,100 --> 00:00:05,000")


def film(*texts: str) -> str:
    return "\n".join(
        f"{number}\n{time}\n{text}\n"
        for number, (time, text) in enumerate(zip(TIMES, texts, strict=False), 1)
    )


def shortened(*texts: str, cps: float, strict: bool = False):  # type: ignore[no-untyped-def]
    track = parse_track(film(*texts).encode(), format="srt")
    guideline = override(Guideline.load("netflix", "en"), cps=cps)
    return condense(track, guideline, Options(strict_budget=strict))


def test_a_cue_within_its_budget_stays_and_the_next_is_shortened() -> None:
    text = "<i>It  is   cold</i>"
    made = shortened(text, "In order to win,\nyou do not have to run.", cps=18)
    assert made.track.cues[0].text == text
    assert made.track.cues[1].text == "To win, you do not have to run."
    assert made.report.clean


def test_a_sentence_over_two_cues_keeps_its_words_in_their_cues() -> None:
    made = shortened("We do not know the man,", "who really did not pay for his boat.", cps=17)
    first, second = (cue.text for cue in made.track.cues)
    assert first == "We do not know the man,"
    assert second == "who did not pay for his boat."


def test_a_capital_that_every_cue_begins_with_stays() -> None:
    made = shortened("We know it because", "And you really do not know it at all.", cps=17.5)
    assert made.track.cues[1].text.startswith("And ")


def test_what_would_lose_something_stays_over_its_budget() -> None:
    text = "The last boat to Bergen leaves at ten."
    made = shortened(text, cps=12)
    (outcome,) = made.outcomes
    assert made.track.cues[0].text == text
    assert outcome.status == "overflow" and outcome.withheld
    assert not made.report.clean


def test_a_strict_budget_is_kept_and_says_what_it_cost() -> None:
    made = shortened("The last boat to Bergen leaves at ten.", cps=12, strict=True)
    (outcome,) = made.outcomes
    assert outcome.status == "fits" and outcome.losses
    assert made.report.clean


def test_markup_labels_and_dashes_stand_around_what_is_left() -> None:
    text = "- <i>Well,</i> I do not know, Mary.\n- [DOOR SLAMS] I really am <b>sorry</b>."
    made = shortened(text, cps=22)
    (cue,) = made.track.cues
    assert cue.text.count("\n- ") == 1 and "[DOOR SLAMS]" in cue.text and "<b>sorry</b>" in cue.text
    assert made.report.clean


def test_lines_are_broken_anew_before_a_word_is_changed() -> None:
    text = "This single line is longer than a line may be by some letters."
    made = shortened(text, cps=99)
    (cue,) = made.track.cues
    assert cue.text.replace("\n", " ") == text and "\n" in cue.text


@pytest.mark.parametrize("cps", [1, 3, 6, 10])
def test_strict_budgets_hold_wherever_a_word_fits(cps: float) -> None:
    made = shortened("I am here, and you are not.", "Come now, all of you.", cps=cps, strict=True)
    for outcome in made.outcomes:
        if outcome.status == "fits" and outcome.budget is not None:
            assert outcome.budget.fits(outcome.target, made.report.guideline)
        else:
            assert outcome.payload == outcome.cue.text  # never cut


def test_a_cue_without_time_is_left_alone() -> None:
    track = parse_track(film("Come now, all of you.").encode(), format="srt")
    cue = replace(track.cues[0], end=track.cues[0].start)
    guideline = Guideline.load("netflix", "en")
    made = condense(replace(track, cues=(cue,)), guideline, Options(strict_budget=True))
    assert made.track.cues[0].text == cue.text and not made.report.clean


def test_others_that_fit_are_told() -> None:
    made = shortened("Well, I really do not know where it is now.", cps=18)
    (outcome,) = made.outcomes
    assert outcome.alternatives
    for other in outcome.alternatives:
        assert outcome.budget is not None
        assert outcome.budget.fits(other.target, made.report.guideline)
