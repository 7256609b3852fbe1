"""Spreading over cues: as good as trying every way, and nothing lost, doubled or left empty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.fitting.cue_splits import DRIFT, FILL, SECOND, STRAY, cut_cost, place, split_over_cues
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.alignment import align
from subfit.text.counting import Counting
from subfit.text.linebreak import break_lines, joined, split_pieces
from tests.properties import examples
from tests.scripted import KnownWords

NETFLIX = Guideline.load("netflix", "de")
GUIDELINES = st.sampled_from([NETFLIX, replace(NETFLIX, cps_counting=Counting(spaces=False))])
WORDS = st.sampled_from(
    [
        *("der", "Leuchtturm", "und", "auf", "dem", "Hügel,"),
        *("steht", "nicht", "mehr.", "in", "Kiel", "x"),
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
PARTS = st.lists(
    st.tuples(st.integers(1, 40), st.sampled_from(["", "...", "…"]), st.sampled_from(["", "..."])),
    min_size=2,
    max_size=4,
)
BUDGETS = st.builds(
    LengthBudget,
    characters=st.sampled_from([8.0, 16.0, 25.0, 40.0, math.inf]),
    reading=st.sampled_from([10.0, 22.0, math.inf]),
    lines=st.sampled_from([1, 2, None]),
    cpl=st.sampled_from([10.0, 18.0, 42.0, None]),
)


def parts_of(shapes: Sequence[tuple[int, str, str]]) -> list[Part]:
    return [
        Part(cue, 0, ("see old " * 5)[:length].strip(), opening=opening, closing=closing)
        for cue, (length, opening, closing) in enumerate(shapes)
    ]


def holds(text: str, budget: LengthBudget, guideline: Guideline) -> bool:
    if not budget.allows(text, guideline):
        return False
    return break_lines(text, budget.cpl, budget.lines, len, guideline.language) is not None


class Guesses:
    """Says of every pair of words how probable they are, by their letters."""

    def scores(self, source, source_words, target, target_words):
        return [
            [(len(one.text) * 7 + len(other.text) * 5) % 11 / 11 for other in target_words]
            for one in source_words
        ]


def strays_of(end: int, text: str, parts: Sequence[Part], number: int) -> float:
    """Expected words on the wrong side of a cut at a position of the text."""
    found = align(" ".join(part.text for part in parts), text, Guesses())
    bound = len(" ".join(part.text for part in parts[: number + 1]))
    wrong = 0.0
    for word, shares, sure in zip(found.target, found.of_target, found.target_sure, strict=True):
        early = sum(
            share
            for share, source in zip(shares, found.source, strict=True)
            if source.start < bound
        )
        wrong += sure * (1 - early if word.start < end else early)
    return wrong


def cost_of(cuts, text, parts, budgets, aligned, guideline):
    """The demerits as documented, from the texts alone; None if a budget is not kept."""
    pieces = split_pieces(text, "de")
    cost = 0.0
    bounds = (0, *cuts, len(pieces))
    for number, (start, end) in enumerate(pairwise(bounds)):
        part, budget = parts[number], budgets[number]
        shown = part.shown(joined(pieces[start:end]))
        if not holds(shown, budget, guideline):
            return None
        cost += FILL * (len(shown) / budget.characters) ** 2
        if end < len(pieces):
            source = sum(len(each.text) for each in parts[: number + 1])
            wished = len(text) * source / sum(len(each.text) for each in parts)
            above = len(joined(pieces[:end]))
            cost += DRIFT * ((above - wished) / SECOND / (2 if aligned else 1)) ** 2
            cost += cut_cost(pieces[end - 1].demerits)
            cost += STRAY * strays_of(above, text, parts, number) if aligned else 0.0
    return cost


@examples(60)
@given(TEXTS, PARTS, st.booleans(), GUIDELINES, st.data())
def test_no_way_of_cutting_is_better_than_the_one_taken(text, shapes, aligned, guideline, data):
    parts = parts_of(shapes)
    budgets = data.draw(st.lists(BUDGETS, min_size=len(parts), max_size=len(parts)))
    count = len(split_pieces(text, "de"))
    costs = {
        cuts: cost
        for cuts in combinations(range(1, count), len(parts) - 1)
        if (cost := cost_of(cuts, text, parts, budgets, aligned, guideline)) is not None
    }
    words = Guesses() if aligned else None
    found = split_over_cues(text, parts, budgets, guideline, words=words)
    if not costs:
        assert found is None
        return
    assert found is not None
    shown = {
        tuple(
            part.shown(joined(split_pieces(text, "de")[start:end]))
            for part, (start, end) in zip(parts, pairwise((0, *cuts, count)), strict=True)
        )
        for cuts, cost in costs.items()
        if cost <= min(costs.values()) + 1e-6
    }
    assert found.parts in shown
    assert len(parts) == 1 or found.demerits == pytest.approx(min(costs.values()))


def spread(*arguments: Any, **options: Any) -> tuple[str, ...] | None:
    """What each cue shows."""
    split = split_over_cues(*arguments, **options)
    return split and split.parts


@examples(60)
@given(TEXTS, PARTS, st.data())
def test_no_word_is_lost_or_doubled_and_no_cue_is_empty(text, shapes, data) -> None:
    parts = parts_of([(length, "", "") for length, _, _ in shapes])
    budgets = data.draw(st.lists(BUDGETS, min_size=len(parts), max_size=len(parts)))
    for overlong in (False, True):
        found = spread(text, parts, budgets, NETFLIX, overlong=overlong)
        if found is None:
            assert not overlong or len(text.split()) < len(parts)
        else:
            assert len(found) == len(parts)
            assert all(found)
            assert " ".join(found) == text


def test_what_does_not_fit_is_spread_with_the_fewest_characters_over() -> None:
    parts = [Part(0, 0, "x" * 10), Part(1, 0, "x" * 10)]
    text = "Wir schließen den Leuchtturm im Mai."
    tight, roomy = LengthBudget(characters=5.0), LengthBudget(characters=24.0)
    found = spread(text, parts, (tight, roomy), NETFLIX, overlong=True)
    assert found == ("Wir schließen", "den Leuchtturm im Mai.")
    over = [
        max(len(text[:at]) - 5.0, 0) + max(len(text[at + 1 :]) - 24.0, 0)
        for at, char in enumerate(text)
        if char == " "
    ]
    assert max(len(found[0]) - 5.0, 0) + max(len(found[1]) - 24.0, 0) == min(over)


@pytest.mark.parametrize(
    ("language", "lengths", "cues"),
    [
        ("de", (13, 17), ("Wir haben", "den alten Turm gesehen")),
        ("fr", (14, 20), ("Je viens avec toi,", "mais pas ce soir")),
        ("it", (13, 14), ("Vado a casa", "della nonna domani")),
        ("es", (12, 15), ("No lo sé.", "Nadie me dijo nada")),
        ("es", (17, 20), ("Mañana veremos", "la casa de tu madre.")),
        ("fr", (15, 17), ("Nous verrons", "les gens du port.")),
        ("fr", (21, 9), ("Mais nous restons\u00a0!", "Partez\u00a0!")),
    ],
)
def test_cues_part_where_the_language_allows_near_the_sources_place(language, lengths, cues):
    parts = [Part(cue, 0, "x" * length) for cue, length in enumerate(lengths)]
    free = [LengthBudget(characters=42.0, lines=1, cpl=42.0)] * 2
    guideline = Guideline.load("netflix", language)
    assert spread(" ".join(cues), parts, free, guideline) == cues


def test_a_comma_gives_way_to_dots_that_the_source_has_without_one() -> None:
    text = "Ich dachte, du schläfst"
    budgets = [LengthBudget(characters=40.0)] * 2
    with_dots = [
        Part(0, 0, "I thought", closing="..."),
        Part(1, 0, "you were asleep", opening="..."),
    ]
    assert spread(text, with_dots, budgets, NETFLIX) == (
        "Ich dachte...",
        "...du schläfst",
    )


def test_words_stand_in_the_cue_of_the_words_that_they_stand_for() -> None:
    parts = [Part(0, 0, "On Sunday"), Part(1, 0, "we hoist the sails of the old ship")]
    budgets = [LengthBudget(characters=42.0, lines=1, cpl=42.0)] * 2
    text = "Am kommenden Sonntag setzen wir Segel"
    known = KnownWords({"Sunday": "Sonntag", "hoist": "setzen", "sails": "Segel"})
    found = spread(text, parts, budgets, NETFLIX, words=known)
    assert found == ("Am kommenden Sonntag", "setzen wir Segel")
    by_length = spread(text, parts, budgets, NETFLIX)
    assert by_length == ("Am kommenden", "Sonntag setzen wir Segel")


def holding(characters: float) -> LengthBudget:
    return LengthBudget(characters=characters, lines=1, cpl=42.0)


def test_what_is_not_said_takes_room_and_stays() -> None:
    parts = [Part(0, 0, "He went", lead="[SIGHS] "), Part(1, 0, "home.", tail=" (sobs)")]
    found = spread("Er ging nach Hause.", parts, (holding(16), holding(30)), NETFLIX)
    assert found == ("[SIGHS] Er ging", "nach Hause. (sobs)")


def test_words_may_stand_behind_the_last_line_of_what_is_not_said() -> None:
    lead = "[SPEAKING IN A FOREIGN LANGUAGE] "
    parts = [Part(0, 0, "Responsibilities weigh", lead=lead), Part(1, 0, "on all of us.")]
    text = "Verantwortlichkeiten lasten auf uns allen."
    two = LengthBudget(80.0, lines=2, cpl=42.0)
    found = spread(text, parts, (two, two), NETFLIX)
    assert found == (f"{lead}Verantwortlichkeiten lasten", "auf uns allen.")
    assert spread(text, parts, (replace(two, lines=1), two), NETFLIX) is None


def test_without_a_width_the_source_s_own_number_of_lines_is_kept() -> None:
    none = Guideline.load("none", "de")
    sentence = Sentence((Part(0, 0, "one two three four, five six seven", lines=2),))
    placed = place(
        "eins zwei drei vier, fünf sechs sieben", Task(sentence, (LengthBudget(),)), none
    )
    assert placed is not None
    assert placed.lines == (("eins zwei drei vier,", "fünf sechs sieben"),)
