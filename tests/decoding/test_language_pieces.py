"""Which pieces a language is written with."""

from __future__ import annotations

from pathlib import Path

from subfit.decoding.pieces import language_pieces, spelling_pieces
from subfit.model.tokenizer import Tokenizer
from subfit.training.lexicon import learn_table
from tests.tiny import PAIRS


def test_the_pieces_of_a_language_are_those_that_occur_in_it(tiny_model_folder: Path) -> None:
    tokenizer = Tokenizer(tiny_model_folder / "tokenizer.model")
    sources, targets = (
        tokenizer.encode_all([getattr(pair, side) for pair in PAIRS])
        for side in ("source", "target")
    )
    table = learn_table(sources, targets, (len(tokenizer), len(tokenizer)))
    spelt = {piece for pair in PAIRS for piece in tokenizer.encode(pair.target)}
    allowed = set(language_pieces(table, tokenizer.piece_texts, least=1).tolist())
    spelling = spelling_pieces(tokenizer.piece_texts).nonzero().flatten().tolist()
    assert allowed == spelt | set(spelling)
    assert set(language_pieces(table, tokenizer.piece_texts, least=3).tolist()) < allowed
