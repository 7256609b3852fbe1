"""How probable translations are: scores as if no length had been asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import load_checkpoint
from tests.hub_reference import hub_model


def test_rating_gives_free_hypotheses_the_scores_their_search_gave_them(
    tiny_model_folder: Path,
) -> None:
    translator = Translator(load_checkpoint(str(tiny_model_folder)))
    texts = ["How are you?", "The door is open.", "He writes a long letter to his mother."]
    found = translator.translate([Request(text) for text in texts])
    for searched, rated in zip(found, translator.rate(texts, found), strict=True):
        assert [each.text for each in rated] == [each.text for each in searched]
        assert [each.score for each in rated] == pytest.approx(
            [each.score for each in searched], abs=1e-4
        )


def test_the_closing_is_that_of_the_last_marks_and_the_end(tiny_model_folder: Path) -> None:
    checkpoint = load_checkpoint(str(tiny_model_folder))
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


def test_rating_forgets_the_length_that_was_asked_for(tiny_model_folder: Path) -> None:
    translator = Translator(load_checkpoint(str(tiny_model_folder)))
    text = "He writes a long letter to his mother."
    found = translator.translate([Request(text, ceiling=20, asked=20)])
    ((rated, *_),) = translator.rate([text], found)
    assert rated.score < found[0][0].score
    assert rated.text == found[0][0].text
