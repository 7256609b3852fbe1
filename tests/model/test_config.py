"""What a configuration says of lengths, languages and the tokens before sources."""

from __future__ import annotations

import json
import math

import pytest
from transformers import MarianConfig

from subfit.model.config import LengthConfig, ModelConfig

CLASSES = [["short", 400, 0.95], ["normal", 401, 1.1], ["long", 402, None]]


@pytest.mark.parametrize(
    ("ratio", "name"),
    [
        (0.0, "short"),
        (0.95, "short"),
        (0.951, "normal"),
        (1.1, "normal"),
        (1.2, "long"),
        (99, "long"),
    ],
)
def test_every_ratio_falls_into_one_class(ratio, name):
    config = LengthConfig(length_classes=CLASSES)
    found = config.class_for(ratio)
    assert found is not None and found == config.class_named(name)
    assert config.classes[-1].upper == math.inf
    assert LengthConfig().class_for(ratio) is None and config.class_named("tiny") is None


@pytest.mark.parametrize(
    ("tag", "token"), [("de", 7), ("de-AT", 7), ("pt-BR", 8), ("pt-PT", None), ("zh", None)]
)
def test_a_tag_has_the_token_of_its_language(tag, token):
    config = LengthConfig(language_tokens={"de": 7, "pt-BR": 8})
    assert config.language_token(tag) == token
    assert LengthConfig().language_token(tag) is None


def test_tokens_before_sources_are_all_told_and_there_is_room_for_one_of_each_kind():
    config = LengthConfig(
        length_classes=CLASSES,
        language_tokens={"de": 7, "it": 8},
        lowercase_token=9,
        formality_tokens={"formal": 10, "informal": 11},
        sink_token=12,
    )
    assert sorted(config.source_token_ids) == [*range(7, 13), 400, 401, 402]
    assert config.most_source_tokens == 5  # class, language, lower case, address, sink
    assert LengthConfig().source_token_ids == () and LengthConfig().most_source_tokens == 1
    assert (config.formality_token("formal"), config.formality_token(None)) == (10, None)


def test_what_a_file_leaves_out_is_as_hugging_face_has_it():
    theirs = MarianConfig()
    ours = ModelConfig.from_dict({})
    for name in (
        "vocab_size",
        "decoder_vocab_size",
        "d_model",
        "encoder_layers",
        "scale_embedding",
    ):
        assert getattr(ours, name) == getattr(theirs, name), name
    saved = json.loads(
        MarianConfig(vocab_size=70, d_model=32, decoder_vocab_size=60).to_json_string()
    )
    read = ModelConfig.from_dict(saved)
    assert (read.vocab_size, read.d_model, read.decoder_vocab_size) == (70, 32, 60)
