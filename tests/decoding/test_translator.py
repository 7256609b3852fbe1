"""The translator: requests in, hypotheses out, whatever they are batched with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.hypotheses import BROKEN_BYTES, Request, SearchSettings
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.tokenizer import Tokenizer
from subfit.text.counting import Counting, count_characters
from tests.hub_reference import hub_model
from tests.properties import examples
from tests.regenerate import TRANSLATIONS, translations
from tests.tiny import PAIRS, tiny_model


@pytest.fixture(scope="module")
def marian(tiny_marian_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_marian_folder))


@pytest.fixture(scope="module")
def random_checkpoint(checkpoint: Checkpoint) -> Checkpoint:
    """A model that writes nonsense, bytes included."""
    tokenizer = checkpoint.tokenizer
    assert isinstance(tokenizer, Tokenizer)
    return Checkpoint("random", tiny_model(tokenizer, end_bias=3.0), tokenizer)


def test_the_frozen_model_translates_as_it_did():
    golden = json.loads(TRANSLATIONS.read_text(encoding="utf-8"))
    found = translations()
    assert len(found) == len(golden)
    for now, then in zip(found, golden, strict=True):
        assert {**now, "hypotheses": None} == {**then, "hypotheses": None}
        assert [each[:2] for each in now["hypotheses"]] == [each[:2] for each in then["hypotheses"]]
        scores = [each[2] for each in then["hypotheses"]]
        assert [each[2] for each in now["hypotheses"]] == pytest.approx(scores, abs=2e-3)


def test_what_is_asked_for_moves_the_length(checkpoint):
    translator = Translator(checkpoint)
    few, many = (
        sum(
            nbest[0].characters
            for nbest in translator.translate([Request(pair.source, asked=asked) for pair in PAIRS])
        )
        for asked in (8, 45)
    )
    assert few < 0.97 * many


@pytest.mark.parametrize("which", ["checkpoint", "marian", "random_checkpoint"])
@examples(12)
@given(data=st.data())
def test_no_text_passes_its_ceiling_in_any_counting(which, request, data):
    model = request.getfixturevalue(which)
    counting = data.draw(
        st.sampled_from(
            [
                Counting(),
                Counting(spaces=False),
                Counting(punctuation=False),
                Counting(half_width=True),
            ]
        )
    )
    text = data.draw(
        st.sampled_from([pair.source for pair in PAIRS] + ["😀 漢字 ok", "", "x" * 50])
    )
    ceiling = data.draw(st.integers(0, 40)) / 2
    asked = data.draw(st.integers(0, 40))
    translator = Translator(model, counting, SearchSettings(beams=3, max_steps=24))
    (nbest,) = translator.translate([Request(text, ceiling, asked)])
    for each in nbest:
        assert count_characters(each.text, counting) <= each.characters <= ceiling
        assert BROKEN_BYTES not in each.text
        assert each.text == each.text.strip()


def test_texts_too_long_for_the_model_are_known_beforehand(checkpoint, marian):
    for model in (checkpoint, marian):
        translator = Translator(model, settings=SearchSettings(max_steps=10))
        most = int(model.model.config.max_position_embeddings)
        assert translator.accepts("How are you?")
        assert not translator.accepts("x? " * most)
        text = next(
            text
            for text in ("x " * count for count in range(most, 0, -1))
            if translator.accepts(text)
        )
        assert translator.translate([Request(text, asked=20)])


def test_plain_marian_prints_words_not_pieces(marian):
    tokens = marian.tokenizer.encode("How are you?")
    assert marian.tokenizer.eos_id not in tokens
    assert marian.tokenizer.decode(tokens) == "How are you?"
    texts = marian.tokenizer.piece_texts
    assert not any("▁" in text for text in texts)
    assert texts[marian.tokenizer.eos_id] == texts[marian.tokenizer.pad_id] == ""


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
