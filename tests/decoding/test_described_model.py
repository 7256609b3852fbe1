"""What a translator says of its model: names, languages, lengths."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from tests.tiny import PAIRS


@pytest.fixture(scope="module")
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


@pytest.fixture(scope="module")
def marian(tiny_marian_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_marian_folder))


def test_what_translators_say_of_themselves(checkpoint, marian):
    ours, plain = Translator(checkpoint), Translator(marian)
    assert (checkpoint.length_aware, ours.capabilities.freely) == (True, True)
    assert 1.0 < ours.mean_length_ratio < 1.2
    assert (marian.length_aware, plain.capabilities.freely) == (False, True)
    assert plain.mean_length_ratio == 1.0


def test_models_without_a_predictor_say_so(tiny_model_folder, tiny_marian_folder):
    for folder in (tiny_model_folder, tiny_marian_folder):
        translator = Translator(load_checkpoint(str(folder)))
        assert not translator.capabilities.predicts
        with pytest.raises(UsageError, match=f"{folder.name} has no length predictor"):
            translator.predict_lengths(["Hello."])


def test_a_model_of_one_language_needs_none_named(tiny_model_folder: Path):
    checkpoint = load_checkpoint(str(tiny_model_folder))
    assert Translator(checkpoint)._source_tokens.of(Request("Go.")) == Translator(
        checkpoint, target_language="de-AT"
    )._source_tokens.of(Request("Go."))


def test_a_model_of_one_language_refuses_others(tiny_model_folder: Path):
    checkpoint = load_checkpoint(str(tiny_model_folder))
    with pytest.raises(UsageError, match=r"translates into de, not it"):
        Translator(checkpoint, target_language="it")


def test_a_marian_model_takes_any_language_since_it_does_not_tell_its_own(tiny_marian_folder):
    Translator(load_checkpoint(str(tiny_marian_folder)), target_language="it")


def test_models_that_vote_are_named_together_and_are_free_only_if_all_are(checkpoint, marian):
    both = Translator(checkpoint, beside=[checkpoint])
    assert both.name == f"{checkpoint.name} + {checkpoint.name}"
    able = both.capabilities
    assert able.lengths and able.freely and able.rates
    plain = Translator(marian)
    assert not plain.capabilities.lengths and not plain.capabilities.rates


def test_tokens_are_counted_however_a_text_is_spaced(checkpoint):
    translator = Translator(checkpoint)
    texts = [pair.target for pair in PAIRS[:5]]
    counts = translator.count_tokens(texts)
    assert counts == [len(checkpoint.tokenizer.encode(text)) for text in texts]
    assert translator.count_tokens([f" {text.replace(' ', '  ')} " for text in texts]) == counts
