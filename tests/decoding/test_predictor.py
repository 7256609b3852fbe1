"""Predicting natural lengths: from texts alone, kept with the model, and independent of company."""

from __future__ import annotations

import torch

from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint
from tests.hub_reference import hub_model
from tests.tiny import PAIRS, tiny_model

TEXTS = [pair.source for pair in PAIRS]


def test_predictions_are_positive_integers_whatever_the_text(predicting):
    texts = ["", " ", "?", "漢字", "x " * 400, *TEXTS]
    found = Translator(predicting).predict_lengths(texts)
    assert all(isinstance(each, int) and each >= 1 for each in found)
    assert len(set(found)) > 5


def test_the_head_sees_sources_as_in_training_with_the_sink_behind(predicting, tokenizer):
    sink = 377
    model = tiny_model(
        tokenizer, length_predictor=True, source_attention="csoftmax", sink_token=sink
    )
    model.length_head.load_state_dict(predicting.model.length_head.state_dict())
    text = TEXTS[3]
    source = torch.tensor([[*tokenizer.encode(text), tokenizer.eos_id, sink]])
    mask = torch.ones_like(source)
    with torch.no_grad():
        states = hub_model(model).model.encoder(input_ids=source, attention_mask=mask)[0]
        ratio = model.length_head(states, mask, torch.tensor([float(len(text))])).exp().item()
    found = Translator(Checkpoint("sink", model, tokenizer)).predict_lengths([text])
    assert found == [max(1, round(len(text) * ratio))]


def test_predictions_that_explode_stay_within_ten_times_the_source(predicting, tokenizer):
    model = tiny_model(tokenizer, length_predictor=True)
    with torch.no_grad():
        model.length_head.bias.fill_(1e4)
    translator = Translator(Checkpoint("wild", model, tokenizer))
    assert translator.predict_lengths(["x" * 10]) == [100]
    with torch.no_grad():
        model.length_head.bias.fill_(-1e4)
    assert translator.predict_lengths(["x" * 10]) == [1]
