"""What pieces print: together never less than the text that they make."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.pieces import Choices, table_of
from subfit.text.counting import EVERYTHING, Counting, count_characters

TEXTS = ["", " der", " Turm", "turm", ",", " 灯", "台", " e\u0301", "\u0301", "1", " ", "</s>"]
END, PAD = 0, 11


@given(st.lists(st.integers(1, 10), min_size=1, max_size=12), st.booleans(), st.booleans())
def test_the_costs_of_pieces_add_up_to_no_less_than_their_text(pieces, spaces, half_width):
    counting = Counting(spaces=spaces, half_width=half_width)
    table = table_of(TEXTS, counting)
    text = "".join(TEXTS[piece] for piece in pieces).strip(" ")
    first, *others = table.characters[pieces].tolist()
    total = first - float(table.lead[pieces[0]]) + sum(others)
    assert total >= count_characters(text, counting)
    dense = sum((table.characters - table.lead)[pieces].tolist())
    assert dense >= count_characters(text.replace(" ", ""), counting)


def test_a_piece_goes_on_with_a_word_or_begins_one():
    table = table_of(TEXTS, EVERYTHING)
    inside = {text for text, goes_on in zip(TEXTS, table.inside_word, strict=True) if goes_on}
    assert {"turm", "1"} <= inside and not {" der", " Turm", ",", ""} & inside


@pytest.mark.parametrize("usable", [(*range(7), 9, 10, 11), (0, 2, 3, 4, 11)])
def test_columns_are_those_of_the_pieces_that_may_be_chosen(usable):
    table = table_of(TEXTS, EVERYTHING)
    choices = Choices(table, torch.tensor(list(usable)), END, [PAD])
    assert choices.token_ids[choices.barred].tolist() == [PAD]
    assert int(choices.token_ids[choices.end]) == END
    printed = [TEXTS[token] for token in usable]
    assert choices.costs == [float(len(text)) for text in printed]
    assert choices.opening_costs == [float(len(text.removeprefix(" "))) for text in printed]
    assert choices.widest == max(map(len, printed)) and choices.narrowest == 1.0
