"""Other translations of a sentence, at several lengths."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.alternatives import alternatives_of
from subfit.fitting.choice import choose
from subfit.fitting.requests import SHARES, requests_of_all_lengths
from subfit.fitting.state import Candidate
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.counting import count_characters
from tests.scripted import ScriptedTranslator

NETFLIX = Guideline.load("netflix", "de")
NATURAL = "Ich habe dir insgesamt drei Briefe geschrieben."  # 47 characters


def task_of(characters: float, floor: float = 0.0) -> Task:
    budget = LengthBudget(characters=characters, lines=2, cpl=42, floor=floor)
    return Task(Sentence((Part(0, 0, "I wrote you three letters."),)), (budget,))


def hypothesis(text: str, score: float = -0.5) -> Hypothesis:
    return Hypothesis(text, float(len(text)), score, score)


@pytest.mark.parametrize(
    ("budget", "floor", "known", "asked"),
    [
        (80, 0, (), [47, 39, 32]),  # the natural length is the shorter one
        (40, 0, (), [40, 34, 28]),
        (40, 0, (40, 37), [34, 28]),
        (40, 30, (), [40, 34]),
        (math.inf, 0, (), [47, 39, 32]),
        (1, 0, (), [1]),
        (0, 0, (), []),
    ],
)
def test_several_lengths_are_asked_for(budget, floor, known, asked) -> None:
    requests = requests_of_all_lengths(task_of(budget, floor), hypothesis(NATURAL), known=known)
    assert [each.asked for each in requests] == asked
    assert all(each.ceiling <= budget for each in requests)
    assert all(each.ceiling == each.asked for each in requests[-2:] if each.asked < 40)


def test_a_model_that_takes_no_wish_gets_ceilings_only() -> None:
    requests = requests_of_all_lengths(task_of(math.inf), hypothesis(NATURAL), asks=False)
    assert [(each.asked, each.ceiling) for each in requests] == [(FREE, 39.0), (FREE, 32.0)]


TEXTS = {
    "Ich habe dir drei Briefe geschrieben.": -0.2,  # 37
    "Ich habe drei Briefe geschrieben.": -0.4,  # 33
    "Ich schrieb dir drei Briefe.": -0.6,  # 28
    "Drei Briefe schrieb ich dir.": -0.9,  # 28
    "Ich schrieb drei Briefe.": -0.7,  # 24
    "Ich schrieb dir.": -0.8,  # 16
}


@pytest.mark.parametrize(
    ("most", "texts"),
    [
        (1, ["Ich habe drei Briefe geschrieben."]),
        (
            3,
            [
                "Ich habe drei Briefe geschrieben.",
                "Ich schrieb dir drei Briefe.",
                "Ich schrieb drei Briefe.",
            ],
        ),
        (
            5,
            [
                "Ich habe drei Briefe geschrieben.",
                "Ich schrieb dir drei Briefe.",
                "Drei Briefe schrieb ich dir.",
                "Ich schrieb drei Briefe.",
                "Ich schrieb dir.",
            ],
        ),
    ],
)
def test_every_length_has_its_turn_and_the_best_go_first(most: int, texts: list[str]) -> None:
    task = task_of(38)
    candidates = [Candidate(hypothesis(*each), 34) for each in TEXTS.items()]
    chosen = choose(task, candidates, NETFLIX)
    assert chosen is not None
    assert chosen.candidate.hypothesis.text == "Ich habe dir drei Briefe geschrieben."
    (found,) = alternatives_of(chosen, candidates, NETFLIX, most)
    assert [each.text for each in found] == texts
    shares = [each.share for each in found]
    assert shares == sorted(shares, reverse=True)


def test_parts_of_one_alternative_stand_at_the_same_place() -> None:
    parts = (Part(0, 0, "We are going to close"), Part(1, 0, "the lighthouse this month."))
    budget = LengthBudget(characters=40, lines=1, cpl=42)
    task = Task(Sentence(parts), (budget, budget))
    texts = [
        "Wir werden den Leuchtturm in diesem Monat schließen.",
        "Wir schließen den Leuchtturm in diesem Monat.",
        "Diesen Monat schließen wir den Leuchtturm.",
    ]
    candidates = [Candidate(hypothesis(text), FREE) for text in texts]
    chosen = choose(task, candidates, NETFLIX)
    assert chosen is not None
    first, second = alternatives_of(chosen, candidates, NETFLIX, 5)
    together = {f"{a.text} {b.text}" for a, b in zip(first, second, strict=True)}
    assert together == set(texts) - {chosen.candidate.hypothesis.text}


class Wordy(ScriptedTranslator):
    """Translates into as many words as it is asked for, several ways."""

    def __init__(self) -> None:
        super().__init__({})
        self.requests: list[Request] = []

    def _answers(self, request: Request) -> list[Hypothesis]:
        self.requests.append(request)
        length = min(request.asked or 2 * len(request.text), request.ceiling)
        found = []
        for rank, word in enumerate(("wort", "so", "langes"), 1):
            text = " ".join([word] * max(1, int((length + 1) // (len(word) + 1)))) + "."
            if count_characters(text) <= request.ceiling:
                found.append(Hypothesis(text, count_characters(text), -0.1 * rank, -1.0))
        return found


CUES = st.lists(
    st.tuples(
        st.lists(
            st.sampled_from(["a", "dry", "harbour", "wall", "of", "stone"]), min_size=1, max_size=8
        ),
        st.integers(300, 5000),
    ),
    min_size=1,
    max_size=4,
)


def localized(cues: list, alternatives: int, translator: ScriptedTranslator) -> Localization:
    track = Track(
        tuple(
            Cue(6000 * n, 6000 * n + duration, " ".join(words).capitalize() + ".")
            for n, (words, duration) in enumerate(cues)
        ),
        "srt",
    )
    return localize(track, translator, NETFLIX, Options(alternatives=alternatives))


@given(CUES, st.integers(1, 7))
def test_alternatives_keep_the_budget_and_are_distinct(cues: list, most: int) -> None:
    for outcome in localized(cues, most, Wordy()).outcomes:
        texts = [each.text for each in outcome.alternatives]
        assert len(texts) <= most
        assert len({outcome.target.replace("\n", " "), *texts}) == len(texts) + 1
        for each in outcome.alternatives:
            assert outcome.budget is not None
            assert outcome.budget.allows(each.text, NETFLIX)
            assert each.characters == count_characters(each.text, NETFLIX.counting)
            assert each.share in SHARES
        ranks = [(-each.share, -each.score) for each in outcome.alternatives]
        assert ranks == sorted(ranks)


def test_texts_that_fit_as_they_are_have_alternatives_too() -> None:
    translator = Wordy()
    done = localized([(["a", "dry", "wall"], 5000)], 6, translator)
    assert {each.share for each in done.outcomes[0].alternatives} == set(SHARES)
    natural, *others = translator.requests
    assert natural.asked == FREE
    assert len({each.text for each in others}) == 1
    assert [each.asked for each in others] == sorted((each.asked for each in others), reverse=True)


def test_nothing_is_searched_for_alternatives_that_nobody_asked_for() -> None:
    translator = Wordy()
    localized([(["stone"], 5000)], 0, translator)
    assert len(translator.requests) == 1


def test_where_two_speak_all_change_at_once() -> None:
    track = Track((Cue(0, 7000, "- A dry wall.\n- A dry harbour wall."),), "srt")
    (outcome,) = localize(track, Wordy(), NETFLIX, Options(alternatives=3)).outcomes
    assert outcome.alternatives
    for each in outcome.alternatives:
        first, second = each.text.split("\n")
        assert first.startswith("- ")
        assert second.startswith("- ")
        assert outcome.budget is not None
        assert outcome.budget.allows(each.text, NETFLIX)
        assert each.characters == count_characters(each.text, NETFLIX.counting)
    assert len({each.share for each in outcome.alternatives}) == len(outcome.alternatives)
