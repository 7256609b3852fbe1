"""What a shortened translation loses of the natural one, and in which cue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.losses import Loss, at_parts, is_whole, losses_of
from subfit.fitting.outcomes import WEIGHTS, RiskFeatures, risk_of, risk_of_any
from subfit.fitting.task import Setup, Task, Translation
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence
from tests.scripted import KnownWords


def setup_of(words: Mapping[str, Mapping[str, float]] | None) -> Setup:
    translator = SimpleNamespace(word_scores=None if words is None else KnownWords(words))
    return Setup(cast(Any, translator), Guideline.load("none", "de"))


def found(text: str, score: float = -0.2, closing: float = -0.1, **known: Any) -> Translation:
    return Translation(
        Hypothesis(text, len(text), score, score, closing=closing), rated=True, **known
    )


def lost(source: str, natural: str, short: str | Translation, words=None) -> set[str]:
    task = Task(Sentence((Part(0, 0, source),)), (LengthBudget(),))
    one = found(short) if isinstance(short, str) else short
    hardly_shorter = max(one.characters, len(natural) - 1)
    one = replace(one, hypothesis=replace(one.hypothesis, characters=hardly_shorter))
    setup = setup_of(words)
    names_are_words = {Loss.NAME, Loss.NUMBER}
    losses = {loss for loss, _ in losses_of(task, one, found(natural), setup)}
    return losses - {Loss.WORDS} if losses & names_are_words else losses


@pytest.mark.parametrize(
    ("source", "natural", "short", "losses"),
    [
        ("I did not see it.", "Ich habe es nicht gesehen.", "Ich sah es.", {Loss.NEGATION}),
        ("I did not see it.", "Ich habe es nicht gesehen.", "Ich sah es nie.", set()),
        ("We meet Anna in May.", "Wir treffen Anna im Mai.", "Wir treffen sie.", {Loss.NAME}),
        ("We meet Anna today.", "Wir treffen Anna heute.", "Heute: Annas Tag", set()),
        ("It is 31 miles.", "Es sind 31 Meilen bis dorthin.", "Es ist weit weg.", {Loss.NUMBER}),
        ("In the 1960s.", "In den 1960ern war es so.", "1960 war es so.", {Loss.NUMBER}),
        ('He said, "Wait."', 'Er sagte: "Warte hier."', 'Er sagte: "Warte hier.', {Loss.END}),
        ("Go home.", "Geh heim.", "Geh nach Hause, bitte.", set()),  # it is not shorter
    ],
)
def test_what_the_natural_one_says_and_a_shorter_one_does_not(source, natural, short, losses):
    assert lost(source, natural, short) == losses


def test_an_early_end_is_told_by_its_probability() -> None:
    cut = found("Warte an der.", closing=-5.0)
    assert lost("Wait at the bridge.", "Warte an der Brücke.", cut) == {Loss.END}


ELEVATOR = {"elevator": {"Fahrstuhl": 0.6, "Lift": 0.7, "Abzug": 0.3}, "big": {"großer": 0.6}}


@pytest.mark.parametrize(
    ("short", "losses"),
    [
        ("Ein großer Lift.", set()),  # another word, and a better one
        ("Ein Fahrstuhl, großer.", set()),
        ("Ein großer.", {Loss.WORDS}),
        ("Ein großer Abzug.", {Loss.WORDS}),  # another word, and a worse one
    ],
)
def test_words_of_meaning_are_neither_lost_nor_put_otherwise(short, losses):
    assert lost("A big elevator.", "Ein sehr großer Fahrstuhl.", short, ELEVATOR) == losses


def test_far_shorter_ones_must_have_lost_something() -> None:
    task = Task(Sentence((Part(0, 0, "We went there all together."),)), (LengthBudget(),))
    natural, short = found("Wir gingen alle zusammen dorthin."), found("Wir gingen.")
    assert [loss for loss, _ in losses_of(task, short, natural, setup_of(None))] == [Loss.WORDS]


def test_far_less_likely_ones_are_no_fit() -> None:
    task = Task(Sentence((Part(0, 0, "We went there."),)), (LengthBudget(),))
    natural, setup = found("Wir gingen dorthin."), setup_of(None)
    assert is_whole(task, found("Wir gingen hin.", -0.5), natural, setup)
    assert not is_whole(task, found("Wir gingen hin.", -0.7), natural, setup)
    assert is_whole(task, found("Wir gingen hin.", -0.7, prompted=True), natural, setup)


def test_a_loss_is_told_of_the_cue_it_is_in() -> None:
    parts = (Part(0, 0, "We saw Anna"), Part(1, 0, "and 31 ships."))
    task = Task(Sentence(parts), (LengthBudget(), LengthBudget()))
    natural, short = found("Wir sahen Anna und 31 Schiffe."), found("Wir sahen Anna und Boote.")
    losses = losses_of(task, short, natural, setup_of(None))
    assert at_parts(task, losses) == [(), (Loss.NUMBER, Loss.WORDS)]
    other = losses_of(task, found("Wir sahen 31 Schiffe."), natural, setup_of(None))
    assert at_parts(task, other) == [(Loss.NAME, Loss.WORDS), ()]


VALUES = st.none() | st.floats(0.0, 1e6)
FEATURES = st.builds(RiskFeatures, **dict.fromkeys(sorted(WEIGHTS), VALUES))
SOUND = RiskFeatures(**{name: weight.typical for name, weight in WEIGHTS.items()})


@given(FEATURES, st.sampled_from(sorted(WEIGHTS)), st.floats(0.0, 1e3), st.floats(0.0, 1e3))
def test_more_of_what_speaks_against_a_translation_is_never_less_risky(features, name, one, other):
    less, more = sorted((one, other))
    lower, higher = (risk_of(replace(features, **{name: value})) for value in (less, more))
    assert 0 <= lower <= higher <= 1


@pytest.mark.parametrize("name", sorted(WEIGHTS))
def test_every_feature_counts_and_one_that_is_not_known_is_typical(name: str) -> None:
    assert risk_of(replace(SOUND, **{name: WEIGHTS[name].typical + 1})) > risk_of(SOUND)
    assert risk_of(replace(SOUND, **{name: None})) == risk_of(SOUND)


def test_a_cue_of_two_sentences_is_riskier_than_either_and_one_without_has_none() -> None:
    one, other = RiskFeatures(surprise=0.2), RiskFeatures(surprise=0.9)
    both = risk_of_any([one, other])
    assert both is not None and max(risk_of(one), risk_of(other)) < both < 1
    assert risk_of_any([one]) == pytest.approx(risk_of(one))
    assert risk_of_any([]) is None
