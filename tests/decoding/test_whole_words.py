"""Words that a vocabulary has as one piece."""

from __future__ import annotations

import pytest

from subfit.decoding.pieces import WholeWords

PIECES = WholeWords(["", " Sie", "Sie", " du", "-", "vous", " vous", "-toi", " Ihn", "en"])


@pytest.mark.parametrize(
    ("words", "pieces"),
    [
        (["Sie"], (1,)),  # not within a word
        (["du", "vous"], (3, 6)),
        (["-vous"], (5,)),
        (["-toi"], (7,)),
        (["Ihnen"], ()),  # of two pieces
        ([], ()),
    ],
)
def test_words_of_one_piece_are_found(words, pieces):
    assert PIECES.pieces_of(words) == pieces
