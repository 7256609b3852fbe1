"""How terms are spelt with the pieces of a vocabulary, and that translations have them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from subfit.decoding.hypotheses import Request, TermConstraint
from subfit.decoding.term_spelling import TermSpeller
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.lexicon import LexicalTable
from subfit.terms.glossary import Occurrence
from tests.tiny import PAIRS

FORMS = ("Leuchtturm", "Käpt'n", "alte Brücke", "ruhig", "Ærø", "C++", "日本", "Leuchtturm*")


@pytest.fixture(scope="module")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


@pytest.fixture(scope="module")
def marian(tiny_marian_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_marian_folder))


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


def test_what_is_written_without_spaces_stands_right_behind_anything(checkpoint):
    spaced, tight = TermSpeller(checkpoint.tokenizer).of(("灯塔",))
    assert spaced.opens and spaced.behind == frozenset()
    assert not tight.opens and tight.behind is None


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


def test_what_a_vocabulary_cannot_print_has_no_wording(marian):
    assert TermSpeller(marian.tokenizer).of(("日本",)) == ()
    assert TermSpeller(marian.tokenizer).of(("日本", "Haus"))


def test_what_a_term_may_stand_in_for(checkpoint):
    tokenizer = checkpoint.tokenizer
    size, texts = len(tokenizer), tokenizer.piece_texts
    (ship, *_) = tokenizer.encode("ship")
    good, article, inside, rare = (
        next(number for number, text in enumerate(texts) if rule(text))
        for rule in (
            lambda text: text.startswith(" ") and len(text) > 3,
            lambda text: text == " d",
            lambda text: len(text) > 1 and text.isalpha(),
            lambda text: text.startswith(" ") and len(text) == 3,
        )
    )
    offsets = torch.zeros(size + 1, dtype=torch.int64)
    offsets[ship + 1 :] = 4
    counts = torch.ones(size, dtype=torch.int64)
    counts[article] = 10 * size
    table = LexicalTable(
        offsets,
        torch.tensor([good, article, inside, rare]),
        torch.tensor([0.4, 0.3, 0.2, 0.01]),
        counts,
    )
    encode = checkpoint.tokenizer.encode
    assert encode("ship")[0] == ship
    assert TermSpeller(tokenizer, table=table).rivals("ship") == (good,)
    assert TermSpeller(tokenizer).rivals("ship") == ()


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


def test_requests_with_and_without_terms_do_not_meet(checkpoint):
    translator = Translator(checkpoint)
    plain = [Request(pair.source) for pair in PAIRS[:3]]
    asking = [Request(p.source, terms=(TermConstraint("x", ("Hafen",)),)) for p in PAIRS[:2]]
    assert translator.translate([*asking, *plain])[2:] == translator.translate(plain)
    assert translator.translate([*plain, *asking])[3:] == [
        translator.translate([each])[0] for each in asking
    ]


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
