"""Sources with what a dictionary has for their words, as a model that was trained so reads them."""

from __future__ import annotations

import random

import pytest

from subfit.decoding.annotation import Annotator, Marks
from subfit.decoding.hypotheses import Request, TermConstraint
from subfit.decoding.source_tokens import SourceTokens
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.dictionary import Dictionary, Entry
from subfit.model.tokenizer import Tokenizer
from tests.places import EN_MULTI
from tests.tiny import tiny_model

ENTRIES = [
    Entry("lantern", ("Laterne", "Leuchte"), capital=False),
    Entry("bolts", ("Bolzen", "Bolzens", "Riegel"), capital=False),
    Entry("thursday", ("Donnerstag",), capital=True),
    Entry("lantern oil", ("Lampenöl",), capital=False),
]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return load_checkpoint(str(EN_MULTI)).tokenizer


@pytest.fixture(scope="module")
def marks(tokenizer: Tokenizer) -> Marks:
    return Marks(len(tokenizer), len(tokenizer) + 1)


@pytest.fixture(scope="module")
def dictionary(tokenizer: Tokenizer) -> Dictionary:
    return Dictionary.of(ENTRIES, tokenizer)


@pytest.fixture(scope="module")
def annotator(tokenizer: Tokenizer, dictionary: Dictionary, marks: Marks) -> Annotator:
    return Annotator(dictionary, [*tokenizer.piece_texts, "", ""], marks, "en")


def shown(tokenizer: Tokenizer, pieces: list[int], marks: Marks) -> str:
    """What pieces print, with angle brackets for the marks."""
    brackets = {marks.begin: "<", marks.end: ">"}
    return "".join(brackets.get(piece) or tokenizer.piece_texts[piece] for piece in pieces).strip()


@pytest.mark.parametrize(
    ("text", "annotated"),
    [
        ("I see a lantern.", "I see a lantern< Laterne Leuchte>."),
        ("Lanterns, a lantern", "Lanterns, a lantern< Laterne Leuchte>"),
        ("We need lantern oil!", "We need lantern oil< Lampenöl>!"),
        ("Come on Thursday, Tom.", "Come on Thursday< Donnerstag>, Tom."),
        ("We want bolts.", "We want bolts< Bolzen Riegel>."),  # no two forms of a word
        ("A lantern is a lantern.", "A lantern< Laterne Leuchte> is a lantern."),
        ("The Old Lantern is here.", "The Old Lantern is here."),  # a name
        ("Nothing to see.", "Nothing to see."),
        ("", ""),
    ],
)
def test_translations_stand_behind_the_words(tokenizer, annotator, marks, text, annotated):
    assert shown(tokenizer, annotator.of(tokenizer.encode(text)), marks) == annotated


def test_what_has_a_translation_already_gets_none(tokenizer, annotator, marks):
    pieces = tokenizer.encode("Bring bolts and a lantern.")
    annotated = shown(tokenizer, annotator.of(pieces, {"lantern"}), marks)
    assert annotated == "Bring bolts< Bolzen Riegel> and a lantern."


def test_training_leaves_words_out_and_errs(tokenizer, annotator, marks):
    pieces = tokenizer.encode("I see a lantern.")
    seen = [annotator.of(pieces, chooser=random.Random(seed)) for seed in range(400)]
    bare = sum(each == pieces for each in seen)
    right = sum(each == annotator.of(pieces) for each in seen)
    wrong = [each for each in seen if each not in (pieces, annotator.of(pieces))]
    assert 30 < bare < 90 and right > 280 and 4 < len(wrong) < 40
    assert all(marks.begin in each and marks.end in each for each in wrong)


def reading(tokenizer: Tokenizer, dictionary: Dictionary, marks: Marks | None) -> SourceTokens:
    """The source tokens of a model that reads annotations, or none."""
    own = None if marks is None else marks._asdict()
    model = tiny_model(tokenizer, source_language="en", annotation_tokens=own)
    return SourceTokens(Checkpoint("x", model, tokenizer), "de", "en", lambda: dictionary)


def test_models_read_annotations_that_were_trained_to(tokenizer, dictionary, marks):
    text = "I see a lantern."
    plain = reading(tokenizer, dictionary, None).of(Request(text))
    annotated = reading(tokenizer, dictionary, marks).of(Request(text))
    assert marks.begin not in plain
    assert shown(tokenizer, annotated[:-1], marks) == "I see a lantern< Laterne Leuchte>."


def test_terms_of_a_glossary_are_not_looked_up(tokenizer, dictionary, marks):
    request = Request("I see a lantern.", terms=(TermConstraint("lantern", ("Lampe",)),))
    assert marks.begin not in reading(tokenizer, dictionary, marks).of(request)


def test_what_leaves_no_room_is_read_as_it_is(tokenizer, dictionary, marks):
    tokens = reading(tokenizer, dictionary, marks)  # of a model with 128 positions
    annotated = []
    for words in range(80, 128):
        read = tokens.of(Request("lantern" + " so" * words))
        assert len(read) <= max(words + 4, 128)
        annotated.append(marks.begin in read)
    assert annotated == sorted(annotated, reverse=True) and len({*annotated}) == 2
