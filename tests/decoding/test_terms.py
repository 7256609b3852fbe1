"""Searches that must say certain terms, beside the best of all sequences that say them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from subfit.decoding.hypotheses import (
    Request,
    SearchSettings,
    Spelling,
    TermConstraint,
    TokenConstraint,
    TokenRequest,
)
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.terms import TermSpeller
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint
from subfit.terms.glossary import Occurrence
from subfit.text.counting import Counting
from tests.tiny import PAIRS

from .test_search_exhaustive import (
    END,
    MOST_TOKENS,
    SOURCE,
    Pieces,
    every_hypothesis,
    model_of,
    text_of,
)

ABC, D, EFG = Spelling((1, 2)), Spelling((3,)), Spelling((3, 4))
TERMS = {
    "abc": ((ABC,),),
    "d": ((D,),),
    "abc or defg": ((ABC, EFG),),
    "abc and d": ((ABC,), (D,)),
    "d...": ((replace(D, goes_on=True),),),
    "not first": ((replace(D, opens=False),),),
    "behind c": ((replace(D, opens=False, behind=frozenset({2})),),),
}
SAID = {
    "abc": lambda words: ["abc" in words],
    "d": lambda words: ["d" in words],
    "abc or defg": lambda words: ["abc" in words or "defg" in words],
    "abc and d": lambda words: ["abc" in words, "d" in words],
    "d...": lambda words: [any(word.startswith("d") for word in words)],
    "not first": lambda words: ["d" in words[1:]],
    "behind c": lambda words: [("c", "d") in {(a[-1], b) for a, b in pairwise(words)}],
}


def constraints(terms: tuple[tuple[Spelling, ...], ...]) -> tuple[TokenConstraint, ...]:
    return tuple(map(TokenConstraint, terms))


def search_of(seed: int, *, end_bias: float = 0.0, **changes: object) -> BudgetedBeamSearch:
    model = model_of(seed)
    model.final_logits_bias[0, END] += end_bias
    pieces = piece_table(Checkpoint("x", model, Pieces()), Counting())
    chosen = SearchSettings(**{"max_steps": MOST_TOKENS, **changes})
    return BudgetedBeamSearch(Network([model]), pieces, chosen)


def missed(sequence: tuple[int, ...], terms: str) -> int:
    return SAID[terms](text_of(sequence).split()).count(False)


@pytest.mark.parametrize("terms", ["abc", "abc or defg", "d...", "not first"])
def test_a_wide_beam_finds_all_there_is_and_knows_what_each_lacks(terms):
    search = search_of(0, beams=320, nbest=320)  # all continuations, for each count of terms
    ceilings = [float("inf"), 4.0]
    requests = [
        TokenRequest(tuple(SOURCE), 0, ceiling, constraints(TERMS[terms])) for ceiling in ceilings
    ]
    for ceiling, nbest in zip(ceilings, search.search(requests), strict=True):
        wanted = sorted(
            (missed(sequence, terms), -score, sequence)
            for sequence, score in every_hypothesis([model_of(0)], ceiling, Counting(), 1.0)
        )
        assert {each.token_ids for each in nbest} == {sequence for *_, sequence in wanted}
        assert [each.missed for each in nbest] == [lacking for lacking, *_ in wanted]
        assert [-each.score for each in nbest] == pytest.approx(
            [score for _, score, _ in wanted], abs=1e-4
        )
        assert [each.token_ids for each in nbest[:1]] == [each for *_, each in wanted[:1]]


@pytest.mark.parametrize("beams", [1, 3])
@pytest.mark.parametrize("terms", TERMS)
def test_a_narrow_beam_says_all_terms_that_there_is_room_for(terms, beams):
    """However improbable: the terms are in the result, and nothing is over its ceiling."""
    search = search_of(3, beams=beams, nbest=beams, end_bias=3.0, max_steps=24)
    ceilings = [float("inf"), 12.0, 9.0]
    for nbest, ceiling in zip(
        search.search(
            [TokenRequest(tuple(SOURCE), 0, each, constraints(TERMS[terms])) for each in ceilings]
        ),
        ceilings,
        strict=True,
    ):
        assert nbest[0].missed == 0 == missed(nbest[0].token_ids, terms)
        assert all(each.missed == missed(each.token_ids, terms) for each in nbest)
        assert all(each.characters <= ceiling for each in nbest)


def test_what_has_no_room_for_a_term_says_what_there_is_room_for():
    search = search_of(2, end_bias=3.0, max_steps=24)
    (both,) = search.search([TokenRequest(tuple(SOURCE), 0, 3.0, constraints(TERMS["abc and d"]))])
    assert both[0].missed == 1
    (none,) = search.search([TokenRequest(tuple(SOURCE), 0, 2.0, constraints(TERMS["abc"]))])
    assert none and all(each.missed == 1 for each in none)


def test_queries_without_terms_are_found_as_without_the_others():
    search = search_of(1, end_bias=3.0, max_steps=24)
    plain = [TokenRequest(tuple(SOURCE), 0, ceiling) for ceiling in (float("inf"), 7.0, 4.0)]
    insisting = [
        replace(each, terms=constraints(terms)) for each in plain for terms in TERMS.values()
    ]
    alone = search.search(plain)
    mixed = [query for pair in zip(plain, insisting, strict=False) for query in pair]
    together = search.search([*mixed, *insisting])
    assert together[:6:2] == alone


def test_company_changes_nothing():
    search = search_of(4, end_bias=3.0, max_steps=24, batch_size=6)
    requests = [
        TokenRequest((*SOURCE[: 1 + n % 3], SOURCE[-1]), 0, ceiling, constraints(terms))
        for n, terms in enumerate(TERMS.values())
        for ceiling in (float("inf"), 9.0)
    ]
    assert search.search(requests) == [search.search([each])[0] for each in requests]


FORMS = ("Leuchtturm", "Käpt'n", "alte Brücke", "ruhig", "Ærø", "C++", "日本", "Leuchtturm*")


@pytest.mark.parametrize("form", FORMS)
def test_every_wording_prints_its_form(form, checkpoint):
    tokenizer = checkpoint.tokenizer
    plain = form.rstrip("*") if form != "C++" else form
    spellings = TermSpeller(tokenizer).of((form,))
    texts = {tokenizer.decode(list(each.token_ids)).strip() for each in spellings}
    assert texts == {plain, plain[:1].upper() + plain[1:]}
    assert all(each.goes_on is form.endswith("*") for each in spellings)
    spaced = [each for each in spellings if each.opens]
    assert all(tokenizer.piece_texts[each.token_ids[0]].startswith(" ") for each in spaced)
    tight = [each for each in spellings if not each.opens]
    assert tight and all(
        not tokenizer.piece_texts[each.token_ids[0]].startswith(" ") for each in tight
    )


def test_a_small_letter_may_be_a_capital_where_a_sentence_begins(checkpoint):
    texts = checkpoint.tokenizer.piece_texts
    small, _, capital, _ = TermSpeller(checkpoint.tokenizer).of(("ruhig",))
    assert small.behind is None and small.opens and capital.opens
    assert {texts[each] for each in capital.behind} >= {".", "?"}
    assert "," not in {texts[each] for each in capital.behind}


def test_the_capital_is_that_of_the_language(checkpoint):
    def written(language: str) -> set[str]:
        found = TermSpeller(checkpoint.tokenizer).of(("iyi",), language)
        return {checkpoint.tokenizer.decode(list(each.token_ids)).strip() for each in found}

    assert written("tr") == {"iyi", "İyi"}
    assert written("de") == {"iyi", "Iyi"}


def test_pieces_that_may_not_be_used_are_gone_round(checkpoint):
    tokenizer, texts = checkpoint.tokenizer, checkpoint.tokenizer.piece_texts
    (usual, *_) = TermSpeller(tokenizer).of(("Leuchtturm",))
    barred = {each for each in usual.token_ids if len(texts[each].strip()) > 1}
    allowed = set(range(len(tokenizer))) - barred
    spellings = TermSpeller(tokenizer, allowed).of(("Leuchtturm",))
    assert barred and spellings
    for spelling in spellings:
        assert allowed.issuperset(spelling.token_ids)
        assert tokenizer.decode(list(spelling.token_ids)).strip() == "Leuchtturm"


@pytest.mark.parametrize(
    ("form", "ceiling"),
    [
        ("Hafen", float("inf")),
        ("Meer", 40.0),
        ("geradeaus", float("inf")),
        ("alte Brücke", 40.0),
        ("Ærø", 40.0),
        ("灯塔", float("inf")),
    ],
)
def test_translations_have_the_terms_they_are_asked_for(form, ceiling, checkpoint):
    translator = Translator(checkpoint)
    requests = [
        Request(p.source, ceiling, terms=(TermConstraint("x", (form,)),)) for p in PAIRS[:3]
    ]
    wanted = Occurrence("x", 0, (form,))
    for best, *_ in translator.translate(requests):
        assert wanted.is_in(best.text), best.text
        assert best.characters <= ceiling


def test_a_term_counts_as_the_word_it_stands_in_for(checkpoint, monkeypatch):
    """Credit brings it to that word's place, and is told apart from its probability."""
    translator = Translator(checkpoint)
    ((free, *_),) = translator.translate([Request("The ship comes back tomorrow.")])
    assert free.text.startswith("Das Schiff ")
    texts = checkpoint.tokenizer.piece_texts
    piece = next(each for each in free.token_ids if texts[each].startswith(" S"))
    monkeypatch.setattr(TermSpeller, "rivals", lambda *_: (piece,))
    request = Request("The ship comes back tomorrow.", terms=(TermConstraint("ship", ("Hafen",)),))
    ((credited, *_),) = translator.translate([request])
    monkeypatch.setattr(TermSpeller, "rivals", lambda *_: ())
    ((plain, *_),) = Translator(checkpoint).translate([request])
    assert credited.credit > 0 == plain.credit == free.credit
    assert credited.text.startswith("Das Hafen ")
    tokens = len(credited.token_ids) + 1
    assert credited.score == pytest.approx((credited.log_probability + credited.credit) / tokens)
    ((rated,),) = translator.rate([request.text], [[credited]])
    assert rated.score == pytest.approx((rated.log_probability + credited.credit) / tokens)
    assert rated.log_probability == pytest.approx(credited.log_probability, abs=1e-3)
