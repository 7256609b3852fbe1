"""How probable translations are: scores as if no length had been asked for."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from subfit.decoding.hypotheses import Hypothesis, Request, SearchSettings, with_scores
from subfit.decoding.network import Network, vote
from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from tests.hub_reference import hub_model
from tests.tiny import PAIRS, tiny_marian


def test_rating_gives_free_hypotheses_the_scores_their_search_gave_them(checkpoint) -> None:
    translator = Translator(checkpoint)
    texts = ["How are you?", "The door is open.", "He writes a long letter to his mother."]
    found = translator.translate([Request(text) for text in texts])
    for searched, rated in zip(found, translator.rate(texts, found), strict=True):
        assert [each.text for each in rated] == [each.text for each in searched]
        assert [each.score for each in rated] == pytest.approx(
            [each.score for each in searched], abs=1e-4
        )


def test_the_closing_is_that_of_the_last_marks_and_the_end(checkpoint) -> None:
    translator, tokenizer = Translator(checkpoint), checkpoint.tokenizer
    reference = hub_model(checkpoint.model)
    source = "Where is the old lighthouse?"
    for text, marks in (("Wo ist der Turm?", 1), ("Wo ist der Turm", 0), ("...", 3), ("Wo?!", 2)):
        ids = tokenizer.encode(text)
        printed = [tokenizer.piece_texts[each].strip() for each in ids]
        (nbest,) = translator.rate([source], [[Hypothesis(text, 1.0, 0.0, 0.0, tuple(ids))]])
        tokens = [*tokenizer.encode(source), tokenizer.eos_id]
        logits = reference(
            input_ids=torch.tensor([tokens]),
            decoder_input_ids=torch.tensor([[tokenizer.pad_id, *ids]]),
        ).logits[0]
        each = logits.log_softmax(-1)[range(len(ids) + 1), [*ids, tokenizer.eos_id]]
        words = [number for number, one in enumerate(printed) if any(map(str.isalnum, one))]
        last = max(words, default=-1)
        assert "".join(printed[last + 1 :]) == text[len(text) - marks :]
        expected = each[last + 1 :].sum().item()
        assert nbest[0].closing == pytest.approx(expected, abs=1e-4)
        assert nbest[0].log_probability == pytest.approx(each.sum().item(), abs=1e-4)


def test_rating_forgets_the_length_that_was_asked_for(checkpoint) -> None:
    translator = Translator(checkpoint)
    text = "He writes a long letter to his mother."
    found = translator.translate([Request(text, ceiling=20, asked=20)])
    ((rated, *_),) = translator.rate([text], found)
    assert rated.score < found[0][0].score
    assert rated.text == found[0][0].text


TEXTS = [pair.source for pair in PAIRS[:8]]


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_neither_company_nor_what_is_remembered_changes_a_bit(checkpoint, precision):
    computed = replace(checkpoint, precision=precision)
    translator = Translator(computed)
    nbest = translator.translate([Request(text) for text in TEXTS])
    alone = [
        Translator(computed).rate([text], [[hypothesis]])[0][0]
        for text, hypotheses in zip(TEXTS, nbest, strict=True)
        for hypothesis in hypotheses
    ]
    for _ in range(2):
        rated = translator.rate(TEXTS, nbest)
        assert [each for hypotheses in rated for each in hypotheses] == alone
    again = translator.translate([Request(text) for text in TEXTS])
    assert again == nbest


@pytest.mark.parametrize(
    ("normalization", "penalty", "tokens", "length"),
    [
        ("mean", 1.0, 25, 25.0),
        ("mean", 0.5, 25, 5.0),
        ("wu", 1.0, 25, 5.0),
        ("wu", 0.2, 25, 1.379730),
        ("wu", 0.5, 4, 1.224745),
        ("wu", 1.0, 1, 1.0),
        ("wu", 0.0, 25, 1.0),
    ],
)
def test_scores_are_divided_by_a_length(normalization, penalty, tokens, length):
    settings = SearchSettings(length_penalty=penalty, length_normalization=normalization)
    assert settings.length(float(tokens)) == pytest.approx(length, rel=1e-6)
    assert settings.length(torch.tensor([tokens])).tolist() == pytest.approx([length], rel=1e-6)


def test_coverage_weighs_as_much_as_with_wu_et_al_where_the_length_is_theirs():
    """s = log P / ((5 + n) / 6)^α + β Σ ln min(coverage, 1), of 25 tokens with α = 1: 5, not 25."""
    found = Hypothesis("a", 1.0, 0.0, 0.0, tuple(range(24)), uncovered=0.2 * math.log(0.5))
    log_probabilities, texts = [-0.4] * 25, ["a"] * 24
    of_wu = SearchSettings(length_normalization="wu")
    score = with_scores(found, log_probabilities, texts, of_wu).score
    assert score == pytest.approx(-2.0 - 0.138629, abs=1e-6)
    score = with_scores(found, log_probabilities, texts, SearchSettings()).score
    assert score == pytest.approx(-0.4 - 0.138629, abs=1e-6)


def test_models_vote_by_log_probabilities_or_by_probabilities():
    first, second = torch.tensor([[0.9, 0.1]]).log(), torch.tensor([[0.4, 0.6]]).log()
    by_log = vote([first, second], "log-probability")
    assert by_log.exp().tolist() == [pytest.approx([0.6, math.sqrt(0.06)])]
    by_mean = vote([first, second], "probability")
    assert by_mean.exp().tolist() == [pytest.approx([0.65, 0.35])]


SIZE, END, PAD = 40, 0, 39
SOURCES = [(5, 9, 3, END), (7, END), (*range(1, 20), END)]
TARGETS = [(4, 8, END), (6, 6, 11, 30, END), (END,)]


def test_a_model_that_computes_no_numbers_is_told():
    model = tiny_marian(SIZE)
    with torch.no_grad():
        model.model.decoder.layers[0].fc2.weight[0, 0] = float("nan")
    network = Network([model])
    with pytest.raises(ModelError, match=r"no numbers .*are its weights damaged"):
        network.rate(TARGETS, network.encode(SOURCES))
