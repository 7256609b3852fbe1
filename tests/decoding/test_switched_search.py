"""Searching once more with the words in the target language that were lacking."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.search_types import RareWord, TokenHypothesis, TokenRequest
from subfit.decoding.switched_search import BESIDE, GIVEN, LEAST, SURE, SwitchedSearch
from subfit.decoding.translator import Translator
from tests.places import EN_MULTI

VILLA = RareWord(((7,),), (), ("vill",), span=(9, 16), translation="Villa")
TEXTS = {1: "Die Gewohnheit", 2: "Die Villa", 3: "Das Haus", 4: "Villen", 8: "Die Sitte"}
PLAIN = TokenHypothesis((1,), -0.8, -1.6, 14)


class Search:
    """Finds what it is told to, and remembers what was searched for."""

    def __init__(self, *found: TokenHypothesis) -> None:
        self.found, self.asked = list(found), []

    def search(self, requests):
        self.asked += requests
        return [self.found for _ in requests]


class Rating:
    """Finds translations more probable by a nat a piece where the source has a villa; pieces of
    some numbers less than others where it has none, and piece 1, of the former translation."""

    values: ClassVar = {1: SURE - 0.1, 9: LEAST - 0.1}

    def log_probabilities(self, texts, token_ids, formalities):
        return [
            [-0.5 if "Villa" in text else self.values.get(piece, -1.5) for piece in (*ids, 0)]
            for text, ids in zip(texts, token_ids, strict=True)
        ]


def own_request(request: Request, words=(VILLA,)) -> TokenRequest:
    return TokenRequest(tuple(map(ord, request.text)), rare_words=words)


def searched(text, *found, words=(VILLA,), before=PLAIN, **wishes):
    """What is found after a search that found ``before``, and what was searched for."""
    request = Request(text, **wishes)
    search = Search(*found)
    switched = SwitchedSearch(
        lambda request: own_request(request, words),
        lambda result: TEXTS[result.token_ids[0]],
        Rating(),
        1.0,
    )
    own = own_request(request, words)
    (result,) = switched.search(search, [request], [own], [[before] if before else []])
    return result, ["".join(map(chr, asked.source)) for asked in search.asked]


def test_a_lacking_word_is_put_into_the_source_in_the_target_language():
    found, asked = searched("Here's a mansion.", replace(PLAIN, token_ids=(3,)))
    assert asked == ["Here's a Villa."]
    assert found == [PLAIN]  # what does not say it all the same is no gain


def test_what_says_the_word_is_credited_with_what_the_word_made_it_more_probable():
    said = TokenHypothesis((2, 5), -0.6, -1.8, 9)
    found, _ = searched("Here's a mansion.", said)
    best, other = found
    assert (best.token_ids, other) == (said.token_ids, PLAIN)
    assert best.score == pytest.approx(said.score + GIVEN)
    assert best.log_probability == pytest.approx(said.log_probability - 3)  # as without the word
    assert best.credit == pytest.approx(3 + 3 * GIVEN)
    assert (best.log_probability + best.credit) / 3 == pytest.approx(best.score)


def test_a_word_that_is_all_but_impossible_is_refused_where_the_model_is_sure_of_another():
    impossible = TokenHypothesis((2, 9), -0.1, -0.3, 9)
    sure, unsure = replace(PLAIN, token_ids=(8,)), PLAIN
    for before, most in ((sure, []), (unsure, [impossible.token_ids])):
        found, _ = searched("Here's a mansion.", impossible, before=before)
        assert [each.token_ids for each in found if each != before] == most


def test_a_word_is_refused_that_makes_what_stands_beside_it_improbable(monkeypatch):
    said = TokenHypothesis((2, 1), -0.1, -0.3, 9)
    assert len(searched("Here's a mansion.", said)[0]) == 2
    monkeypatch.setitem(Rating.values, 1, BESIDE - 0.1)
    assert searched("Here's a mansion.", said)[0] == [PLAIN]


def test_one_request_that_stands_twice_gets_what_is_found_twice():
    request = Request("Here's a mansion.")
    switched = SwitchedSearch(own_request, lambda result: TEXTS[result.token_ids[0]], Rating(), 1.0)
    own, said = own_request(request), TokenHypothesis((2, 5), -0.6, -1.8, 9)
    found = switched.search(Search(said), [request] * 2, [own] * 2, [[PLAIN], [PLAIN]])
    assert [[each.token_ids for each in one] for one in found] == [[(2, 5), (1,)]] * 2


def test_a_form_of_the_word_will_do_and_the_more_probable_comes_first():
    better, worse = TokenHypothesis((4,), -0.5, -1.0, 6), TokenHypothesis((4, 5), -1.4, -4.2, 6)
    assert [each.token_ids for each in searched("Here's a mansion.", better)[0]] == [(4,), (1,)]
    assert [each.token_ids for each in searched("Here's a mansion.", worse)[0]] == [(1,), (4, 5)]


@pytest.mark.parametrize(
    ("text", "word", "before"),
    [
        ("Here's a mansion.", VILLA, replace(PLAIN, token_ids=(2,))),  # it is said
        ("Here's a mansion.", replace(VILLA, translation=""), PLAIN),  # a name
        ("Here's a mansion.", VILLA, None),  # nothing was found
        ("Visit my.mansion.com", VILLA, PLAIN),  # an address
        ("Look for mansion.png", VILLA, PLAIN),
        ("Call the mansion_of()", VILLA, PLAIN),
        ("Call --a=mansion", VILLA, PLAIN),
    ],
)
def test_what_needs_no_other_source_is_not_searched_again(text, word, before):
    start = text.index("mansion")
    word = replace(word, span=(start, start + len("mansion")))
    found, asked = searched(text, words=(word,), before=before)
    assert (found, asked) == ([before] if before else [], [])


def test_all_other_wishes_stay():
    wished = []
    switched = SwitchedSearch(
        lambda request: wished.append(request) or own_request(request),
        lambda result: TEXTS[result.token_ids[0]],
        Rating(),
        1.0,
    )
    request = Request("Here's a mansion.", ceiling=20, asked=18, beams=4, formality="formal")
    switched.search(Search(), [request], [own_request(request)], [[PLAIN]])
    assert wished == [replace(request, text="Here's a Villa.")]


@pytest.mark.parametrize(
    "source", ["The last boat leaves in ten minutes.", "The train leaves at nine."]
)
def test_the_shipped_model_takes_no_word_over_that_does_not_belong_there(source):
    translator = Translator.load(EN_MULTI, target_language="de", channel_model=None)
    (given,) = translator.translate([Request(source)])
    assert "Blätter" not in given[0].text  # of a tree


@pytest.mark.parametrize(
    ("language", "source", "word"),
    [
        ("de", "And I am the owner of this mansion.", "Villa"),
        ("it", "The hedgehog sleeps.", "riccio"),
        ("it", "The badger sleeps.", "tasso"),
        ("it", "He fell off the ladder and broke his elbow.", "gomito"),
    ],
)
def test_the_shipped_model_takes_words_over(language, source, word, monkeypatch):
    translator = Translator.load(EN_MULTI, target_language=language, channel_model=None)
    (given,) = translator.translate([Request(source)])
    assert word in given[0].text
    assert given[0].credit > 0
    rated = translator.rate([source], [given])[0][0]  # as the source is, with the credit
    assert rated.score == pytest.approx(given[0].score, abs=0.02)
    monkeypatch.setattr(SwitchedSearch, "search", lambda *given: given[-1])
    (alone,) = translator.translate([Request(source)])
    assert word not in alone[0].text
