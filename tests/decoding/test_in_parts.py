"""Long sentences in parts: what is asked of a part, and what becomes of its translations."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest

from subfit.decoding.hypotheses import Hypothesis, Request, TermConstraint
from subfit.decoding.in_parts import PARTED, InParts, Mean, in_proportion
from subfit.decoding.translator import Translator
from subfit.memory.recall import Recall
from subfit.text.counting import EVERYTHING, count_characters
from tests.places import EN_MULTI

FIRST = "We waited at the old bridge for an hour"
SECOND = "because nobody had told us the way."
LONG = f"{FIRST} {SECOND}"
IN_PARTS = InParts(("en", "de"), 10, EVERYTHING, 3, Mean(1, 1.0), lambda _text, _hypotheses: None)


def hypothesis(text: str, nats: float, tokens: int = 3) -> Hypothesis:
    return Hypothesis(text, len(text), nats / (tokens + 1), nats, tuple(range(tokens)))


def test_a_part_gets_its_share_of_what_is_asked_of_the_whole():
    request = Request(LONG, ceiling=70, asked=60, dense=50, formality="formal", barred=("x",))
    first, second = IN_PARTS.parts_of(request)
    assert (first.text, second.text) == (FIRST, SECOND)
    assert first.asked + second.asked == pytest.approx(60, abs=1)
    assert 70 < first.ceiling + second.ceiling < 80
    assert 50 < first.dense + second.dense < 57
    assert (first.formality, first.barred) == ("formal", ("x",))


def test_what_is_free_stays_free():
    for part in IN_PARTS.parts_of(Request(LONG)):
        assert (part.asked, part.asked_tokens, part.ceiling) == (0, 0, math.inf)


def test_terms_go_with_their_clause():
    bridge, way = TermConstraint("bridge", ("Brücke",)), TermConstraint("the way", ("den Weg",))
    first, second = IN_PARTS.parts_of(Request(LONG, terms=(bridge, way)))
    assert (first.terms, second.terms) == ((bridge,), (way,))


@pytest.mark.parametrize(
    "request_",
    [
        Request(FIRST),
        Request(LONG, terms=(TermConstraint("hour because", ("Stunde, denn",)),)),
        Request(LONG, recall=Recall(())),
    ],
    ids=["short", "a term over both", "known to a memory"],
)
def test_what_is_not_parted(request_):
    assert IN_PARTS.parts_of(request_) == []


def test_the_most_probable_ways_to_put_them_together_win():
    nbests = [
        [hypothesis("Wir warteten", -1.0), hypothesis("Wir harrten", -2.0, 5)],
        [hypothesis("weil niemand etwas wusste.", -1.0), hypothesis("da es keiner sagte.", -4.0)],
    ]
    request = Request(LONG)
    found = IN_PARTS.joined(request, IN_PARTS.parts_of(request), nbests)
    every = {
        f"{one.text} {two.text}": (one.log_probability + two.log_probability)
        / (len(one.token_ids) + len(two.token_ids) + 2)
        for one, two in product(*nbests)
    }
    assert [each.text for each in found] == sorted(every, key=every.__getitem__)[::-1][:3]
    assert found[0].score == pytest.approx(every[found[0].text] - PARTED)
    assert [part.source for part in found[0].parts] == [FIRST, SECOND]


def test_none_is_over_its_ceilings():
    nbests = [
        [hypothesis("Wir warteten lange", -1.0), hypothesis("Wir harrten", -2.0)],
        [hypothesis("weil niemand etwas wusste.", -1.0), hypothesis("weil.", -4.0)],
    ]
    parts = IN_PARTS.parts_of(Request(LONG))
    found = IN_PARTS.joined(Request(LONG, ceiling=24), parts, nbests)
    assert {each.text for each in found} == {"Wir warteten lange weil.", "Wir harrten weil."}
    found = IN_PARTS.joined(Request(LONG, dense=15), parts, nbests)
    assert {each.text for each in found} == {"Wir harrten weil."}


@pytest.mark.parametrize(("covered", "best"), [([0.5, 0.9], "Wir."), ([0.9, 0.5], "Wir harrten.")])
def test_of_a_whole_and_parts_that_are_alike_the_one_that_says_more_comes_first(covered, best):
    whole = [hypothesis("Wir harrten.", -4.4)]
    nbests = {FIRST: [hypothesis("Wir", -4.0)], SECOND: [hypothesis(".", -4.0)], LONG: whole}
    in_parts = replace(IN_PARTS, coverage_of=lambda _text, _hypotheses: covered)
    (found,) = in_parts.translate(
        [Request(LONG)], lambda requests, _: [nbests[request.text] for request in requests]
    )
    assert found[0].text.replace(" ", "") == best.replace(" ", "")
    assert len(found) == 2


@pytest.mark.parametrize(
    ("numbers", "owners"),
    [
        (["5"], [["5"], []]),  # not in 15
        (["5", "15"], [["5"], ["15"]]),
        (["5", "40", "40"], [["5", "40"], ["40"]]),
        (["40", "40", "40"], [["40"], ["40", "40"]]),
    ],
)
def test_each_occurrence_of_a_term_is_asked_of_its_own_clause(numbers, owners):
    text = "We counted 5 men and 40 horses on the road, but 15 of the 40 had no rider."
    terms = tuple(TermConstraint(number, (number,)) for number in numbers)
    parts = IN_PARTS.parts_of(Request(text, terms=terms))
    assert [[term.source for term in part.terms] for part in parts] == owners


def test_what_has_its_terms_comes_first():
    nbests = {
        FIRST: [hypothesis("Wir an der Brücke", -9.0)],
        SECOND: [hypothesis("weil.", -9.0)],
        LONG: [replace(hypothesis("Wir harrten.", -1.0), missed=1)],
    }
    request = Request(LONG, terms=(TermConstraint("bridge", ("Brücke",)),))
    (found,) = IN_PARTS.translate(
        [request], lambda requests, _: [nbests[request.text] for request in requests]
    )
    assert [each.text for each in found] == ["Wir an der Brücke weil.", "Wir harrten."]


def test_a_clause_without_a_translation_has_no_whole():
    parts = IN_PARTS.parts_of(Request(LONG))
    assert IN_PARTS.joined(Request(LONG), parts, [[], [hypothesis("weil.", -4.0)]]) == []
    assert (
        IN_PARTS.joined(Request(LONG), parts, [[hypothesis("", -1)], [hypothesis("a", -4)]]) == []
    )


def test_requests_are_counted_as_their_searches_get_done():
    told: list[int] = []
    advance = in_proportion(told.append, 4, 10)
    assert advance is not None
    for _ in range(10):
        advance(1)
    assert sum(told) == 4
    assert max(told) == 1
    assert in_proportion(None, 4, 10) is None


TALK = (
    "The blacksmith told us that the road over the hills was closed, so we went back to the"
    " village and asked the old fisherman for his boat, because nobody wanted to sleep another"
    " night in the cold barn behind the church."
)


@pytest.fixture(scope="module")
def translator():
    return Translator.load(EN_MULTI, target_language="de", channel_model=None)


@pytest.fixture(scope="module")
def parted(translator):
    (nbest,) = translator.translate([Request(TALK)])
    return [each for each in nbest if each.parts]


def test_the_shipped_model_has_long_sentences_in_parts_too(parted):
    assert parted
    for each in parted:
        assert " ".join(part.source for part in each.parts) == TALK
        assert each.token_ids == tuple(piece for part in each.parts for piece in part.token_ids)


def test_they_are_rated_as_they_were_found(translator, parted):
    (rated,) = translator.rate([TALK], [parted])
    for before, after in zip(parted, rated, strict=True):
        assert after.log_probability == pytest.approx(before.log_probability, abs=0.02)
        assert after.score == pytest.approx(before.score, abs=0.002)
        assert after.closing < 0


def test_of_another_text_they_are_rated_as_a_whole(translator, parted):
    (rated,) = translator.rate(["We took the boat."], [parted[:1]])
    assert rated[0].log_probability < parted[0].log_probability - 10


def test_their_pieces_are_in_a_row(translator, parted):
    (pieces,) = translator.rate_pieces([TALK], parted[:1])
    assert len(pieces) == len(parted[0].token_ids) + 1
    ends = [piece.end for piece in pieces]
    assert ends == sorted(ends)
    assert ends[-1] == 1.0
    assert ends[-2] == pytest.approx(1.0)


@pytest.mark.parametrize(("ceiling", "in_parts"), [(40, False), (100, True), (160, True)])
def test_ceilings_hold(translator, ceiling, in_parts):
    (nbest,) = translator.translate([Request(TALK, ceiling=ceiling, asked=round(0.9 * ceiling))])
    assert nbest
    assert any(each.parts for each in nbest) or not in_parts
    assert all(count_characters(each.text) <= ceiling for each in nbest)


def test_a_sentence_that_has_been_parted_changes_no_other(translator):
    short = Request("Where is the lantern?")
    (alone,) = translator.translate([short])
    _, beside = translator.translate([Request(TALK), short])
    assert alone == beside
