"""What a model proposes, judged with what the rules do."""

import pytest

from subfit.fitting.options import Options
from subfit.limits.guideline import Guideline, override
from subfit.shortening.condensation import condense
from subfit.subtitles.formats import parse_track
from tests.scripted import ScriptedTranslator

FILM = "1\n00:00:01,000 --> 00:00:03,000\n{}\n"


def written(text: str, answers: list[str], *, rules: bool = False, strict: bool = False):  # type: ignore[no-untyped-def]
    track = parse_track(FILM.format(text).encode(), format="srt")
    guideline = override(Guideline.load("netflix", "en"), cps=12)  # 24 characters
    translator = ScriptedTranslator({text: answers})
    options = Options(condense=rules, strict_budget=strict)
    made = condense(track, guideline, options, translator)
    return made.outcomes[0]


@pytest.mark.parametrize(
    ("text", "answer", "shown"),
    [
        ("I do not know where it is.", "I don't know where it is", "I don't know where it is"),
        ("we have to leave it all behind", "We must leave it behind.", "we must leave it behind"),
        ("they really have seen it all,", "They have seen it all.", "they have seen it all,"),
    ],
)
def test_a_text_that_says_the_same_is_taken(text: str, answer: str, shown: str) -> None:
    outcome = written(text, [answer])
    assert outcome.target.replace("\n", " ") == shown
    assert outcome.status == "fits" and not outcome.losses and outcome.natural == text


def test_what_says_something_else_is_withheld_unless_the_budget_is_strict() -> None:
    text, answer = "The young captain never came home again.", "The captain came home."
    kept = written(text, [answer])
    assert kept.payload == text and "negation" in kept.withheld
    taken = written(text, [answer], strict=True)
    assert taken.status == "fits" and taken.losses


def test_the_best_of_rules_and_model_is_taken() -> None:
    text = "Well, it is really cold out here."
    outcome = written(text, ["It's warm out here."], rules=True)
    assert outcome.target == "It's cold out here." or "cold" in outcome.target
    assert outcome.status == "fits" and not outcome.losses


def test_nothing_is_asked_of_a_model_for_what_fits() -> None:
    track = parse_track(FILM.format("Come here.").encode(), format="srt")
    translator = ScriptedTranslator({})
    made = condense(track, Guideline.load("netflix", "en"), Options(), translator)
    assert not translator.asked and made.track.cues[0].text == "Come here."
