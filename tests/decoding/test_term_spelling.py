"""How terms are spelt with the pieces of a vocabulary, and that translations have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request, TermConstraint
from subfit.decoding.term_spelling import TermSpeller
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.terms.glossary import Occurrence
from tests.tiny import PAIRS

FORMS = ("Leuchtturm", "Käpt'n", "alte Brücke", "ruhig", "Ærø", "C++", "日本", "Leuchtturm*")


@pytest.fixture(scope="module")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


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
