"""Which pieces belong to the shortlist of a source."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.shortlist import Shortlist, ShortlistSettings, find_shortlist
from subfit.decoding.hypotheses import Request
from subfit.decoding.pieces import spelling_pieces
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.lexicon import LexicalTable
from subfit.training.data.alignment import learn_table
from tests.tiny import PAIRS

NARROW = ShortlistSettings(frequent=5, translations=3)


@pytest.fixture(scope="module")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


@pytest.fixture(scope="module")
def table(checkpoint: Checkpoint) -> LexicalTable:
    encode = checkpoint.tokenizer.source.encode_all
    sources = encode([pair.source for pair in PAIRS])
    targets = encode([pair.target for pair in PAIRS])
    size = len(checkpoint.tokenizer.source)
    return learn_table(sources, targets, (size, size))


def narrow(checkpoint: Checkpoint, table: LexicalTable) -> Shortlist:
    return Shortlist(table, checkpoint.tokenizer.piece_texts, settings=NARROW)


def test_a_shortlist_has_the_translations_of_the_source(checkpoint, table):
    source = checkpoint.tokenizer.encode("The lighthouse stands on the hill.")
    listed = set(narrow(checkpoint, table).pieces(torch.tensor(source)).tolist())
    for piece in source:
        assert {target for target, _ in table.translations(piece)[:3]} <= listed


def test_pieces_come_sorted_and_once_whatever_the_shape(checkpoint, table):
    shortlist = narrow(checkpoint, table)
    source = checkpoint.tokenizer.encode("Who is there? Who is there?")
    listed = shortlist.pieces(torch.tensor(source))
    assert listed.dtype == torch.int64
    assert listed.tolist() == sorted(set(listed.tolist()))
    padded = torch.tensor([source, source[::-1], [0] * len(source)])
    assert shortlist.pieces(padded).equal(listed)


def test_that_of_a_batch_holds_those_of_its_sentences(checkpoint, table):
    shortlist = narrow(checkpoint, table)
    sources = [checkpoint.tokenizer.encode(pair.source)[:4] for pair in PAIRS]
    sources = [each for each in sources if len(each) == 4]
    together = set(shortlist.pieces(torch.tensor(sources)).tolist())
    alone = (set(shortlist.pieces(torch.tensor(each)).tolist()) for each in sources)
    assert together == set().union(*alone)


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=30))
def test_any_name_can_be_copied(checkpoint, table, name):
    tokenizer = checkpoint.tokenizer
    source = [*tokenizer.encode(name), tokenizer.eos_id]
    listed = set(narrow(checkpoint, table).pieces(torch.tensor(source)).tolist())
    assert set(source) <= listed


def test_a_name_may_follow_an_opening_mark():
    texts = ["", " Anna", "Anna", " Peter", "¿", " door"]
    size = len(texts)
    empty = torch.zeros(size + 1, dtype=torch.int64)
    nothing = LexicalTable(empty, empty[:0], torch.zeros(0), empty[:size])
    shortlist = Shortlist(nothing, texts)
    for source, listed in (([1], [0, 1, 2, 4]), ([2], [0, 1, 2, 4]), ([3], [0, 3, 4])):
        assert shortlist.pieces(torch.tensor(source)).tolist() == listed


def test_tokens_beyond_the_vocabulary_are_no_obstacle(checkpoint, table):
    shortlist = narrow(checkpoint, table)
    source = checkpoint.tokenizer.encode("Who is there?")
    beyond = torch.tensor([*source, len(checkpoint.tokenizer.piece_texts) + 3])
    assert shortlist.pieces(beyond).equal(shortlist.pieces(torch.tensor(source)))


def test_frequent_pieces_always_belong(checkpoint, table):
    listed = set(narrow(checkpoint, table).pieces(torch.tensor([0])).tolist())
    assert set(table.counts.argsort(descending=True, stable=True)[:5].tolist()) <= listed
    spelling = spelling_pieces(checkpoint.tokenizer.piece_texts).nonzero().flatten().tolist()
    assert set(spelling) <= listed
    assert len(listed) <= len(spelling) + 5


def test_the_tiny_model_s_translations_are_nearly_all_on_its_shortlists(checkpoint, table):
    shortlist = Shortlist(table, checkpoint.tokenizer.piece_texts)
    requests = [Request(pair.source) for pair in PAIRS]
    inside = []
    for request, found in zip(requests, Translator(checkpoint).translate(requests), strict=True):
        source = torch.tensor(checkpoint.tokenizer.encode(request.text))
        inside.append(torch.isin(torch.tensor(found[0].token_ids), shortlist.pieces(source)))
    assert torch.cat(inside).float().mean() > 0.99


def test_without_tables_there_is_no_shortlist(checkpoint):
    assert find_shortlist(checkpoint, "de") is None


def test_the_bundled_model_has_shortlists_for_all_its_languages(project_root: Path) -> None:
    checkpoint = load_checkpoint(str(project_root / "models" / "en-multi"))
    source = torch.tensor(checkpoint.tokenizer.encode("The door of the lighthouse is open."))
    for language, door in (("de", "Tür"), ("es", "puerta"), ("fr", "porte"), ("it", "porta")):
        shortlist = find_shortlist(checkpoint, language)
        assert shortlist is not None
        listed = shortlist.pieces(source)
        assert torch.isin(torch.tensor(checkpoint.tokenizer.encode(door)), listed).all()
        assert len(listed) < 3000
