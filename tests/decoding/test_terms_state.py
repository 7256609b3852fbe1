"""How far a hypothesis has come with the terms that it is to have."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.pieces import PieceTable, piece_table
from subfit.decoding.search_types import Spelling
from subfit.decoding.terms import START, ConstraintState, ConstraintTracker
from subfit.model.checkpoint import Checkpoint
from subfit.text.counting import Counting
from tests.decoding.test_terms import ABC, TERMS, constraints, missed

from .test_search_exhaustive import (
    INSIDE_WORD,
    WORDS,
    Pieces,
    model_of,
)


@cache
def table() -> PieceTable:
    return piece_table(Checkpoint("x", model_of(1), Pieces()), Counting())


@given(st.lists(st.sampled_from(WORDS), max_size=6), st.sampled_from(sorted(TERMS)))
def test_progress_is_what_the_text_has(sequence, terms):
    tracker, state = ConstraintTracker(constraints(TERMS[terms]), table()), START
    for piece in sequence:
        state = tracker.after(state, piece, inside_word=piece in INSIDE_WORD)
    lacking = tracker.count - state.count
    assert lacking == missed(tuple(sequence), terms)
    assert (tracker.needed(state) > 0) == bool(lacking)
    if lacking and terms not in ("not first", "behind c"):
        assert list(tracker.next_pieces(state))


def test_a_term_is_not_asked_for_once_it_is_there():
    tracker = ConstraintTracker(constraints(((ABC,),)), table())
    begun = tracker.after(START, 1, inside_word=False)
    assert [each.token_id for each in tracker.next_pieces(START)] == [1]
    assert [each.token_id for each in tracker.next_pieces(begun)] == [2, 1]
    whole = tracker.after(begun, 2, inside_word=True)
    assert not list(tracker.next_pieces(whole)) and whole.count == 1
    assert tracker.after(whole, 3, inside_word=False).met == {0}
    assert tracker.after(whole, 4, inside_word=True).count == 0


def test_terms_that_may_be_said_in_one_need_no_more_than_the_longest():
    longer, shorter = (Spelling((1, 2)),), (Spelling((1,)),)
    alone, both = (
        ConstraintTracker(constraints((longer,)), table()),
        ConstraintTracker(constraints((shorter, longer)), table()),
    )
    assert both.needed(START) == alone.needed(START) > 0
    apart = ConstraintTracker(constraints((longer, (Spelling((3,)),))), table())
    assert apart.needed(START) > alone.needed(START)


def test_a_term_that_breaks_off_has_no_credit_where_the_text_ends():
    tracker = ConstraintTracker(constraints(((Spelling((1, 2)),),)), table())
    begun = tracker.after(START, 1, inside_word=False, credit=8.0)
    assert (begun.credit, begun.credit_at_end) == (8.0, 0.0)
    whole = tracker.after(begun, 2, inside_word=True, credit=1.0)
    assert (whole.credit, whole.credit_at_end) == (9.0, 9.0)


def test_progress_knows_wordings_that_begin_alike():
    tracker = ConstraintTracker(constraints(((Spelling((1,)), Spelling((1, 3))),)), table())
    begun = tracker.after(START, 1, inside_word=False)
    assert begun == ConstraintState(1, frozenset(), frozenset({0}), ((0, 1, 1, 0.0),))
    assert tracker.after(begun, 3, inside_word=False).count == 1
